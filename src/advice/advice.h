// Advice: what a plan's numbers mean for a buyer. Ids and values only; the sentences are in data/messages under
// "advice.ID", in every language.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/enum_names.h"
#include "base/name.h"
#include "base/quantity.h"
#include "search/plan.h"

namespace mekiki {

enum class AdviceId : std::uint8_t {
  fits,                     // the cheapest plan fits: gpu, device, capacity, headroom
  tight,                    // the best there is holds without headroom only: gpu, device, capacity, out_of_memory
  nothing_fits,             // no plan: machines (how many were looked at)
  next_larger_gpu,          // for a tight plan that is cheaper than all that fit, the cheapest on a larger GPU: gpu,
                            // rank, cost, hours
  lighter_method,           // the same machines with a lighter method: method, gpu, cost, hours
  waits_for_communication,  // GPUs joined by PCIe alone: system, gpus, share
  joined_alternative,       // the cheapest plan with a faster link than that: system, rank, cost, hours
  spot_needs_checkpoints,   // interruptible machines: system, interruptions, save_interval, save_time, restart
  mig_no_gain,              // the job fills a GPU that could be cut: gpu, instances, share
  mig_slice_would_do,       // the job would fit one instance: gpu, instances, device
  consumer_card_long_job,   // gpu, hours, ecc
  stale_price,              // provider, date, age_days, staleness
  similar_price,            // the price speaks of another size or an unclear form: provider, price
  assumed_batch,            // global_batch_size, tokens_per_step
  borrowed_rates,           // the time rests on another GPU's measured kernels: gpu, measured_on
  assumed_network,          // nobody says how fast the nodes are joined: system, nodes
  incomplete_cost           // terms without a price: terms
};

template <>
struct EnumNames<AdviceId> {
  static constexpr std::array<std::string_view, 17> value = {"fits",
                                                             "tight",
                                                             "nothing_fits",
                                                             "next_larger_gpu",
                                                             "lighter_method",
                                                             "waits_for_communication",
                                                             "joined_alternative",
                                                             "spot_needs_checkpoints",
                                                             "mig_no_gain",
                                                             "mig_slice_would_do",
                                                             "consumer_card_long_job",
                                                             "stale_price",
                                                             "similar_price",
                                                             "assumed_batch",
                                                             "borrowed_rates",
                                                             "assumed_network",
                                                             "incomplete_cost"};
};

enum class AdviceLevel : std::uint8_t { note, warning, problem };

template <>
struct EnumNames<AdviceLevel> {
  static constexpr std::array<std::string_view, 3> value = {"note", "warning", "problem"};
};

struct AdviceValue {
  Name key;
  std::variant<std::int64_t, double, Bytes, Seconds, Usd, Date, std::string> value;  // double: a share
};

struct Advice {
  AdviceId id = AdviceId::fits;
  AdviceLevel level = AdviceLevel::note;
  std::int64_t rank = 0;  // of the plan that it is about; 0: of all
  std::vector<AdviceValue> values;
};

/// Thresholds, from data/rules/advice.csv.
struct AdviceRules {
  Seconds long_job;
  double filled_share = 0;
};

/// Errors as read_rules (base/rule_table.h).
Result<AdviceRules> read_advice_rules(std::string_view csv, std::string_view subject);

/// What to say of one priced plan.
std::vector<Advice> advise_plan(const Plan& plan, const AdviceRules& rules);

/// What to say of the whole set: verdict, ways out with their price, then the warnings of the cheapest, the fastest and
/// the smallest plan. Asks plan() again for lighter methods where nothing fits with headroom.
std::vector<Advice> advise(const PlanSet& set, const PlanRequest& request, const AdviceRules& rules);

}  // namespace mekiki
