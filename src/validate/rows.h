// Rows of measured runs, split at the door: what a person knows before the run goes into a Known row, what the run
// showed into a Measured row, and who published it into a label. Predictors take Known rows only, so a predictor that
// peeks does not compile.
//
// Columns stand in any order; further ones are ignored; a column that is not there counts as empty. A header is refused
// where it lacks `id` or `model`, or spells a column almost right ("micro_bach"). A row whose numbers cannot be read is
// refused alone, with the reason.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_names.h"
#include "base/result.h"

namespace mekiki {

enum class Confidence : std::uint8_t { unstated, low, medium, high };
template <>
struct EnumNames<Confidence> {
  static constexpr std::array<std::string_view, 4> value = {"", "low", "medium", "high"};
};

/// Who says so, and how sure. For scoring and for naming a row, never for predicting it.
struct RowLabel {
  std::string id;
  std::string group;
  Confidence confidence = Confidence::unstated;
  std::optional<std::int64_t> tier;
  std::size_t line = 0;  // of the file
};

/// What one knows of a training run before its memory is measured. Texts are as the row writes them, trimmed; empty or
/// unset: not stated.
struct KnownMemoryRow {
  std::string model, method, framework, torch_version, era;
  std::string gpu;
  std::optional<double> gpu_memory_gb;  // as marketed
  std::optional<std::int64_t> gpus;
  std::optional<std::int64_t> sequence_length, micro_batch_size, gradient_accumulation_steps;
  std::optional<std::int64_t> longest_in_batch;  // tokens of the longest sample really reached
  std::string precision, float8, weights_dtype, gradients_dtype, optimizer_state_dtype, master_weights;
  std::string optimizer, optimizer_implementation;
  std::string recompute, attention, loss, compile, offload, activation_offload, expandable_segments;
  std::optional<std::int64_t> lora_rank;
  std::string lora_targets, quantization;
  std::optional<std::int64_t> zero_stage;
  std::string fsdp, fsdp_version, pipeline_schedule;
  std::optional<std::int64_t> tensor_parallel, pipeline_parallel, context_parallel, expert_parallel;
  std::string packing, lengths;
};

/// Which number the row gives. `fits` and `oom` tell only the outcome; `verdict` asks for it without telling.
enum class MemoryMetric : std::uint8_t { unstated, peak_allocated, peak_reserved, nvidia_smi, fits, oom, verdict };
template <>
struct EnumNames<MemoryMetric> {
  static constexpr std::array<std::string_view, 7> value = {
      "", "peak_allocated", "peak_reserved", "nvidia_smi", "fits", "oom", "verdict"};
};

struct MeasuredMemoryRow {
  MemoryMetric metric = MemoryMetric::unstated;
  std::optional<double> value_gib;
};

/// What one knows of a training run before its speed is measured.
struct KnownThroughputRow {
  std::string model, method, framework, precision, era;
  std::string gpu, interconnect;
  std::optional<std::int64_t> gpus, nodes;
  std::optional<std::int64_t> sequence_length, global_batch_size, micro_batch_size, gradient_accumulation_steps;
  std::optional<std::int64_t> tensor_parallel, pipeline_parallel, virtual_pipeline, context_parallel, expert_parallel;
  std::optional<std::int64_t> data_parallel;
  std::string sharding, recompute, attention, compile, launch, lengths;
  std::optional<std::int64_t> lora_rank;
};

/// Rates as published; `flops_convention` says what the FLOPs of `tflops_per_gpu` count, and nothing of the run.
struct MeasuredThroughputRow {
  std::optional<double> tokens_per_s_total, tokens_per_s_per_gpu, tflops_per_gpu, step_time_s;
  std::string flops_convention;
};

template <class Known, class Measured>
struct RowOf {
  RowLabel label;
  Result<Known> known;        // the error says which column cannot be read
  Result<Measured> measured;  // an unreadable measurement leaves the prediction as it is
};
using MemoryRow = RowOf<KnownMemoryRow, MeasuredMemoryRow>;
using ThroughputRow = RowOf<KnownThroughputRow, MeasuredThroughputRow>;

/// Rows in file order. Errors: those of parse_csv, and of the header.
Result<std::vector<MemoryRow>> read_memory_rows(std::string_view csv_text, std::string_view subject);
Result<std::vector<ThroughputRow>> read_throughput_rows(std::string_view csv_text, std::string_view subject);

}  // namespace mekiki
