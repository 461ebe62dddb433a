#include "audit/audit.h"

#include <algorithm>

#include "audit/readings.h"
#include "base/check.h"
#include "model/count.h"

namespace mekiki {
namespace {

constexpr std::int64_t kUsualLength = 4096;

/// The fastest arithmetic that a precision may mean: fp32 training may run on tf32 units.
Dtype format_of(Precision precision, const Gpu* gpu) {
  switch (precision) {
    case Precision::fp32:
      return gpu != nullptr && gpu->peaks.tf32 ? Dtype::tf32 : Dtype::fp32;
    case Precision::fp16_mixed:
      return Dtype::fp16;
    case Precision::bf16_mixed:
    case Precision::bf16_pure:
      return Dtype::bf16;
    case Precision::fp8:
      return Dtype::fp8;
    case Precision::mxfp8:
      return Dtype::mxfp8;
    case Precision::nvfp4:
      return Dtype::nvfp4;
  }
  return Dtype::bf16;
}

Bytes bytes_per_weight(const Job& job, Dtype format) {
  switch (job.quantization.value_or(Quantization::none)) {
    case Quantization::none:
      return bytes_per_element(format);
    case Quantization::int8:
      return bytes_per_element(Dtype::int8);
    case Quantization::nf4:
    case Quantization::fp4:
    case Quantization::gptq_int4:
      return bytes_per_element(Dtype::nf4);
  }
  return bytes_per_element(format);
}

Error unclear(std::string subject, std::string message, std::string hint) {
  return {ErrorCode::invalid_input, std::move(subject), std::move(message), std::move(hint)};
}

Status check_claim(const Claim& claim) {
  const int said = static_cast<int>(claim.time.has_value()) + static_cast<int>(claim.mfu.has_value()) +
                   static_cast<int>(claim.rate.has_value());
  const bool says_only_utilization = said == 0 && claim.gpu_utilization;
  if (said != 1 && !says_only_utilization) {
    return fail(unclear("time",
                        said == 0 ? "the claim says neither time nor MFU nor tokens per second"
                                  : "the claim says more than one of time, MFU and tokens per second",
                        "give one of --time, --mfu and --tokens-per-s"));
  }
  if (claim.time && !claim.tokens) {
    return fail(unclear("tokens", "a time says nothing without the number of tokens", "give --tokens"));
  }
  return {};
}

class Auditor {
 public:
  explicit Auditor(const AuditRequest& request) : request_(request), claim_(request.claim) {}

  AuditReport run() {
    describe_job();
    measure_against_peak();
    predict();
    judge();
    if (report_.ratio) {
      report_.readings =
          report_.verdict == AuditVerdict::plausible ? countings_of(request_, report_) : readings_of(request_, report_);
    }
    return std::move(report_);
  }

 private:
  void describe_job() {
    const Job& job = request_.plan.job;
    report_.method = job.method.value_or(Method::full);
    report_.precision = job.precision.value_or(Precision::bf16_mixed);
    report_.format = format_of(report_.precision, request_.gpu);
    const Arch* arch = request_.plan.arch;
    const std::int64_t longest =
        arch != nullptr && arch->max_position_embeddings > 0 ? arch->max_position_embeddings : kUsualLength;
    report_.sequence_length = job.sequence_length.value_or(std::min(longest, kUsualLength));
    report_.work = arch != nullptr ? work_per_token(*arch, report_.method, report_.sequence_length)
                                   : work_per_token(*request_.weights, report_.method);
    if (claim_.time) {
      report_.rate = *claim_.tokens / *claim_.time;
    }
    if (claim_.rate) {
      report_.rate = claim_.rate;
    }
  }

  void measure_against_peak() {
    const std::optional<FlopsPerSecond> peak =
        request_.gpu != nullptr ? dense_peak(*request_.gpu, report_.format) : std::nullopt;
    if (peak) {
      report_.peak = *peak * static_cast<double>(request_.gpus);
      report_.measured = measured_mfu(request_.measured, request_.gpu->id, report_.format);
    }
    const auto work = report_.work.causal / kToken;
    if (claim_.mfu && report_.peak) {
      report_.rate = *claim_.mfu * *report_.peak / work;
    }
    if (report_.rate) {
      report_.required = work * *report_.rate;
    }
    if (report_.required && report_.peak) {
      report_.ratio = *report_.required / *report_.peak;
      report_.bandwidth_share = bandwidth_share();
    }
  }

