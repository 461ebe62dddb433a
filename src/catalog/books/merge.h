// The user's own price books laid beside the bundled one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "catalog/books/book.h"
#include "catalog/rows/tables.h"

namespace mekiki {

/// Two prices of one offer that differ by more than 5 %: the user's and the newest bundled one of the same provider,
/// GPU, number and kind. The user's is planned with; both are shown.
struct PriceConflict {
  const Price* own = nullptr;
  const Price* bundled = nullptr;
};

struct MergedBooks {
  std::vector<PriceBookRows> books;
  std::vector<Price> prices;
  std::vector<PriceGpu> price_gpus;
  std::string digest;
  Catalog catalog;  // the base with all prices
  std::vector<PriceConflict> conflicts;
};

/// `base` must outlive the result.
std::shared_ptr<const MergedBooks> merge_books(const Catalog& base, std::vector<PriceBookRows> books);

}  // namespace mekiki
