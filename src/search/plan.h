// plan(): all machines, numbers of GPUs, frameworks and layouts for one job; what fits, how long it takes, what it
// costs. What `mekiki plan` prints is made of a PlanSet.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "cost/commitment.h"
#include "cost/report.h"
#include "forecast/run.h"
#include "hardware/machine.h"
#include "job/job_request.h"
#include "memory/memory.h"
#include "model/arch.h"
#include "search/batch_rule.h"
#include "search/candidate.h"
#include "search/engine_limits.h"
#include "search/search_rules.h"
#include "time/report.h"

namespace mekiki {

/// The assumptions of a plan, each from a data file.
struct PlanRules {
  ForecastRules forecast;
  CostRules cost;
  CostRuleRange cost_range;
  SearchRules search;
  std::vector<BatchRule> batch;
  std::vector<EngineLimits> engines;
};

/// What the plans are chosen from; the spans must outlive the PlanSet.
struct PlanMarket {
  std::span<const Machine> machines;
  std::span<const PriceChoice> prices;
  std::span<const StoragePrice> storage;
  std::span<const EgressPrice> egress;
};

enum class Objective : std::uint8_t { cheapest, fastest, smallest };

template <>
struct EnumNames<Objective> {
  static constexpr std::array<std::string_view, 3> value = {"cheapest", "fastest", "smallest"};
};

/// What becomes of an offer whose region or tenancy nobody states, where one is asked for.
enum class UnknownOffers : std::uint8_t { leave_out, keep };

template <>
struct EnumNames<UnknownOffers> {
  static constexpr std::array<std::string_view, 2> value = {"leave_out", "keep"};
};

/// Empty lists and unset limits leave everything open.
struct PlanFilters {
  std::vector<std::string> systems;       // ids
  std::vector<std::string> gpus;          // ids
  std::vector<std::string> providers;     // ids
  std::vector<std::string> gpu_families;  // first words of architectures, lower case
  std::vector<PriceKind> price_kinds;     // empty: on_demand
  std::vector<std::string> regions;       // parts of the names of regions; case does not count
  std::vector<Tenancy> tenancies;
  UnknownOffers unknown_offers = UnknownOffers::leave_out;
  std::optional<std::int64_t> max_gpus;
  std::optional<std::int64_t> gpus_in_total;  // exactly
  std::optional<std::int64_t> nodes;          // exactly
  std::optional<Usd> budget;                  // of the total at P90
  std::optional<Seconds> deadline;            // of the wall time at P90, waiting for capacity included
  std::optional<Seconds> waiting;             // for capacity, where the offer does not say it
  std::optional<double> utilisation;          // of the rest of a commitment, by other work
};

struct PlanRequest {
  const Arch* arch = nullptr;
  Job job;               // framework empty: all of `profiles`
  LayoutRequest layout;  // axes that the user fixed
  std::span<const Profile> profiles;
  PlanMarket market;
  const PlanRules* rules = nullptr;
  PlanFilters filters;
  Objective objective = Objective::cheapest;
  Band tokens_band;                      // of job.tokens, where they follow from a size of text
  std::optional<Seconds> save_interval;  // unset: the best one
  std::int64_t deliveries = 1;           // checkpoints that are to be delivered
  Usd reuse;
  unsigned threads = 1;
  /// Asked between explorations, from all threads; true ends the search with what was found so far. Empty: never.
  std::function<bool()> stop;
};

/// Why a machine with a number of nodes, or a price of it, is no plan.
enum class RejectionKind : std::uint8_t {
  does_not_fit,   // no layout of any framework holds
  uneven_batch,   // the batch cannot be shared out over the ranks
  no_layout,      // no layout of any framework keeps the integer rules
  no_framework,   // no framework runs on this vendor, or on so many nodes
  no_format,      // the GPU has no arithmetic in the job's precision
  no_rates,       // nothing is known of the GPU's kernels
  no_network,     // nobody vouches for a network between nodes
  interruptions,  // come faster than the run can save and restart
  over_budget,
  over_deadline,
  no_offer,    // no offer in the region or tenancy that is asked for
  not_reached  // the search was stopped before all frameworks were asked
};

template <>
struct EnumNames<RejectionKind> {
  static constexpr std::array<std::string_view, 12> value = {"does_not_fit",
                                                             "uneven_batch",
                                                             "no_layout",
                                                             "no_framework",
                                                             "no_format",
                                                             "no_rates",
                                                             "no_network",
                                                             "interruptions",
                                                             "over_budget",
                                                             "over_deadline",
                                                             "no_offer",
                                                             "not_reached"};
};

/// The layout that comes nearest where memory is the limit.
struct MemoryMiss {
  std::string framework;
  Candidate candidate;
  Category largest = Category::weights;  // the category that takes most
  Bytes device, capacity;
  Bytes short_by;  // with headroom
};

struct Rejection {
  RejectionKind kind = RejectionKind::does_not_fit;
  const Machine* machine = nullptr;
  std::int64_t nodes = 1;
  const PriceChoice* price = nullptr;  // null: before prices were asked
};

struct Plan {
  std::int64_t rank = 0;  // from 1; 0: unpriced
  const Machine* machine = nullptr;
  std::int64_t nodes = 1;
  std::string framework;
  Candidate candidate;
  ResolvedJob job;
  MemoryReport memory;
  Bytes capacity;
  Verdict verdict = Verdict::fits;
  double oom_probability = 0;
  TimeReport time;
  Run run;
  const PriceChoice* price = nullptr;    // null: unpriced
  std::optional<CostReport> cost;        // with a price
  std::optional<Seconds> waiting;        // for capacity; unset: unknown, counted as none
  std::optional<Commitment> commitment;  // with a price that binds
  CheckpointSize checkpoint;
  std::vector<std::string> runnable_by;  // frameworks that have this layout fit, the plan's own first
  bool waits_for_communication = false;  // its GPUs have no link but PCIe, and share_waiting is at the rule's limit
  double share_waiting = 0;              // of a step, for communication

