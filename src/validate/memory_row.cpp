#include "validate/memory_row.h"

#include <algorithm>
#include <charconv>

#include "memory/memory.h"
#include "model/exact_count.h"

namespace mekiki {
namespace {

Precision wider_unless_float8(std::optional<Precision> precision, std::optional<Precision> float8) {
  return float8 ? *float8 : precision.value_or(Precision::bf16_mixed);
}

/// Words that name a quantised format stand for the quantisation, not for a dtype of trained weights.
bool is_quantized(Dtype dtype) {
  return dtype == Dtype::nf4 || dtype == Dtype::int8;
}

/// The whole number that follows a word in a text; unset without one.
std::optional<std::int64_t> number_after(std::string_view word, std::string_view text) {
  const std::size_t found = text.find(word);
  if (found == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view digits = text.substr(found + word.size());
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return code == std::errc{} && value > 0 ? std::optional(value) : std::nullopt;
}

class MemoryRowReading {
 public:
  MemoryRowReading(const KnownMemoryRow& row, const RowContext& context)
      : row_(row), context_(context), reader_(context.aliases, texts_of(row)) {}

  Result<RowJob> run() {
    const Result<const Arch*> arch = arch_of_text(context_, row_.model);
    if (!arch) {
      return fail(arch.error());
    }
    result_.arch = *arch;
    era_ = era_of(row_.era, row_.torch_version, reader_);
    Result<Profile> profile = profile_of_row(context_, era_, reader_);
    if (!profile) {
      return fail(profile.error());
    }
    result_.profile = std::move(*profile);
    read_job();
    if (Status status = read_layout(); !status) {
      return fail(status.error());
    }
    read_gpu();
    if (reader_.error()) {
      return fail(*reader_.error());
    }
    result_.assumed = reader_.assumed();
    result_.stated = result_.stated && !result_.profile.generic;
    return std::move(result_);
  }

 private:
  void read_job() {
    Job& job = result_.job;
    job.framework = result_.profile.id;
    job.method = reader_.choice<Method>("method");
    if (!row_.precision.empty() || !row_.float8.empty()) {
      job.precision = wider_unless_float8(reader_.choice<Precision>("precision"), reader_.choice<Precision>("float8"));
    } else {
      reader_.assume("precision");
    }
    job.optimizer = reader_.choice<Optimizer>("optimizer");
    job.optimizer_rank = number_after("rank ", row_.optimizer);
    job.optimizer_implementation = reader_.choice<OptimizerImplementation>("optimizer_impl");
    job.quantization = reader_.choice<Quantization>("quant");
    job.activation_recompute = reader_.choice<ActivationRecompute>("recompute");
    job.attention = reader_.choice<AttentionKernel>("attention");
    job.loss = reader_.choice<LossKind>("fused_ce");
    job.compile = reader_.yes_or_no("compile");
    job.allocator.expandable_segments = reader_.yes_or_no("expandable_segments");
    job.era = era_;
    read_offload(job);
    read_dtypes(job);
    read_lengths(job);
    job.gradient_accumulation_steps = row_.gradient_accumulation_steps;
    for (const auto& [column, text] :
         {std::pair{"recompute", &row_.recompute}, std::pair{"attention", &row_.attention}}) {
      if (text->empty()) {
        reader_.assume(column);
      }
    }
    if (job.method && uses_lora(*job.method)) {
      job.lora = lora_of_row(row_.lora_rank, row_.lora_targets, *result_.arch, result_.profile, reader_);
    }
  }

  void read_offload(Job& job) {
    job.offload = reader_.choice<Offload>("offload");
    if (reader_.yes_or_no("activation_offload").value_or(false) &&
        job.offload.value_or(Offload::none) == Offload::none) {
      job.offload = Offload::activations;
    }
  }

  void read_dtypes(Job& job) {
    const std::optional<Dtype> weights = reader_.choice<Dtype>("weights_dtype");
    const bool adapters = trains_adapters_only(job.method.value_or(Method::full));
    if (weights && is_quantized(*weights) && adapters) {
      job.quantization = job.quantization.value_or(*weights == Dtype::nf4 ? Quantization::nf4 : Quantization::int8);
    } else if (job.quantization.value_or(Quantization::none) == Quantization::none) {
      job.dtypes.weights = weights;
    }
    job.dtypes.gradients = reader_.choice<Dtype>("grads_dtype");
    job.dtypes.optimizer_states = reader_.choice<Dtype>("optimizer_state_dtype");
    job.dtypes.master_weights = reader_.yes_or_no("master_weights");
  }

  void read_lengths(Job& job) {
    job.lengths = reader_.choice<Lengths>("lengths");
    job.sequence_length = row_.longest_in_batch ? row_.longest_in_batch : row_.sequence_length;
    const bool constant = job.lengths == Lengths::fixed || job.lengths == Lengths::packed;
    if (!row_.longest_in_batch && !constant) {
      result_.stated = false;
      if (const auto longest = reader_.whole_number("packing", row_.packing)) {
        job.sequence_length = std::min(row_.sequence_length.value_or(*longest), *longest);
        reader_.assume("seq_len");
      }
    }
    if (!job.sequence_length) {
      result_.stated = false;
      reader_.assume("seq_len");
      job.sequence_length = reader_.whole_number("unstated_length", enum_name(job.method.value_or(Method::full)));
    }
    job.micro_batch_size = row_.micro_batch_size;
    if (!job.micro_batch_size) {
      result_.stated = false;
      reader_.assume("micro_batch");
    }
  }

  bool says_sharded(std::string_view fsdp) const {
    return row_.zero_stage.value_or(0) > 0 || fsdp == "full" || fsdp == "grad_op" || fsdp == "hybrid";
  }

  Status read_layout() {
    const std::string_view fsdp = reader_.word("fsdp");
    if (!row_.gpus && says_sharded(fsdp)) {
      return fail({ErrorCode::invalid_input, "n_gpus", "a sharded run without a number of GPUs", "state n_gpus"});
    }
    if (!row_.gpus) {
      reader_.assume("n_gpus");
      result_.stated = false;
    }
    result_.gpus = row_.gpus.value_or(1);
    ParallelLayout& layout = result_.layout;
    layout.tensor_parallel = row_.tensor_parallel.value_or(1);
    layout.pipeline_parallel = row_.pipeline_parallel.value_or(1);
    layout.context_parallel = row_.context_parallel.value_or(1);
    layout.expert_parallel = row_.expert_parallel.value_or(1);
    const Result<std::int64_t> ranks = data_parallel_ranks(result_.gpus, layout);
    if (!ranks) {
      return fail(ranks.error());
    }
    if (Status status = read_sharding(fsdp, *ranks); !status) {
      return status;
    }
    layout.expert_tensor_parallel =
        expert_tensor_ranks(*result_.arch, layout, splits_experts_over_tensor(result_.profile, reader_));
    layout.sequence_parallel =
        layout.tensor_parallel > 1 && result_.profile.memory.sequence_parallel_with_tensor_parallel;
    if (reader_.word("pp_schedule") == "interleaved") {
      layout.virtual_pipeline = 2;
      reader_.assume("pp_schedule");
    }
    split_pipeline_batch();
    return {};
  }

  std::optional<DataParallelStyle> stated_style(std::string_view fsdp) {
    const DataParallelStyle own = result_.profile.memory.sharding.style;
    if (row_.zero_stage.value_or(0) > 0) {
      return own == DataParallelStyle::distributed_optimizer ? own : DataParallelStyle::zero;
    }
    if (fsdp.empty() || fsdp == "none") {
      return std::nullopt;
    }
    if (const auto version = reader_.choice<DataParallelStyle>("fsdp_version")) {
      return version;
    }
    return own == DataParallelStyle::fsdp2 ? own : result_.profile.memory.fsdp;
  }

  Status read_sharding(std::string_view fsdp, std::int64_t ranks) {
    if (const auto style = stated_style(fsdp)) {
      Result<Profile> profile = with_stated_sharding(std::move(result_.profile), *style, context_, era_, reader_);
      if (!profile) {
        return fail(profile.error());
      }
      result_.profile = std::move(*profile);
    }
    ParallelLayout& layout = result_.layout;
    const bool silent = fsdp.empty() && !row_.zero_stage;
    if (silent && ranks > 1) {
      reader_.assume("zero_stage");
    }
    const int usual = usual_zero_stage(result_.profile.memory.sharding.style);
    layout.zero_stage = row_.zero_stage      ? static_cast<int>(std::min<std::int64_t>(*row_.zero_stage, 4))
                        : says_sharded(fsdp) ? 3
                        : silent             ? usual
                                             : 0;
    layout.reshard_after_forward = fsdp != "grad_op";
    const bool shards = layout.zero_stage > 0 || layout.context_parallel > 1;
    (shards ? layout.dp_shard : layout.dp_replicate) = ranks;
    return {};
  }

  /// Where a framework cuts the batch of a rank into pipeline micro-batches itself.
  void split_pipeline_batch() {
    const std::int64_t stages = result_.layout.pipeline_parallel;
    const std::string_view how = reader_.word("pipeline_batch", result_.profile.id);
    Job& job = result_.job;
    if (stages == 1 || how.empty() || !job.micro_batch_size) {
      return;
    }
    const std::int64_t batch = *job.micro_batch_size;
    const std::int64_t chunks = stages * result_.layout.virtual_pipeline;
    const std::int64_t micro = how == "per_stage" ? std::max<std::int64_t>(1, batch / chunks) : 1;
    job.gradient_accumulation_steps = capped_product(job.gradient_accumulation_steps.value_or(1), batch / micro);
    job.micro_batch_size = micro;
  }

  /// A GPU that nobody knows leaves the verdict open, not the memory.
  void read_gpu() {
    const Result<const Gpu*> gpu = gpu_of_row(context_, reader_, row_.gpu);
    result_.gpu = gpu ? *gpu : nullptr;
    result_.capacity = capacity_of_row(context_, result_.gpu, row_.gpu_memory_gb);
  }

  const KnownMemoryRow& row_;
  const RowContext& context_;
  RowReader reader_;
  std::optional<Month> era_;
  RowJob result_;
};

}  // namespace

Result<RowJob> job_of(const KnownMemoryRow& row, const RowContext& context) {
  return MemoryRowReading(row, context).run();
}

Result<MemoryPrediction> predict(const KnownMemoryRow& row, const RowContext& context) {
  Result<RowJob> job = job_of(row, context);
  if (!job) {
    return fail(job.error());
  }
  const Result<RowProgram> lowered = lower_row(*job);
  if (!lowered) {
    return fail(lowered.error());
  }
  MemoryPrediction prediction{.capacity = job->capacity, .profile = job->profile.id, .assumed = job->assumed};
  const InputQuality quality = job->stated ? InputQuality::stated : InputQuality::assumed;
  if (job->capacity) {
    prediction.report = memory_on(lowered->program, lowered->job, job->profile, quality, *job->capacity);
    prediction.verdict = verdict_of(prediction.report.device, *job->capacity, lowered->job.headroom);
  } else {
    prediction.report = memory(lowered->program, lowered->job, job->profile, quality);
  }
  return prediction;
}

}  // namespace mekiki
