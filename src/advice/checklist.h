// The questions that a buyer must ask, with what is known already: the provider's claims from the catalogue, and the
// levels that others accept or measured. Ids only; the questions are the messages "checklist.ID".
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_names.h"
#include "base/result.h"
#include "search/plan.h"

namespace mekiki {

/// contract: of the provider and the offer. node: inside a node. cluster: between nodes; not asked of one node.
enum class ChecklistGroup : std::uint8_t { contract, node, cluster };
template <>
struct EnumNames<ChecklistGroup> {
  static constexpr std::array<std::string_view, 3> value = {"contract", "node", "cluster"};
};

/// How far an answer can be trusted.
enum class Evidence : std::uint8_t { none, claimed, in_contract, measured };
template <>
struct EnumNames<Evidence> {
  static constexpr std::array<std::string_view, 4> value = {"none", "claimed", "in_contract", "measured"};
};

/// A level that vendors accept or that somebody measured. Data: data/reference/baselines.csv.
struct Baseline {
  std::string system, gpu_id;  // gpu_id "*": any
  std::string test;
  double value = 0;
  std::string unit;
  std::string source;
};

/// Rows whose value is no single number are left out. Errors: invalid_input for other columns.
Result<std::vector<Baseline>> read_baselines(std::string_view csv, std::string_view subject);

struct ChecklistEntry {
  std::string_view id;
  ChecklistGroup group = ChecklistGroup::contract;
  std::string answer;  // a figure or a word of the catalogue; empty: not known
  Evidence evidence = Evidence::none;
  std::string source;
  std::vector<const Baseline*> levels;  // lowest first; of this GPU
};

/// All questions of one plan; those between nodes only where it has several. `baselines` must outlive the result.
std::vector<ChecklistEntry> checklist_of(const Plan& plan, std::span<const Baseline> baselines);

/// The same without a plan: questions of the contract alone.
std::vector<ChecklistEntry> checklist_without_plan();

}  // namespace mekiki
