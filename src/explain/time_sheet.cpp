#include "explain/sheet_builder.h"
#include "time/step_parts.h"

namespace mekiki {
namespace {

void part_row(SheetBuilder& sheet, const std::string& section, const StepPart& part) {
  const std::size_t row = sheet.here();
  const std::string op = std::string(part.op) + " (" + std::string(enum_name(part.segment)) + ", " +
                         std::string(enum_name(part.pass)) + ")";
  sheet.add({.section = section,
             .term = part.kind == StepPartKind::op ? op : std::string(enum_name(part.kind)),
             .count = part.times,
             .coefficient = part.once / kSecond,
             .value = CellFormula{"=" + SheetBuilder::address('C', row) + "*" + SheetBuilder::address('D', row)},
             .unit = Unit::seconds,
             .predicted = part.total() / kSecond,
             .editable = true,
             .note = SheetNote::from_tables});
}

void causes(SheetBuilder& sheet, const std::vector<StepPart>& parts, const TimeReport& time) {
  std::string sum;
  for (std::size_t c = 0; c < kTimeCauses; ++c) {
    const std::string section(EnumNames<TimeCause>::value[c]);
    const std::size_t first = sheet.here();
    for (const StepPart& part : parts) {
      if (static_cast<std::size_t>(part.cause) == c) {
        part_row(sheet, section, part);
      }
    }
    sheet.total(section, section + "_s", sheet.sum_from(first), time.causes[c] / kSecond, Unit::seconds);
    sum += (c == 0 ? "" : "+") + sheet.named(section + "_s");
  }
  sheet.total("step", "step_time", sum, time.step_time.mid / kSecond, Unit::seconds);
}

void utilisation(SheetBuilder& sheet, const TimeReport& time, FlopsPerSecond peak) {
  const double model = time.model_flops_per_gpu * time.step_time.mid / kFlop;
  const double all = time.mfu > 0 ? model * (time.hfu / time.mfu) : model;
  sheet.input("step", "dense_peak", [&](Inputs& i) { i.gpu("dense_peak", peak.base(), Unit::flops_per_second); });
  sheet.input("step", "model_flops", [&](Inputs& i) { i.computed("model_flops_per_gpu", model, Unit::flops); });
  sheet.input("step", "all_flops", [&](Inputs& i) { i.computed("all_flops_per_gpu", all, Unit::flops); });
  if (!sheet.has("dense_peak")) {
    return;  // rates of a GPU that the answer does not name
  }
  const std::string could = "/(" + sheet.named("dense_peak") + "*" + sheet.named("step_time") + ")";
  sheet.total("step", "mfu", sheet.named("model_flops") + could, time.mfu, Unit::share);
  sheet.total("step", "hfu", sheet.named("all_flops") + could, time.hfu, Unit::share);
}

void rates(SheetBuilder& sheet, const TimeReport& time) {
  sheet.total("step",
              "tokens_per_step",
              sheet.named("micro_batch_size") + "*" + sheet.named("sequence_length") + "*" +
                  sheet.named("micro_batches") + "*" + sheet.named("data_parallel"),
              time.tokens_per_step,
              Unit::tokens);
  sheet.total("step",
              "tokens_per_s",
              sheet.named("tokens_per_step") + "/" + sheet.named("step_time"),
              time.tokens_per_s.base(),
              Unit::tokens_per_second);
  sheet.total("step",
              "tokens_per_s_per_gpu",
              sheet.named("tokens_per_s") + "/" + sheet.named("gpus"),
              time.tokens_per_s_per_gpu.base(),
              Unit::tokens_per_second);
}

void training_time(SheetBuilder& sheet, const TimeReport& time) {
  const std::optional<std::int64_t> asked = sheet.subject().job().tokens;
  if (!asked) {
    return;
  }
  const auto tokens = static_cast<double>(*asked);
  sheet.input("step", "tokens", [&](Inputs& i) { i.job("tokens", tokens, Unit::tokens); });
  sheet.total("step",
              "training_time",
              sheet.named("tokens") + "/" + sheet.named("tokens_per_s"),
              time.step_time.mid / kSecond * (tokens / time.tokens_per_step),
              Unit::seconds);
}

}  // namespace

void add_time_rows(SheetBuilder& sheet) {
  const Subject& subject = sheet.subject();
  const FitTarget& target = subject.request->target;
  const std::optional<TimeReport>& time = subject.report->time;
  if (!time || !target.rates) {
    return;
  }
  causes(sheet,
         step_parts(subject.timed_program, subject.timed_job, subject.profile(), *target.rates, target.cluster),
         *time);
  rates(sheet, *time);
  if (const auto peak = dense_peak(*target.rates->gpu, arithmetic_of(subject.job()))) {
    utilisation(sheet, *time, *peak);
  }
  training_time(sheet, *time);
}

}  // namespace mekiki
