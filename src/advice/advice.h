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
  incomplete_cost,          // terms without a price: terms
  goal_served,              // the method serves the goal: goal, method
  goal_missed,              // it does not: goal, method, better
  forgetting,               // all weights learn new text: method
  hardware_step,            // first step, the hardware: gpu, gpus, cost, next_gpu, next_cost
  hardware_step_alone,      // the same where no other GPU has a plan
  provider_step,            // second step, who rents it: gpu, provider, cost, next_provider, next_cost
  provider_step_alone,      // the same where nobody else has a plan with this GPU
  axes,                     // how far the cheapest plan uses memory, network, time (scale) and budget
  workload_agrees,          // usual advice and numbers agree: workload, gpu
  workload_differs,         // they do not: workload, gpu, cost, hours, usual_gpu, usual_rank, usual_cost, usual_time
  workload_unavailable,     // no recommended GPU has a plan: workload, gpu
  node_not_needed,          // fewer GPUs than a node do it: gpus, gpu, cost, node_system, node_cost
  buy_on_demand,            // one GPU, all weights: gpus, hours, machines, share
  buy_card,                 // one GPU, adapters
  buy_node,                 // one node of several GPUs
  buy_committed,            // several nodes: nodes
  buy_interruptible,        // machines that may be taken away: interruptions
  dearest_gpu,              // the GPU with the highest price: gpu, cost, best_gpu, best_cost, saving, further_runs
  rate_is_not_cost,         // the lowest rate is not the lowest cost: gpu, rate, cost, best_gpu, best_rate, best_cost
  form_factor,              // two forms of a chip: gpu, other_gpu, gpus, slower
  weights_alone,            // 16-bit weights against the whole job, over all GPUs: weights, device, gpus
  pcie_does,                // PCIe alone and no wait worth a warning: system, gpus, share
  one_node_does,            // pretraining by name and no cluster: gpus, gpu, hours
  idle_commitment,          // paid hours beyond the run, in no total: system, hours, cost
  break_even,               // a price that binds against the list price: system, share of the hours that must be used
  software_minimum,         // the lowest versions that serve the GPU: gpu, cuda, torch
  software_unknown,         // nobody says which versions serve the GPU: gpu
  fertility,                // the tokenizer needs many tokens for a language: language, tokenizer, factor,
                            // best_tokenizer
  licence_known,            // what the model card names: licence
  licence_unknown           // nobody said
};

template <>
struct EnumNames<AdviceId> {
  static constexpr std::array<std::string_view, 47> value = {"fits",
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
                                                             "incomplete_cost",
                                                             "goal_served",
                                                             "goal_missed",
                                                             "forgetting",
                                                             "hardware_step",
                                                             "hardware_step_alone",
                                                             "provider_step",
                                                             "provider_step_alone",
                                                             "axes",
                                                             "workload_agrees",
                                                             "workload_differs",
                                                             "workload_unavailable",
                                                             "node_not_needed",
                                                             "buy_on_demand",
                                                             "buy_card",
                                                             "buy_node",
                                                             "buy_committed",
                                                             "buy_interruptible",
                                                             "dearest_gpu",
                                                             "rate_is_not_cost",
                                                             "form_factor",
                                                             "weights_alone",
                                                             "pcie_does",
                                                             "one_node_does",
                                                             "idle_commitment",
                                                             "break_even",
                                                             "software_minimum",
                                                             "software_unknown",
                                                             "fertility",
                                                             "licence_known",
                                                             "licence_unknown"};
};

enum class AdviceLevel : std::uint8_t { note, warning, problem };

template <>
struct EnumNames<AdviceLevel> {
  static constexpr std::array<std::string_view, 3> value = {"note", "warning", "problem"};
};

/// A message that stands for the value in every language: "method.lora".
struct Phrase {
  std::string message;
};

/// A plain number, where a double would be a share.
struct Count {
  double value = 0;
};

struct AdviceValue {
  Name key;
  std::variant<std::int64_t, double, Bytes, Seconds, Usd, Date, std::string, Phrase, Count> value;  // double: a share
};

struct Advice {
  AdviceId id = AdviceId::fits;
  AdviceLevel level = AdviceLevel::note;
  std::int64_t rank = 0;  // of the plan that it is about; 0: of all
  std::vector<AdviceValue> values;
};

/// The lowest versions with kernels for a compute capability. Data: data/rules/software.csv.
struct SoftwareMinimum {
  double compute_capability = 0;
  std::string cuda, torch;
};

/// Thresholds, from data/rules/advice.csv.
struct AdviceRules {
  Seconds long_job;
  double filled_share = 0;
  double poor_fertility = 0;  // times the tokens of the best tokenizer
  std::vector<SoftwareMinimum> software;
};

/// Errors as read_rules (base/rule_table.h).
Result<AdviceRules> read_advice_rules(std::string_view csv, std::string_view subject);

/// Errors: those of parse_csv; invalid_input with the line for a missing column or a capability that is no number.
Result<std::vector<SoftwareMinimum>> read_software_minimums(std::string_view csv, std::string_view subject);

/// What to say of one priced plan.
std::vector<Advice> advise_plan(const Plan& plan, const AdviceRules& rules);

/// What to say of the whole set: verdict, ways out with their price, then the warnings of the cheapest, the fastest and
/// the smallest plan. Asks plan() again for lighter methods where nothing fits with headroom.
std::vector<Advice> advise(const PlanSet& set, const PlanRequest& request, const AdviceRules& rules);

}  // namespace mekiki
