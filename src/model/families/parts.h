// Pieces of config.json that many families write alike. Every function reads through the ConfigReader, which keeps the
// first problem; what they return is then harmless but meaningless.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "model/arch.h"
#include "model/config_reader.h"

namespace mekiki {

/// hidden_size, vocab_size, max_position_embeddings, tie_word_embeddings (`tied_by_class` where absent).
Arch read_frame(ConfigReader& config, bool tied_by_class);

struct HeadCounts {
  std::int64_t heads = 1;
  std::int64_t kv_heads = 1;
  std::optional<std::int64_t> head_dim;  // unset: hidden_size / heads, which must then be whole
};

/// Checks the counts against each other and the width; the rest of Attention keeps its defaults.
Attention make_attention(ConfigReader& config, const HeadCounts& counts, std::int64_t hidden_size);

/// What a class takes for keys that are absent; unset: all heads, hidden_size / heads, as where they are null.
struct HeadsByClass {
  std::optional<std::int64_t> kv_heads;
  std::optional<std::int64_t> head_dim;
};

/// num_attention_heads, num_key_value_heads, head_dim.
Attention read_attention(ConfigReader& config, std::int64_t hidden_size, const HeadsByClass& by_class = {});

/// For classes that know no head_dim: refuses one that is not hidden_size / num_attention_heads.
void refuse_other_head_dim(ConfigReader& config);

/// One value under any of these spellings of its key; refused where none is there or two differ.
std::int64_t read_spellings(ConfigReader& config, std::initializer_list<std::string_view> keys, Range range = kWidth);

/// Names of activation functions, spellings of the same function merged. Others are unsupported.
Activation read_activation(ConfigReader& config, std::string_view key, std::string_view fallback);

/// intermediate_size and hidden_act: a gated network without biases.
DenseFfn read_gated_ffn(ConfigReader& config, std::string_view activation_by_class = "silu");

/// num_experts_per_tok of `experts`, checked.
std::int64_t read_experts_per_token(ConfigReader& config, std::string_view key, std::int64_t experts);

/// The names that most families give the norms of a mixer and a network.
inline constexpr Name kMixerNorm = "input_layernorm";
inline constexpr Name kNetworkNorm = "post_attention_layernorm";

/// Two sub-layers, a norm before each.
Layer pre_norm_layer(const Block& mixer, const Block& network, NormKind norm = NormKind::rms);

/// The same layer with other names for the norms before its blocks.
Layer with_norm_names(Layer layer, Name first, Name second);

/// Two sub-layers, a norm before and after each.
Layer sandwich_norm_layer(const Attention& attention, const Block& ffn, NormKind norm = NormKind::rms);

/// The same layer with norms that scale in fp32 by one more than their weights.
Layer with_offset_norm(Layer layer);

/// Which layers look at a window only: layer_types where present (its length is checked), else `by_class(layer)`.
std::vector<bool> read_sliding_layers(ConfigReader& config, std::int64_t layers, bool (*by_class)(std::int64_t layer));

/// Appends one layer per entry, with the window where the entry says so.
void append_windowed_layers(Arch& arch,
                            const Layer& layer,
                            const std::vector<bool>& sliding,
                            std::optional<std::int64_t> window);

/// num_hidden_layers equal layers.
void append_all_layers(ConfigReader& config, Arch& arch, const Layer& layer);

}  // namespace mekiki
