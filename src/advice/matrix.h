// The usual decision matrix, each cell held against the numbers of a plan: what a need usually asks for, what this very
// job's numbers ask for, and why the two differ where they do. Data: data/rules/matrix.csv, what buyers' guides say.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "advice/advice.h"
#include "base/enum_names.h"
#include "base/result.h"
#include "cost/api_price.h"

namespace mekiki {

enum class MatrixNeed : std::uint8_t {
  larger_model,      // without extreme sharding
  proven,            // ecosystem and availability
  cheapest_adapter,  // tuning
  several_nodes,
  quick_trial,
  procurement  // by an enterprise
};
template <>
struct EnumNames<MatrixNeed> {
  static constexpr std::array<std::string_view, 6> value = {
      "larger_model", "proven", "cheapest_adapter", "several_nodes", "quick_trial", "procurement"};
};

enum class MatrixVerdict : std::uint8_t { agrees, differs, not_compared };
template <>
struct EnumNames<MatrixVerdict> {
  static constexpr std::array<std::string_view, 3> value = {"agrees", "differs", "not_compared"};
};

/// Why a cell is judged so; the sentences are the messages "matrix_reason.ID" over the values of the cell.
enum class MatrixReason : std::uint8_t {
  in_the_list,      // the choice is among the usual ones: gpu, gpus, cost
  fewer_gpus,       // the fewest GPUs that hold the job are of another kind: gpu, gpus, cost, usual_gpu, usual_gpus
  more_offers,      // another GPU has more priced offers: gpu, offers, usual_gpu, usual_offers
  cheaper,          // another GPU is cheaper: gpu, cost, usual_gpu, usual_cost
  no_usual_plan,    // no usual GPU or provider has a plan: gpu, cost
  no_adapters,      // the method trains no adapters: method
  one_node_does,    // the cheapest plan needs no second node: gpu, gpus, nodes_cost where there is such a plan
  network_stated,   // of several nodes; somebody states how they are joined: system, nodes, share
  network_assumed,  // nobody does: measure it first: system, nodes
  api_costs_less,   // the same tokens trained on through an API: low, high, cost
  api_costs_more,   // low, high, cost
  api_unknown,      // no price of an API is known
  usual_provider,   // provider, kind, cost
  other_provider,   // provider, kind, cost, usual_provider, usual_cost
  nothing_fits
};
template <>
struct EnumNames<MatrixReason> {
  static constexpr std::array<std::string_view, 15> value = {"in_the_list",
                                                             "fewer_gpus",
                                                             "more_offers",
                                                             "cheaper",
                                                             "no_usual_plan",
                                                             "no_adapters",
                                                             "one_node_does",
                                                             "network_stated",
                                                             "network_assumed",
                                                             "api_costs_less",
                                                             "api_costs_more",
                                                             "api_unknown",
                                                             "usual_provider",
                                                             "other_provider",
                                                             "nothing_fits"};
};

struct MatrixRule {
  MatrixNeed need = MatrixNeed::larger_model;
  std::vector<std::string> gpus;  // ids; empty: the cell speaks of no GPU
  std::vector<ProviderClass> provider_kinds;
};

/// One rule for each need. Errors: invalid_input with the line for an unknown word, a need twice or one that lacks.
Result<std::vector<MatrixRule>> read_matrix(std::string_view csv, std::string_view subject);

struct MatrixCell {
  MatrixRule rule;
  MatrixVerdict verdict = MatrixVerdict::not_compared;
  MatrixReason reason = MatrixReason::nothing_fits;
  std::int64_t rank = 0;  // of the plan that the numbers choose; 0: none
  std::vector<AdviceValue> values;
};

/// What the cells are judged by.
struct MatrixInputs {
  const PlanSet* set = nullptr;
  std::span<const Provider> providers;
  const ApiEstimate* api = nullptr;
};

/// Every cell, in the order of the rules, by the plans that fit with headroom.
std::vector<MatrixCell> evaluate_matrix(std::span<const MatrixRule> rules, const MatrixInputs& inputs);

/// The kind of a provider; unset: the catalogue does not know it.
std::optional<ProviderClass> provider_kind(std::span<const Provider> providers, std::string_view id);

}  // namespace mekiki
