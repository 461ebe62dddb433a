#include "report/tariff_report.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/table.h"

namespace mekiki {
namespace {

template <class E>
std::string spoken_name(std::string_view group, E value, const Voice& say) {
  return std::string(say(message_of(std::string(group) + "." + std::string(enum_name(value)))));
}

std::string heading(Message message, const Voice& say) {
  return std::string(say(message));
}

// Prices of a GB lie down to tenths of a cent: no digit of the source is rounded off.
std::string amount_text(Usd price) {
  return fmt::format("{:.6g}", price / kUsd);
}

ListingCell figure_cell(const Tariff& tariff, TariffUse use) {
  const TariffFigure* figure = tariff.figure(use);
  return figure == nullptr ? ListingCell{"-", {}} : ListingCell{amount_text(figure->price), figure->price / kUsd};
}

std::string date_text(const Tariff& tariff) {
  return tariff.as_of ? format_date(*tariff.as_of) : "-";
}

std::string age_text(const TariffLine& line, const Voice& say) {
  return line.staleness ? spoken_name("staleness", *line.staleness, say) : std::string(say(Message::staleness_unknown));
}

constexpr TariffUse kCallUses[] = {TariffUse::input,
                                   TariffUse::cached_input,
                                   TariffUse::output,
                                   TariffUse::batch_input,
                                   TariffUse::batch_output,
                                   TariffUse::training};

bool is_batch(TariffUse use) {
  return use == TariffUse::batch_input || use == TariffUse::batch_output;
}

std::string name_of(const Tariff& tariff) {
  return fmt::format("{} {}{}{}", tariff.provider, tariff.item, tariff.variant.empty() ? "" : ", ", tariff.variant);
}

std::string point_name(const TariffPoint& point, const Voice& say) {
  return fmt::format("{}: {} ({} / {})",
                     name_of(*point.tariff),
                     spoken_name("tariff_use", point.figure->use, say),
                     kPlanCurrency,
                     enum_name(point.figure->unit));
}

Json fields_json(const TariffLine& line) {
  const Tariff& tariff = *line.tariff;
  Json json = {{"id", tariff.id},
               {"service", enum_name(tariff.service)},
               {"provider", tariff.provider},
               {"item", tariff.item},
               {"variant", tariff.variant},
               {"kind", tariff.kind},
               {"currency", kPlanCurrency},
               {"figures", Json::array()}};
  for (const TariffFigure& figure : tariff.figures) {
    json["figures"].push_back(
        {{"use", enum_name(figure.use)}, {"price", rounded(figure.price / kUsd)}, {"per", enum_name(figure.unit)}});
  }
  json["other"] = tariff.other;
  if (tariff.as_of && line.age_days && line.staleness) {
    json["date"] = format_date(*tariff.as_of);
    json["age_days"] = *line.age_days;
    json["staleness"] = enum_name(*line.staleness);
  } else {
    for (const char* key : {"date", "age_days", "staleness"}) {
      add_unknown(json, key, "the source has no day");
    }
  }
  json["source"] = tariff.source;
  json["notes"] = tariff.notes;
  json["own"] = tariff.own;
  return json;
}

Json point_json(const std::optional<TariffPoint>& point) {
  if (!point) {
    return nullptr;
  }
  return {{"id", point->tariff->id},
          {"use", enum_name(point->figure->use)},
          {"price", rounded(point->figure->price / kUsd)},
          {"per", enum_name(point->figure->unit)},
          {"date", point->tariff->as_of ? Json(format_date(*point->tariff->as_of)) : Json(nullptr)}};
}

}  // namespace

Listing tariffs_listing(const std::vector<TariffLine>& tariffs, Service service, const Voice& say) {
  const bool calls = service == Service::api;
  Listing listing;
  listing.columns = {{"id", "id", Align::left, false},
                     {"provider", heading(Message::column_provider, say)},
                     {"item", heading(Message::column_item, say)},
                     {"variant", heading(Message::column_variant, say)},
                     {"kind", heading(Message::column_kind, say), Align::left, service != Service::egress}};
  if (calls) {
    for (const TariffUse use : kCallUses) {
      listing.columns.push_back(
          {std::string(enum_name(use)), spoken_name("tariff_use", use, say), Align::right, !is_batch(use)});
    }
  } else {
    listing.columns.push_back({"price", heading(Message::column_price, say), Align::right});
    listing.columns.push_back({"per", heading(Message::column_unit, say)});
  }
  listing.columns.insert(listing.columns.end(),
                         {{"other", "other", Align::left, false},
                          {"date", heading(Message::column_date, say)},
                          {"age_days", "days", Align::right, false},
                          {"staleness", heading(Message::column_age, say)},
                          {"source", "source", Align::left, false}});
  for (const TariffLine& line : tariffs) {
    const Tariff& tariff = *line.tariff;
    std::vector<ListingCell> cells = {
        {tariff.id, {}}, {tariff.provider, {}}, {tariff.item, {}}, {tariff.variant, {}}, {tariff.kind, {}}};
    if (calls) {
      for (const TariffUse use : kCallUses) {
        cells.push_back(figure_cell(tariff, use));
      }
    } else {
      cells.push_back(figure_cell(tariff, tariff.figures.front().use));
      cells.push_back({std::string(enum_name(tariff.figures.front().unit)), {}});
    }
    const std::optional<double> age = line.age_days ? std::optional(static_cast<double>(*line.age_days)) : std::nullopt;
    cells.insert(cells.end(),
                 {{tariff.other, {}},
                  {date_text(tariff), {}},
                  {line.age_days ? std::to_string(*line.age_days) : "-", age},
                  {age_text(line, say), {}},
                  {tariff.source, {}}});
    listing.rows.push_back(std::move(cells));
  }
  return listing;
}

std::string tariffs_footer(std::size_t count, Service service, const Voice& say) {
  const Message message = service == Service::api ? Message::tariffs_footer_api : Message::tariffs_footer;
  return say(message, {{"count", std::to_string(count)}}) + "\n";
}

Json tariffs_json(const std::vector<TariffLine>& tariffs, Service service, const Envelope& envelope) {
  Json json = json_envelope(envelope);
  json["service"] = enum_name(service);
  json["prices"] = Json::array();
  for (const TariffLine& line : tariffs) {
    json["prices"].push_back(fields_json(line));
  }
  return json;
}

std::string tariff_text(const TariffLine& line) {
  std::vector<std::vector<std::string>> rows;
  const Json fields = fields_json(line);
  for (const auto& [key, value] : fields.items()) {
    if (key == "figures") {
      for (const TariffFigure& figure : line.tariff->figures) {
        rows.push_back({std::string(enum_name(figure.use)),
                        fmt::format("{} {} / {}", amount_text(figure.price), kPlanCurrency, enum_name(figure.unit))});
      }
    } else if (!key.ends_with("_reason")) {
      rows.push_back({key, value.is_null() ? "-" : value.is_string() ? value.get<std::string>() : value.dump()});
    }
  }
  return table({{""}, {""}}, rows);
}

Json tariff_json(const TariffLine& line, const Envelope& envelope) {
  Json json = json_envelope(envelope);
  json["price"] = fields_json(line);
  return json;
}

std::string changes_text(const std::vector<TariffChange>& changes, const Voice& say) {
  std::vector<std::vector<std::string>> rows;
  for (const TariffChange& change : changes) {
    const bool comparable = change.before && change.after && change.before->figure->price > Usd{};
    rows.push_back(
        {point_name(change.after ? *change.after : *change.before, say),
         change.before ? amount_text(change.before->figure->price) : "-",
         change.after ? amount_text(change.after->figure->price) : "-",
         comparable ? change_text(change.before->figure->price / kUsd, change.after->figure->price / kUsd) : "-"});
  }
  return table({{heading(Message::column_name, say)},
                {heading(Message::column_before, say), Align::right},
                {heading(Message::column_after, say), Align::right},
                {heading(Message::column_change, say), Align::right}},
               rows) +
         say(Message::changes_footer, {{"count", std::to_string(changes.size())}}) + "\n";
}

Json changes_json(const std::vector<TariffChange>& changes, const Envelope& envelope) {
  Json json = json_envelope(envelope);
  json["changes"] = Json::array();
  for (const TariffChange& change : changes) {
    json["changes"].push_back({{"before", point_json(change.before)}, {"after", point_json(change.after)}});
  }
  return json;
}

Json history_json(const std::vector<TariffSeries>& series, const Envelope& envelope) {
  Json json = json_envelope(envelope);
  json["series"] = Json::array();
  for (const TariffSeries& one : series) {
    const TariffPoint& first = one.front();
    Json item = {{"service", enum_name(first.tariff->service)},
                 {"provider", first.tariff->provider},
                 {"item", first.tariff->item},
                 {"variant", first.tariff->variant},
                 {"kind", first.tariff->kind},
                 {"use", enum_name(first.figure->use)},
                 {"per", enum_name(first.figure->unit)},
                 {"currency", kPlanCurrency},
                 {"points", Json::array()}};
    for (const TariffPoint& point : one) {
      item["points"].push_back({{"date", format_date(*point.tariff->as_of)},
                                {"price", rounded(point.figure->price / kUsd)},
                                {"id", point.tariff->id}});
    }
    json["series"].push_back(std::move(item));
  }
  return json;
}

PriceHistory history_of(const TariffSeries& series, const Voice& say) {
  PriceHistory history{.name = point_name(series.front(), say), .points = {}};
  for (const TariffPoint& point : series) {
    history.points.push_back({.day = *point.tariff->as_of,
                              .amount = point.figure->price / kUsd,
                              .currency = std::string(kPlanCurrency),
                              .amount_text = amount_text(point.figure->price),
                              .detail = "",
                              .mark = ""});
  }
  return history;
}

}  // namespace mekiki
