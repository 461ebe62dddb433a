#include "cli/plan_filters.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "base/did_you_mean.h"
#include "base/letter_case.h"
#include "catalog/catalog.h"
#include "cli/provider_source.h"
#include "search/offer_filter.h"

namespace mekiki {
namespace {

Error bad_word(std::string key, std::string_view word, std::span<const std::string_view> known) {
  return {ErrorCode::not_found,
          std::move(key),
          "\"" + std::string(word) + "\" is not known",
          did_you_mean_or_one_of(word, known)};
}

template <class E>
Result<std::vector<E>> words_as(const std::string& key, const std::vector<std::string>& words) {
  std::vector<E> values;
  for (const std::string& word : words) {
    const std::optional<E> value = enum_from_name<E>(word);
    if (!value) {
      return fail(bad_word(key, word, EnumNames<E>::value));
    }
    values.push_back(*value);
  }
  return values;
}

/// The families of the catalogue that the words name.
Result<std::vector<std::string>> families_of(const Catalog& catalog, const std::vector<std::string>& words) {
  std::set<std::string> known;
  for (const Gpu& gpu : catalog.gpus) {
    known.insert(gpu_family(gpu));
  }
  const std::vector<std::string_view> names(known.begin(), known.end());
  std::vector<std::string> families;
  for (const std::string& asked : words) {
    std::string word = lower_case(asked);
    if (!known.contains(word)) {
      return fail(bad_word("gpu_families", word, names));
    }
    families.push_back(std::move(word));
  }
  return families;
}

/// Regions as offers state them; one that none of them holds is a slip, or is not on offer.
Status known_regions(const Catalog& catalog, const std::vector<std::string>& asked) {
  std::set<std::string_view> known;
  for (const Price& price : catalog.prices) {
    known.insert(price.region);
  }
  const std::vector<std::string_view> names(known.begin(), known.end());
  for (const std::string& text : asked) {
    const std::vector<std::string> one{text};
    const bool any = std::any_of(names.begin(), names.end(), [&](std::string_view region) {
      return region_fit(region, one) == OfferFit::states_it;
    });
    if (!any) {
      return fail(bad_word("regions", text, names));
    }
  }
  return {};
}

/// The filters that speak of offers.
Result<PlanFilters> with_offer_filters(const Catalog& catalog, const SelectionRequest& selection, PlanFilters filters) {
  Result<std::vector<PriceKind>> kinds = words_as<PriceKind>("price_kinds", selection.price_kinds);
  Result<std::vector<Tenancy>> tenancies = words_as<Tenancy>("tenancy", selection.tenancy);
  Result<std::vector<std::string>> families = families_of(catalog, selection.gpu_families);
  const Status regions = known_regions(catalog, selection.regions);
  const std::vector<std::string> unknown =
      selection.unknown_offers.empty() ? std::vector<std::string>{} : std::vector{selection.unknown_offers};
  const Result<std::vector<UnknownOffers>> unknown_offers = words_as<UnknownOffers>("unknown_offers", unknown);
  if (!kinds || !tenancies || !families || !regions || !unknown_offers) {
    return fail(!kinds       ? kinds.error()
                : !tenancies ? tenancies.error()
                : !families  ? families.error()
                : !regions   ? regions.error()
                             : unknown_offers.error());
  }
  filters.price_kinds = std::move(*kinds);
  filters.tenancies = std::move(*tenancies);
  filters.gpu_families = std::move(*families);
  filters.regions = selection.regions;
  filters.unknown_offers = unknown_offers->empty() ? UnknownOffers::leave_out : unknown_offers->front();
  return filters;
}

/// The ids that stand in both lists; an empty first list names everybody.
std::vector<std::string> both(const std::vector<std::string>& named, const std::vector<std::string>& meeting) {
  std::vector<std::string> ids;
  std::copy_if(meeting.begin(), meeting.end(), std::back_inserter(ids), [&](const std::string& id) {
    return named.empty() || std::find(named.begin(), named.end(), id) != named.end();
  });
  return ids;
}

}  // namespace

Result<Objective> objective_of(const SelectionRequest& selection) {
  if (selection.objective.empty()) {
    return Objective::cheapest;
  }
  const std::optional<Objective> objective = enum_from_name<Objective>(selection.objective);
  return objective ? Result<Objective>(*objective)
                   : fail(bad_word("objective", selection.objective, EnumNames<Objective>::value));
}

Result<std::optional<Goal>> goal_of(const SelectionRequest& selection) {
  if (selection.goal.empty()) {
    return std::nullopt;
  }
  const std::optional<Goal> goal = enum_from_name<Goal>(selection.goal);
  return goal ? Result<std::optional<Goal>>(goal) : fail(bad_word("goal", selection.goal, EnumNames<Goal>::value));
}

std::vector<std::string> names_in(std::string_view text) {
  std::vector<std::string> names;
  constexpr std::string_view kBetween = ", ";
  for (std::size_t begin = text.find_first_not_of(kBetween); begin != std::string_view::npos;) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    const std::string_view name = text.substr(begin, comma - begin);
    names.emplace_back(name.substr(0, name.find_last_not_of(' ') + 1));
    begin = text.find_first_not_of(kBetween, comma);
  }
  return names;
}

Result<PlanFilters> filters_of(const Context& context, const JobRequest& request) {
  const Catalog& catalog = *context.catalog;
  PlanFilters filters{.max_gpus = request.selection.max_gpus,
                      .gpus_in_total = request.target.gpus,
                      .nodes = request.target.nodes,
                      .budget = request.selection.budget,
                      .deadline = request.selection.deadline,
                      .waiting = request.selection.waiting,
                      .utilisation = request.selection.utilisation};
  std::vector<std::string> systems = request.selection.systems;
  if (!request.target.system.empty()) {
    systems.push_back(request.target.system);
  }
  for (const std::string& name : systems) {
    const Result<const System*> system = find_system(catalog, name);
    if (!system) {
      return fail(system.error());
    }
    filters.systems.emplace_back((*system)->id);
  }
  for (const std::string& name : request.selection.providers) {
    const Result<const Provider*> provider = find_provider(catalog, name);
    if (!provider) {
      return fail(provider.error());
    }
    filters.providers.emplace_back((*provider)->id);
  }
  if (!request.selection.require.empty()) {
    const Result<std::vector<ProviderFact>> facts = provider_facts(context);
    const Result<std::vector<std::string>> meeting =
        facts ? providers_that_meet(context, *facts, request.selection.require) : fail(facts.error());
    if (!meeting) {
      return fail(meeting.error());
    }
    filters.providers = both(filters.providers, *meeting);
    if (filters.providers.empty()) {
      return fail({ErrorCode::not_found, "require", "none of the named providers is known to meet this", ""});
    }
  }
  if (request.target.mig) {
    return fail({ErrorCode::conflict, "mig", "plans rent whole GPUs", "ask mekiki fit about an instance"});
  }
  for (const std::string& name : names_in(request.target.gpu)) {
    const Result<const Gpu*> gpu = find_gpu(catalog, name);
    if (!gpu) {
      return fail(gpu.error());
    }
    filters.gpus.emplace_back((*gpu)->id);
  }
  return with_offer_filters(catalog, request.selection, std::move(filters));
}

}  // namespace mekiki
