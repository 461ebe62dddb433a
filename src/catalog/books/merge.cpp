#include "catalog/books/merge.h"

#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "catalog/rows/row_text.h"
#include "cost/price_join.h"

namespace mekiki {
namespace {

using OfferKey = std::tuple<Name, Name, std::int64_t, PriceKind>;

// Unset: the book's name means no single product, and nothing can contradict it.
std::optional<OfferKey> key_of(const Price& price, PriceJoiner& joiner) {
  const PriceGpu* meaning = joiner.join(price).meaning;
  if (meaning == nullptr || meaning->gpu_id.empty() || !price.per_unit || price.currency != kPlanCurrency) {
    return std::nullopt;
  }
  return OfferKey{price.provider, meaning->gpu_id, price.gpus, price.kind};
}

std::vector<PriceConflict> conflicts_of(const Catalog& catalog) {
  constexpr double kShown = 0.05;
  PriceJoiner joiner({catalog.systems, catalog.prices, catalog.price_gpus});
  std::map<OfferKey, const Price*> newest;
  for (const Price& price : catalog.prices) {
    const auto key = key_of(price, joiner);
    if (!key || price.own || is_suspect(price)) {
      continue;
    }
    const Price*& known = newest[*key];
    known = known == nullptr || known->as_of < price.as_of ? &price : known;
  }
  std::vector<PriceConflict> conflicts;
  for (const Price& price : catalog.prices) {
    const auto key = price.own ? key_of(price, joiner) : std::nullopt;
    const auto known = key ? newest.find(*key) : newest.end();
    if (known != newest.end() && std::abs(*price.per_unit / *known->second->per_unit - 1.0) > kShown) {
      conflicts.push_back({&price, known->second});
    }
  }
  return conflicts;
}

}  // namespace

std::shared_ptr<const MergedBooks> merge_books(const Catalog& base, std::vector<PriceBookRows> books) {
  auto merged = std::make_shared<MergedBooks>();
  merged->books = std::move(books);
  merged->prices.assign(base.prices.begin(), base.prices.end());
  merged->price_gpus.assign(base.price_gpus.begin(), base.price_gpus.end());
  for (const PriceBookRows& book : merged->books) {
    merged->prices.insert(merged->prices.end(), book.prices.begin(), book.prices.end());
    merged->price_gpus.insert(merged->price_gpus.end(), book.price_gpus.begin(), book.price_gpus.end());
  }
  merged->catalog = base;
  merged->catalog.prices = merged->prices;
  merged->catalog.price_gpus = merged->price_gpus;
  merged->digest = digest_of(merged->catalog);
  merged->catalog.digest = merged->digest;
  merged->conflicts = conflicts_of(merged->catalog);
  return merged;
}

}  // namespace mekiki
