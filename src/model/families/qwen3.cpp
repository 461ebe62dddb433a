// Qwen3 (norms on queries and keys per head, no biases), dense and mixture of experts.
// Source: transformers Qwen3Config, Qwen3MoeConfig; totals of published checkpoints (tests/data/models/params.csv).
#include "model/families/parts.h"
#include "model/families/qwen_parts.h"
#include "model/families/table.h"

namespace mekiki {
namespace {

Attention read_normed_attention(ConfigReader& config, std::int64_t hidden_size, std::optional<std::int64_t> head_dim) {
  HeadCounts counts{.heads = config.required("num_attention_heads"), .head_dim = head_dim};
  counts.kv_heads = config.required("num_key_value_heads");
  Attention attention = make_attention(config, counts, hidden_size);
  attention.qkv_bias = config.flag("attention_bias", false);
  attention.output_bias = attention.qkv_bias;
  attention.qk_norm = Attention::QkNorm::per_head;
  return attention;
}

}  // namespace

Result<Arch> read_qwen3(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  const Attention attention = read_normed_attention(config, arch.hidden_size, config.or_class_default("head_dim", 128));
  append_qwen_layers(config, arch, {attention, read_gated_ffn(config), std::nullopt});
  return config.finish(arch);
}

Result<Arch> read_qwen3_moe(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  const Attention attention = read_normed_attention(config, arch.hidden_size, config.optional("head_dim"));
  const DenseFfn dense = read_gated_ffn(config);
  if (config.or_default("shared_expert_intermediate_size", 0, kWidthOrNone) != 0) {
    config.refuse_unsupported("shared_expert_intermediate_size", "this type has no shared expert");
  }
  config.ignore({"qkv_bias", "use_qk_norm"});
  append_qwen_layers(config, arch, {attention, dense, read_qwen_moe(config)});
  return config.finish(arch);
}

}  // namespace mekiki
