// What is known of a provider besides its machines and prices. Data: data/providers/facts.csv. What no row says is
// unknown.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/date.h"
#include "base/enum_names.h"
#include "base/result.h"
#include "cost/price.h"

namespace mekiki {

enum class ProviderTopic : std::uint8_t {
  region,
  tenancy,       // dedicated, shared, community, secure
  interruption,  // when a machine may be taken away, and with what notice
  commitment,
  billing,
  whole_node,
  support,
  compliance,
  placement,  // how nodes are kept together
  egress,
  endpoint  // where an API is called, and which key it wants
};

template <>
struct EnumNames<ProviderTopic> {
  static constexpr std::array<std::string_view, 11> value = {"region",
                                                             "tenancy",
                                                             "interruption",
                                                             "commitment",
                                                             "billing",
                                                             "whole_node",
                                                             "support",
                                                             "compliance",
                                                             "placement",
                                                             "egress",
                                                             "endpoint"};
};

/// How good an answer is: what a page says, what a contract says, what was measured.
enum class FactEvidence : std::uint8_t { claimed, contract, measured };

template <>
struct EnumNames<FactEvidence> {
  static constexpr std::array<std::string_view, 3> value = {"claimed", "contract", "measured"};
};

struct ProviderFact {
  std::string provider;  // id
  ProviderTopic topic = ProviderTopic::region;
  std::string value;
  FactEvidence evidence = FactEvidence::claimed;
  std::string source;
  std::optional<Date> as_of;  // unset: undated
};

/// Errors: those of parse_csv; invalid_input with the line for a missing column, an unknown provider, topic or
/// evidence, an empty value or source, a date that is none.
Result<std::vector<ProviderFact>> read_provider_facts(std::string_view csv,
                                                      std::string_view subject,
                                                      std::span<const Provider> providers);

/// "region=tokyo": a fact of this topic whose value holds the text, case ignored.
struct Requirement {
  ProviderTopic topic = ProviderTopic::region;
  std::string text;
};

/// Errors: invalid_input for a text without "=", not_found for an unknown topic.
Result<Requirement> parse_requirement(std::string_view text);

/// Whether facts say so; what nobody says is not met.
bool meets(std::span<const ProviderFact> facts, std::string_view provider, const Requirement& requirement);

}  // namespace mekiki
