// Mistral and Ministral, text only and with the Pixtral image tower (model types mistral3 and ministral3).
// Source: transformers MistralConfig, Mistral3Config, PixtralVisionConfig; totals of published checkpoints
// (tests/data/models/params.csv).
#include "model/families/parts.h"
#include "model/families/table.h"
#include "model/families/vision.h"

namespace mekiki {
namespace {

/// The window of a config without the key; one that says null has none.
enum class WindowByClass : std::uint8_t { none, mistral };

std::optional<std::int64_t> read_window(ConfigReader& config, WindowByClass by_class) {
  if (config.present("sliding_window") || by_class == WindowByClass::none) {
    return config.optional("sliding_window");
  }
  return config.or_class_default("sliding_window", 4096);
}

/// Only the later type has heads of a width of their own where the config is silent.
Arch read_text(ConfigReader& config, bool tied_by_class, WindowByClass window_by_class) {
  HeadsByClass heads_by_class;
  if (config.text("model_type", "") == "ministral3") {
    heads_by_class.head_dim = 128;
  }
  Arch arch = read_frame(config, tied_by_class);
  config.required("num_key_value_heads");
  const Attention attention = read_attention(config, arch.hidden_size, heads_by_class);
  const std::int64_t layers = config.required("num_hidden_layers", kLayers);
  arch.dropout.attention = config.rate("attention_dropout", 0.0);
  const std::vector<bool> sliding = read_sliding_layers(config, layers, [](std::int64_t) { return true; });
  append_windowed_layers(
      arch, pre_norm_layer(attention, read_gated_ffn(config)), sliding, read_window(config, window_by_class));
  config.ignore({"attention_sink_size", "prefill_chunk_size", "sliding_window_size"});
  return arch;
}

}  // namespace

Result<Arch> read_mistral(ConfigReader& config) {
  return config.finish(read_text(config, false, WindowByClass::mistral));
}

Result<Arch> read_mistral3(ConfigReader& config) {
  if (!config.has("text_config")) {
    return config.finish(read_text(config, false, WindowByClass::none));
  }
  ConfigReader text = config.section("text_config");
  const WindowByClass window =
      text.text("model_type", "mistral") == "mistral" ? WindowByClass::mistral : WindowByClass::none;
  Arch arch = read_text(text, false, window);
  arch.tie_word_embeddings = config.flag("tie_word_embeddings", true);  // the outer class decides, and ties
  arch.names = kTextUnderLanguageModel;
  arch.vision = read_tower(config, arch.hidden_size, read_pixtral);
  return config.finish(arch);
}

}  // namespace mekiki
