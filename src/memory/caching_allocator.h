// CachingAllocator: what PyTorch's CUDA caching allocator would reserve for a sequence of requests, without a GPU.
//
// Requests round up to 512 B; those up to 1 MiB are cut from 2 MiB segments, those below 10 MiB from 20 MiB segments,
// larger ones get a segment of their own in steps of 2 MiB. The smallest free block that is large enough serves a
// request of the same stream; what is left of it stays free, and freed neighbours join. With expandable segments each
// stream has one segment per size class that grows by pages, so that a request maps only what is missing at its end.
// Source: pytorch/pytorch c10/cuda/CUDACachingAllocator.cpp @001074d2 (round_size, get_allocation_size, should_split,
// get_free_block, try_allocate_expandable_block, release_cached_blocks).
// Not modelled: events that delay a free across streams, several devices, private pools of CUDA graphs.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/quantity.h"
#include "job/job.h"

namespace mekiki {

class CachingAllocator {
 public:
  using BlockId = std::int32_t;
  static constexpr std::size_t kStreams = 3;
  /// The pool that captured graphs keep for themselves is a stream whose free segments are never given back.
  /// Source: pytorch/pytorch docs/source/notes/cuda.rst, "Graph memory management".
  static constexpr std::size_t kGraphs = 2;

  /// `limit`: most that may be reserved; unset: the memory has no end.
  CachingAllocator(const AllocatorSettings& settings, std::optional<Bytes> limit);

  /// A request of `size` on a stream below kStreams. Where a new segment would pass the limit, free segments are given
  /// back first; where that is not enough, it is handed out all the same and out_of_memory() is true from then on.
  BlockId allocate(Bytes size, std::size_t stream);
  void free(BlockId id);

  Bytes allocated() const { return to_bytes(allocated_); }  // rounded requests
  Bytes reserved() const { return to_bytes(reserved_); }
  Bytes peak_allocated() const { return to_bytes(peak_allocated_); }
  Bytes peak_reserved() const { return to_bytes(peak_reserved_); }
  bool out_of_memory() const { return out_of_memory_; }

 private:
  /// A stretch of one segment; neighbours are linked in order of address.
  struct Block {
    std::int64_t size = 0;
    std::uint8_t pool = 0;
    bool free = false;
    bool live = true;  // false: joined into a neighbour
    BlockId before = kNone, after = kNone;
  };
  struct Free {
    std::int64_t size = 0;
    BlockId id = kNone;
    friend auto operator<=>(const Free&, const Free&) = default;
  };
  static constexpr BlockId kNone = -1;

  static Bytes to_bytes(std::int64_t count) { return Bytes{static_cast<double>(count)}; }
  std::int64_t rounded(Bytes size) const;
  Block& at(BlockId id) { return blocks_[static_cast<std::size_t>(id)]; }
  BlockId add(const Block& block);
  void put_free(std::size_t pool, BlockId id);
  void drop_free(std::size_t pool, BlockId id);
  BlockId take_free(std::size_t pool, std::int64_t size);
  BlockId grow(std::size_t pool, std::int64_t size, bool small);
  BlockId new_segment(std::size_t pool, std::int64_t size, bool small);
  void split(BlockId id, std::int64_t size, bool small);
  BlockId joined(BlockId left, BlockId right);
  void reserve(std::int64_t bytes);
  void release_cached();

  AllocatorSettings settings_;
  std::int64_t limit_;
  bool out_of_memory_ = false;
  std::vector<Block> blocks_;
  std::vector<BlockId> unused_;
  std::array<std::vector<Free>, 2 * kStreams> free_;  // small and large blocks of each stream, by size
  std::array<BlockId, 2 * kStreams> end_;             // last block of an expandable segment
  std::int64_t allocated_ = 0, reserved_ = 0, peak_allocated_ = 0, peak_reserved_ = 0;
};

}  // namespace mekiki
