// Finalists: the one layout that is kept for a machine and a number of nodes, looked at in full, priced and forecast.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "search/explore.h"
#include "search/plan.h"

namespace mekiki {

/// What all plans of one request share.
struct PlanContext {
  const PlanRequest* request = nullptr;
  std::span<const Engine> engines;
  SearchSpace space;
  double model_weights = 0;
  std::vector<Draw> draws;
};

/// The best of all frameworks on one machine and number of nodes.
struct Pick {
  std::size_t engine = 0;
  Candidate candidate;
  bool fits = false;  // with headroom
  /// Once looked at in full.
  std::optional<MemoryReport> memory;
  Verdict verdict = Verdict::does_not_fit;

  /// Whether the full look bears out what the closed form of the search said.
  bool holds_as_found() const { return verdict == Verdict::fits || (!fits && verdict == Verdict::tight); }
};

/// Fits before tight, then faster per token, then earlier in the list of frameworks. `by_engine` holds one result per
/// engine. Unset: nothing holds.
std::optional<Pick> pick_of(std::span<const Exploration> by_engine);

/// The same with memory and verdict, after a replay of every request.
Pick confirmed(const PlanContext& context, const Machine& machine, Pick pick);

/// The frameworks that enumerate this very layout on this machine and have it fit as well, the pick's own first.
std::vector<std::string> frameworks_that_run(const PlanContext& context,
                                             const Machine& machine,
                                             std::int64_t nodes,
                                             const Pick& pick);

/// Memory and time in full; no price and no forecast yet.
Plan finalist(const PlanContext& context, const Machine& machine, std::int64_t nodes, const Pick& pick);

/// The whole run of a plan, and what it costs at the plan's price.
struct Forecast {
  Run run;
  std::optional<CostReport> cost;  // with a price
};

/// Unset: interruptions come faster than the run can save and restart.
std::optional<Forecast> forecast_of(const PlanContext& context, const Plan& plan, double tokens);

/// Forecast and, with a price, cost. A Rejection where interruptions, budget or deadline forbid it.
PlanResult priced(const PlanContext& context, Plan finalist, const PriceChoice* price);

/// The layout that comes nearest to fitting, in full; unset where no layout keeps the rules.
std::optional<MemoryMiss> memory_miss(const PlanContext& context, const Machine& machine, std::int64_t nodes);

/// The miss of a plan that holds without headroom.
MemoryMiss headroom_miss(const Plan& tight);

}  // namespace mekiki
