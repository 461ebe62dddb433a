#include "model/families/parts.h"

#include <array>
#include <string>
#include <utility>

namespace mekiki {
namespace {

constexpr std::array<std::pair<std::string_view, Activation>, 13> kActivations = {{
    {"silu", Activation::silu},
    {"swish", Activation::silu},
    {"gelu", Activation::gelu},
    {"gelu_new", Activation::gelu},
    {"gelu_fast", Activation::gelu},
    {"gelu_pytorch_tanh", Activation::gelu},
    {"gelu_tanh", Activation::gelu},
    {"quick_gelu", Activation::gelu},
    {"bloom_gelu", Activation::gelu},
    {"relu", Activation::relu},
    {"relu2", Activation::relu2},
    {"squared_relu", Activation::relu2},
    {"xielu", Activation::xielu},
}};

}  // namespace

Arch read_frame(ConfigReader& config, bool tied_by_class) {
  Arch arch;
  arch.hidden_size = config.required("hidden_size");
  arch.vocab_size = config.required("vocab_size");
  arch.max_position_embeddings = config.or_default("max_position_embeddings", 0, kWidthOrNone);
  arch.tie_word_embeddings = config.flag("tie_word_embeddings", tied_by_class);
  return arch;
}

Attention make_attention(ConfigReader& config, const HeadCounts& counts, std::int64_t hidden_size) {
  Attention attention{.heads = counts.heads, .kv_heads = counts.kv_heads};
  if (counts.heads % counts.kv_heads != 0) {
    config.refuse("num_key_value_heads",
                  std::to_string(counts.heads) + " heads cannot share " + std::to_string(counts.kv_heads) +
                      " key-value heads evenly");
  }
  if (!counts.head_dim && hidden_size % counts.heads != 0) {
    config.refuse("hidden_size",
                  std::to_string(hidden_size) + " is no multiple of " + std::to_string(counts.heads) + " heads",
                  "give head_dim");
  }
  attention.head_dim = counts.head_dim.value_or(hidden_size / counts.heads);
  return attention;
}

Attention read_attention(ConfigReader& config, std::int64_t hidden_size, const HeadsByClass& by_class) {
  HeadCounts counts;
  counts.heads = config.required("num_attention_heads");
  counts.kv_heads = by_class.kv_heads && !config.present("num_key_value_heads")
                        ? config.or_class_default("num_key_value_heads", *by_class.kv_heads)
                        : config.or_default("num_key_value_heads", counts.heads);
  counts.head_dim = by_class.head_dim && !config.present("head_dim")
                        ? config.or_class_default("head_dim", *by_class.head_dim)
                        : config.optional("head_dim");
  return make_attention(config, counts, hidden_size);
}

void refuse_other_head_dim(ConfigReader& config) {
  const std::optional<std::int64_t> head_dim = config.optional("head_dim");
  if (head_dim && *head_dim * config.required("num_attention_heads") != config.required("hidden_size")) {
    config.refuse_unsupported("head_dim", "heads of this type are hidden_size / num_attention_heads wide");
  }
}

std::int64_t read_spellings(ConfigReader& config, std::initializer_list<std::string_view> keys, Range range) {
  const std::int64_t value = config.any_of(keys, range);
  for (const std::string_view key : keys) {
    if (config.optional(key, range).value_or(value) != value) {
      config.refuse(key, "disagrees with another spelling of the same key");
    }
  }
  return value;
}

Activation read_activation(ConfigReader& config, std::string_view key, std::string_view fallback) {
  const std::string_view name = config.text(key, fallback);
  for (const auto& [known, activation] : kActivations) {
    if (name == known) {
      return activation;
    }
  }
  config.refuse_unsupported(key, "activation \"" + std::string(name) + "\" is not known");
  return Activation::silu;
}

DenseFfn read_gated_ffn(ConfigReader& config, std::string_view activation_by_class) {
  return {.intermediate_size = config.required("intermediate_size"),
          .activation = read_activation(config, "hidden_act", activation_by_class)};
}

std::int64_t read_experts_per_token(ConfigReader& config, std::string_view key, std::int64_t experts) {
  const std::int64_t chosen = config.required(key);
  if (chosen > experts) {
    config.refuse(key,
                  "a token cannot visit " + std::to_string(chosen) + " of " + std::to_string(experts) + " experts");
  }
  return chosen;
}

Layer pre_norm_layer(const Block& mixer, const Block& network, NormKind norm) {
  return {.sub_layers = {{.block = mixer, .norm_before = kMixerNorm}, {.block = network, .norm_before = kNetworkNorm}},
          .norm = norm};
}

Layer with_norm_names(Layer layer, Name first, Name second) {
  layer.sub_layers[0].norm_before = first;
  layer.sub_layers[1].norm_before = second;
  return layer;
}

Layer with_offset_norm(Layer layer) {
  layer.wide_norm = layer.offset_norm = true;
  return layer;
}

Layer sandwich_norm_layer(const Attention& attention, const Block& ffn, NormKind norm) {
  return {.sub_layers = {{attention, 1, 1, "input_layernorm", "post_attention_layernorm"},
                         {ffn, 1, 1, "pre_feedforward_layernorm", "post_feedforward_layernorm"}},
          .norm = norm};
}

std::vector<bool> read_sliding_layers(ConfigReader& config, std::int64_t layers, bool (*by_class)(std::int64_t layer)) {
  std::vector<bool> sliding;
  if (!config.has("layer_types")) {
    for (std::int64_t layer = 0; layer < layers; ++layer) {
      sliding.push_back(by_class(layer));
    }
    return sliding;
  }
  const std::vector<std::string_view> types = config.texts("layer_types");
  if (types.size() != static_cast<std::size_t>(layers)) {
    config.refuse("layer_types", "names " + std::to_string(types.size()) + " layers of " + std::to_string(layers));
  }
  for (const std::string_view type : types) {
    if (type != "full_attention" && type != "sliding_attention") {
      config.refuse_unsupported("layer_types", "layers of type \"" + std::string(type) + "\" are not modelled here");
    }
    sliding.push_back(type == "sliding_attention");
  }
  return sliding;
}

void append_windowed_layers(Arch& arch,
                            const Layer& layer,
                            const std::vector<bool>& sliding,
                            std::optional<std::int64_t> window) {
  Layer windowed = layer;
  for (SubLayer& sub_layer : windowed.sub_layers) {
    if (auto* attention = std::get_if<Attention>(&sub_layer.block)) {
      attention->sliding_window = window;
    }
  }
  for (const bool slides : sliding) {
    append_layers(arch.layer_groups, 1, slides ? windowed : layer);
  }
}

void append_all_layers(ConfigReader& config, Arch& arch, const Layer& layer) {
  append_layers(arch.layer_groups, config.required("num_hidden_layers", kLayers), layer);
}

}  // namespace mekiki
