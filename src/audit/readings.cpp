#include "audit/readings.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace mekiki {
namespace {

/// Two digits, rounded down: nobody means a claim to the last token.
double two_digits(double value) {
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 1.0);
  return std::max(1.0, std::floor(value / unit) * unit);
}

class Reader {
 public:
  Reader(const AuditRequest& request, const AuditReport& report) : request_(request), report_(report) {}

  std::vector<Reading> countings() {
    if (request_.plan.arch != nullptr) {
      add(ReadingKind::weights_only, {}, report_.work.weights_only / report_.work.causal * ratio());
      add(ReadingKind::full_attention, {}, report_.work.full / report_.work.causal * ratio());
    }
    return std::move(readings_);
  }

  std::vector<Reading> all() {
    std::vector<Reading> found = countings();
    readings_ = std::move(found);
    arithmetic();
    if (request_.claim.time && request_.claim.tokens) {
      longer_time();
      fewer_tokens();
    }
    more_gpus();
    utilization();
    fastest_gpu();
    return std::move(readings_);
  }

 private:
  double ratio() const { return *report_.ratio; }

  void add(ReadingKind kind, std::vector<ReadingChange> changes, double new_ratio) {
    add_as(kind, std::move(changes), new_ratio, verdict_of_ratio(new_ratio, report_.measured, request_.rules));
  }

  void add_as(ReadingKind kind, std::vector<ReadingChange> changes, double new_ratio, AuditVerdict verdict) {
    readings_.push_back({kind, std::move(changes), new_ratio, verdict});
  }

  void arithmetic() {
    constexpr double kSparseOverDense = 2.0;  // two of four weights are zero
    constexpr double kFirstWithSparsity = 8.0;
    const bool half_precision = report_.format == Dtype::bf16 || report_.format == Dtype::fp16;
    if (request_.gpu->compute_capability.value_or(0) >= kFirstWithSparsity) {
      add(ReadingKind::sparse_peak, {}, ratio() / kSparseOverDense);
    }
    if (!trains_adapters_only(report_.method)) {
      const WorkPerToken adapters = request_.plan.arch != nullptr
                                        ? work_per_token(*request_.plan.arch, Method::lora, report_.sequence_length)
                                        : work_per_token(*request_.weights, Method::lora);
      add(ReadingKind::adapters,
          {{"method", std::string(enum_name(Method::lora))}},
          adapters.causal / report_.work.causal * ratio());
    }
    const std::optional<FlopsPerSecond> fp8 = dense_peak(*request_.gpu, Dtype::fp8);
    if (half_precision && fp8) {
      const double new_ratio = ratio() * (*report_.peak / (*fp8 * static_cast<double>(request_.gpus)));
      add_as(
          ReadingKind::fp8,
          {{"precision", std::string(enum_name(Precision::fp8))}},
          new_ratio,
          verdict_of_ratio(new_ratio, measured_mfu(request_.measured, request_.gpu->id, Dtype::fp8), request_.rules));
    }
  }

  /// Minutes that were hours, hours that were days.
  void longer_time() {
    constexpr double kHoursOfMinutes = 60, kDaysOfHours = 24;
    const double longer = *request_.claim.time < 3.0 * kHour ? kHoursOfMinutes : kDaysOfHours;
    add(ReadingKind::longer_time, {{"time", *request_.claim.time * longer}}, ratio() / longer);
  }

  /// What can be done in the time: by the prediction, else by the shares that runs have reached.
  void fewer_tokens() {
    const std::optional<RateRange> rates = honest_rates(report_);
    if (!rates) {
      return;
    }
    for (const auto& [kind, rate] :
         {std::pair{ReadingKind::fewest_tokens, rates->low}, std::pair{ReadingKind::most_tokens, rates->high}}) {
      const double tokens = two_digits((rate * *request_.claim.time) / kToken);
      if (tokens < *request_.claim.tokens / kToken) {
        add(kind,
            {{"tokens", static_cast<std::int64_t>(tokens)}},
            ratio() * tokens / (*request_.claim.tokens / kToken));
      }
    }
  }

  void more_gpus() {
    const double best = report_.measured ? report_.measured->best : 1.0;
    const double wanted = std::ceil(static_cast<double>(request_.gpus) * ratio() / best);
    if (wanted > static_cast<double>(request_.gpus)) {
      add(ReadingKind::more_gpus,
          {{"gpus", static_cast<std::int64_t>(wanted)}},
          ratio() * static_cast<double>(request_.gpus) / wanted);
    }
  }

  /// A share near 1 is what nvidia-smi shows of almost every job.
  void utilization() {
    if (request_.claim.mfu && report_.mfu_high && *report_.mfu_high < ratio() && ratio() <= 1.0) {
      add(ReadingKind::utilization, {}, *report_.mfu_high);
    }
  }

  void fastest_gpu() {
    const Gpu* fastest = request_.gpu;
    const auto peak = [&](const Gpu& gpu) { return dense_peak(gpu, report_.format).value_or(FlopsPerSecond{}); };
    for (const Gpu& gpu : request_.all_gpus) {
      fastest = peak(gpu) > peak(*fastest) ? &gpu : fastest;
    }
    if (fastest != request_.gpu) {
      const double new_ratio = ratio() * (peak(*request_.gpu) / peak(*fastest));
      add_as(ReadingKind::fastest_gpu,
             {{"gpu", std::string(fastest->id)}},
             new_ratio,
             verdict_of_ratio(new_ratio, measured_mfu(request_.measured, fastest->id, report_.format), request_.rules));
    }
  }

  const AuditRequest& request_;
  const AuditReport& report_;
  std::vector<Reading> readings_;
};

}  // namespace

AuditVerdict verdict_of_ratio(double ratio, const std::optional<MeasuredMfu>& measured, const AuditRules& rules) {
  if (ratio > 1.0) {
    return AuditVerdict::impossible;
  }
  return measured && ratio > measured->best * (1.0 + rules.rounding) ? AuditVerdict::implausible
                                                                     : AuditVerdict::plausible;
}

std::optional<RateRange> honest_rates(const AuditReport& report) {
  std::optional<RateRange> measured;
  if (report.measured && report.peak) {
    const TokensPerSecond at_peak = *report.peak / (report.work.causal / kToken);
    measured = RateRange{at_peak * report.measured->low, at_peak * report.measured->best};
  }
  if (!report.predicted) {
    return measured;
  }
  if (!report.predicted->rate) {
    return std::nullopt;
  }
  RateRange range{report.predicted->rate->low, report.predicted->rate->high};
  if (measured) {
    range.high = std::min(range.high, std::max(measured->high, report.predicted->rate->mid));
    range.low = std::min(range.low, range.high);
  }
  return range;
}

std::vector<Reading> readings_of(const AuditRequest& request, const AuditReport& report) {
  return Reader(request, report).all();
}

std::vector<Reading> countings_of(const AuditRequest& request, const AuditReport& report) {
  return Reader(request, report).countings();
}

}  // namespace mekiki
