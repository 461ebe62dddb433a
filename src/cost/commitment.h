// Commitment: what a reserved or committed unit costs beyond the run that it is bought for.
#pragma once

#include <optional>

#include "cost/offer.h"

namespace mekiki {

struct Commitment {
  std::optional<Seconds> bound;   // of one node; unset: the price book does not say
  std::optional<Seconds> idle;    // of one node: bound time beyond the run
  std::optional<Usd> idle_cost;   // of all nodes, less what other work uses; unset where `bound` is
  bool assumes_full_use = false;  // nobody said how much other work uses: idle_cost is all of it, and in no total
  /// Share of the bound time that must be used for the price to beat the on-demand price of the same system; above 1 it
  /// never does. Unset: no on-demand price is known.
  std::optional<double> break_even_utilisation;
};

struct CommitmentInputs {
  const PriceChoice* price = nullptr;      // of a kind that binds
  const PriceChoice* on_demand = nullptr;  // of the same system; null: none known
  Seconds wall;                            // of the run
  std::int64_t nodes = 1;
  std::optional<double> utilisation;  // of the idle time, by other work
};

/// Unset for prices that do not bind. Not modelled: upfront payments' interest, partial cancellation.
std::optional<Commitment> commitment_of(const CommitmentInputs& inputs);

/// Kinds that are paid whether used or not.
constexpr bool binds(PriceKind kind) {
  return kind == PriceKind::reserved || kind == PriceKind::committed || kind == PriceKind::capacity_block;
}

}  // namespace mekiki
