// Granite 4 and Granite-MoE with a shared network: state-space or attention layers, a network that every token visits,
// and experts beside it in some models. Multipliers have no weights.
// Source: transformers GraniteMoeHybridConfig, GraniteMoeSharedConfig; totals of published checkpoints
// (tests/data/models/params.csv).
#include <string>

#include "model/families/parts.h"
#include "model/families/stack_parts.h"
#include "model/families/state_space_parts.h"
#include "model/families/table.h"

namespace mekiki {
namespace {

Attention read_granite_attention(ConfigReader& config, std::int64_t hidden_size) {
  Attention attention = read_attention(config, hidden_size);
  attention.qkv_bias = config.flag("attention_bias", false);
  attention.output_bias = attention.qkv_bias;
  attention.rotary = config.text("position_embedding_type", "rope") == "rope";
  return attention;
}

/// The shared network alone, or experts of intermediate_size with the shared network as shared expert.
Block read_network(ConfigReader& config, std::int64_t shared_by_class) {
  const std::int64_t shared = config.or_class_default("shared_intermediate_size", shared_by_class, kWidthOrNone);
  const Activation activation = read_activation(config, "hidden_act", "silu");
  const FfnNames names{.module = "shared_mlp", .down = "output_linear", .fused = "input_linear"};
  const std::int64_t experts = config.or_default("num_local_experts", 8, kWidthOrNone);
  if (experts == 0) {
    config.ignore({"intermediate_size", "num_experts_per_tok"});
    return DenseFfn{.intermediate_size = shared, .activation = activation, .fused_gate_up = true, .names = names};
  }
  MoeFfn moe{.experts = experts, .activation = activation, .fused_gate_up = true};
  moe.experts_per_token = read_experts_per_token(config, "num_experts_per_tok", experts);
  moe.intermediate_size = config.required("intermediate_size");
  moe.shared_intermediate_size = shared;
  moe.names = names;
  moe.names.module = "";
  moe.router_name = "block_sparse_moe.router.layer";
  moe.places.experts = "block_sparse_moe";
  moe.places.shared = "shared_mlp";
  moe.places.storage = ExpertStorage::stacked_out_in;
  moe.places.stacked_suffix = ".weight";
  return moe;
}

}  // namespace

Result<Arch> read_granite_shared(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  const Attention attention = read_granite_attention(config, arch.hidden_size);
  const Block network = read_network(config, 0);
  arch.dropout.attention = config.rate("attention_dropout", 0.0);
  append_all_layers(config, arch, pre_norm_layer(attention, network));
  return config.finish(arch);
}

Result<Arch> read_granite_hybrid(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  const Attention attention = read_granite_attention(config, arch.hidden_size);
  const Block network = read_network(config, 1024);
  const std::int64_t layers = config.required("num_hidden_layers", kLayers);
  const std::vector<std::string_view> kinds =
      read_layer_kinds(config, config.has("layer_types") ? "layer_types" : "layers_block_type", layers);
  StateSpace mixer;
  bool read_mixer = kinds.empty();
  for (const std::string_view kind : kinds) {
    if (kind != "attention" && kind != "mamba") {
      config.refuse_unsupported("layer_types", "layers of type \"" + std::string(kind) + "\" are not modelled here");
    }
    read_mixer = read_mixer || kind == "mamba";
  }
  if (read_mixer) {
    mixer = read_mamba_heads(config, arch.hidden_size);
  } else {
    config.ignore({"mamba_chunk_size",
                   "mamba_conv_bias",
                   "mamba_d_conv",
                   "mamba_d_head",
                   "mamba_d_state",
                   "mamba_expand",
                   "mamba_n_groups",
                   "mamba_n_heads",
                   "mamba_proj_bias"});
  }
  arch.dropout.attention = config.rate("attention_dropout", 0.0);
  config.ignore({"init_method", "normalization_function"});
  for (std::int64_t i = 0; i < layers && !config.failed(); ++i) {
    const bool attends = !kinds.empty() && kinds[static_cast<std::size_t>(i)] == "attention";
    append_layers(arch.layer_groups, 1, pre_norm_layer(attends ? Block(attention) : Block(mixer), network));
  }
  return config.finish(arch);
}

}  // namespace mekiki
