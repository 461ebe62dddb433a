#include "validate/throughput_row.h"

#include "time/step_time.h"
#include "validate/layout_choice.h"

namespace mekiki {
namespace {

/// How a row shares states among data-parallel ranks, taken apart.
struct SharingWord {
  std::string_view word;
  std::optional<DataParallelStyle> style;  // unset: the framework's own
  int zero_stage;
  bool reshard_after_forward;
  bool within_node;
};

constexpr SharingWord kSharingWords[] = {
    {"ddp", std::nullopt, 0, true, false},
    {"zero1", DataParallelStyle::zero, 1, true, false},
    {"zero2", DataParallelStyle::zero, 2, true, false},
    {"zero3", DataParallelStyle::zero, 3, true, false},
    {"fsdp", DataParallelStyle::fsdp1, 3, true, false},
    {"fsdp_grad_op", DataParallelStyle::fsdp1, 3, false, false},
    {"fsdp_hybrid", DataParallelStyle::fsdp1, 3, true, true},
};

const SharingWord* find_sharing(std::string_view word) {
  for (const SharingWord& sharing : kSharingWords) {
    if (sharing.word == word) {
      return &sharing;
    }
  }
  return nullptr;
}

/// A framework keeps its own way where that way does what the word says.
DataParallelStyle style_for(DataParallelStyle stated, DataParallelStyle own) {
  const bool own_fsdp = own == DataParallelStyle::fsdp2 && stated == DataParallelStyle::fsdp1;
  const bool own_zero = own == DataParallelStyle::distributed_optimizer && stated == DataParallelStyle::zero;
  return own_fsdp || own_zero ? own : stated;
}

class ThroughputRowReading {
 public:
  ThroughputRowReading(const KnownThroughputRow& row, const RowContext& context)
      : row_(row), context_(context), reader_(context.aliases, texts_of(row)) {}

  Result<ThroughputRowJob> run() {
    const Status steps[] = {read_identity(), read_machine()};
    for (const Status& status : steps) {
      if (!status) {
        return fail(status.error());
      }
    }
    read_job();
    if (Status status = read_sharing(); !status) {
      return fail(status.error());
    }
    if (reader_.error()) {
      return fail(*reader_.error());
    }
    if (Status status = settle_layout(); !status) {
      return fail(status.error());
    }
    result_.row.assumed = reader_.assumed();
    result_.row.stated = result_.row.stated && !result_.row.profile.generic;
    return std::move(result_);
  }

 private:
  Status read_identity() {
    const Result<const Arch*> arch = arch_of_text(context_, row_.model);
    if (!arch) {
      return fail(arch.error());
    }
    result_.row.arch = *arch;
    era_ = era_of(row_.era, "", reader_);
    Result<Profile> profile = profile_of_row(context_, era_, reader_);
    if (!profile) {
      return fail(profile.error());
    }
    result_.row.profile = std::move(*profile);
    return {};
  }

  Status read_machine() {
    if (row_.gpus.value_or(0) < 1) {
      return fail({ErrorCode::invalid_input, "n_gpus", "the number of GPUs is not stated", "state n_gpus"});
    }
    if (row_.sequence_length.value_or(0) < 1) {
      return fail({ErrorCode::invalid_input, "seq_len", "the sequence length is not stated", "state seq_len"});
    }
    result_.row.gpus = *row_.gpus;
    const Result<const Gpu*> gpu = gpu_of_row(context_, reader_, row_.gpu);
    if (!gpu) {
      return fail(gpu.error());
    }
    if (*gpu == nullptr) {
      return fail({ErrorCode::invalid_input, "gpu", "the GPU is not stated", "state gpu"});
    }
    result_.row.gpu = *gpu;
    result_.row.capacity = (*gpu)->memory_reported;
    Result<RowMachine> machine = machine_of_row(context_, **gpu, *row_.gpus, row_.nodes, reader_);
    if (!machine) {
      return fail(machine.error());
    }
    result_.machine = std::move(*machine);
    return {};
  }

  void read_job() {
    Job& job = result_.row.job;
    job.framework = result_.row.profile.id;
    job.method = reader_.choice<Method>("method");
    job.precision = reader_.choice<Precision>("precision");
    job.sequence_length = row_.sequence_length;
    job.activation_recompute = reader_.choice<ActivationRecompute>("recompute");
    job.attention = reader_.choice<AttentionKernel>("attention");
    if (!job.attention) {
      job.attention = result_.row.profile.time.attention;
    }
    job.lengths = reader_.choice<Lengths>("lengths");
    job.era = era_;
    const std::string_view launch = reader_.word("launch");
    job.compile = reader_.yes_or_no("compile");
    if (launch == "compile") {
      job.compile = true;
    }
    if (launch == "cuda_graphs") {
      result_.row.profile.time.cuda_graphs = true;
    }
    for (const auto& [column, value] :
         {std::pair{"recompute", &row_.recompute}, std::pair{"attention", &row_.attention}}) {
      if (value->empty()) {
        reader_.assume(column);
      }
    }
    if (job.method && uses_lora(*job.method)) {
      job.lora = lora_of_row(row_.lora_rank, "", *result_.row.arch, result_.row.profile, reader_);
    }
  }

