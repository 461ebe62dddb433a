// MiMo: Qwen2 layers, and modules that predict further tokens: a layer each, a projection of the doubled width, three
// norms.
// Source: total of MiMo-7B-Base (tests/data/models/params.csv).
#include "model/count.h"
#include "model/exact_count.h"
#include "model/families/parts.h"
#include "model/families/qwen_parts.h"
#include "model/families/table.h"

namespace mekiki {

Result<Arch> read_mimo(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  config.required("num_key_value_heads");
  Attention attention = read_attention(config, arch.hidden_size);
  attention.qkv_bias = config.flag("attention_bias", true);
  const DenseFfn ffn = read_gated_ffn(config);
  append_qwen_layers(config, arch, {attention, ffn, std::nullopt});
  const std::int64_t modules = config.or_default("num_nextn_predict_layers", 0, kLayersOrNone);
  const std::int64_t projection = capped_product(2 * arch.hidden_size, arch.hidden_size);
  const std::int64_t layer = layer_weights(pre_norm_layer(attention, ffn), arch.hidden_size);
  arch.mtp_weights = capped_product(modules, capped_sum(capped_sum(layer, projection), 3 * arch.hidden_size));
  return config.finish(arch);
}

}  // namespace mekiki
