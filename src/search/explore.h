// explore(): the best ways to run one job with one framework on one number of GPUs of one machine.
#pragma once

#include <cstdint>
#include <optional>

#include "hardware/machine.h"
#include "memory/report.h"
#include "search/candidate.h"
#include "search/engine_limits.h"
#include "search/evaluator.h"

namespace mekiki {

/// One framework, ready: what does not depend on the machine.
struct Engine {
  const Profile* profile = nullptr;
  ResolvedJob job;
  PreparedModel model;
  const EngineLimits* limits = nullptr;  // null: none are known
};

struct Exploration {
  struct Choice {
    Candidate candidate;
    Bytes device;  // mid
    CandidateTime time;
  };
  std::optional<Choice> fits;   // the fastest per token that fits with headroom
  std::optional<Choice> tight;  // the fastest that fits without
  std::int64_t considered = 0;
  std::int64_t evaluated = 0;  // memory and time both computed
  std::int64_t pruned = 0;     // a bound proves them impossible, or slower than one that fits
  std::int64_t over_memory = 0;
  std::int64_t uneven_batch = 0;
  bool left = false;  // the search was stopped before it was asked
};

struct ExploreTarget {
  const Machine* machine = nullptr;  // with rates, those of the evaluator
  std::int64_t nodes = 1;
  Bytes capacity;
};

/// Walks all candidates of `space`. Skipped without being lowered, and counted as pruned:
/// - layouts whose states alone are larger than the capacity (bounds.h);
/// - larger micro-batches where a smaller one is over the capacity with the strongest recompute: memory grows with
/// them,
///   up to the one that makes the step a single pass, which is tried;
/// - stronger recompute where a weaker one fits: the same products and more;
/// - candidates whose products alone take as long as one that fits takes in all (floor_per_token).
///
/// Among equals the first in order stays, so the result depends on nothing but the arguments.
/// Tested: tests/property/plan_property_test.cpp against an exhaustive walk.
Exploration explore(const Engine& engine,
                    const LayoutLimits& limits,
                    const SearchSpace& space,
                    const ExploreTarget& target,
                    LayoutEvaluator& evaluator);

/// The candidate with the fewest bytes of all, and how many: what to show where nothing fits. Strongest recompute, one
/// sequence or one pass. Unset: no layout keeps the rules.
struct LeastMemory {
  Candidate candidate;
  Bytes device;
};
std::optional<LeastMemory> least_memory(const Engine& engine,
                                        const LayoutLimits& limits,
                                        const SearchSpace& space,
                                        const ExploreTarget& target,
                                        LayoutEvaluator& evaluator);

}  // namespace mekiki
