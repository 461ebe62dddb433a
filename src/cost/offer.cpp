#include "cost/offer.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace mekiki {
namespace {

using Words = std::set<std::string>;

// "Standard_ND40rs_v2" is {standard, nd40rs, v2}: books and providers punctuate differently.
Words words_of(std::string_view text) {
  Words words;
  std::string word;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!word.empty()) {
      words.insert(std::exchange(word, {}));
    }
  }
  if (!word.empty()) {
    words.insert(word);
  }
  return words;
}

bool names_instance(std::string_view sku, std::string_view instance) {
  const Words a = words_of(sku), b = words_of(instance);
  const auto holds = [](const Words& outer, const Words& inner) {
    return !inner.empty() && std::includes(outer.begin(), outer.end(), inner.begin(), inner.end());
  };
  return holds(a, b) || holds(b, a);
}

bool is_candidate(std::string_view candidates, std::string_view gpu_id) {
  while (!candidates.empty()) {
    const std::string_view id = candidates.substr(0, candidates.find(' '));
    if (id == gpu_id) {
      return true;
    }
    candidates.remove_prefix(std::min(id.size() + 1, candidates.size()));
  }
  return false;
}

enum class GpuMatch : std::uint8_t { no, maybe, yes };

GpuMatch match_gpu(const PriceGpu& meaning, std::string_view gpu_id) {
  if (!meaning.gpu_id.empty()) {
    return meaning.gpu_id == gpu_id ? GpuMatch::yes : GpuMatch::no;
  }
  return is_candidate(meaning.candidates, gpu_id) ? GpuMatch::maybe : GpuMatch::no;
}

// Sizes of pods that are worth a plan of their own.
constexpr std::int64_t kPodSizes[] = {1, 2, 4, 8};

// The systems of a price's provider that have its GPU, pods made concrete.
struct Candidates {
  std::vector<System> systems;
  std::vector<GpuMatch> matches;
  bool provider_known = false;
};

Candidates candidates_for(const Price& price, const PriceGpu& meaning, std::span<const System> systems) {
  Candidates found;
  for (const System& system : systems) {
    if (system.provider != price.provider) {
      continue;
    }
    found.provider_known = true;
    if (!is_pod(system)) {
      const GpuMatch match = match_gpu(meaning, system.gpu_id);
      if (match != GpuMatch::no) {
        found.systems.push_back(system);
        found.matches.push_back(match);
      }
      continue;
    }
    for (const std::int64_t size : kPodSizes) {
      const Result<System> pod = pod_of(system, meaning.gpu_id, size);
      if (pod && !meaning.gpu_id.empty()) {
        found.systems.push_back(*pod);
        found.matches.push_back(GpuMatch::yes);
      }
    }
  }
  return found;
}

// Units of the price that make one node; unset where no whole number does.
std::optional<std::int64_t> units_for(const Price& price, const System& system) {
  if (price.gpus > system.gpus || system.gpus % price.gpus != 0) {
    return std::nullopt;
  }
  return system.gpus / price.gpus;
}

JoinQuality quality_of(const Price& price, const Candidates& candidates, std::size_t index, bool sku_decides) {
  if (candidates.matches[index] != GpuMatch::yes) {
    return JoinQuality::similar;
  }
  const System& system = candidates.systems[index];
  if (sku_decides) {
    return JoinQuality::exact;
  }
  const auto of_this_size = std::count_if(candidates.systems.begin(),
                                          candidates.systems.end(),
                                          [&](const System& other) { return other.gpus == price.gpus; });
  return system.gpus == price.gpus && of_this_size == 1 ? JoinQuality::exact : JoinQuality::similar;
}