  std::optional<double> bandwidth_share() const {
    const Job& job = request_.plan.job;
    if (!job.micro_batch_size) {
      return std::nullopt;
    }
    constexpr double kReadsPerPass = 2;  // forward and backward
    constexpr Flops kForwardPerWeight{2.0};
    const double weights =
        report_.work.weights_only / (kForwardPerWeight * (trains_adapters_only(report_.method) ? 2.0 : 3.0));
    const Tokens pass{static_cast<double>(*job.micro_batch_size) * static_cast<double>(report_.sequence_length)};
    const Bytes read = kReadsPerPass * weights * bytes_per_weight(job, report_.format);
    return read / pass * *report_.rate / static_cast<double>(request_.gpus) / request_.gpu->memory_bandwidth;
  }

  void predict() {
    if (request_.plan.arch != nullptr && request_.machine) {
      Result<PredictedSpeed> predicted = predict_speed(request_.plan, *request_.machine);
      if (predicted) {
        report_.predicted = std::move(*predicted);
      } else {
        report_.no_prediction = predicted.error();
      }
    }
    if (const std::optional<RateRange> range = honest_rates(report_)) {
      honest_range(*range);
    }
  }

  void honest_range(const RateRange& range) {
    if (report_.peak) {
      const auto work = report_.work.causal / kToken;
      report_.mfu_low = work * range.low / *report_.peak;
      report_.mfu_high = work * range.high / *report_.peak;
    }
    if (claim_.tokens) {
      report_.time_low = *claim_.tokens / range.high;
      report_.time_high = *claim_.tokens / range.low;
      report_.time_by_measured = !report_.predicted;
    }
  }

  /// No saving helps against that; less than that, somebody may stream from host memory better than any framework here.
  bool weights_alone_too_large() const {
    const double weights = static_cast<double>(count_weights(*request_.plan.arch).trainable);
    const Bytes least = weights * bytes_per_weight(request_.plan.job, Dtype::bf16);
    return least > request_.gpu->memory_reported * static_cast<double>(request_.gpus);
  }

  void doubt(bool holds, AuditReason reason, AuditVerdict verdict) {
    if (holds) {
      report_.reasons.push_back(reason);
      report_.verdict = std::min(report_.verdict, verdict);
    }
  }

  void judge() {
    if (!report_.ratio) {
      report_.reasons = {why_unknown()};
      return;
    }
    report_.verdict = AuditVerdict::plausible;
    const AuditVerdict by_ratio = verdict_of_ratio(*report_.ratio, report_.measured, request_.rules);
    doubt(by_ratio == AuditVerdict::impossible, AuditReason::over_peak, AuditVerdict::impossible);
    doubt(report_.bandwidth_share.value_or(0) > 1.0, AuditReason::over_bandwidth, AuditVerdict::impossible);
    doubt(by_ratio == AuditVerdict::implausible, AuditReason::over_best_measured, AuditVerdict::implausible);
    if (report_.predicted) {
      const PredictedSpeed& predicted = *report_.predicted;
      doubt(report_.verdict != AuditVerdict::impossible && predicted.saving.empty() && predicted.rate &&
                *report_.rate > predicted.rate->high * request_.rules.faster_than_predicted,
            AuditReason::over_prediction,
            AuditVerdict::implausible);
      doubt(predicted.memory == Verdict::does_not_fit,
            AuditReason::does_not_fit,
            weights_alone_too_large() ? AuditVerdict::implausible : AuditVerdict::plausible);
    }
    if (report_.predicted && !report_.predicted->saving.empty()) {
      report_.reasons.push_back(AuditReason::fits_by_saving);
    }
    if (report_.verdict == AuditVerdict::plausible) {
      report_.reasons.push_back(report_.measured ? AuditReason::under_best_measured : AuditReason::no_measurement);
    }
    if (claim_.gpu_utilization) {
      report_.reasons.push_back(AuditReason::utilization_is_no_rate);
    }
  }

  AuditReason why_unknown() const {
    if (!report_.rate && claim_.gpu_utilization && !claim_.mfu) {
      return AuditReason::utilization_is_no_rate;
    }
    return request_.gpu == nullptr ? AuditReason::no_gpu : AuditReason::no_peak;
  }

  const AuditRequest& request_;
  const Claim& claim_;
  AuditReport report_;
};

}  // namespace

Result<AuditReport> audit(const AuditRequest& request) {
  MEKIKI_CHECK(request.plan.arch != nullptr || request.weights, "an audit needs a model or a count");
  if (Status status = check_claim(request.claim); !status) {
    return fail(status.error());
  }
  return Auditor(request).run();
}

}  // namespace mekiki
