// How the memory that inference keeps of a sequence grows, by kind of layer.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/dtype.h"
#include "base/quantity.h"
#include "model/arch.h"

namespace mekiki {

/// `layers` layers that keep the same.
struct CacheRule {
  std::int64_t layers = 0;
  Bytes per_token;                          // of one layer
  Bytes state;                              // of one layer, whatever the length
  std::optional<std::int64_t> tokens_kept;  // at most; unset: all

  bool operator==(const CacheRule&) const = default;
};

/// One rule for each way of keeping; layers that keep nothing have none. Their sum over a sequence is kv_cache_bytes
/// (model/count.h), tested.
std::vector<CacheRule> cache_rules(const Arch& arch, Dtype dtype);

}  // namespace mekiki
