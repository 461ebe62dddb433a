// Phi-3, Phi-3.5 and Phi-4: Llama layers with one fused projection before the attention and one before the activation.
// Source: transformers Phi3Config; totals of published checkpoints (tests/data/models/params.csv).
#include "model/families/parts.h"
#include "model/families/table.h"

namespace mekiki {

Result<Arch> read_phi3(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  Attention attention = read_attention(config, arch.hidden_size);
  attention.fused_qkv = true;
  attention.joins_rotary = true;
  attention.sliding_window = config.optional("sliding_window");
  DenseFfn ffn = read_gated_ffn(config);
  ffn.fused_gate_up = true;
  arch.dropout = {config.rate("attention_dropout", 0.0), config.rate("resid_pdrop", 0.0)};
  for (const std::string_view key : {"attention_bias", "mlp_bias", "lm_head_bias"}) {
    if (config.flag(key, false)) {
      config.refuse_unsupported(key, "the class has no biases");
    }
  }
  if (config.or_default("full_attn_mod", 1) != 1) {
    config.refuse_unsupported("full_attn_mod", "mixed layers are not modelled for this type");
  }
  config.ignore({"embd_pdrop", "interpolate_factor"});
  append_all_layers(config, arch, pre_norm_layer(attention, ffn));
  return config.finish(arch);
}

}  // namespace mekiki