  Status read_sharing() {
    const std::string_view word = reader_.word("zero_or_fsdp");
    const SharingWord* sharing = find_sharing(word);
    Profile& profile = result_.row.profile;
    if (sharing == nullptr) {
      stated_.zero_stage = usual_zero_stage(profile.memory.sharding.style);
      if (*row_.gpus > 1) {
        reader_.assume("zero_or_fsdp");
      }
      return {};
    }
    stated_.zero_stage = sharing->zero_stage;
    stated_.reshard_after_forward = sharing->reshard_after_forward;
    stated_.shards_within_node = sharing->within_node;
    if (!sharing->style) {
      return {};
    }
    const DataParallelStyle style = style_for(*sharing->style, profile.memory.sharding.style);
    Result<Profile> changed = with_stated_sharding(std::move(profile), style, context_, era_, reader_);
    if (!changed) {
      return fail(changed.error());
    }
    profile = std::move(*changed);
    return {};
  }

  Status settle_layout() {
    stated_.tensor_parallel = row_.tensor_parallel;
    stated_.pipeline_parallel = row_.pipeline_parallel;
    stated_.context_parallel = row_.context_parallel;
    stated_.data_parallel = row_.data_parallel;
    stated_.virtual_pipeline = row_.virtual_pipeline;
    stated_.expert_parallel = row_.expert_parallel.value_or(1);
    stated_.splits_experts_over_tensor = splits_experts_over_tensor(result_.row.profile, reader_);
    stated_.micro_batch_size = row_.micro_batch_size;
    stated_.gradient_accumulation_steps = row_.gradient_accumulation_steps;
    stated_.global_batch_size = row_.global_batch_size;
    stated_.most_virtual_stages = reader_.whole_number("most_virtual_stages", result_.row.profile.id).value_or(1);
    stated_.recompute_open = row_.recompute.empty();
    const Result<ChosenLayout> choice = choose_layout(result_.row, stated_, result_.machine);
    if (!choice) {
      return fail(choice.error());
    }
    note_assumptions(*choice);
    result_.row.layout = choice->layout;
    result_.row.job.micro_batch_size = choice->micro_batch_size;
    result_.row.job.global_batch_size = choice->global_batch_size;
    result_.row.job.recompute_layers = choice->recomputed_layers;
    return {};
  }

  void note_assumptions(const ChosenLayout& choice) {
    result_.row.stated = !choice.layout_assumed && !choice.micro_batch_assumed;
    if (choice.layout_assumed) {
      reader_.assume("layout");
    }
    if (choice.micro_batch_assumed) {
      reader_.assume("micro_batch");
    }
    if (choice.virtual_pipeline_assumed) {
      reader_.assume("vpp");
    }
    if (choice.global_batch_assumed) {
      reader_.assume("global_batch");
    }
  }

  const KnownThroughputRow& row_;
  const RowContext& context_;
  RowReader reader_;
  std::optional<Month> era_;
  StatedLayout stated_;
  ThroughputRowJob result_;
};

}  // namespace

Result<ThroughputRowJob> job_of(const KnownThroughputRow& row, const RowContext& context) {
  return ThroughputRowReading(row, context).run();
}

Result<ThroughputPrediction> predict(const KnownThroughputRow& row, const RowContext& context) {
  const Result<ThroughputRowJob> job = job_of(row, context);
  if (!job) {
    return fail(job.error());
  }
  const Result<RowProgram> lowered = lower_row(job->row);
  if (!lowered) {
    return fail(lowered.error());
  }
  ThroughputPrediction prediction{.arch = job->row.arch,
                                  .method = lowered->job.method,
                                  .sequence_length = lowered->job.sequence_length,
                                  .profile = job->row.profile.id,
                                  .assumed = job->row.assumed};
  prediction.report = step_time(lowered->program,
                                lowered->job,
                                job->row.profile,
                                job->machine.rates,
                                job->machine.cluster,
                                job->row.stated ? InputQuality::stated : InputQuality::assumed);
  return prediction;
}

}  // namespace mekiki
