// RowStorage: owns what rows view. Rows hold Names and spans, so that copying one costs nothing; here is the memory
// behind them. Addresses stay valid for the life of the storage, also when it is moved.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <vector>

#include "base/name.h"
#include "hardware/measured.h"
#include "hardware/system.h"

namespace mekiki {

class RowStorage {
 public:
  RowStorage() = default;
  RowStorage(RowStorage&&) = default;
  RowStorage& operator=(RowStorage&&) = default;
  RowStorage(const RowStorage&) = delete;
  RowStorage& operator=(const RowStorage&) = delete;
  ~RowStorage() = default;

  /// The same text, kept; equal texts are kept once.
  Name keep(std::string_view text) {
    const auto known = known_.find(text);
    if (known != known_.end()) {
      return *known;
    }
    const Name kept = texts_.emplace_back(text);
    known_.insert(kept);
    return kept;
  }

  template <class T>
  std::span<const T> keep(std::vector<T> items) {
    return std::get<std::deque<std::vector<T>>>(lists_).emplace_back(std::move(items));
  }

 private:
  template <class... T>
  using Lists = std::tuple<std::deque<std::vector<T>>...>;

  std::deque<std::string> texts_;
  std::unordered_set<std::string_view> known_;
  Lists<Name, LinkLevel, GemmPoint, GemmColumn, AttentionPoint, CollectivePoint> lists_;
};

}  // namespace mekiki
