// MiMo: Qwen2 layers, and modules that predict further tokens: a layer each, a projection of the doubled width, three
// norms.
// Source: total of MiMo-7B-Base (tests/data/models/params.csv).
#include "model/families/parts.h"
#include "model/families/qwen_parts.h"
#include "model/families/stack_parts.h"
#include "model/families/table.h"

namespace mekiki {

Result<Arch> read_mimo(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  config.required("num_key_value_heads");
  Attention attention = read_attention(config, arch.hidden_size);
  attention.qkv_bias = config.flag("attention_bias", true);
  const DenseFfn ffn = read_gated_ffn(config);
  append_qwen_layers(config, arch, {attention, ffn, std::nullopt});
  add_prediction_modules(
      arch, config.or_default("num_nextn_predict_layers", 0, kLayersOrNone), {pre_norm_layer(attention, ffn)});
  return config.finish(arch);
}

}  // namespace mekiki
