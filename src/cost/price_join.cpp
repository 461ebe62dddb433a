#include "cost/price_join.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
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

// A system of a price's provider that has its GPU, or one size of a pod.
struct Candidate {
  std::size_t system = 0;
  Name gpu_id;
  std::int64_t gpus = 1;
  GpuMatch match = GpuMatch::no;
  bool named = false;  // by the sku of the price
};

struct Candidates {
  std::vector<Candidate> list;
  bool provider_known = false;
};

void add_pod(const System& pod, std::size_t index, const PriceGpu& meaning, Candidates& found) {
  for (const std::int64_t size : kPodSizes) {
    if (!meaning.gpu_id.empty() && pod.gpus <= size && size <= pod.gpus_max) {
      found.list.push_back({.system = index, .gpu_id = meaning.gpu_id, .gpus = size, .match = GpuMatch::yes});
    }
  }
}

Candidates candidates_for(const Price& price, const PriceGpu& meaning, std::span<const System> systems) {
  Candidates found;
  for (std::size_t i = 0; i < systems.size(); ++i) {
    const System& system = systems[i];
    if (system.provider != price.provider) {
      continue;
    }
    found.provider_known = true;
    if (is_pod(system)) {
      add_pod(system, i, meaning, found);
    } else if (const GpuMatch match = match_gpu(meaning, system.gpu_id); match != GpuMatch::no) {
      const bool named = system.gpus == price.gpus && names_instance(price.sku, system.instance);
      found.list.push_back({i, system.gpu_id, system.gpus, match, named});
    }
  }
  return found;
}

JoinQuality quality_of(const Candidate& candidate, const Candidates& all, std::int64_t gpus, bool sku_decides) {
  if (candidate.match != GpuMatch::yes) {
    return JoinQuality::similar;
  }
  if (sku_decides) {
    return JoinQuality::exact;
  }
  const auto of_this_size =
      std::count_if(all.list.begin(), all.list.end(), [&](const Candidate& other) { return other.gpus == gpus; });
  return candidate.gpus == gpus && of_this_size == 1 ? JoinQuality::exact : JoinQuality::similar;
}

PriceJoin join_price(const Price& price, const JoinTables& tables) {
  const PriceGpu* meaning = meaning_of(price, tables.price_gpus);
  if (meaning == nullptr || !price.per_unit || (meaning->gpu_id.empty() && meaning->candidates.empty())) {
    return {.meaning = meaning, .cause = UnjoinedCause::unknown_gpu};
  }
  const Candidates candidates = candidates_for(price, *meaning, tables.systems);
  if (candidates.list.empty()) {
    return {
        .meaning = meaning,
        .cause = candidates.provider_known ? UnjoinedCause::no_system_with_gpu : UnjoinedCause::no_system_of_provider};
  }
  // A sku that names instances speaks of those only.
  const bool sku_decides = std::any_of(
      candidates.list.begin(), candidates.list.end(), [](const Candidate& candidate) { return candidate.named; });
  PriceJoin join{.meaning = meaning, .sku_names_system = sku_decides};
  for (const Candidate& candidate : candidates.list) {
    const bool divides = price.gpus <= candidate.gpus && candidate.gpus % price.gpus == 0;
    if (divides && (!sku_decides || candidate.named)) {
      join.systems.push_back({.system = candidate.system,
                              .gpu_id = candidate.gpu_id,
                              .gpus = candidate.gpus,
                              .units = candidate.gpus / price.gpus,
                              .quality = quality_of(candidate, candidates, price.gpus, sku_decides)});
    }
  }
  if (join.systems.empty()) {
    join.cause = UnjoinedCause::other_size;
  }
  return join;
}

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

const PriceJoin& PriceJoiner::join(const Price& price) {
  const Key key{price.provider, price.gpu_id, price.sku, price.gpus, price.per_unit.has_value()};
  const auto known = joins_.find(key);
  return known != joins_.end() ? known->second : joins_.emplace(key, join_price(price, tables_)).first->second;
}

JoinCoverage coverage_of(std::span<const Price> prices, PriceJoiner& joiner) {
  JoinCoverage coverage;
  for (const Price& price : prices) {
    const PriceJoin& join = joiner.join(price);
    const bool exact = std::any_of(join.systems.begin(), join.systems.end(), [](const JoinedSystem& system) {
      return system.quality == JoinQuality::exact;
    });
    const bool states_form = join.meaning != nullptr && !join.meaning->gpu_id.empty();
    ++coverage.rows;
    coverage.rows_with_form += states_form ? 1 : 0;
    coverage.joined_with_form += states_form && !join.cause ? 1 : 0;
    coverage.exact += exact ? 1 : 0;
    coverage.similar += !join.cause && !exact ? 1 : 0;
    if (join.cause) {
      ++coverage.unjoined[static_cast<std::size_t>(*join.cause)];
    }
  }
  return coverage;
}

}  // namespace mekiki
