// Qwen1.5, Qwen2 and Qwen2.5 (biases on q, k and v), dense and mixture of experts with a gated shared expert.
// Source: transformers Qwen2Config, Qwen2MoeConfig; totals of published checkpoints (tests/data/models/params.csv).
#include "model/families/parts.h"
#include "model/families/qwen_parts.h"
#include "model/families/table.h"

namespace mekiki {
namespace {

Attention read_biased_attention(ConfigReader& config, const Arch& arch) {
  config.required("num_key_value_heads");
  Attention attention = read_attention(config, arch.hidden_size);
  attention.qkv_bias = true;
  return attention;
}

}  // namespace

Result<Arch> read_qwen2(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  const Attention attention = read_biased_attention(config, arch);
  append_qwen_layers(config, arch, {attention, read_gated_ffn(config), std::nullopt});
  return config.finish(arch);
}

Result<Arch> read_qwen2_moe(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  Attention attention = read_biased_attention(config, arch);
  attention.qkv_bias = config.flag("qkv_bias", true);
  const DenseFfn dense = read_gated_ffn(config);
  MoeFfn moe = read_qwen_moe(config);
  moe.shared_intermediate_size = config.required("shared_expert_intermediate_size", kWidthOrNone);
  moe.shared_gate = true;
  moe.places.shared = "shared_expert";
  append_qwen_layers(config, arch, {attention, dense, moe});
  return config.finish(arch);
}

}  // namespace mekiki
