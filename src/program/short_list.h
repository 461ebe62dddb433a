// ShortList: a few values in a fixed bound, without storage of their own on the heap: a search makes one for every
// stage of every layout.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "base/check.h"

namespace mekiki {

template <class T, std::size_t kMost>
class ShortList {
 public:
  void add(const T& item) {
    MEKIKI_CHECK(count_ < kMost, "the bound is above what any stage has");
    items_[count_++] = item;
  }
  std::span<const T> all() const { return std::span(items_).first(count_); }

 private:
  std::array<T, kMost> items_{};
  std::size_t count_ = 0;
};

}  // namespace mekiki
