#include "memory/caching_allocator.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/check.h"

namespace mekiki {
namespace {

constexpr std::int64_t kMib = 1024 * 1024;
constexpr std::int64_t kSmallestBlock = 512;
constexpr std::int64_t kSmallRequest = kMib;
constexpr std::int64_t kSmallSegment = 2 * kMib;
constexpr std::int64_t kLargeSegment = 20 * kMib;
constexpr std::int64_t kOwnSegmentFrom = 10 * kMib;
constexpr std::int64_t kSegmentStep = 2 * kMib;

std::int64_t round_up(std::int64_t size, std::int64_t step) {
  return (size + step - 1) / step * step;
}

std::int64_t segment_size(std::int64_t size, bool small) {
  if (small) {
    return kSmallSegment;
  }
  return size < kOwnSegmentFrom ? kLargeSegment : round_up(size, kSegmentStep);
}

}  // namespace

CachingAllocator::CachingAllocator(const AllocatorSettings& settings, std::optional<Bytes> limit)
    : settings_(settings),
      limit_(limit ? static_cast<std::int64_t>(*limit / kByte) : std::numeric_limits<std::int64_t>::max()) {
  end_.fill(kNone);
}

std::int64_t CachingAllocator::rounded(Bytes size) const {
  const auto bytes = static_cast<std::int64_t>(std::ceil(size / kByte));
  const std::int64_t plain = round_up(std::max<std::int64_t>(bytes, 1), kSmallestBlock);
  const std::int64_t divisions = settings_.roundup_power2_divisions;
  if (divisions <= 1 || plain <= kSmallestBlock * divisions) {
    return plain;
  }
  const auto floor = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(plain)));
  return round_up(plain, floor / divisions);
}

/// Whole segments that are free go back to the driver, and of expandable ones every free page: all but what is live.
void CachingAllocator::release_cached() {
  if (settings_.expandable_segments) {
    reserved_ = std::min(reserved_, allocated_);
    return;
  }
  for (std::size_t pool = 0; pool < free_.size(); ++pool) {
    if (pool / 2 == kGraphs) {
      continue;
    }
    std::erase_if(free_[pool], [&](const Free& free) {
      Block& block = at(free.id);
      if (block.before != kNone || block.after != kNone) {
        return false;
      }
      reserved_ -= block.size;
      block.live = false;
      unused_.push_back(free.id);
      return true;
    });
  }
}

void CachingAllocator::reserve(std::int64_t bytes) {
  if (reserved_ + bytes > limit_) {
    release_cached();
    out_of_memory_ = out_of_memory_ || reserved_ + bytes > limit_;
  }
  reserved_ += bytes;
  peak_reserved_ = std::max(peak_reserved_, reserved_);
}

CachingAllocator::BlockId CachingAllocator::add(const Block& block) {
  if (!unused_.empty()) {
    const BlockId id = unused_.back();
    unused_.pop_back();
    at(id) = block;
    return id;
  }
  blocks_.push_back(block);
  return static_cast<BlockId>(blocks_.size()) - 1;
}

void CachingAllocator::put_free(std::size_t pool, BlockId id) {
  std::vector<Free>& blocks = free_[pool];
  const Free free{at(id).size, id};
  blocks.insert(std::lower_bound(blocks.begin(), blocks.end(), free), free);
}

void CachingAllocator::drop_free(std::size_t pool, BlockId id) {
  std::vector<Free>& blocks = free_[pool];
  blocks.erase(std::lower_bound(blocks.begin(), blocks.end(), Free{at(id).size, id}));
}

CachingAllocator::BlockId CachingAllocator::take_free(std::size_t pool, std::int64_t size) {
  std::vector<Free>& blocks = free_[pool];
  const auto found = std::lower_bound(blocks.begin(), blocks.end(), Free{size, kNone});
  if (found == blocks.end()) {
    return kNone;
  }
  if (settings_.max_split_size && !settings_.expandable_segments) {
    const auto limit = static_cast<std::int64_t>(*settings_.max_split_size / kByte);
    // Blocks above the limit are not cut: a smaller request leaves them alone, a larger one may waste one segment.
    const bool too_wide = size < limit ? found->size >= limit : found->size >= size + kLargeSegment;
    if (too_wide) {
      return kNone;
    }
  }
  const BlockId id = found->id;
  blocks.erase(found);
  at(id).free = false;
  return id;
}

