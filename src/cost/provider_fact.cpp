#include "cost/provider_fact.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/csv.h"
#include "base/did_you_mean.h"
#include "base/letter_case.h"

namespace mekiki {
namespace {

constexpr std::array<std::string_view, 6> kColumns = {"provider", "topic", "value", "evidence", "source", "as_of"};

struct Row {
  const CsvTable& table;
  const CsvRow& line;
  std::string_view subject;

  const std::string& at(std::string_view column) const { return line.fields[*column_of(table, column)]; }
  Error error(std::string_view column, std::string message, std::string hint = {}) const {
    return {ErrorCode::invalid_input,
            fmt::format("{}:{}:{}", subject, line.line, column),
            std::move(message),
            std::move(hint)};
  }
};

template <class E>
Result<E> choice(const Row& row, std::string_view column) {
  const std::optional<E> value = enum_from_name<E>(row.at(column));
  if (!value) {
    return fail(row.error(column,
                          fmt::format("\"{}\" is not one of {}", row.at(column), fmt::join(EnumNames<E>::value, ", ")),
                          did_you_mean(row.at(column), EnumNames<E>::value)));
  }
  return *value;
}

Result<ProviderFact> fact_of(const Row& row, std::span<const Provider> providers) {
  const Result<ProviderTopic> topic = choice<ProviderTopic>(row, "topic");
  const Result<FactEvidence> evidence = choice<FactEvidence>(row, "evidence");
  if (!topic || !evidence) {
    return fail(!topic ? topic.error() : evidence.error());
  }
  const std::string& id = row.at("provider");
  if (std::none_of(providers.begin(), providers.end(), [&](const Provider& provider) { return provider.id == id; })) {
    return fail(row.error("provider", fmt::format("there is no provider \"{}\"", id)));
  }
  for (const std::string_view column : {"value", "source"}) {
    if (row.at(column).empty()) {
      return fail(row.error(column, "is empty", "leave out what is unknown"));
    }
  }
  ProviderFact fact{id, *topic, row.at("value"), *evidence, row.at("source"), std::nullopt};
  if (!row.at("as_of").empty()) {
    const Result<Date> day = parse_date(row.at("as_of"));
    if (!day) {
      return fail(row.error("as_of", day.error().message, day.error().hint));
    }
    fact.as_of = *day;
  }
  return fact;
}

}  // namespace

Result<std::vector<ProviderFact>> read_provider_facts(std::string_view csv,
                                                      std::string_view subject,
                                                      std::span<const Provider> providers) {
  const Result<CsvTable> table = parse_csv(csv, subject);
  if (!table) {
    return fail(table.error());
  }
  for (const std::string_view column : kColumns) {
    if (!column_of(*table, column)) {
      return fail({ErrorCode::invalid_input,
                   fmt::format("{}:1", subject),
                   fmt::format("there is no column {}", column),
                   fmt::format("the columns are {}", fmt::join(kColumns, ", "))});
    }
  }
  std::vector<ProviderFact> facts;
  for (const CsvRow& line : table->rows) {
    Result<ProviderFact> fact = fact_of({*table, line, subject}, providers);
    if (!fact) {
      return fail(fact.error());
    }
    facts.push_back(std::move(*fact));
  }
  return facts;
}

Result<Requirement> parse_requirement(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals + 1 == text.size()) {
    return fail({ErrorCode::invalid_input,
                 "require",
                 fmt::format("\"{}\" is no requirement", text),
                 "write it like region=tokyo"});
  }
  const std::string_view topic = text.substr(0, equals);
  const std::optional<ProviderTopic> known = enum_from_name<ProviderTopic>(topic);
  if (!known) {
    return fail({ErrorCode::not_found,
                 "require",
                 fmt::format("there is no topic \"{}\"", topic),
                 fmt::format("one of {}", fmt::join(EnumNames<ProviderTopic>::value, ", "))});
  }
  return Requirement{*known, std::string(text.substr(equals + 1))};
}

bool meets(std::span<const ProviderFact> facts, std::string_view provider, const Requirement& requirement) {
  const std::string wanted = lower_case(requirement.text);
  return std::any_of(facts.begin(), facts.end(), [&](const ProviderFact& fact) {
    return fact.provider == provider && fact.topic == requirement.topic &&
           lower_case(fact.value).find(wanted) != std::string::npos;
  });
}

}  // namespace mekiki
