// CostReport: the cost per successful checkpoint, every term visible. A forecast: "expected", never "validated".
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/enum_names.h"
#include "base/estimate.h"
#include "base/name.h"
#include "cost/offer.h"
#include "cost/rules.h"
#include "cost/service_price.h"

namespace mekiki {

enum class CostTermKind : std::uint8_t { gpu, storage, egress, orchestration, engineer, setup, reuse };
inline constexpr std::size_t kCostTerms = 7;

template <>
struct EnumNames<CostTermKind> {
  static constexpr std::array<std::string_view, kCostTerms> value = {
      "gpu", "storage", "egress", "orchestration", "engineer", "setup", "reuse"};
};

/// Why a term is what it is: ids of messages, none where the numbers speak for themselves.
enum class CostReason : std::uint8_t {
  none,
  no_storage_price,   // unknown: nothing is known of the provider's storage
  no_egress_price,    // unknown
  own_scheduler,      // 0, assumed: no managed orchestration is bought
  assumed_hours,      // hours and rate from the rules
  assumed_retention,  // how many checkpoints are kept how long, from the rules
  no_reuse_given      // 0: nothing else uses the result, as far as the user said
};

template <>
struct EnumNames<CostReason> {
  static constexpr std::array<std::string_view, 7> value = {"none",
                                                            "no_storage_price",
                                                            "no_egress_price",
                                                            "own_scheduler",
                                                            "assumed_hours",
                                                            "assumed_retention",
                                                            "no_reuse_given"};
};

struct CostTerm {
  std::optional<Usd> amount;  // unset: unknown, and not in any total; reuse is negative or 0
  Basis basis = Basis::assumed;
  CostReason reason = CostReason::none;
};

/// How much a layout asks of the person who sets it up.
enum class SetupEffort : std::uint8_t { single_gpu, data_parallel, sharded, multi_dimensional };

/// Everything that is bought for one run.
struct CostInputs {
  UsdPerSecond per_node;                   // price of one whole node
  std::vector<UsdPerSecond> drawn_prices;  // of each draw; empty: the price is certain
  std::optional<Seconds> billing_increment;
  std::optional<Seconds> minimum;  // the shortest time that is billed
  std::int64_t nodes = 1;
  Seconds wall_p50;
  std::vector<Seconds> drawn_walls;  // of each draw
  double interruptions = 0;
  Bytes checkpoint;  // one, for resuming
  Bytes delivered;   // what is taken away
  SetupEffort effort = SetupEffort::single_gpu;
  std::int64_t deliveries = 1;            // successful checkpoints
  Usd reuse;                              // value of what can be used again, as the user gave it
  const StoragePrice* storage = nullptr;  // null: no price known
  const EgressPrice* egress = nullptr;
};

struct CostReport {
  std::array<CostTerm, kCostTerms> terms{};  // of the whole run at P50, in the order of CostTermKind
  Usd total;                                 // sum of the known terms
  Usd total_without_reuse;
  Usd total_without_assumed;  // terms whose basis is assumed left out
  Usd total_p90;              // below it lies the same sum in nine of ten draws of wall time and price
  std::int64_t deliveries = 1;
  bool complete = true;  // no term is unknown

  const CostTerm& term(CostTermKind kind) const { return terms[static_cast<std::size_t>(kind)]; }
  Usd per_checkpoint() const { return total / static_cast<double>(deliveries); }
};

/// gpu: wall time, at least the shortest that is billed, rounded up to the increment, x price of a node x nodes.
/// storage: kept checkpoints through the run and the delivered one after it. egress: the delivered bytes to the
/// internet once. engineer: interruptions x hours each x rate. setup: hours by effort x rate. Not modelled: commitments
/// that are paid idle, free allowances, snapshots, ingress, observability, tax. Tested: report_test.cpp.
CostReport cost_of(const CostInputs& inputs, const CostRules& rules);

/// Wall time as billed.
Seconds billed(Seconds wall, const std::optional<Seconds>& increment);

}  // namespace mekiki
