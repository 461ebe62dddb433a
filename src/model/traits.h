// What sets a model apart from the usual decoder (grouped-query attention over all earlier tokens, rotary positions,
// RMS norm before each block, one gated feed-forward network, an output head of its own): what a reader of its figures,
// or of a framework's list of supported models, should know.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/enum_names.h"
#include "model/arch.h"

namespace mekiki {

enum class ModelTrait : std::uint8_t {
  encoder_decoder,
  experts,             // mixture of experts
  shared_experts,      // an expert that every token visits
  latent_experts,      // experts work at a width of their own
  mixed_layers,        // dense and mixture layers take turns, or the first ones are dense
  latent_attention,    // MLA
  chosen_keys,         // an indexer picks the keys that a query sees
  state_space,         // recurrent layers in place of attention
  linear_attention,    // delta rule or fixed decay
  short_convolution,   // convolutions in place of attention
  sliding_window,      // some or all layers see the last tokens only
  chunked_attention,   // some or all layers see their own chunk only
  multi_query,         // one key-value head
  head_dim_apart,      // heads x head_dim is not hidden_size
  no_rotary_layers,    // some layers have no rotary positions although others do
  learned_positions,   // a table of positions bounds the length
  no_rotary,           // no rotary positions at all and no table: ALiBi, relative or none
  query_key_norm,      // norms on queries and keys
  attention_sinks,     // a learned logit per head
  attention_soft_cap,  // tanh on the scores
  attention_gate,      // the attention's output is gated
  attention_bias,      // biases on query, key and value
  logit_soft_cap,      // tanh on the logits
  norms_after,         // norms behind blocks
  layer_norm,          // not RMS
  parallel_residual,   // attention and feed-forward network read the same input
  ungated_ffn,         // two matrices instead of three
  tied_head,           // the output head is the embedding
  factored_embedding,  // the embedding is narrower than the model
  embedding_norm,      // a norm on the embedding
  dropout,             // drop rates above 0
  vision_tower,
  multi_token_prediction
};

template <>
struct EnumNames<ModelTrait> {
  static constexpr std::array<std::string_view, 33> value = {"encoder_decoder",
                                                             "experts",
                                                             "shared_experts",
                                                             "latent_experts",
                                                             "mixed_layers",
                                                             "latent_attention",
                                                             "chosen_keys",
                                                             "state_space",
                                                             "linear_attention",
                                                             "short_convolution",
                                                             "sliding_window",
                                                             "chunked_attention",
                                                             "multi_query",
                                                             "head_dim_apart",
                                                             "no_rotary_layers",
                                                             "learned_positions",
                                                             "no_rotary",
                                                             "query_key_norm",
                                                             "attention_sinks",
                                                             "attention_soft_cap",
                                                             "attention_gate",
                                                             "attention_bias",
                                                             "logit_soft_cap",
                                                             "norms_after",
                                                             "layer_norm",
                                                             "parallel_residual",
                                                             "ungated_ffn",
                                                             "tied_head",
                                                             "factored_embedding",
                                                             "embedding_norm",
                                                             "dropout",
                                                             "vision_tower",
                                                             "multi_token_prediction"};
};

/// In the order of the enumerators.
std::vector<ModelTrait> traits_of(const Arch& arch);

}  // namespace mekiki
