#include "cli/tariff_source.h"

#include <algorithm>

#include "base/did_you_mean.h"
#include "catalog/catalog.h"
#include "cli/catalogue_filters.h"
#include "cli/price_books.h"
#include "cost/tariff_check.h"
#include "report/price_report.h"

namespace mekiki {
namespace {

constexpr std::string_view kMachines = "gpu";

Result<TariffBook> read_bundled(const Context& context, Service service) {
  const std::string_view path = bundled_path(service);
  const std::optional<std::string_view> text = find_document(*context.catalog, path);
  if (!text) {
    return fail({ErrorCode::not_found, std::string(path), "the catalogue lacks it", ""});
  }
  return read_tariffs(*text, service, {.subject = path, .providers = context.catalog->providers});
}

Error wrong_book(const std::string& path, Service wanted, const std::optional<Service>& found) {
  const std::string other = found ? std::string(enum_name(*found)) : std::string(kMachines);
  return {ErrorCode::invalid_input,
          path,
          "has not the columns of a book of " + std::string(enum_name(wanted)) + " prices",
          "it looks like one of `--of " + other + "`"};
}

}  // namespace

Result<std::optional<Service>> service_filter(const Arguments& arguments) {
  const std::string* text = arguments.value("of");
  if (text == nullptr || *text == kMachines) {
    return std::nullopt;
  }
  const std::optional<Service> service = enum_from_name<Service>(*text);
  if (!service) {
    return fail({ErrorCode::not_found,
                 "--of",
                 "\"" + *text + "\" has no prices",
                 std::string(kMachines) + ", " + one_of(EnumNames<Service>::value)});
  }
  if (arguments.has("gpu")) {
    return fail({ErrorCode::usage, "--gpu", "chooses among prices of machines", "leave it or --of out"});
  }
  return service;
}

std::string_view bundled_path(Service service) {
  switch (service) {
    case Service::storage:
      return "data/prices/storage.csv";
    case Service::egress:
      return "data/prices/egress.csv";
    case Service::api:
      return "data/prices/api_prices.csv";
  }
  return {};
}

Result<TariffBook> bundled_tariffs(const Context& context, Service service) {
  Result<TariffBook> book = read_bundled(context, service);
  if (!book) {
    return fail(book.error());
  }
  const std::vector<Tariff> known = book->tariffs;
  return checked(std::move(*book), known);
}

Result<TariffBook> own_tariffs(const Context& context,
                               Service service,
                               std::string_view text,
                               const std::string& path) {
  if (const std::optional<Service> found = service_of(text); found != service) {
    return fail(wrong_book(path, service, found));
  }
  const Result<TariffBook> bundled = read_bundled(context, service);
  if (!bundled) {
    return fail(bundled.error());
  }
  Result<TariffBook> book = read_tariffs(
      text,
      service,
      {.subject = path, .providers = context.catalog->providers, .today = context.envelope.as_of, .own = true});
  if (!book) {
    return fail(book.error());
  }
  return checked(std::move(*book), bundled->tariffs);
}

Result<TariffRows> filtered_tariffs(const Context& context, const Arguments& arguments, Service service) {
  const auto provider = provider_filter(context, arguments);
  if (!provider) {
    return fail(provider.error());
  }
  Result<TariffBook> bundled = bundled_tariffs(context, service);
  if (!bundled) {
    return fail(bundled.error());
  }
  TariffRows rows{.tariffs = std::move(bundled->tariffs), .talk = ""};
  const auto paths = arguments.values.find("price-book");
  for (const std::string& path : paths == arguments.values.end() ? std::vector<std::string>{} : paths->second) {
    const Result<std::string> text = book_file_text(context, path);
    if (!text) {
      return fail(text.error());
    }
    Result<TariffBook> own = own_tariffs(context, service, *text, path);
    if (!own) {
      return fail(own.error());
    }
    rows.talk += findings_text(own->findings, context.say);
    std::move(own->tariffs.begin(), own->tariffs.end(), std::back_inserter(rows.tariffs));
  }
  const std::string* kind = arguments.value("kind");
  std::erase_if(rows.tariffs, [&](const Tariff& tariff) {
    return (*provider && tariff.provider != **provider) || (kind != nullptr && tariff.kind != *kind) ||
           (tariff.as_of && *tariff.as_of > context.envelope.as_of);
  });
  return rows;
}

TariffLine line_of(const Tariff& tariff, Date today) {
  if (!tariff.as_of) {
    return {.tariff = &tariff, .age_days = std::nullopt, .staleness = std::nullopt};
  }
  const std::int64_t age = today.days - tariff.as_of->days;
  // Prices of a list, whatever it is of, grow old alike.
  return {.tariff = &tariff, .age_days = age, .staleness = staleness_of(PriceKind::on_demand, age)};
}

}  // namespace mekiki
