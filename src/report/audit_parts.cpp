#include "report/audit_report.h"
#include "report/fit_parts.h"
#include "report/numbers.h"

namespace mekiki {
namespace {

struct ChangeText {
  const Voice& say;

  std::string operator()(std::int64_t value) const { return whole(value); }
  std::string operator()(Seconds value) const { return duration(value, say); }
  std::string operator()(const std::string& value) const { return value; }
};

void add_measured(std::vector<Filling>& fillings, const AuditReport& report) {
  if (report.measured) {
    fillings.push_back({"best", percent(report.measured->best)});
    fillings.push_back({"runs", whole(report.measured->runs)});
    fillings.push_back({"measured_on", report.measured->gpu_id.empty() ? "*" : report.measured->gpu_id});
    fillings.push_back({"best_run", report.measured->best_run});
  }
}

void add_prediction(std::vector<Filling>& fillings, const AuditReport& report) {
  if (report.predicted) {
    const PredictedSpeed& predicted = *report.predicted;
    fillings.push_back({"framework", predicted.framework});
    fillings.push_back({"device", gib(predicted.device)});
    fillings.push_back({"capacity", capacity_gib(predicted.capacity)});
    fillings.push_back({"saving", predicted.saving});
    if (predicted.rate) {
      fillings.push_back({"fastest", predicted.fastest});
      fillings.push_back({"predicted", tokens_per_second(predicted.rate->high)});
    }
  }
}

}  // namespace

std::string times_text(double ratio, const Voice& say) {
  return say(Message::audit_times, {{"value", significant(ratio)}});
}

std::string reason_text(const AuditAnswer& answer, AuditReason reason, const Voice& say) {
  const AuditReport& report = answer.report;
  std::vector<Filling> fillings{{"gpu", answer.gpu == nullptr ? "?" : std::string(answer.gpu->id)},
                                {"gpus", whole(answer.gpus)},
                                {"format", std::string(enum_name(report.format))}};
  if (report.ratio) {
    fillings.push_back({"ratio", times_text(*report.ratio, say)});
    fillings.push_back({"mfu", percent(*report.ratio)});
    fillings.push_back({"rate", tokens_per_second(*report.rate)});
  }
  if (report.bandwidth_share) {
    fillings.push_back({"bandwidth", times_text(*report.bandwidth_share, say)});
  }
  if (answer.claim.gpu_utilization) {
    fillings.push_back({"utilization", percent(*answer.claim.gpu_utilization)});
  }
  add_measured(fillings, report);
  add_prediction(fillings, report);
  const bool elsewhere = report.measured && report.measured->gpu_id.empty();
  std::string id = "audit_reason." + std::string(enum_name(reason));
  if (elsewhere && (reason == AuditReason::over_best_measured || reason == AuditReason::under_best_measured)) {
    id += "_elsewhere";
  }
  return say(message_of(id), fillings);
}

std::string reading_text(const Reading& reading, const Voice& say) {
  std::vector<Filling> fillings;
  for (const ReadingChange& change : reading.changes) {
    fillings.push_back({change.key, std::visit(ChangeText{say}, change.value)});
  }
  return say(message_of("audit_reading." + std::string(enum_name(reading.kind))), fillings);
}

}  // namespace mekiki
