#include "report/price_parts.h"

#include <fmt/format.h>

#include "report/numbers.h"

namespace mekiki {
namespace {

constexpr const char* kSilent = "the price book does not say";

template <class T>
void add_known(Json& json, const char* key, const std::optional<T>& value) {
  if (value) {
    json[key] = *value;
  } else {
    add_unknown(json, key, kSilent);
  }
}

void add_seconds(Json& json, const char* key, const std::optional<Seconds>& value) {
  if (value) {
    json[key] = rounded(value->base());
  } else {
    add_unknown(json, key, kSilent);
  }
}

void add_date(Json& json, const char* key, const std::optional<Date>& value) {
  if (value) {
    json[key] = format_date(*value);
  } else {
    add_unknown(json, key, kSilent);
  }
}

template <class E>
void add_choice(Json& json, const char* key, E value) {
  if (value == E::unknown) {
    add_unknown(json, key, kSilent);
  } else {
    json[key] = enum_name(value);
  }
}

}  // namespace

std::string price_per_hour(const Price& price) {
  if (!price.per_unit) {
    return "-";
  }
  return price.currency == kPlanCurrency ? usd(*price.per_unit * kHour)
                                         : fmt::format("{:.2f} {}", *price.per_unit / kUsdPerHour, price.currency);
}

std::string price_per_gpu_hour(const Price& price) {
  return price.per_unit ? fmt::format("{:.2f}", *price.per_unit / kUsdPerHour / static_cast<double>(price.gpus)) : "-";
}

Json price_fields(const Price& price) {
  Json json = {{"id", price.id},
               {"provider", price.provider},
               {"sku", price.sku},
               {"gpu_of_book", price.gpu_id},
               {"gpus", price.gpus},
               {"region", price.region},
               {"kind", enum_name(price.kind)}};
  add_choice(json, "tenancy", price.tenancy);
  if (price.per_unit) {
    json["per_hour"] = rounded(*price.per_unit / kUsdPerHour);
    json["per_gpu_hour"] = rounded(*price.per_unit / kUsdPerHour / static_cast<double>(price.gpus));
  } else {
    add_unknown(json, "per_hour", "the source gives none");
    add_unknown(json, "per_gpu_hour", "the source gives none");
  }
  json["currency"] = price.currency;
  json["date"] = format_date(price.as_of);
  add_date(json, "valid_from", price.valid_from);
  add_date(json, "valid_to", price.valid_to);
  add_seconds(json, "billing_increment_s", price.billing_increment);
  add_seconds(json, "minimum_s", price.minimum);
  add_seconds(json, "commitment_s", price.commitment);
  add_known(json, "upfront_share", price.upfront_share);
  add_known(json, "minimum_units", price.minimum_units);
  add_choice(json, "includes_host", price.includes_host);
  json["doubt"] = price.doubt;
  json["source"] = price.source;
  json["notes"] = price.notes;
  json["own"] = price.own;
  return json;
}

}  // namespace mekiki
