#include "model/families/stack_parts.h"

#include <algorithm>
#include <string>

#include "model/count.h"
#include "model/exact_count.h"

namespace mekiki {
namespace {

/// An explicit null means one full query projection; absence leaves the rank to the class.
std::int64_t read_query_rank(ConfigReader& config, std::int64_t rank_by_class) {
  if (config.present("q_lora_rank") && !config.has("q_lora_rank")) {
    config.ignore({"q_lora_rank"});
    return 0;
  }
  return rank_by_class > 0 ? config.or_class_default("q_lora_rank", rank_by_class)
                           : config.or_default("q_lora_rank", 0);
}

}  // namespace

std::vector<std::string_view> read_layer_kinds(ConfigReader& config, std::string_view key, std::int64_t layers) {
  std::vector<std::string_view> kinds = config.texts(key);
  if (config.has(key) && kinds.size() != static_cast<std::size_t>(layers)) {
    config.refuse(key, "names " + std::to_string(kinds.size()) + " layers of " + std::to_string(layers));
    kinds.clear();
  }
  return kinds;
}

std::vector<bool> read_sparse_layers(ConfigReader& config, std::int64_t layers, std::int64_t dense_by_class) {
  const std::vector<std::string_view> kinds = read_layer_kinds(config, "mlp_layer_types", layers);
  const std::int64_t dense = config.or_default("first_k_dense_replace", dense_by_class, kLayersOrNone);
  if (config.or_default("moe_layer_freq", 1) != 1) {
    config.refuse_unsupported("moe_layer_freq", "sparse layers at a distance are not modelled for this type");
  }
  std::vector<bool> sparse;
  for (std::int64_t i = 0; i < layers && kinds.empty(); ++i) {
    sparse.push_back(i >= dense);
  }
  for (const std::string_view kind : kinds) {
    if (kind != "dense" && kind != "sparse") {
      config.refuse_unsupported("mlp_layer_types", "networks of type \"" + std::string(kind) + "\" are not modelled");
    }
    sparse.push_back(kind == "sparse");
  }
  return sparse;
}

LatentAttention read_latent_attention(ConfigReader& config, std::int64_t query_rank_by_class) {
  LatentAttention attention;
  attention.heads = config.required("num_attention_heads");
  attention.qk_nope_head_dim = config.required("qk_nope_head_dim");
  attention.qk_rope_head_dim = config.required("qk_rope_head_dim");
  attention.kv_lora_rank = config.required("kv_lora_rank");
  attention.q_lora_rank = read_query_rank(config, query_rank_by_class);
  attention.bias = config.flag("attention_bias", false);
  if (config.or_default("num_key_value_heads", attention.heads) != attention.heads) {
    config.refuse_unsupported("num_key_value_heads", "latent attention with fewer key-value heads is not known");
  }
  config.ignore({"head_dim", "qk_head_dim", "rope_interleave"});
  return attention;
}

void add_prediction_modules(Arch& arch, std::int64_t modules, const std::vector<Layer>& layers) {
  const std::int64_t projection = capped_product(2 * arch.hidden_size, arch.hidden_size);
  std::int64_t module = capped_sum(projection, 3 * arch.hidden_size);
  for (const Layer& layer : layers) {
    module = capped_sum(module, layer_weights(layer, arch.hidden_size));
    append_layers(arch.mtp_layers, modules, layer);
  }
  arch.mtp_weights = capped_product(modules, module);
}

}  // namespace mekiki
