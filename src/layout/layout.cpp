#include "layout/layout.h"

#include <variant>

namespace mekiki {
namespace {

Error contradiction(std::string_view axis, std::string message, std::string hint = "") {
  return {ErrorCode::conflict, std::string(axis), std::move(message), std::move(hint)};
}

std::string does_not_divide(std::int64_t divisor, std::int64_t value, std::string_view what) {
  return std::to_string(divisor) + " does not divide " + std::to_string(value) + " " + std::string(what);
}

struct Axis {
  std::string_view name;
  std::int64_t value;
};

Status check_axes(const ParallelLayout& l) {
  const Axis axes[] = {{"dp_replicate", l.dp_replicate},
                       {"dp_shard", l.dp_shard},
                       {"tensor_parallel", l.tensor_parallel},
                       {"context_parallel", l.context_parallel},
                       {"pipeline_parallel", l.pipeline_parallel},
                       {"virtual_pipeline", l.virtual_pipeline},
                       {"expert_parallel", l.expert_parallel},
                       {"expert_tensor_parallel", l.expert_tensor_parallel}};
  constexpr std::int64_t kMostRanks = 1 << 24;
  for (const Axis& axis : axes) {
    if (axis.value < 1 || axis.value > kMostRanks) {
      return fail({ErrorCode::invalid_input,
                   std::string(axis.name),
                   std::to_string(axis.value) + " ranks along one axis make no sense",
                   "use 1 where the axis is not wanted"});
    }
  }
  if (l.zero_stage < 0 || l.zero_stage > 3) {
    return fail(
        {ErrorCode::invalid_input, "zero_stage", std::to_string(l.zero_stage) + " is no ZeRO stage", "0, 1, 2 or 3"});
  }
  return {};
}

}  // namespace

LayoutLimits limits_of(const Arch& arch, std::int64_t sequence_length, std::int64_t gpus) {
  LayoutLimits limits{
      .gpus = gpus, .layers = arch.layer_count(), .heads = 0, .kv_heads = 0, .sequence_length = sequence_length};
  for (const LayerGroup& group : arch.layer_groups) {
    for (const SubLayer& sub : group.layer.sub_layers) {
      if (const auto* attention = std::get_if<Attention>(&sub.block)) {
        limits.heads = limits.heads == 0 ? attention->heads : std::min(limits.heads, attention->heads);
        limits.kv_heads = limits.kv_heads == 0 ? attention->kv_heads : std::min(limits.kv_heads, attention->kv_heads);
      } else if (const auto* latent = std::get_if<LatentAttention>(&sub.block)) {
        limits.heads = limits.heads == 0 ? latent->heads : std::min(limits.heads, latent->heads);
        limits.kv_heads = limits.heads;  // widened for each head
      } else if (const auto* moe = std::get_if<MoeFfn>(&sub.block)) {
        limits.experts = std::max(limits.experts, moe->experts);
      }
    }
  }
  limits.heads = std::max<std::int64_t>(limits.heads, 1);
  limits.kv_heads = std::max<std::int64_t>(limits.kv_heads, 1);
  return limits;
}

Status check_layout(const ParallelLayout& l, const LayoutLimits& limits) {
  if (Status axes = check_axes(l); !axes) {
    return axes;
  }
  if (l.world_size() != limits.gpus) {
    return fail(contradiction("gpus",
                              "dp_replicate x dp_shard x tensor_parallel x context_parallel x pipeline_parallel = " +
                                  std::to_string(l.world_size()) + ", but there are " + std::to_string(limits.gpus) +
                                  " GPUs",
                              "make the product equal to the GPUs"));
  }
  if (limits.heads % l.tensor_parallel != 0) {
    return fail(contradiction("tensor_parallel", does_not_divide(l.tensor_parallel, limits.heads, "attention heads")));
  }
  if (l.pipeline_parallel * l.virtual_pipeline > limits.layers) {
    return fail(contradiction("pipeline_parallel",
                              std::to_string(l.pipeline_parallel * l.virtual_pipeline) +
                                  " pipeline chunks are more than " + std::to_string(limits.layers) + " layers"));
  }
  if (l.virtual_pipeline > 1 && l.pipeline_parallel == 1) {
    return fail(contradiction("virtual_pipeline", "interleaving needs pipeline_parallel above 1"));
  }
  if (l.expert_parallel > 1 && (limits.experts == 0 || limits.experts % l.expert_parallel != 0)) {
    return fail(contradiction("expert_parallel", does_not_divide(l.expert_parallel, limits.experts, "experts")));
  }
  if ((l.data_parallel() * l.tensor_parallel * l.context_parallel) % (l.expert_parallel * l.expert_tensor_parallel) !=
      0) {
    return fail(contradiction(
        "expert_parallel",
        "expert_parallel x expert_tensor_parallel = " + std::to_string(l.expert_parallel * l.expert_tensor_parallel) +
            " does not divide the ranks of a pipeline stage"));
  }
  if (l.sequence_parallel && l.tensor_parallel == 1) {
    return fail(contradiction("sequence_parallel", "it splits along the tensor-parallel group, which has one rank"));
  }
  if (limits.sequence_length % l.context_parallel != 0) {
    return fail(contradiction("context_parallel",
                              does_not_divide(l.context_parallel, limits.sequence_length, "tokens of a sequence")));
  }
  if (l.zero_stage > 0 && l.dp_shard * l.context_parallel == 1 && l.data_parallel() > 1) {
    return fail(
        contradiction("zero_stage", "ZeRO shards over dp_shard, which is 1", "use dp_shard instead of dp_replicate"));
  }
  return {};
}

std::string describe(const ParallelLayout& l) {
  std::string text;
  const auto add = [&](std::string_view axis, std::int64_t value, std::int64_t unused) {
    if (value != unused) {
      text += (text.empty() ? "" : ", ") + std::string(axis) + " " + std::to_string(value);
    }
  };
  add("dp_replicate", l.dp_replicate, 1);
  add("dp_shard", l.dp_shard, 1);
  add("tensor_parallel", l.tensor_parallel, 1);
  add("context_parallel", l.context_parallel, 1);
  add("pipeline_parallel", l.pipeline_parallel, 1);
  add("virtual_pipeline", l.virtual_pipeline, 1);
  add("expert_parallel", l.expert_parallel, 1);
  add("expert_tensor_parallel", l.expert_tensor_parallel, 1);
  add("zero_stage", l.zero_stage, 0);
  return text.empty() ? "single GPU" : text;
}

}  // namespace mekiki
