#include "catalog/books/gpu_names.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "catalog/catalog.h"

namespace mekiki {
namespace {

// Lists write the number on the box as GB or as GiB, or what the driver shows.
bool has_memory(const Gpu& gpu, Bytes memory) {
  constexpr double kTolerance = 0.06;
  const double said = memory / kGiB;
  const auto near = [&](double value) { return std::abs(said / value - 1.0) <= kTolerance; };
  return near(gpu.memory_marketed / kGB) || near(gpu.memory_reported / kGiB);
}

std::set<std::string_view> words_of(std::string_view text) {
  std::set<std::string_view> words;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    words.insert(word);
    text.remove_prefix(std::min(word.size() + 1, text.size()));
  }
  return words;
}

bool lists(std::span<const PriceGpu> rows, std::string_view name) {
  return std::any_of(rows.begin(), rows.end(), [&](const PriceGpu& row) { return row.price_gpu_id == name; });
}

}  // namespace

std::vector<const Gpu*> GpuNames::products(const GpuMention& mention) const {
  std::vector<const Gpu*> gpus = gpus_named(catalog_, mention.text);
  if (mention.memory) {
    std::vector<const Gpu*> fitting;
    std::copy_if(gpus.begin(), gpus.end(), std::back_inserter(fitting), [&](const Gpu* gpu) {
      return has_memory(*gpu, *mention.memory);
    });
    gpus = fitting.empty() ? gpus : fitting;
  }
  // The instance names its board.
  for (const System& system : catalog_.systems) {
    if (system.provider == mention.provider && same_name(system.instance, mention.sku)) {
      const auto of_system =
          std::find_if(gpus.begin(), gpus.end(), [&](const Gpu* gpu) { return gpu->id == system.gpu_id; });
      if (of_system != gpus.end()) {
        return {*of_system};
      }
    }
  }
  return gpus;
}

std::string GpuNames::name_for(const std::vector<const Gpu*>& gpus, std::string_view text) {
  std::string ids;
  std::set<std::string_view> set;
  for (const Gpu* gpu : gpus) {
    ids += (ids.empty() ? "" : " ") + std::string(gpu->id);
    set.insert(gpu->id);
  }
  for (const PriceGpu& row : catalog_.price_gpus) {
    if (gpus.size() > 1 && row.sku.empty() && words_of(row.candidates) == set) {
      return std::string(row.price_gpu_id);
    }
  }
  std::string name(gpus.size() == 1 ? gpus.front()->id : text);
  candidates_.emplace(name, ids);
  return name;
}

std::optional<std::string> GpuNames::resolve(const GpuMention& mention) {
  const Key key{std::string(mention.text),
                mention.memory ? mention.memory->base() : 0.0,
                std::string(mention.provider),
                std::string(mention.sku)};
  const auto known = known_.find(key);
  if (known != known_.end()) {
    return known->second;
  }
  std::optional<std::string> name;
  if (lists(catalog_.price_gpus, mention.text)) {
    name = std::string(mention.text);
  } else if (const std::vector<const Gpu*> gpus = products(mention); !gpus.empty()) {
    name = name_for(gpus, mention.text);
  }
  return known_.emplace(key, name).first->second;
}

std::vector<PriceGpu> GpuNames::take_meanings(RowStorage& storage) {
  std::vector<PriceGpu> meanings;
  for (const auto& [name, ids] : candidates_) {
    const bool one = ids.find(' ') == std::string::npos;
    meanings.push_back({.price_gpu_id = storage.keep(name),
                        .sku = {},
                        .gpu_id = one ? storage.keep(ids) : Name{},
                        .candidates = one ? Name{} : storage.keep(ids),
                        .reason = one ? Name{} : storage.keep("the name fits several products")});
  }
  return meanings;
}

}  // namespace mekiki
