// gpt-oss: sinks in the attention, biases in attention, router and experts, windows on every other layer. The published
// experts are MXFP4; trained they need a 16-bit copy.
// Source: transformers GptOssConfig; totals of both checkpoints (tests/data/models/params.csv).
#include "model/families/parts.h"
#include "model/families/table.h"

namespace mekiki {

Result<Arch> read_gpt_oss(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  HeadCounts counts{.heads = config.required("num_attention_heads")};
  counts.kv_heads = config.required("num_key_value_heads");
  counts.head_dim = config.or_class_default("head_dim", 64);
  Attention attention = make_attention(config, counts, arch.hidden_size);
  attention.qkv_bias = config.flag("attention_bias", true);
  attention.output_bias = attention.qkv_bias;
  attention.sinks = true;
  MoeFfn moe{.router_bias = true, .expert_bias = true, .fused_gate_up = true, .router_name = "router"};
  moe.places.storage = ExpertStorage::stacked_in_out;
  moe.experts = read_spellings(config, {"num_local_experts", "num_experts"});
  moe.experts_per_token = read_experts_per_token(config, "num_experts_per_tok", moe.experts);
  if (config.or_default("experts_per_token", moe.experts_per_token) != moe.experts_per_token) {
    config.refuse("experts_per_token", "disagrees with num_experts_per_tok");
  }
  moe.intermediate_size = config.required("intermediate_size");
  moe.activation = read_activation(config, "hidden_act", "silu");
  arch.dropout.attention = config.rate("attention_dropout", 0.0);
  const std::int64_t layers = config.required("num_hidden_layers", kLayers);
  const std::vector<bool> sliding = read_sliding_layers(config, layers, [](std::int64_t i) { return i % 2 == 0; });
  append_windowed_layers(arch, pre_norm_layer(attention, moe), sliding, config.or_class_default("sliding_window", 128));
  config.ignore({"swiglu_limit", "swiglu_alpha"});
  return config.finish(arch);
}

}  // namespace mekiki
