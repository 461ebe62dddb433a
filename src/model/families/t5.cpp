// T5, mT5 and UMT5: an encoder, and a decoder that also attends to the encoder's output. Scores have learned biases by
// distance, on the first layer of each stack (T5, mT5) or on every layer (UMT5). The head is separate where
// tie_word_embeddings is false, as in T5 1.1 and mT5.
// Source: transformers T5Config, MT5Config, UMT5Config.
#include <string>

#include "model/families/parts.h"
#include "model/families/table.h"

namespace mekiki {
namespace {

constexpr std::string_view kGated = "gated-";

DenseFfn read_network(ConfigReader& config, std::string_view by_class) {
  std::string kind(config.text("feed_forward_proj", by_class));
  if (!config.has("feed_forward_proj")) {
    config.warn(ConfigWarningKind::class_default, "feed_forward_proj", kind);
  }
  DenseFfn ffn{.intermediate_size = config.required("d_ff"),
               .gated = kind.starts_with(kGated),
               .names = {.module = "", .gate = "wi_0", .up = "wi_1", .down = "wo"}};
  if (!ffn.gated) {
    ffn.names.up = "wi";
  }
  const std::string_view activation = std::string_view(kind).substr(ffn.gated ? kGated.size() : 0);
  if (activation == "relu" || activation == "silu" || activation == "gelu") {
    ffn.activation = activation == "relu"   ? Activation::relu
                     : activation == "silu" ? Activation::silu
                                            : Activation::gelu;
  } else {
    config.refuse_unsupported("feed_forward_proj", "network \"" + kind + "\" is not known");
  }
  config.ignore({"dense_act_fn", "is_gated_act"});
  return ffn;
}

Attention read_plain_attention(ConfigReader& config, std::int64_t hidden_size) {
  const std::int64_t heads = config.required("num_heads");
  if (config.has("head_dim")) {
    config.refuse_unsupported("head_dim", "is another word for d_kv here", "give d_kv");
  }
  Attention attention = make_attention(
      config, {.heads = heads, .kv_heads = heads, .head_dim = config.or_class_default("d_kv", 64)}, hidden_size);
  attention.rotary = false;
  attention.names = {.query = "q", .key = "k", .value = "v", .output = "o"};
  return attention;
}

struct Stack {
  Attention attention;
  DenseFfn ffn;
  std::int64_t distances;
  bool distances_everywhere;
};

/// The layer numbers its blocks, so that modules of the network differ between encoder and decoder.
Layer layer_of(const Stack& stack, bool encoder, bool first) {
  Attention attention = stack.attention;
  attention.names.module = "layer.0.SelfAttention";
  attention.relative_positions = first || stack.distances_everywhere ? stack.distances : 0;
  DenseFfn ffn = stack.ffn;
  ffn.names.module = encoder ? "layer.1.DenseReluDense" : "layer.2.DenseReluDense";
  Layer layer{.encoder = encoder};
  layer.sub_layers.push_back({.block = attention, .norm_before = "layer.0.layer_norm"});
  if (!encoder) {
    Attention cross = stack.attention;
    cross.cross = true;
    cross.names.module = "layer.1.EncDecAttention";
    layer.sub_layers.push_back({.block = cross, .norm_before = "layer.1.layer_norm"});
  }
  layer.sub_layers.push_back({.block = ffn, .norm_before = encoder ? "layer.1.layer_norm" : "layer.2.layer_norm"});
  return layer;
}

void append_stack(Arch& arch, std::int64_t layers, const Stack& stack, bool encoder) {
  append_layers(arch.layer_groups, 1, layer_of(stack, encoder, true));
  append_layers(arch.layer_groups, layers - 1, layer_of(stack, encoder, false));
}

struct Class {
  std::string_view network;
  bool distances_everywhere;
};

Result<Arch> read_stacks(ConfigReader& config, const Class& by_class) {
  Arch arch;
  arch.hidden_size = config.required("d_model");
  arch.vocab_size = config.required("vocab_size");
  arch.max_position_embeddings = config.or_default("n_positions", 0, kWidthOrNone);
  arch.tie_word_embeddings = config.flag("tie_word_embeddings", true);
  arch.encoder_norm = true;
  arch.names.embedding = "shared";
  arch.names.layers = "decoder.block";
  arch.names.final_norm = "decoder.final_layer_norm";
  const Stack stack{read_plain_attention(config, arch.hidden_size),
                    read_network(config, by_class.network),
                    config.or_default("relative_attention_num_buckets", 32, {1, 1'000'000}),
                    by_class.distances_everywhere};
  const std::int64_t layers = config.required("num_layers", kLayers);
  append_stack(arch, layers, stack, true);
  append_stack(arch, config.or_default("num_decoder_layers", layers, kLayers), stack, false);
  arch.dropout.hidden = config.rate("dropout_rate", 0.1);
  arch.dropout.attention = arch.dropout.hidden;
  config.ignore({"classifier_dropout", "initializer_factor", "relative_attention_max_distance", "output_past"});
  return config.finish(arch);
}

}  // namespace

Result<Arch> read_t5(ConfigReader& config) {
  return read_stacks(config, {"relu", false});
}

Result<Arch> read_mt5(ConfigReader& config) {
  return read_stacks(config, {"gated-gelu", false});
}

Result<Arch> read_umt5(ConfigReader& config) {
  return read_stacks(config, {"gated-gelu", true});
}

}  // namespace mekiki
