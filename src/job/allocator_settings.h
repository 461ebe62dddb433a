// AllocatorSettings: what PYTORCH_CUDA_ALLOC_CONF tells PyTorch's caching allocator.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/quantity.h"
#include "base/result.h"

namespace mekiki {

struct AllocatorSettings {
  bool expandable_segments = false;
  std::optional<Bytes> max_split_size;        // blocks of this size and more are not cut; unset: all are
  std::int64_t roundup_power2_divisions = 0;  // steps between two powers of two; 0: multiples of 512 B
};

/// What the user said of each setting; unset ones follow the framework.
struct AllocatorOverrides {
  std::optional<bool> expandable_segments;
  std::optional<Bytes> max_split_size;
  std::optional<std::int64_t> roundup_power2_divisions;
};

/// "expandable_segments:True,max_split_size_mb:512". Settings that only act when memory runs out
/// (garbage_collection_threshold, pinned_*, backend:native) are read and change nothing.
/// Errors: a setting that is not known, a value out of range, backend:cudaMallocAsync (another allocator).
/// Source: pytorch/pytorch docs/source/notes/cuda.rst, "Optimizing memory usage with PYTORCH_CUDA_ALLOC_CONF".
Result<AllocatorOverrides> parse_allocator_settings(std::string_view text);

}  // namespace mekiki
