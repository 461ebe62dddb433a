#include "explain/worksheet.h"

#include <utility>

#include "explain/sheet_builder.h"

namespace mekiki {
namespace {

void add_inputs(SheetBuilder& sheet) {
  const ResolvedJob& job = sheet.subject().job();
  const FitReport& report = *sheet.subject().report;
  const ShardCounts& shards = sheet.subject().sharding.shards;
  const auto of_job = [&](const char* key, double value, Unit unit = Unit::none) {
    sheet.input("inputs", key, [&](Inputs& i) { i.job(key, value, unit); });
  };
  const auto computed = [&](const char* key, double value) {
    sheet.input("inputs", key, [&](Inputs& i) { i.computed(key, value); });
  };
  of_job("micro_batch_size", static_cast<double>(job.micro_batch_size));
  of_job("sequence_length", static_cast<double>(job.sequence_length), Unit::tokens);
  computed("micro_batches", static_cast<double>(sheet.subject().program.micro_batches));
  computed("data_parallel", static_cast<double>(report.layout.data_parallel()));
  of_job("gpus", static_cast<double>(report.layout.world_size()));
  of_job("headroom", job.headroom, Unit::share);
  if (report.capacity) {
    sheet.input("inputs", "capacity", [&](Inputs& i) { i.gpu("capacity", *report.capacity / kByte, Unit::bytes); });
  }
  computed("weight_shards", shards.weights);
  computed("gradient_shards", shards.gradients);
  computed("state_shards", shards.states);
}

}  // namespace

Result<std::vector<SheetRow>> worksheet(const FitRequest& request, const FitReport& report, const KeyPlaces& places) {
  const Result<Subject> subject = subject_of(request, report, places);
  if (!subject) {
    return fail(subject.error());
  }
  SheetBuilder sheet(*subject);
  add_inputs(sheet);
  add_memory_rows(sheet);
  add_time_rows(sheet);
  return std::move(sheet).finish();
}

}  // namespace mekiki