// Appends the offers of one price; tells why where there is none.
std::optional<UnjoinedCause> join_price(const Price& price, const JoinTables& tables, std::vector<Offer>& offers) {
  const PriceGpu* meaning = meaning_of(price, tables.price_gpus);
  if (meaning == nullptr || !price.per_unit || (meaning->gpu_id.empty() && meaning->candidates.empty())) {
    return UnjoinedCause::unknown_gpu;
  }
  const Candidates candidates = candidates_for(price, *meaning, tables.systems);
  if (candidates.systems.empty()) {
    return candidates.provider_known ? UnjoinedCause::no_system_with_gpu : UnjoinedCause::no_system_of_provider;
  }
  // A sku that names instances speaks of those only.
  const auto is_named = [&](const System& system) {
    return system.gpus == price.gpus && names_instance(price.sku, system.instance);
  };
  const bool sku_decides = std::any_of(candidates.systems.begin(), candidates.systems.end(), is_named);
  const std::size_t before = offers.size();
  for (std::size_t i = 0; i < candidates.systems.size(); ++i) {
    const System& system = candidates.systems[i];
    const std::optional<std::int64_t> units = units_for(price, system);
    if (units && (!sku_decides || is_named(system))) {
      offers.push_back({system, price, quality_of(price, candidates, i, sku_decides), *units});
    }
  }
  return offers.size() > before ? std::nullopt : std::optional(UnjoinedCause::other_size);
}

// One kind of one system; of a pod, of one GPU and size.
using ChoiceKey = std::tuple<Name, Name, std::int64_t, PriceKind>;

ChoiceKey key_of(const Offer& offer) {
  return {offer.system.id, offer.system.gpu_id, offer.system.gpus, offer.price.kind};
}

bool usable(const Offer& offer, Date day) {
  return !is_suspect(offer.price) && offer.price.includes_host != Answer::no && offer.price.as_of <= day &&
         is_valid_on(offer.price, day);
}

bool better(const Offer& a, const Offer& b) {
  const auto rank = [](const Offer& offer) {
    return std::tuple(
        -static_cast<int>(offer.quality), -offer.price.as_of.days, offer.per_node().base(), offer.price.id);
  };
  return rank(a) < rank(b);
}

constexpr std::int32_t kRangeDays = 60;

}  // namespace

const PriceGpu* meaning_of(const Price& price, std::span<const PriceGpu> price_gpus) {
  const PriceGpu* general = nullptr;
  for (const PriceGpu& row : price_gpus) {
    if (row.price_gpu_id != price.gpu_id) {
      continue;
    }
    if (row.sku.empty()) {
      general = &row;
    } else if (row.sku == price.sku) {
      return &row;
    }
  }
  return general;
}

JoinedOffers join_offers(const JoinTables& tables) {
  JoinedOffers joined;
  for (const Price& price : tables.prices) {
    if (const std::optional<UnjoinedCause> cause = join_price(price, tables, joined.offers)) {
      joined.unjoined.push_back({price.id, *cause});
    }
  }
  std::set<Name> priced;
  for (const Offer& offer : joined.offers) {
    priced.insert(offer.system.id);
  }
  for (const System& system : tables.systems) {
    if (!priced.contains(system.id)) {
      joined.unpriced_systems.push_back(system.id);
    }
  }
  return joined;
}

Staleness staleness_of(PriceKind kind, std::int64_t age_days) {
  if (age_days >= 60) {
    return Staleness::outdated;
  }
  if (age_days >= 30 || (moves_daily(kind) && age_days > 1)) {
    return Staleness::stale;
  }
  return age_days >= 14 ? Staleness::ageing : Staleness::fresh;
}

std::vector<PriceChoice> choose_prices(std::span<const Offer> offers, Date day) {
  std::map<ChoiceKey, std::size_t> places;
  std::vector<PriceChoice> choices;
  for (const Offer& offer : offers) {
    if (!usable(offer, day)) {
      continue;
    }
    const auto [place, is_new] = places.emplace(key_of(offer), choices.size());
    if (is_new) {
      choices.push_back({.offer = offer});
    } else if (PriceChoice& choice = choices[place->second]; better(offer, choice.offer)) {
      choice.offer = offer;
    }
  }
  for (PriceChoice& choice : choices) {
    choice.age_days = day.days - choice.offer.price.as_of.days;
    choice.staleness = staleness_of(choice.offer.price.kind, choice.age_days);
    choice.low = choice.high = choice.offer.per_node();
  }
  for (const Offer& offer : offers) {
    const auto place = places.find(key_of(offer));
    if (place == places.end() || !usable(offer, day)) {
      continue;
    }
    PriceChoice& choice = choices[place->second];
    if (offer.quality == choice.offer.quality && choice.offer.price.as_of.days - offer.price.as_of.days <= kRangeDays) {
      choice.low = std::min(choice.low, offer.per_node());
      choice.high = std::max(choice.high, offer.per_node());
    }
  }
  return choices;
}

}  // namespace mekiki
