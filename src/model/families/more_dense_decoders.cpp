// Dense decoders: EXAONE 4, StarCoder2, Helium, Persimmon, GPT-Neo.
// Source: transformers Exaone4Config, Starcoder2Config, HeliumConfig, PersimmonConfig, GPTNeoConfig.
#include <string>

#include "model/families/parts.h"
#include "model/families/stack_parts.h"
#include "model/families/table.h"

namespace mekiki {
namespace {

/// sliding_window_pattern: one full layer in so many, or a pattern such as "LLLG".
std::vector<bool> read_exaone_pattern(ConfigReader& config, std::int64_t layers, bool has_window) {
  std::vector<bool> sliding = read_sliding_layers(config, layers, [](std::int64_t) { return false; });
  const bool by_letters = config.is_text("sliding_window_pattern");
  const std::string letters(by_letters ? config.text("sliding_window_pattern", "") : "");
  const std::int64_t one_in = by_letters ? 1 : config.or_default("sliding_window_pattern", 4, kLayersOrNone);
  if (letters.find_first_not_of("LG") != std::string::npos || (by_letters && letters.empty())) {
    config.refuse("sliding_window_pattern", "must be a number or the letters L and G");
  }
  for (std::size_t i = 0; i < sliding.size() && has_window && !config.has("layer_types") && !config.failed(); ++i) {
    const auto nth = static_cast<std::int64_t>(i) + 1;
    sliding[i] = by_letters ? letters[i % letters.size()] == 'L' : one_in > 0 && nth % one_in != 0;
  }
  return sliding;
}

/// attention_layers (one word per layer) or attention_types (words and how often they repeat).
std::vector<bool> read_local_layers(ConfigReader& config, std::int64_t layers) {
  std::vector<bool> local;
  for (const std::string_view kind : read_layer_kinds(config, "attention_layers", layers)) {
    local.push_back(kind == "local");
  }
  const nlohmann::json* types = config.raw("attention_types");
  if (local.empty() && types != nullptr && types->is_array()) {
    for (const nlohmann::json& item : *types) {
      const bool pair = item.is_array() && item.size() == 2 && item[0].is_array() && item[1].is_number_unsigned();
      const std::uint64_t times = pair ? std::min<std::uint64_t>(item[1].get<std::uint64_t>(), 100'000) : 0;
      for (std::uint64_t repeat = 0; repeat < times && local.size() < static_cast<std::size_t>(layers); ++repeat) {
        for (const nlohmann::json& kind : item[0]) {
          local.push_back(kind == "local");
        }
      }
    }
  }
  for (std::int64_t i = 0; i < layers && types == nullptr && local.size() < static_cast<std::size_t>(layers); ++i) {
    local.push_back(i % 2 == 1);
  }
  if (local.size() != static_cast<std::size_t>(layers)) {
    config.refuse("attention_types", "must describe each of the " + std::to_string(layers) + " layers");
  }
  return local;
}

}  // namespace

/// Norms after the blocks, norms on queries and keys, windows on three of four layers of the larger model.
Result<Arch> read_exaone4(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  Attention attention = read_attention(config, arch.hidden_size, {.kv_heads = 32});
  attention.qk_norm = Attention::QkNorm::per_head;
  const DenseFfn ffn = read_gated_ffn(config);
  const std::int64_t layers = config.required("num_hidden_layers", kLayers);
  const std::optional<std::int64_t> window = config.optional("sliding_window");
  arch.dropout.attention = config.rate("attention_dropout", 0.0);
  append_windowed_layers(arch,
                         {.sub_layers = {{attention, 0, 1, "", "post_attention_layernorm"},
                                         {ffn, 0, 1, "", "post_feedforward_layernorm"}}},
                         read_exaone_pattern(config, layers, window.has_value()),
                         window);
  return config.finish(arch);
}

Result<Arch> read_starcoder2(ConfigReader& config) {
  Arch arch = read_frame(config, true);
  arch.final_norm = NormKind::layer_norm;
  Attention attention = read_attention(config, arch.hidden_size, {.kv_heads = 2});
  const bool bias = config.flag("use_bias", true);
  attention.qkv_bias = bias;
  attention.output_bias = bias;
  attention.sliding_window = config.optional("sliding_window");
  const DenseFfn ffn{.intermediate_size = config.required("intermediate_size"),
                     .gated = false,
                     .bias = bias,
                     .activation = read_activation(config, "hidden_act", "gelu_pytorch_tanh"),
                     .names = {.up = "c_fc", .down = "c_proj"}};
  arch.dropout = {config.rate("attention_dropout", 0.0), config.rate("residual_dropout", 0.0)};
  if (config.text("norm_type", "layer_norm") != "layer_norm" || config.text("mlp_type", "default") != "default") {
    config.refuse_unsupported("norm_type", "other norms or networks are not known for this type");
  }
  config.ignore({"embedding_dropout"});
  append_all_layers(config, arch, pre_norm_layer(attention, ffn, NormKind::layer_norm));
  return config.finish(arch);
}

/// The class sizes the output projection by hidden_size, so heads x head_dim must be that.
Result<Arch> read_helium(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  Attention attention = read_attention(config, arch.hidden_size, {.kv_heads = 20, .head_dim = 128});
  attention.qkv_bias = config.flag("attention_bias", false);
  if (attention.heads * attention.head_dim != arch.hidden_size) {
    config.refuse_unsupported("head_dim", "heads that are not as wide together as the model are not modelled");
  }
  DenseFfn ffn = read_gated_ffn(config);
  ffn.bias = config.flag("mlp_bias", false);
  arch.dropout.attention = config.rate("attention_dropout", 0.0);
  append_all_layers(config, arch, pre_norm_layer(attention, ffn));
  return config.finish(arch);
}

Result<Arch> read_persimmon(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  arch.final_norm = NormKind::layer_norm;
  arch.names.final_norm = "model.final_layernorm";
  const std::int64_t heads = config.required("num_attention_heads");
  Attention attention = make_attention(config, {.heads = heads, .kv_heads = heads}, arch.hidden_size);
  attention.qkv_bias = true;
  attention.output_bias = true;
  attention.fused_qkv = true;
  attention.qk_norm = config.flag("qk_layernorm", true) ? Attention::QkNorm::per_head : Attention::QkNorm::none;
  attention.qk_norm_bias = true;
  attention.names.fused = "query_key_value";
  attention.names.output = "dense";
  attention.names.query_norm = "q_layernorm";
  attention.names.key_norm = "k_layernorm";
  const DenseFfn ffn{.intermediate_size = config.required("intermediate_size"),
                     .gated = false,
                     .bias = true,
                     .activation = read_activation(config, "hidden_act", "relu2"),
                     .names = {.up = "dense_h_to_4h", .down = "dense_4h_to_h"}};
  arch.dropout = {config.rate("attention_dropout", 0.0), config.rate("hidden_dropout", 0.0)};
  append_all_layers(config, arch, pre_norm_layer(attention, ffn, NormKind::layer_norm));
  return config.finish(arch);
}

/// Learned positions, windows on every other layer.
Result<Arch> read_gpt_neo(ConfigReader& config) {
  Arch arch = read_frame(config, true);
  arch.learned_positions = config.required("max_position_embeddings");
  arch.final_norm = NormKind::layer_norm;
  arch.names = {.embedding = "transformer.wte",
                .positions = "transformer.wpe",
                .layers = "transformer.h",
                .final_norm = "transformer.ln_f"};
  const std::int64_t heads = config.any_of({"num_heads", "num_attention_heads"});
  Attention attention = make_attention(config, {.heads = heads, .kv_heads = heads}, arch.hidden_size);
  attention.output_bias = true;
  attention.rotary = false;
  attention.names.module = "attn.attention";
  attention.names.output = "out_proj";
  const DenseFfn ffn{.intermediate_size = config.or_default("intermediate_size", 4 * arch.hidden_size),
                     .gated = false,
                     .bias = true,
                     .activation = read_activation(config, "activation_function", "gelu_new"),
                     .names = {.up = "c_fc", .down = "c_proj"}};
  const std::int64_t layers = config.any_of({"num_layers", "num_hidden_layers"}, kLayers);
  arch.dropout = {config.rate("attention_dropout", 0.0), config.rate("resid_dropout", 0.0)};
  config.ignore({"classifier_dropout", "embed_dropout", "gradient_checkpointing"});
  append_windowed_layers(arch,
                         with_norm_names(pre_norm_layer(attention, ffn, NormKind::layer_norm), "ln_1", "ln_2"),
                         read_local_layers(config, layers),
                         config.or_default("window_size", 256));
  return config.finish(arch);
}

}  // namespace mekiki
