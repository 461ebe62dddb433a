// Decoders whose layers have sizes of their own: Nemotron-NAS (DeciLM) with a search result per layer, OpenELM with
// lists of heads and network widths.
// Source: configuration code of both; total of Llama-3.3-Nemotron-Super-49B (tests/data/models/params.csv).
#include <algorithm>
#include <cmath>
#include <string>

#include "model/families/parts.h"
#include "model/families/stack_parts.h"
#include "model/families/table.h"

namespace mekiki {
namespace {

std::int64_t rounded_up(std::int64_t value, std::int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

void refuse_linear(ConfigReader& block) {
  if (block.flag("replace_with_linear", false)) {
    block.refuse_unsupported("replace_with_linear", "a block replaced by one linear layer is not modelled");
  }
  if (block.has("window_length") || block.has("num_sink_tokens") || block.has("sparsify")) {
    block.refuse_unsupported("window_length", "windows, sinks and sparsity of single layers are not modelled");
  }
  block.ignore_rest();
}

/// An absent block leaves no norm behind.
Layer read_block(ConfigReader& block, const Attention& like, std::int64_t hidden_size, const DenseFfn& ffn_like) {
  Layer layer;
  ConfigReader mixer = block.section("attention");
  if (!mixer.flag("no_op", false)) {
    Attention attention = like;
    const std::int64_t group = mixer.required("n_heads_in_group");
    if (attention.heads % group != 0) {
      mixer.refuse("n_heads_in_group", "does not divide " + std::to_string(attention.heads) + " heads");
    }
    attention.kv_heads = std::max<std::int64_t>(attention.heads / group, 1);
    layer.sub_layers.push_back({.block = attention, .norm_before = kMixerNorm});
  }
  refuse_linear(mixer);
  ConfigReader network = block.section("ffn");
  if (!network.flag("no_op", false)) {
    constexpr std::int64_t kMultiple = 256;
    DenseFfn ffn = ffn_like;
    const double width = 2.0 * network.number("ffn_mult", 0.0) * static_cast<double>(hidden_size) / 3.0;
    ffn.intermediate_size = rounded_up(static_cast<std::int64_t>(width), kMultiple);
    if (ffn.intermediate_size < 1) {
      network.refuse("ffn_mult", "is missing or leaves no width");
    }
    layer.sub_layers.push_back({.block = ffn, .norm_before = kNetworkNorm});
  }
  refuse_linear(network);
  return layer;
}

std::vector<std::int64_t> read_heads(ConfigReader& config, std::string_view key, std::size_t layers) {
  const std::vector<std::int64_t> heads = config.integers(key, kWidth);
  if (heads.size() != layers) {
    config.refuse(key, "must name each of the " + std::to_string(layers) + " layers");
    return std::vector<std::int64_t>(layers, 1);
  }
  return heads;
}

/// The nearest multiple, the next one where that is less than nine tenths.
std::int64_t rounded(double value, std::int64_t multiple) {
  const double half = static_cast<double>(multiple) / 2.0;
  const auto count = static_cast<std::int64_t>((value + half) / static_cast<double>(multiple));
  const std::int64_t near = std::max(multiple, count * multiple);
  return static_cast<double>(near) < 0.9 * value ? near + multiple : near;
}

}  // namespace

Result<Arch> read_nemotron_nas(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  const std::int64_t heads = config.required("num_attention_heads");
  Attention like = make_attention(config, {.heads = heads, .kv_heads = heads}, arch.hidden_size);
  like.qkv_bias = config.flag("attention_bias", false);
  like.output_bias = like.qkv_bias;
  const DenseFfn ffn{.bias = config.flag("mlp_bias", false),
                     .activation = read_activation(config, "hidden_act", "silu")};
  const std::int64_t layers = config.required("num_hidden_layers", kLayers);
  std::vector<ConfigReader> blocks = config.sections("block_configs");
  if (blocks.size() != static_cast<std::size_t>(layers)) {
    config.refuse("block_configs", "must describe each of the " + std::to_string(layers) + " layers");
  }
  arch.dropout.attention = config.rate("attention_dropout", 0.0);
  config.ignore({"intermediate_size", "num_key_value_heads"});
  for (ConfigReader& block : blocks) {
    if (!config.failed()) {
      append_layers(arch.layer_groups, 1, read_block(block, like, arch.hidden_size, ffn));
    }
  }
  return config.finish(arch);
}

Result<Arch> read_openelm(ConfigReader& config) {
  Arch arch;
  arch.hidden_size = config.required("model_dim");
  arch.vocab_size = config.required("vocab_size");
  arch.max_position_embeddings = config.or_default("max_context_length", 0, kWidthOrNone);
  arch.tie_word_embeddings = config.flag("share_input_output_layers", true);
  const auto layers = static_cast<std::size_t>(config.required("num_transformer_layers", kLayers));
  const std::vector<std::int64_t> heads = read_heads(config, "num_query_heads", layers);
  const std::vector<std::int64_t> kv_heads = read_heads(config, "num_kv_heads", layers);
  const std::int64_t head_dim = config.required("head_dim");
  const std::vector<double> widths = config.numbers("ffn_multipliers");
  if (widths.size() != layers) {
    config.refuse("ffn_multipliers", "must name each of the " + std::to_string(layers) + " layers");
  }
  const std::int64_t multiple = config.or_default("ffn_dim_divisor", 256);
  DenseFfn ffn{.gated = config.flag("ffn_with_glu", true),
               .activation = read_activation(config, "activation_fn_name", "swish"),
               .fused_gate_up = true,
               .names = {.module = "ffn", .up = "proj_1", .down = "proj_2", .fused = "proj_1"}};
  const bool normed = config.flag("normalize_qk_projections", true);
  config.ignore(
      {"normalization_layer_name", "num_gqa_groups", "qk_multipliers", "rope_freq_constant", "rope_max_length"});
  for (std::size_t i = 0; i < layers && !config.failed(); ++i) {
    Attention attention =
        make_attention(config, {.heads = heads[i], .kv_heads = kv_heads[i], .head_dim = head_dim}, arch.hidden_size);
    attention.fused_qkv = true;
    attention.qk_norm = normed ? Attention::QkNorm::per_head : Attention::QkNorm::none;
    attention.names = {.module = "attn", .output = "out_proj"};
    ffn.intermediate_size = rounded(widths[i] * static_cast<double>(arch.hidden_size), multiple);
    append_layers(arch.layer_groups, 1, pre_norm_layer(attention, ffn));
  }
  return config.finish(arch);
}

}  // namespace mekiki
