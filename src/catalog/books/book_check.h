// Checks over the prices of a whole book: what no single row can show.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "catalog/books/book.h"
#include "cost/price_join.h"

namespace mekiki {

struct RowFinding {
  std::size_t row = 0;  // index into the prices
  BookFault fault = BookFault::duplicate;
  std::string detail;
};

/// Duplicates and conflicts, prices of another order than `known` has for the same GPU, interruptible prices that are
/// no lower than the list price beside them, instances that the systems lack. Doubted rows are not held against others.
/// In the order of the rows. What a GPU costs elsewhere is the median over `known`, of at least three prices.
std::vector<RowFinding> check_book(std::span<const Price> prices,
                                   std::span<const Price> known,
                                   const JoinTables& tables);

}  // namespace mekiki
