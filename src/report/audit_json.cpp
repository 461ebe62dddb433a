#include <fmt/format.h>

#include "report/audit_report.h"
#include "report/corpus_report.h"

namespace mekiki {
namespace {

/// As the flag of the key is written: a duration carries its unit.
struct ChangeJson {
  Json operator()(std::int64_t value) const { return value; }
  Json operator()(Seconds value) const {
    return value < kHour ? fmt::format("{:g}min", value / Seconds{60.0}) : fmt::format("{:g}h", value / kHour);
  }
  Json operator()(const std::string& value) const { return value; }
};

template <class T>
void add(Json& json, const std::string& key, const std::optional<T>& value, T unit, std::string_view reason) {
  if (value) {
    json[key] = rounded(*value / unit);
  } else {
    add_unknown(json, key, reason);
  }
}

Json claim_json(const AuditAnswer& answer) {
  Json claim = Json::object();
  if (answer.claim.tokens) {
    claim["tokens"] = static_cast<std::int64_t>(*answer.claim.tokens / kToken);
  }
  if (answer.claim.time) {
    claim["time_s"] = rounded(*answer.claim.time / kSecond);
  }
  if (answer.claim.mfu) {
    claim["mfu"] = *answer.claim.mfu;
  }
  if (answer.claim.rate) {
    claim["tokens_per_s"] = rounded(answer.claim.rate->base());
  }
  if (answer.claim.gpu_utilization) {
    claim["gpu_utilization"] = *answer.claim.gpu_utilization;
  }
  return claim;
}

void add_honest_mfu(Json& json, const AuditReport& report, std::string_view unknown) {
  if (report.mfu_low) {
    json["honest_mfu"] = {{"low", rounded(*report.mfu_low)}, {"high", rounded(*report.mfu_high)}};
  } else {
    add_unknown(json, "honest_mfu", unknown);
  }
}

Json measured_json(const MeasuredMfu& measured) {
  return {{"gpu", measured.gpu_id.empty() ? Json(nullptr) : Json(measured.gpu_id)},
          {"format", enum_name(measured.format)},
          {"runs", measured.runs},
          {"mfu_low", rounded(measured.low)},
          {"mfu_median", rounded(measured.median)},
          {"mfu_best", rounded(measured.best)},
          {"best_run", measured.best_run}};
}

void add_physics(Json& json, const AuditAnswer& answer, std::string_view unknown) {
  const AuditReport& report = answer.report;
  const Flops per_token = report.work.causal;
  json["flops_per_token"] = {{"weights_only", rounded(report.work.weights_only / kFlop)},
                             {"causal", rounded(per_token / kFlop)},
                             {"full_attention", rounded(report.work.full / kFlop)}};
  add(json, "required_flops_per_second", report.required, FlopsPerSecond{1.0}, unknown);
  add(json, "peak_flops_per_second", report.peak, FlopsPerSecond{1.0}, unknown);
  for (const char* key : {"ratio", "implied_mfu"}) {
    if (report.ratio) {
      json[key] = rounded(*report.ratio);
    } else {
      add_unknown(json, key, unknown);
    }
  }
  if (report.bandwidth_share) {
    json["bandwidth_share"] = rounded(*report.bandwidth_share);
  } else {
    add_unknown(json, "bandwidth_share", "no micro_batch_size is given");
  }
  if (report.measured) {
    json["measured"] = measured_json(*report.measured);
  } else {
    add_unknown(json, "measured", unknown.empty() ? "no run in this format was measured" : unknown);
  }
}

std::string no_prediction_reason(const AuditAnswer& answer, const Voice& say) {
  if (answer.report.no_prediction) {
    return describe(*answer.report.no_prediction);
  }
  return std::string(say(answer.gpu == nullptr ? Message::audit_no_gpu : Message::audit_count_alone));
}

void add_prediction(Json& json, const AuditAnswer& answer, const Voice& say) {
  const AuditReport& report = answer.report;
  if (!report.predicted) {
    add_unknown(json, "memory_verdict", no_prediction_reason(answer, say));
    return;
  }
  const PredictedSpeed& predicted = *report.predicted;
  json["memory_verdict"] = enum_name(predicted.memory);
  json["memory"] = {{"framework", predicted.framework},
                    {"device_gib", json_gib(predicted.device)},
                    {"capacity_gib", json_gib(predicted.capacity)},
                    {"saving", predicted.saving.empty() ? Json(nullptr) : Json(predicted.saving)}};
  if (predicted.rate) {
    json["predicted"] = {{"tokens_per_s", json_estimate(*predicted.rate, TokensPerSecond{1.0})},
                         {"slowest", predicted.slowest},
                         {"fastest", predicted.fastest}};
  } else {
    add_unknown(json, "predicted", say(Message::audit_nothing_holds));
  }
}

Json readings_json(const AuditAnswer& answer, const Voice& say) {
  Json readings = Json::array();
  for (const Reading& reading : answer.report.readings) {
    Json changes = Json::object();
    for (const ReadingChange& change : reading.changes) {
      changes[std::string(change.key)] = std::visit(ChangeJson{}, change.value);
    }
    readings.push_back({{"id", enum_name(reading.kind)},
                        {"text", reading_text(reading, say)},
                        {"changes", std::move(changes)},
                        {"ratio", rounded(reading.ratio)},
                        {"verdict", enum_name(reading.verdict)}});
  }
  return readings;
}

}  // namespace

Json audit_json(const AuditAnswer& answer, const Envelope& envelope, const Voice& say) {
  const AuditReport& report = answer.report;
  Json json = json_envelope(envelope);
  json["verdict"] = enum_name(report.verdict);
  Json reasons = Json::array();
  for (const AuditReason reason : report.reasons) {
    reasons.push_back({{"id", enum_name(reason)}, {"text", reason_text(answer, reason, say)}});
  }
  json["reasons"] = std::move(reasons);
  json["model"] = answer.model;
  json["weights"] = rounded(answer.weights);
  json["method"] = enum_name(report.method);
  json["precision"] = enum_name(report.precision);
  json["sequence_length"] = report.sequence_length;
  json["gpu"] = answer.gpu == nullptr ? Json(nullptr) : Json(answer.gpu->id);
  json["gpus"] = answer.gpus;
  json["claim"] = claim_json(answer);
  add_physics(json, answer, report.ratio ? "" : reason_text(answer, report.reasons.front(), say));
  add_prediction(json, answer, say);
  json["readings"] = readings_json(answer, say);
  add_job_file(json, answer.job_file);
  add_corpus(json, answer.corpus, say);
  const std::string no_rates =
      report.predicted ? std::string(say(Message::audit_nothing_holds)) : no_prediction_reason(answer, say);
  add_honest_mfu(json, report, no_rates);
  if (report.time_low) {
    json["range"] = {{"hours_low", rounded(*report.time_low / kHour)},
                     {"hours_high", rounded(*report.time_high / kHour)},
                     {"basis", report.time_by_measured ? "measured" : "fitted"}};
  } else {
    add_unknown(json, "range", answer.claim.tokens ? no_rates : std::string(say(Message::audit_no_tokens)));
  }
  return json;
}

}  // namespace mekiki
