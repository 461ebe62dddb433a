#include "validate/row_job.h"

#include <algorithm>
#include <cmath>

#include "catalog/profile_reader.h"
#include "model/exact_count.h"
#include "program/lower.h"
#include "program/prepared_model.h"
#include "validate/lora_targets.h"

namespace mekiki {
namespace {

constexpr std::string_view kGenericProfile = "generic";
constexpr double kSameSizeGb = 1.0;  // sizes on the box that mean the same class of card

}  // namespace

Result<RowProgram> lower_row(const RowJob& row) {
  Result<ResolvedJob> job =
      with_defaults(row.job, row.profile, {.max_position_embeddings = row.arch->max_position_embeddings});
  if (!job) {
    return fail(job.error());
  }
  if (const Status status = check_layout(row.layout, limits_of(*row.arch, job->sequence_length, row.gpus)); !status) {
    return fail(status.error());
  }
  const Result<PreparedModel> model = prepare_model(*row.arch, *job);
  if (!model) {
    return fail(model.error());
  }
  Result<StepProgram> program = lower(*model, *job, row.layout, row.profile);
  if (!program) {
    return fail(program.error());
  }
  return RowProgram{std::move(*job), std::move(*program)};
}

Result<const Arch*> arch_of_text(const RowContext& context, std::string_view text) {
  const auto found = context.archs.find(text);
  if (found == context.archs.end()) {
    return fail({ErrorCode::not_found, "model", "'" + std::string(text) + "' is not known", "give its config"});
  }
  if (!found->second) {
    return fail_within("model:", found->second.error());
  }
  return &*found->second;
}

Result<Profile> profile_of_row(const RowContext& context, std::optional<Month> era, RowReader& reader) {
  std::string_view id = reader.word("framework");
  if (id.empty()) {
    reader.assume("framework");
    id = kGenericProfile;
  }
  return find_profile(*context.catalog, id, era);
}

Result<Profile> with_stated_sharding(
    Profile profile, DataParallelStyle style, const RowContext& context, std::optional<Month> era, RowReader& reader) {
  if (profile.memory.sharding.style == style) {
    return profile;
  }
  const std::string_view id = reader.word("sharding_profile", enum_name(style));
  const Result<Profile> of_style = find_profile(*context.catalog, id, era);
  if (!of_style) {
    return fail(of_style.error());
  }
  profile.memory.dtypes = of_style->memory.dtypes;
  profile.memory.allocator = of_style->memory.allocator;
  profile.memory.sharding = of_style->memory.sharding;
  profile.memory.sharding.style = style;
  return profile;
}

int usual_zero_stage(DataParallelStyle style) {
  switch (style) {
    case DataParallelStyle::ddp:
      return 0;
    case DataParallelStyle::fsdp1:
    case DataParallelStyle::fsdp2:
      return 3;
    case DataParallelStyle::zero:
      return 2;
    case DataParallelStyle::distributed_optimizer:
      return 1;
  }
  return 0;
}

Result<const Gpu*> gpu_of_row(const RowContext& context, RowReader& reader, std::string_view text) {
  if (text.empty()) {
    return Result<const Gpu*>(nullptr);
  }
  const Result<const Gpu*> exact = find_gpu(*context.catalog, text);
  if (exact) {
    return *exact;
  }
  const Result<std::string_view> id = reader.try_word("gpu", text);
  if (!id) {
    return fail_within("gpu:", exact.error());
  }
  return id->empty() ? Result<const Gpu*>(nullptr) : find_gpu(*context.catalog, *id);
}

std::optional<Bytes> capacity_of_row(const RowContext& context, const Gpu* gpu, std::optional<double> memory_gb) {
  const auto same_size = [&](const Gpu& g) { return std::abs(g.memory_marketed / kGB - *memory_gb) <= kSameSizeGb; };
  if (gpu != nullptr && (!memory_gb || same_size(*gpu))) {
    return gpu->memory_reported;
  }
  if (!memory_gb) {
    return std::nullopt;
  }
  std::optional<Bytes> least;
  for (const Gpu& g : context.catalog->gpus) {
    if (same_size(g)) {
      least = least ? std::min(*least, g.memory_reported) : g.memory_reported;
    }
  }
  return least;
}

std::optional<Month> era_of(std::string_view era, std::string_view torch_version, RowReader& reader) {
  const Result<Month> month = parse_month(era.empty() ? reader.word("torch_version", torch_version) : era);
  return month ? std::optional(*month) : std::nullopt;
}

std::optional<Lora> lora_of_row(std::optional<std::int64_t> rank,
                                std::string_view targets,
                                const Arch& arch,
                                const Profile& profile,
                                RowReader& reader) {
  Lora lora;
  if (rank) {
    lora.rank = *rank;
  } else {
    reader.assume("lora_rank");
  }
  if (targets.empty()) {
    reader.assume("lora_targets");
    targets = reader.word("usual_lora_targets", profile.id);
  }
  lora.targets = lora_targets_of(targets, arch, reader);
  return lora;
}

bool splits_experts_over_tensor(const Profile& profile, RowReader& reader) {
  return reader.word("experts_over_tensor_ranks", profile.id) == "yes";
}

std::int64_t expert_tensor_ranks(const Arch& arch, const ParallelLayout& layout, bool splits_experts) {
  const std::int64_t tensor = layout.tensor_parallel;
  if (limits_of(arch, 1, 1).experts == 0) {
    return 1;
  }
  if (layout.expert_parallel <= 1 || tensor == 1) {
    return tensor;
  }
  const std::int64_t ranks = layout.world_size() / layout.pipeline_parallel;
  return splits_experts && ranks % capped_product(layout.expert_parallel, tensor) == 0 ? tensor : 1;
}

Result<std::int64_t> data_parallel_ranks(std::int64_t gpus, const ParallelLayout& layout) {
  std::int64_t ranks = gpus;
  for (const std::int64_t axis : {layout.tensor_parallel, layout.pipeline_parallel, layout.context_parallel}) {
    if (axis < 1 || ranks % axis != 0) {
      return fail({ErrorCode::conflict,
                   "n_gpus",
                   std::to_string(gpus) + " GPUs are no multiple of tensor_parallel " +
                       std::to_string(layout.tensor_parallel) + " x pipeline_parallel " +
                       std::to_string(layout.pipeline_parallel) + " x context_parallel " +
                       std::to_string(layout.context_parallel),
                   "check tp, pp and cp"});
    }
    ranks /= axis;
  }
  return ranks;
}

}  // namespace mekiki
