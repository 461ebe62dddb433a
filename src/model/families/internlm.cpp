// InternLM, its successors, and Baichuan and the first Qwen: Llama blocks with their own key names and fused
// projections. Source: the configuration code in the repositories of these models; totals of internlm2 and Qwen-7B
// (tests/data/models/params.csv).
#include "model/families/parts.h"
#include "model/families/table.h"

namespace mekiki {
namespace {

Result<Arch> finish(ConfigReader& config, Arch arch, const Attention& attention, const DenseFfn& ffn) {
  append_all_layers(config, arch, pre_norm_layer(attention, ffn));
  return config.finish(arch);
}

}  // namespace

/// The first generation: biases on all four projections where `bias` is set.
Result<Arch> read_internlm(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  Attention attention = read_attention(config, arch.hidden_size);
  attention.qkv_bias = config.flag("bias", true);
  attention.output_bias = attention.qkv_bias;
  return finish(config, arch, attention, read_gated_ffn(config));
}

Result<Arch> read_internlm2(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  Attention attention = read_attention(config, arch.hidden_size);
  attention.qkv_bias = config.flag("bias", true);
  attention.output_bias = attention.qkv_bias;
  attention.fused_qkv = true;
  attention.names = {.fused = "wqkv", .output = "wo"};
  DenseFfn ffn = read_gated_ffn(config);
  ffn.names = {.gate = "w1", .up = "w3", .down = "w2"};
  return finish(config, arch, attention, ffn);
}

Result<Arch> read_internlm3(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  Attention attention = read_attention(config, arch.hidden_size, {.kv_heads = 2, .head_dim = 128});
  DenseFfn ffn = read_gated_ffn(config);
  attention.qkv_bias = config.flag("qkv_bias", false);
  attention.output_bias = config.flag("bias", false);
  ffn.bias = attention.output_bias;
  arch.dropout.attention = config.rate("attention_dropout", 0.0);
  return finish(config, arch, attention, ffn);
}

Result<Arch> read_baichuan(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  Attention attention = read_attention(config, arch.hidden_size);
  attention.fused_qkv = true;
  attention.names.fused = "W_pack";
  return finish(config, arch, attention, read_gated_ffn(config));
}

/// Biases on q, k and v; intermediate_size counts gate and up together.
Result<Arch> read_qwen(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  const std::int64_t heads = config.required("num_attention_heads");
  Attention attention = make_attention(
      config, {.heads = heads, .kv_heads = heads, .head_dim = config.optional("kv_channels")}, arch.hidden_size);
  attention.qkv_bias = true;
  attention.fused_qkv = true;
  attention.names = {.fused = "c_attn", .output = "c_proj"};
  const std::int64_t both = config.required("intermediate_size", {2, 1'000'000'000});
  if (both % 2 != 0) {
    config.refuse("intermediate_size", "must be even: it counts two matrices");
  }
  if (!config.flag("no_bias", true)) {
    config.refuse_unsupported("no_bias", "biases beyond q, k and v are not modelled for this type");
  }
  const DenseFfn ffn{.intermediate_size = both / 2, .names = {.gate = "w2", .up = "w1", .down = "c_proj"}};
  arch.dropout.attention = config.rate("attn_dropout_prob", 0.0);
  config.ignore({"emb_dropout_prob", "seq_length", "use_dynamic_ntk", "use_flash_attn", "use_logn_attn"});
  return finish(config, arch, attention, ffn);
}

}  // namespace mekiki