/// Maps what is missing at the end of the stream's segment, and no more than whole pages of it.
CachingAllocator::BlockId CachingAllocator::grow(std::size_t pool, std::int64_t size, bool small) {
  const BlockId last = end_[pool];
  const bool reuses = last != kNone && at(last).free;
  const std::int64_t there = reuses ? at(last).size : 0;
  const std::int64_t mapped = round_up(size - there, small ? kSmallSegment : kLargeSegment);
  reserve(mapped);
  if (reuses) {
    drop_free(pool, last);
    at(last).free = false;
    at(last).size += mapped;
    return last;
  }
  const BlockId id = add({.size = mapped, .pool = static_cast<std::uint8_t>(pool), .before = last});
  if (last != kNone) {
    at(last).after = id;
  }
  end_[pool] = id;
  return id;
}

CachingAllocator::BlockId CachingAllocator::new_segment(std::size_t pool, std::int64_t size, bool small) {
  if (settings_.expandable_segments) {
    return grow(pool, size, small);
  }
  const std::int64_t whole = segment_size(size, small);
  reserve(whole);
  return add({.size = whole, .pool = static_cast<std::uint8_t>(pool)});
}

void CachingAllocator::split(BlockId id, std::int64_t size, bool small) {
  const std::int64_t rest = at(id).size - size;
  const bool uncut = settings_.max_split_size && !settings_.expandable_segments &&
                     size >= static_cast<std::int64_t>(*settings_.max_split_size / kByte);
  const std::int64_t least = small || settings_.expandable_segments ? kSmallestBlock : kSmallRequest + 1;
  if (rest < least || uncut) {
    return;
  }
  const std::uint8_t pool = at(id).pool;
  const BlockId after = at(id).after;
  const BlockId remainder = add({.size = rest, .pool = pool, .free = true, .before = id, .after = after});
  at(id).size = size;
  at(id).after = remainder;
  if (after != kNone) {
    at(after).before = remainder;
  }
  if (end_[pool] == id) {
    end_[pool] = remainder;
  }
  put_free(pool, remainder);
}

CachingAllocator::BlockId CachingAllocator::allocate(Bytes size, std::size_t stream) {
  MEKIKI_CHECK(stream < kStreams, "one pool per stream");
  const std::int64_t wanted = rounded(size);
  const bool small = wanted <= kSmallRequest;
  const std::size_t pool = 2 * stream + (small ? 0 : 1);
  BlockId id = take_free(pool, wanted);
  if (id == kNone) {
    id = new_segment(pool, wanted, small);
  }
  split(id, wanted, small);
  allocated_ += at(id).size;
  peak_allocated_ = std::max(peak_allocated_, allocated_);
  return id;
}

CachingAllocator::BlockId CachingAllocator::joined(BlockId left, BlockId right) {
  Block& kept = at(left);
  const Block gone = at(right);
  kept.size += gone.size;
  kept.after = gone.after;
  if (gone.after != kNone) {
    at(gone.after).before = left;
  }
  if (end_[gone.pool] == right) {
    end_[gone.pool] = left;
  }
  at(right).live = false;
  unused_.push_back(right);
  return left;
}

void CachingAllocator::free(BlockId id) {
  MEKIKI_CHECK(at(id).live && !at(id).free, "a block is freed once");
  allocated_ -= at(id).size;
  const std::uint8_t pool = at(id).pool;
  BlockId block = id;
  if (const BlockId before = at(block).before; before != kNone && at(before).free) {
    drop_free(pool, before);
    block = joined(before, block);
  }
  if (const BlockId after = at(block).after; after != kNone && at(after).free) {
    drop_free(pool, after);
    block = joined(block, after);
  }
  at(block).free = true;
  put_free(pool, block);
}

}  // namespace mekiki
