#include "report/audit_report.h"
#include "report/corpus_report.h"
#include "report/fit_parts.h"
#include "report/numbers.h"
#include "report/table.h"

namespace mekiki {
namespace {

constexpr std::size_t kLineWidth = 100;

std::string line(std::string_view text) {
  return wrapped(text, kLineWidth, "  ") + "\n";
}

std::string claim_text(const Claim& claim, const Voice& say) {
  if (claim.time) {
    return say(Message::audit_in_time, {{"time", duration(*claim.time, say)}});
  }
  if (claim.mfu) {
    return say(Message::audit_at_mfu, {{"mfu", percent(*claim.mfu)}});
  }
  if (!claim.rate) {
    return say(Message::audit_at_utilization, {{"utilization", percent(*claim.gpu_utilization)}});
  }
  return say(Message::audit_at_rate, {{"rate", tokens_per_second(*claim.rate)}});
}

std::string tokens_text(const Claim& claim, const Voice& say) {
  return claim.tokens
             ? say(Message::audit_of_tokens, {{"tokens", whole(static_cast<std::int64_t>(*claim.tokens / kToken))}})
             : std::string(say(Message::audit_of_unsaid_tokens));
}

std::string heading(const AuditAnswer& answer, const Voice& say) {
  const AuditReport& report = answer.report;
  return line(say(Message::audit_heading,
                  {{"model", answer.model},
                   {"weights", short_count(answer.weights)},
                   {"method", spoken("method", report.method, say)},
                   {"precision", std::string(enum_name(report.precision))},
                   {"sequence_length", std::to_string(report.sequence_length)},
                   {"tokens", tokens_text(answer.claim, say)},
                   {"gpus", std::to_string(answer.gpus)},
                   {"gpu", answer.gpu == nullptr ? "?" : std::string(answer.gpu->name)},
                   {"claim", claim_text(answer.claim, say)}}));
}

std::string physics(const AuditAnswer& answer, const Voice& say) {
  const AuditReport& report = answer.report;
  std::vector<std::vector<std::string>> rows{
      {std::string(say(Message::audit_work)), flops(report.work.causal), std::string(say(Message::audit_work_note))}};
  if (report.required) {
    rows.push_back({std::string(say(Message::audit_required)),
                    tflop_per_second(*report.required) + " TFLOP/s",
                    say(Message::audit_rate_note, {{"rate", tokens_per_second(*report.rate)}})});
  }
  if (report.peak) {
    rows.push_back({std::string(say(Message::audit_peak)),
                    tflop_per_second(*report.peak) + " TFLOP/s",
                    say(Message::audit_peak_note,
                        {{"gpus", std::to_string(answer.gpus)},
                         {"gpu", std::string(answer.gpu->id)},
                         {"format", std::string(enum_name(report.format))}})});
  }
  if (report.ratio) {
    rows.push_back({std::string(say(Message::audit_ratio)),
                    times_text(*report.ratio, say),
                    say(Message::audit_mfu_note, {{"mfu", percent(*report.ratio)}})});
  }
  return table({{""}, {"", Align::right}, {""}}, rows, "  ");
}

std::string readings_text(const AuditAnswer& answer, const Voice& say) {
  std::vector<std::vector<std::string>> rows;
  for (const Reading& reading : answer.report.readings) {
    rows.push_back(
        {reading_text(reading, say), times_text(reading.ratio, say), spoken("audit_verdict", reading.verdict, say)});
  }
  return rows.empty() ? ""
                      : "\n" + line(say(Message::audit_readings)) +
                            table({{std::string(say(Message::column_reading))},
                                   {std::string(say(Message::column_of_peak)), Align::right},
                                   {std::string(say(Message::column_verdict))}},
                                  rows,
                                  "  ");
}

std::string range_text(const AuditAnswer& answer, const Voice& say) {
  const AuditReport& report = answer.report;
  std::string text;
  if (report.predicted) {
    text += line(say(Message::audit_memory,
                     {{"verdict", spoken("verdict", report.predicted->memory, say)},
                      {"framework", report.predicted->framework},
                      {"device", gib(report.predicted->device)},
                      {"capacity", capacity_gib(report.predicted->capacity)},
                      {"saving", report.predicted->saving.empty() ? "" : " (" + report.predicted->saving + ")"}}));
  } else if (report.no_prediction) {
    text += line(say(Message::audit_no_prediction, {{"reason", report.no_prediction->message}}));
  }
  if (report.mfu_low) {
    text +=
        line(say(Message::audit_honest_mfu, {{"low", percent(*report.mfu_low)}, {"high", percent(*report.mfu_high)}}));
  }
  if (!report.time_low) {
    return text;
  }
  const std::vector<Filling> range{{"low", duration(*report.time_low, say)},
                                   {"high", duration(*report.time_high, say)}};
  if (report.time_by_measured) {
    return text + line(say(Message::audit_range_measured, range));
  }
  std::vector<Filling> fillings = range;
  fillings.push_back({"fastest", report.predicted->fastest});
  fillings.push_back({"slowest", report.predicted->slowest});
  return text + line(say(Message::audit_range, fillings));
}

}  // namespace

std::string audit_text(const AuditAnswer& answer, const Voice& say) {
  const std::string corpus = corpus_sentence(answer.corpus, say);
  std::string text = heading(answer, say) + (corpus.empty() ? "" : line(corpus)) +
                     spoken("audit_verdict_of", answer.report.verdict, say) + "\n";
  for (const AuditReason reason : answer.report.reasons) {
    text += "- " + wrapped(reason_text(answer, reason, say), kLineWidth - 2, "  ") + "\n";
  }
  for (const std::string& warning : job_file_warnings(answer.job_file, say)) {
    text += "- " + wrapped(warning, kLineWidth - 2, "  ") + "\n";
  }
  const std::string range = range_text(answer, say);
  return text + "\n" + physics(answer, say) + (range.empty() ? "" : "\n" + range) + readings_text(answer, say);
}

}  // namespace mekiki
