// Mixtral: Mistral layers whose network is a mixture of experts of width intermediate_size.
// Source: transformers MixtralConfig; total of Mixtral-8x7B-v0.1 (tests/data/models/params.csv).
#include "model/families/parts.h"
#include "model/families/table.h"

namespace mekiki {

Result<Arch> read_mixtral(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  config.required("num_key_value_heads");
  Attention attention = read_attention(config, arch.hidden_size);
  attention.sliding_window = config.optional("sliding_window");
  MoeFfn moe;
  moe.experts = read_spellings(config, {"num_local_experts", "num_experts"});
  moe.experts_per_token = read_experts_per_token(config, "num_experts_per_tok", moe.experts);
  moe.intermediate_size = config.required("intermediate_size");
  moe.activation = read_activation(config, "hidden_act", "silu");
  moe.names = {.module = "block_sparse_moe", .gate = "w1", .up = "w3", .down = "w2"};
  arch.dropout.attention = config.rate("attention_dropout", 0.0);
  config.ignore({"router_jitter_noise"});
  append_all_layers(config, arch, pre_norm_layer(attention, moe));
  return config.finish(arch);
}

}  // namespace mekiki
