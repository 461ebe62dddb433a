// Which systems a price is of. Price books name products loosely; a join says how far the names agree.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "cost/price.h"
#include "hardware/system.h"

namespace mekiki {

/// exact: provider, GPU and instance agree, or provider, GPU and the number of GPUs where only one system of the
/// provider has both. similar: the price is of a smaller unit of the same GPU, or one of several systems, or its book
/// does not say which form of the GPU it means. none: no price.
enum class JoinQuality : std::uint8_t { none, similar, exact };

template <>
struct EnumNames<JoinQuality> {
  static constexpr std::array<std::string_view, 3> value = {"none", "similar", "exact"};
};

/// Why a price joins no system.
enum class UnjoinedCause : std::uint8_t {
  no_system_of_provider,
  unknown_gpu,  // the catalogue has no such product, or the book names none
  no_system_with_gpu,
  other_size  // a unit larger than the systems with this GPU, or no divisor of them
};

inline constexpr std::size_t kUnjoinedCauses = 4;

template <>
struct EnumNames<UnjoinedCause> {
  static constexpr std::array<std::string_view, kUnjoinedCauses> value = {
      "no_system_of_provider", "unknown_gpu", "no_system_with_gpu", "other_size"};
};

struct JoinTables {
  std::span<const System> systems;
  std::span<const Price> prices;
  std::span<const PriceGpu> price_gpus;
};

/// A system that a price is of; a pod with the GPU and the size that make it concrete.
struct JoinedSystem {
  std::size_t system = 0;  // index into JoinTables::systems
  Name gpu_id;
  std::int64_t gpus = 1;
  std::int64_t units = 1;  // purchasable units that make one node
  JoinQuality quality = JoinQuality::none;
};

struct PriceJoin {
  const PriceGpu* meaning = nullptr;  // null: the book's name is not in the table
  std::vector<JoinedSystem> systems;  // in the order of the systems
  std::optional<UnjoinedCause> cause;
  bool sku_names_system = false;
};

/// What a price book means by the GPU of a price; null where the book's name is not in the table.
const PriceGpu* meaning_of(const Price& price, std::span<const PriceGpu> price_gpus);

/// Joins prices, whatever their age and however doubtful. Answers are kept by what a join looks at: a book of a
/// hundred thousand rows costs as much as its distinct products. What the tables view must outlive the joiner.
class PriceJoiner {
 public:
  explicit PriceJoiner(const JoinTables& tables) : tables_(tables) {}

  /// Valid until the joiner dies.
  const PriceJoin& join(const Price& price);

 private:
  using Key = std::tuple<Name, Name, Name, std::int64_t, bool>;

  JoinTables tables_;
  std::map<Key, PriceJoin> joins_;
};

/// How much of a book joins, and why the rest does not.
struct JoinCoverage {
  std::int64_t rows = 0;
  std::int64_t rows_with_form = 0;    // whose GPU name means one product
  std::int64_t joined_with_form = 0;  // of those
  std::int64_t exact = 0;             // of all rows
  std::int64_t similar = 0;
  std::array<std::int64_t, kUnjoinedCauses> unjoined{};
};

JoinCoverage coverage_of(std::span<const Price> prices, PriceJoiner& joiner);

}  // namespace mekiki
