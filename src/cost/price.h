// Price: one dated row of a price book. No price is never zero: a unit without one has no row.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "base/date.h"
#include "base/enum_names.h"
#include "base/name.h"
#include "base/quantity.h"
#include "hardware/system.h"

namespace mekiki {

enum class PriceKind : std::uint8_t { on_demand, spot, reserved, committed, capacity_block, marketplace };

template <>
struct EnumNames<PriceKind> {
  static constexpr std::array<std::string_view, 6> value = {
      "on_demand", "spot", "reserved", "committed", "capacity_block", "marketplace"};
};

/// Whose machine it is, and who else is on it. community: machines of third parties; secure: of the provider or a
/// vetted data centre; dedicated: no other customer on the host.
enum class Tenancy : std::uint8_t { unknown, shared, dedicated, community, secure };

template <>
struct EnumNames<Tenancy> {
  static constexpr std::array<std::string_view, 5> value = {"unknown", "shared", "dedicated", "community", "secure"};
};

struct Price {
  Name id;
  Name provider;          // id of a Provider
  Name sku;               // instance or product name, empty where the source gives none
  Name gpu_id;            // of the price book (may lack the form factor); see PriceGpu
  std::int64_t gpus = 1;  // of the purchasable unit
  Name region;
  PriceKind kind = PriceKind::on_demand;
  Tenancy tenancy = Tenancy::unknown;
  std::optional<UsdPerSecond> per_unit;  // the whole purchasable unit, in `currency`
  Name currency = "USD";
  Date as_of;  // when the source read the price
  std::optional<Date> valid_from;
  std::optional<Date> valid_to;  // the last day
  std::optional<Seconds> billing_increment;
  std::optional<Seconds> minimum;             // the shortest time that is billed
  std::optional<Seconds> commitment;          // how long a reserved or committed unit is bound
  std::optional<double> upfront_share;        // of the whole price, paid before the first hour
  std::optional<std::int64_t> minimum_units;  // the fewest units that are sold at this price
  std::optional<Seconds> waiting;             // from order to first hour: queue and provisioning
  Answer includes_host = Answer::unknown;     // no: the accelerator alone, its machine costs extra
  Name doubt;                                 // why the source or our own check doubts the row; empty: nobody does
  Name source;
  Name notes;
  bool own = false;  // from the user's own book: wins over bundled prices
};

/// The only currency that plans count in. A price of another one is shown; it is planned with once its owner has given
/// a dated exchange rate.
inline constexpr Name kPlanCurrency = "USD";

/// A doubted price is shown, never planned with.
inline bool is_suspect(const Price& price) {
  return !price.doubt.empty();
}

/// What a plan can count with: not doubted, in its currency, with the machine around the accelerator.
inline bool is_plannable(const Price& price) {
  return !is_suspect(price) && price.currency == kPlanCurrency && price.includes_host != Answer::no;
}

/// In force on that day, as far as the source says.
inline bool is_valid_on(const Price& price, Date day) {
  return (!price.valid_from || *price.valid_from <= day) && (!price.valid_to || day <= *price.valid_to);
}

struct PriceBook {
  Name id;
  std::span<const Price> prices;
};

/// What a price book means by one of its GPU names. A name without a form factor means no product: then
/// `gpu_id` is empty, `candidates` are the products that it may be, and `reason` says why. A row with a `sku` speaks
/// only of prices with that sku, and wins over one without.
struct PriceGpu {
  Name price_gpu_id;
  Name sku;
  Name gpu_id;
  Name candidates;  // ids of GPUs, separated by blanks
  Name reason;
};

enum class ProviderClass : std::uint8_t { hyperscaler, gpu_cloud, marketplace, gateway, model_api, storage, owned };

template <>
struct EnumNames<ProviderClass> {
  static constexpr std::array<std::string_view, 7> value = {
      "hyperscaler", "gpu_cloud", "marketplace", "gateway", "model_api", "storage", "owned"};
};

/// Who rents or sells systems, or what stands beside them. gateway: sells calls of other people's models, no machines.
/// model_api: calls and fine-tuning of the models that it serves itself. storage: only a place for data. `owned` stands
/// for machines that are bought.
struct Provider {
  Name id;
  Name name;
  std::span<const Name> aliases;  // as price books and tools write it
  ProviderClass provider_class = ProviderClass::gpu_cloud;
  Name notes;
};

/// What a short key in a `source` column stands for.
struct Source {
  Name key;
  Name what;
  Name grade;
};

}  // namespace mekiki
