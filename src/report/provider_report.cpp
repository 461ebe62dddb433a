#include "report/provider_report.h"

#include <optional>
#include <utility>

#include <fmt/format.h>

namespace mekiki {
namespace {

std::vector<const ProviderFact*> facts_on(std::string_view provider,
                                          ProviderTopic topic,
                                          std::span<const ProviderFact> facts) {
  std::vector<const ProviderFact*> found;
  for (const ProviderFact& fact : facts) {
    if (fact.provider == provider && fact.topic == topic) {
      found.push_back(&fact);
    }
  }
  return found;
}

std::string values_of(const std::vector<const ProviderFact*>& facts) {
  std::string text;
  for (const ProviderFact* fact : facts) {
    text += (text.empty() ? "" : "; ") + fact->value;
  }
  return text.empty() ? "-" : text;
}

std::string class_text(const Provider& provider, const Voice& say) {
  return std::string(say(message_of("provider_class." + std::string(enum_name(provider.provider_class)))));
}

std::string day_text(const ProviderFact& fact, const Voice& say) {
  return fact.as_of ? format_date(*fact.as_of) : std::string(say(Message::provider_undated));
}

Json fact_json(const ProviderFact& fact) {
  Json json = {{"topic", enum_name(fact.topic)},
               {"value", fact.value},
               {"evidence", enum_name(fact.evidence)},
               {"source", fact.source}};
  if (fact.as_of) {
    json["date"] = format_date(*fact.as_of);
  } else {
    add_unknown(json, "date", "the source is undated");
  }
  return json;
}

}  // namespace

Listing providers_listing(const std::vector<const Provider*>& providers,
                          std::span<const ProviderFact> facts,
                          const Voice& say) {
  Listing listing;
  listing.columns = {{"id", "id"},
                     {"name", std::string(say(Message::column_name))},
                     {"class", std::string(say(Message::column_kind))},
                     {"region", "region"},
                     {"tenancy", "tenancy", Align::left, false},
                     {"interruption", "interruption", Align::left, false},
                     {"commitment", "commitment", Align::left, false},
                     {"billing", "billing", Align::left, false},
                     {"support", "support", Align::left, false},
                     {"compliance", "compliance", Align::left, false},
                     {"facts", std::string(say(Message::column_facts)), Align::right}};
  for (const Provider* provider : providers) {
    std::vector<ListingCell> row = {
        {std::string(provider->id), {}}, {std::string(provider->name), {}}, {class_text(*provider, say), {}}};
    for (const ProviderTopic topic : {ProviderTopic::region,
                                      ProviderTopic::tenancy,
                                      ProviderTopic::interruption,
                                      ProviderTopic::commitment,
                                      ProviderTopic::billing,
                                      ProviderTopic::support,
                                      ProviderTopic::compliance}) {
      row.push_back({values_of(facts_on(provider->id, topic, facts)), {}});
    }
    double count = 0;
    for (const ProviderFact& fact : facts) {
      count += fact.provider == provider->id ? 1 : 0;
    }
    row.push_back({fmt::format("{:.0f}", count), count});
    listing.rows.push_back(std::move(row));
  }
  return listing;
}

std::string providers_footer(const Voice& say) {
  return std::string(say(Message::providers_footer)) + "\n";
}

std::string provider_details(const std::vector<const Provider*>& providers,
                             std::span<const ProviderFact> facts,
                             const Voice& say) {
  std::string text;
  for (const Provider* provider : providers) {
    text += fmt::format("{}: {}\n{}\n",
                        provider->name,
                        class_text(*provider, say),
                        say(message_of("provider_use." + std::string(enum_name(provider->provider_class)))));
    for (std::size_t i = 0; i < EnumNames<ProviderTopic>::value.size(); ++i) {
      const auto topic = static_cast<ProviderTopic>(i);
      const std::string name(say(message_of("topic." + std::string(enum_name(topic)))));
      const std::vector<const ProviderFact*> known = facts_on(provider->id, topic, facts);
      if (known.empty()) {
        text += fmt::format("  {}: {}\n", name, say(Message::provider_unknown));
      }
      for (const ProviderFact* fact : known) {
        text += fmt::format("  {}: {} ({}, {}; {})\n",
                            name,
                            fact->value,
                            say(message_of("evidence." + std::string(enum_name(fact->evidence)))),
                            day_text(*fact, say),
                            fact->source);
      }
    }
  }
  return text;
}

Json providers_json(const std::vector<const Provider*>& providers,
                    std::span<const ProviderFact> facts,
                    const Envelope& envelope,
                    const Voice& say) {
  Json json = json_envelope(envelope);
  json["providers"] = Json::array();
  for (const Provider* provider : providers) {
    Json item = {{"id", provider->id},
                 {"name", provider->name},
                 {"aliases", Json::array()},
                 {"class", enum_name(provider->provider_class)},
                 {"use", say(message_of("provider_use." + std::string(enum_name(provider->provider_class))))},
                 {"notes", provider->notes},
                 {"facts", Json::array()}};
    for (const Name alias : provider->aliases) {
      item["aliases"].push_back(alias);
    }
    for (const ProviderFact& fact : facts) {
      if (fact.provider == provider->id) {
        item["facts"].push_back(fact_json(fact));
      }
    }
    json["providers"].push_back(std::move(item));
  }
  return json;
}

std::vector<ChecklistEntry> answered(std::vector<ChecklistEntry> checklist,
                                     std::string_view provider,
                                     std::span<const ProviderFact> facts) {
  constexpr std::pair<std::string_view, ProviderTopic> kTopics[] = {{"region", ProviderTopic::region},
                                                                    {"placement", ProviderTopic::placement},
                                                                    {"interruption", ProviderTopic::interruption},
                                                                    {"support", ProviderTopic::support},
                                                                    {"security", ProviderTopic::compliance},
                                                                    {"tenancy", ProviderTopic::tenancy}};
  constexpr Evidence kEvidence[] = {Evidence::claimed, Evidence::in_contract, Evidence::measured};
  for (ChecklistEntry& entry : checklist) {
    for (const auto& [id, topic] : kTopics) {
      const std::vector<const ProviderFact*> known = facts_on(provider, topic, facts);
      if (id == entry.id && entry.answer.empty() && !known.empty()) {
        entry.answer = values_of(known);
        entry.evidence = kEvidence[static_cast<std::size_t>(known.front()->evidence)];
        entry.source = known.front()->source;
      }
    }
  }
  return checklist;
}

}  // namespace mekiki
