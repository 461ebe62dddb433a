#include "model/cache_rule.h"

#include <algorithm>
#include <variant>

#include "model/count.h"

namespace mekiki {
namespace {

std::optional<std::int64_t> tokens_kept(const Block& block) {
  const auto* attention = std::get_if<Attention>(&block);
  if (attention == nullptr) {
    return std::nullopt;
  }
  return attention->sliding_window ? attention->sliding_window : attention->chunk;
}

/// The rule of one layer of this block, from the same count as the whole model's cache.
CacheRule rule_of(const Arch& arch, const SubLayer& sub, Dtype dtype) {
  Arch alone;
  alone.hidden_size = arch.hidden_size;
  alone.layer_groups = {{1, Layer{.sub_layers = {sub}}}};
  return {0, kv_cache_bytes_per_token(alone, dtype), kv_cache_bytes(alone, 0, dtype), tokens_kept(sub.block)};
}

}  // namespace

std::vector<CacheRule> cache_rules(const Arch& arch, Dtype dtype) {
  std::vector<CacheRule> rules;
  for (const LayerGroup& group : arch.layer_groups) {
    if (group.layer.encoder) {
      continue;
    }
    for (const SubLayer& sub : group.layer.sub_layers) {
      const CacheRule rule = rule_of(arch, sub, dtype);
      if (rule.per_token <= Bytes{} && rule.state <= Bytes{}) {
        continue;
      }
      const auto same = std::find_if(rules.begin(), rules.end(), [&](CacheRule other) {
        other.layers = 0;
        return other == rule;
      });
      if (same == rules.end()) {
        rules.push_back(rule);
        rules.back().layers = group.count;
      } else {
        same->layers += group.count;
      }
    }
  }
  return rules;
}

}  // namespace mekiki
