// LFM2: short convolutions on most layers, attention with norms on queries and keys on the others, gated networks; the
// mixture of experts has dense layers first and a selection bias.
// Source: transformers Lfm2Config, Lfm2MoeConfig; total of LFM2-2.6B (tests/data/models/params.csv).
#include <cmath>
#include <string>

#include "model/families/parts.h"
#include "model/families/stack_parts.h"
#include "model/families/table.h"

namespace mekiki {
namespace {

constexpr FfnNames kNetworkNames{.module = "feed_forward", .gate = "w1", .up = "w3", .down = "w2"};

struct Frame {
  Arch arch;
  Attention attention;
  ShortConvolution convolution;
  std::vector<bool> attends;
};

std::vector<bool> read_attending(ConfigReader& config, std::int64_t layers) {
  const std::vector<std::string_view> kinds = read_layer_kinds(config, "layer_types", layers);
  const std::vector<std::int64_t> listed = config.integers("full_attn_idxs", kLayersOrNone);
  std::vector<bool> attends(static_cast<std::size_t>(layers), listed.empty() && kinds.empty());
  for (const std::int64_t i : listed) {
    if (i < layers && kinds.empty()) {
      attends[static_cast<std::size_t>(i)] = true;
    }
  }
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (kinds[i] != "conv" && kinds[i] != "full_attention") {
      config.refuse_unsupported("layer_types",
                                "layers of type \"" + std::string(kinds[i]) + "\" are not modelled here");
    }
    attends[i] = kinds[i] == "full_attention";
  }
  return attends;
}

Frame read_frame_of(ConfigReader& config) {
  Frame frame;
  frame.arch = read_frame(config, config.flag("tie_embedding", true));
  frame.arch.names.final_norm = "model.embedding_norm";
  frame.attention = read_attention(config, frame.arch.hidden_size, {.kv_heads = 8});
  frame.attention.qk_norm = Attention::QkNorm::per_head;
  frame.attention.names.output = "out_proj";
  frame.attention.names.query_norm = "q_layernorm";
  frame.attention.names.key_norm = "k_layernorm";
  frame.convolution = {.kernel = config.or_default("conv_L_cache", 3, {1, 1000}),
                       .bias = config.flag("conv_bias", false)};
  frame.attends = read_attending(config, config.required("num_hidden_layers", kLayers));
  config.ignore({"block_dim",
                 "conv_dim",
                 "conv_dim_out",
                 "conv_use_xavier_init",
                 "block_mlp_init_scale",
                 "block_norm_eps",
                 "block_out_init_scale",
                 "block_use_swiglu",
                 "block_use_xavier_init",
                 "theta",
                 "use_pos_enc"});
  return frame;
}

Layer layer_of(const Block& mixer, const Block& network) {
  return {
      .sub_layers = {{.block = mixer, .norm_before = "operator_norm"}, {.block = network, .norm_before = "ffn_norm"}}};
}

/// Two thirds of the width named, times a factor, rounded up, where block_auto_adjust_ff_dim says so.
std::int64_t read_adjusted_width(ConfigReader& config) {
  const std::int64_t named = config.any_of({"block_ff_dim", "intermediate_size"});
  config.ignore({"intermediate_size"});
  const double factor = config.number("block_ffn_dim_multiplier", 1.0);
  const std::int64_t multiple = config.or_default("block_multiple_of", 256, {1, 1'000'000});
  if (!config.flag("block_auto_adjust_ff_dim", true)) {
    return named;
  }
  const auto scaled = static_cast<std::int64_t>(std::floor(factor * static_cast<double>(2 * named / 3)));
  if (scaled < 1) {
    config.refuse("block_ffn_dim_multiplier", "leaves no width");
    return 1;
  }
  return (scaled + multiple - 1) / multiple * multiple;
}

}  // namespace

Result<Arch> read_lfm2(ConfigReader& config) {
  Frame frame = read_frame_of(config);
  const DenseFfn network{.intermediate_size = read_adjusted_width(config), .names = kNetworkNames};
  for (const bool attends : frame.attends) {
    const Block mixer = attends ? Block(frame.attention) : Block(frame.convolution);
    append_layers(frame.arch.layer_groups, 1, layer_of(mixer, network));
  }
  return config.finish(frame.arch);
}

Result<Arch> read_lfm2_moe(ConfigReader& config) {
  Frame frame = read_frame_of(config);
  const DenseFfn dense{.intermediate_size = config.required("intermediate_size"), .names = kNetworkNames};
  MoeFfn moe{.correction_bias = config.flag("use_expert_bias", true), .names = kNetworkNames};
  moe.experts = config.required("num_experts");
  moe.experts_per_token = read_experts_per_token(config, "num_experts_per_tok", moe.experts);
  moe.intermediate_size = config.required("moe_intermediate_size");
  moe.places.correction_bias = "expert_bias";
  const auto dense_layers = static_cast<std::size_t>(config.or_default("num_dense_layers", 2, kLayersOrNone));
  for (std::size_t i = 0; i < frame.attends.size(); ++i) {
    const Block mixer = frame.attends[i] ? Block(frame.attention) : Block(frame.convolution);
    append_layers(frame.arch.layer_groups, 1, layer_of(mixer, i < dense_layers ? Block(dense) : Block(moe)));
  }
  return config.finish(frame.arch);
}

}  // namespace mekiki
