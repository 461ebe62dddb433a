// Offers that a price book has said before, by what makes them one offer of one day.
#pragma once

#include <map>
#include <optional>
#include <utility>

#include "cost/book_fault.h"

namespace mekiki {

template <class Key, class Value>
class SeenOffers {
 public:
  struct Again {
    BookFault fault;  // duplicate or conflict
    Value first;
  };

  /// Unset the first time that the offer comes.
  std::optional<Again> see(Key offer, Value price) {
    const auto [place, is_new] = first_.emplace(std::move(offer), price);
    if (is_new) {
      return std::nullopt;
    }
    return Again{place->second == price ? BookFault::duplicate : BookFault::conflict, place->second};
  }

 private:
  std::map<Key, Value> first_;
};

}  // namespace mekiki
