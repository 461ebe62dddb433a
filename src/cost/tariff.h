// Tariff: one dated row of what a provider sells beside machines: storage by the month, traffic, calls of a model.
// Data: data/prices/storage.csv, egress.csv and api_prices.csv; a user's own book has the same columns.
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
#include "base/quantity.h"
#include "base/result.h"
#include "cost/book_fault.h"
#include "cost/price.h"

namespace mekiki {

enum class Service : std::uint8_t { storage, egress, api };

template <>
struct EnumNames<Service> {
  static constexpr std::array<std::string_view, 3> value = {"storage", "egress", "api"};
};

/// What a figure of a tariff buys.
enum class TariffUse : std::uint8_t { stored, sent, input, cached_input, output, batch_input, batch_output, training };

template <>
struct EnumNames<TariffUse> {
  static constexpr std::array<std::string_view, 8> value = {
      "stored", "sent", "input", "cached_input", "output", "batch_input", "batch_output", "training"};
};

enum class TariffUnit : std::uint8_t { gb_month, gib_month, gb, gib, million_tokens };

template <>
struct EnumNames<TariffUnit> {
  static constexpr std::array<std::string_view, 5> value = {"GB-month", "GiB-month", "GB", "GiB", "1M tokens"};
};

struct TariffFigure {
  TariffUse use = TariffUse::stored;
  TariffUnit unit = TariffUnit::gb_month;
  Usd price;  // of one unit; 0 only for traffic that its provider calls free

  /// Of a GB where the unit is a GiB, so that rows compare; else as it is.
  Usd comparable() const;
};

struct Tariff {
  std::string id;  // service, provider, item, variant and day
  Service service = Service::storage;
  std::string provider;               // id of a Provider
  std::string item;                   // product, path of the traffic, model
  std::string variant;                // class, tier, method
  std::string kind;                   // object, file, block; inference, fine_tuning ...; empty for traffic
  std::vector<TariffFigure> figures;  // empty: billed by what `other` says
  std::string other;
  std::optional<Date> as_of;  // unset: the source has no day; the last day of a year that stands alone
  std::string source;
  std::string notes;
  bool own = false;  // from the user's own book

  const TariffFigure* figure(TariffUse use) const;  // null: none
};

struct TariffOptions {
  std::string_view subject;  // names the text in places and errors
  std::span<const Provider> providers;
  std::optional<Date> today;  // rows of later days are faults; unset: any day will do
  bool own = false;
};

struct TariffBook {
  Service service = Service::storage;
  std::vector<Tariff> tariffs;
  std::vector<std::string> places;  // of the tariffs
  std::vector<BookFinding> findings;
  std::int64_t rows = 0;
};

/// Whose columns the header of this CSV has; unset: those of no tariff.
std::optional<Service> service_of(std::string_view csv);

/// Row by row: what is no tariff stands in the findings, and never among the tariffs. Errors, at line 1: those of
/// parse_csv, an unknown column, a missing one.
Result<TariffBook> read_tariffs(std::string_view csv, Service service, const TariffOptions& options);

/// The same for a file that must be right: the first row that is no tariff is the error. Rows of providers that are not
/// listed are left out.
Result<std::vector<Tariff>> read_sound_tariffs(std::string_view csv,
                                               Service service,
                                               std::string_view subject,
                                               std::span<const Provider> providers);

}  // namespace mekiki