  /// From order to end. GPUs are paid for the run alone.
  Seconds wall_p50() const { return run.p50 + waiting.value_or(Seconds{}); }
  Seconds wall_p90() const { return run.p90 + waiting.value_or(Seconds{}); }
  std::int64_t gpus() const { return nodes * machine->system.gpus; }
  Bytes total_memory() const { return machine->gpu->memory_reported * static_cast<double>(gpus()); }
};

using PlanResult = std::variant<Plan, Rejection>;

/// The proof of the smallest plan: the next smaller choice, and what it lacks.
struct SmallestProof {
  std::int64_t rank = 0;
  std::optional<Rejection> next_smaller;  // unset: nothing smaller was looked at
  std::optional<MemoryMiss> miss;         // where memory is why; a tight one misses its headroom only
};

struct RejectedClass {
  RejectionKind kind = RejectionKind::does_not_fit;
  std::int64_t count = 0;
};

/// A framework that was left out altogether, and why.
struct ExcludedFramework {
  std::string framework;
  Error why;
};

struct PlanStats {
  std::int64_t left = 0;  // explorations that a stopped search did not get to
  std::int64_t considered = 0, evaluated = 0, pruned = 0, over_memory = 0, uneven_batch = 0;
};

/// What the filters of region and tenancy did to the offers of the machines that are asked for.
struct OfferCounts {
  std::int64_t elsewhere = 0;         // left out: the offer states another region or tenancy
  std::int64_t unknown_left_out = 0;  // left out: nobody states it
  std::int64_t unknown_kept = 0;      // kept although nobody states it
};

/// What the request left open, as decided.
struct PlanDefaults {
  std::int64_t global_batch_size = 0;  // sequences
  bool batch_assumed = false;
  bool batch_varies = false;  // gradient_accumulation_steps was given instead
  std::int64_t max_gpus = 0;
  bool max_gpus_assumed = false;
  std::vector<PriceKind> price_kinds;
};

struct PlanSet {
  std::vector<Plan> plans;  // by rank: those that fit by the objective, then the tight ones
  std::vector<Plan> unpriced_plans;
  std::vector<std::int64_t> pareto;  // ranks, fastest first
  std::optional<std::int64_t> cheapest, fastest;
  std::optional<SmallestProof> smallest;
  std::vector<RejectedClass> rejected;
  std::vector<ExcludedFramework> excluded;
  PlanDefaults defaults;
  OfferCounts offers;
  PlanStats stats;
  bool interrupted() const { return stats.left > 0; }
};

/// The best layout of each machine and number of nodes is kept, priced with every price of the machine. Plans that are
/// tight are listed and marked; cheapest, fastest and smallest are among those that fit, and among the tight ones only
/// where none does.
/// smallest: least memory over all GPUs, then fewest GPUs. Times at P50. The result is the same for every number of
/// threads.
///
/// Errors: invalid_input where tokens are missing or a filter leaves no machine; the error of the first framework where
/// none can run the job at all; those of prepare_model.
Result<PlanSet> plan(const PlanRequest& request);

}  // namespace mekiki
