// audit(): a claimed training run against what the machine can do: arithmetic, memory traffic, memory, and what runs
// have reached so far.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "audit/audit_rules.h"
#include "audit/measured_mfu.h"
#include "audit/predicted_speed.h"
#include "audit/work.h"
#include "base/enum_names.h"
#include "base/name.h"
#include "base/result.h"
#include "search/plan.h"

namespace mekiki {

/// What somebody says: one of time (with tokens), MFU or rate. GPU utilisation (share of the time in which a kernel
/// runs) may stand beside them or alone; nothing follows from it.
struct Claim {
  std::optional<Tokens> tokens;
  std::optional<Seconds> time;
  std::optional<double> mfu;
  std::optional<TokensPerSecond> rate;  // over all GPUs
  std::optional<double> gpu_utilization;
};

struct AuditRequest {
  PlanRequest plan;               // as predict_speed wants it; arch null where only a count is known
  std::optional<double> weights;  // of that count
  const Gpu* gpu = nullptr;       // null: not said
  std::int64_t gpus = 1;
  std::optional<ClaimedMachine> machine;  // unset: nothing is known of the GPU's kernels
  std::span<const Gpu> all_gpus;          // what else there is
  std::span<const MeasuredMfu> measured;
  AuditRules rules;
  Claim claim;
};

enum class AuditVerdict : std::uint8_t { impossible, implausible, plausible, unknown };
template <>
struct EnumNames<AuditVerdict> {
  static constexpr std::array<std::string_view, 4> value = {"impossible", "implausible", "plausible", "unknown"};
};

enum class AuditReason : std::uint8_t {
  over_peak,               // more arithmetic than the GPUs' dense peak
  over_bandwidth,          // weights would have to be read faster than memory gives them
  over_best_measured,      // a larger share of the peak than any run measured on this GPU in this format
  over_prediction,         // faster than the fastest prediction, with its band and some more
  does_not_fit,            // no framework has a layout that holds, whatever saves memory
  fits_by_saving,          // only with a saving that the claim does not speak of
  under_best_measured,     // within what was measured
  no_gpu,                  // unknown: the GPU is not named
  no_peak,                 // unknown: the GPU has no arithmetic in this format, as far as is known
  utilization_is_no_rate,  // GPU utilisation counts a kernel that waits for NCCL like one that computes
  no_measurement           // no run in this format was measured anywhere, so only the physical limits were asked
};
template <>
struct EnumNames<AuditReason> {
  static constexpr std::array<std::string_view, 11> value = {"over_peak",
                                                             "over_bandwidth",
                                                             "over_best_measured",
                                                             "over_prediction",
                                                             "does_not_fit",
                                                             "fits_by_saving",
                                                             "under_best_measured",
                                                             "no_gpu",
                                                             "no_peak",
                                                             "utilization_is_no_rate",
                                                             "no_measurement"};
};

/// Another way to understand a claim.
enum class ReadingKind : std::uint8_t {
  weights_only,    // work without attention
  full_attention,  // work with attention over all keys
  sparse_peak,     // the peak with 2:4 sparsity
  adapters,        // only adapters trained
  fp8,             // products in FP8
  longer_time,     // the next unit of time
  fewest_tokens,   // what the slow end of the prediction does in the time
  most_tokens,     // what the fast end does
  more_gpus,       // as many as the fast end needs
  utilization,     // the MFU is GPU utilisation, and an honest run has at most this share of the peak
  fastest_gpu      // the GPU with the highest dense peak
};
template <>
struct EnumNames<ReadingKind> {
  static constexpr std::array<std::string_view, 11> value = {"weights_only",
                                                             "full_attention",
                                                             "sparse_peak",
                                                             "adapters",
                                                             "fp8",
                                                             "longer_time",
                                                             "fewest_tokens",
                                                             "most_tokens",
                                                             "more_gpus",
                                                             "utilization",
                                                             "fastest_gpu"};
};

/// A key of the claim and the value that it would have.
struct ReadingChange {
  Name key;
  std::variant<std::int64_t, Seconds, std::string> value;
};

struct Reading {
  ReadingKind kind = ReadingKind::weights_only;
  std::vector<ReadingChange> changes;  // empty: the claim stands, the counting differs
  double ratio = 0;                    // of the peak
  AuditVerdict verdict = AuditVerdict::unknown;
};

struct AuditReport {
  AuditVerdict verdict = AuditVerdict::unknown;
  std::vector<AuditReason> reasons;
  Method method = Method::full;
  Precision precision = Precision::bf16_mixed;
  Dtype format = Dtype::bf16;  // of the products
  std::int64_t sequence_length = 0;
  WorkPerToken work;
  std::optional<TokensPerSecond> rate;     // over all GPUs, as claimed or as it follows
  std::optional<FlopsPerSecond> required;  // over all GPUs
  std::optional<FlopsPerSecond> peak;      // dense, over all GPUs
  std::optional<double> ratio;             // required over peak, which is the MFU that the claim implies
  std::optional<double> bandwidth_share;   // least traffic over the bandwidth; unset without a micro-batch
  std::optional<MeasuredMfu> measured;
  std::optional<PredictedSpeed> predicted;
  std::optional<Error> no_prediction;          // why there is none
  std::optional<double> mfu_low, mfu_high;     // of an honest run, by the prediction, else by measured shares
  std::optional<Seconds> time_low, time_high;  // of the claimed tokens, by the prediction, else by measured shares
  bool time_by_measured = false;               // the latter
  std::vector<Reading> readings;
};

/// ratio: causal work x rate over the dense peak. Least traffic: each pass over a micro-batch reads the weights of its
/// products twice, whatever the layout. A ratio above 1 is impossible; above the best measured run of this GPU and
/// format (of any GPU where none was measured) it is implausible, and so is a job that no framework holds and whose
/// 16-bit weights alone are larger than all GPUs, or one that is faster than the prediction by the rules' margin (not
/// asked where only a saving makes it fit, which may have been another one). Not judged: traffic between GPUs, which
/// the prediction has in its range. Errors: invalid_input where the claim has nothing to judge, or more than one of
/// time, MFU and rate. With GPU utilisation alone the verdict is unknown.
Result<AuditReport> audit(const AuditRequest& request);

}  // namespace mekiki
