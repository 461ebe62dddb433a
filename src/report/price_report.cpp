#include "report/price_report.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "report/numbers.h"
#include "report/price_parts.h"
#include "report/table.h"

namespace mekiki {
namespace {

std::string heading(Message message, const Voice& say) {
  return std::string(say(message));
}

template <class E>
std::string spoken_name(std::string_view group, E value, const Voice& say) {
  return std::string(say(message_of(std::string(group) + "." + std::string(enum_name(value)))));
}

std::optional<double> hourly(const Price& price) {
  return price.per_unit ? std::optional<double>(*price.per_unit / kUsdPerHour) : std::nullopt;
}

std::optional<double> hourly_per_gpu(const Price& price) {
  const auto unit = hourly(price);
  return unit ? std::optional<double>(*unit / static_cast<double>(price.gpus)) : std::nullopt;
}

std::string gpu_text(const PriceLine& line) {
  return std::string(line.gpu_id.empty() ? line.price->gpu_id : line.gpu_id) + (line.gpu_id.empty() ? " ?" : "");
}

std::string age_text(const PriceLine& line, const Voice& say) {
  return spoken_name("staleness", line.staleness, say) +
         (is_suspect(*line.price) ? " " + std::string(say(Message::prices_doubted)) : "");
}

std::string known(std::string_view word) {
  return word == "unknown" ? "-" : std::string(word);
}

Json line_json(const PriceLine& line) {
  Json json = price_fields(*line.price);
  if (line.gpu_id.empty()) {
    add_unknown(json, "gpu", line.gpu_reason.empty() ? "the book's name is not known" : line.gpu_reason);
  } else {
    json["gpu"] = line.gpu_id;
  }
  json["age_days"] = line.age_days;
  json["staleness"] = enum_name(line.staleness);
  return json;
}

Json conflicts_json(const std::vector<PriceConflict>& conflicts) {
  Json list = Json::array();
  for (const PriceConflict& conflict : conflicts) {
    list.push_back({{"own", conflict.own->id},
                    {"own_per_hour", rounded(*hourly(*conflict.own))},
                    {"own_date", format_date(conflict.own->as_of)},
                    {"bundled", conflict.bundled->id},
                    {"bundled_per_hour", rounded(*hourly(*conflict.bundled))},
                    {"bundled_date", format_date(conflict.bundled->as_of)}});
  }
  return list;
}

std::string offer_text(const Price& price) {
  return fmt::format(
      "{}{}{} {} x {}", price.provider, price.sku.empty() ? "" : " ", price.sku, price.gpus, price.gpu_id);
}

Json coverage_json(const JoinCoverage& coverage) {
  Json unjoined = Json::object();
  for (std::size_t i = 0; i < kUnjoinedCauses; ++i) {
    unjoined[std::string(EnumNames<UnjoinedCause>::value[i])] = coverage.unjoined[i];
  }
  return {{"rows", coverage.rows},
          {"rows_with_form", coverage.rows_with_form},
          {"joined_with_form", coverage.joined_with_form},
          {"exact", coverage.exact},
          {"similar", coverage.similar},
          {"unjoined", std::move(unjoined)}};
}

std::string coverage_text(const JoinCoverage& coverage, const Voice& say) {
  const auto form = static_cast<double>(coverage.rows_with_form);
  std::string text =
      say(Message::books_coverage,
          {{"rows_with_form", std::to_string(coverage.rows_with_form)},
           {"joined", std::to_string(coverage.joined_with_form)},
           {"share",
            coverage.rows_with_form > 0 ? percent(static_cast<double>(coverage.joined_with_form) / form) : "-"},
           {"exact", std::to_string(coverage.exact)},
           {"similar", std::to_string(coverage.similar)}}) +
      "\n";
  for (std::size_t i = 0; i < kUnjoinedCauses; ++i) {
    if (coverage.unjoined[i] > 0) {
      text += fmt::format(
          "  {:>4}  {}\n", coverage.unjoined[i], spoken_name("unjoined", static_cast<UnjoinedCause>(i), say));
    }
  }
  return text;
}

std::string book_summary(const BookAnswer& book, const Voice& say) {
  if (book.service) {
    return say(Message::books_summary_tariffs,
               {{"subject", book.subject},
                {"service", spoken_name("service", *book.service, say)},
                {"rows", std::to_string(book.rows)},
                {"prices", std::to_string(book.prices)}}) +
           "\n";
  }
  return say(Message::books_summary,
             {{"subject", book.subject},
              {"rows", std::to_string(book.rows)},
              {"prices", std::to_string(book.prices)},
              {"without_gpu", std::to_string(book.without_gpu)}}) +
         "\n";
}

}  // namespace

Listing prices_listing(const std::vector<PriceLine>& prices, const Voice& say) {
  Listing listing;
  listing.columns = {{"id", "id", Align::left, false},
                     {"provider", heading(Message::column_provider, say)},
                     {"sku", "sku"},
                     {"gpus", heading(Message::column_gpus, say), Align::right},
                     {"gpu", "gpu"},
                     {"kind", heading(Message::column_kind, say)},
                     {"per_hour", heading(Message::column_per_hour, say), Align::right},
                     {"per_gpu_hour", heading(Message::column_per_gpu, say), Align::right},
                     {"currency", "currency", Align::left, false},
                     {"region", "region", Align::left, false},
                     {"tenancy", "tenancy", Align::left, false},
                     {"date", heading(Message::column_date, say)},
                     {"age_days", "days", Align::right, false},
                     {"staleness", heading(Message::column_age, say)},
                     {"source", "source", Align::left, false}};
  for (const PriceLine& line : prices) {
    const Price& price = *line.price;
    listing.rows.push_back({{std::string(price.id), {}},
                            {std::string(price.provider), {}},
                            {std::string(price.sku), {}},
                            {std::to_string(price.gpus), static_cast<double>(price.gpus)},
                            {gpu_text(line), {}},
                            {std::string(enum_name(price.kind)), {}},
                            {price_per_hour(price), hourly(price)},
                            {price_per_gpu_hour(price), hourly_per_gpu(price)},
                            {std::string(price.currency), {}},
                            {std::string(price.region), {}},
                            {known(enum_name(price.tenancy)), {}},
                            {format_date(price.as_of), {}},
                            {std::to_string(line.age_days), static_cast<double>(line.age_days)},
                            {age_text(line, say), {}},
                            {std::string(price.source), {}}});
  }
  return listing;
}

std::string conflicts_text(const std::vector<PriceConflict>& conflicts, const Voice& say) {
  std::string text;
  for (const PriceConflict& conflict : conflicts) {
    text += say(Message::prices_conflict,
                {{"offer", offer_text(*conflict.own)},
                 {"own", price_per_hour(*conflict.own)},
                 {"own_date", format_date(conflict.own->as_of)},
                 {"bundled", price_per_hour(*conflict.bundled)},
                 {"bundled_date", format_date(conflict.bundled->as_of)}}) +
            "\n";
  }
  return text;
}

std::string prices_footer(std::size_t count, const std::vector<PriceConflict>& conflicts, const Voice& say) {
  return say(Message::prices_footer, {{"count", std::to_string(count)}}) + "\n" + conflicts_text(conflicts, say);
}

Json prices_json(const std::vector<PriceLine>& prices,
                 const std::vector<PriceConflict>& conflicts,
                 const Envelope& envelope) {
  Json json = json_envelope(envelope);
  json["prices"] = Json::array();
  for (const PriceLine& line : prices) {
    json["prices"].push_back(line_json(line));
  }
  json["conflicts"] = conflicts_json(conflicts);
  return json;
}

std::string price_text(const PriceAnswer& answer, const Voice& say) {
  const Json fields = line_json(answer.line);
  std::vector<std::vector<std::string>> rows;
  for (const auto& [key, value] : fields.items()) {
    if (!key.ends_with("_reason")) {
      rows.push_back({key, value.is_null() ? "-" : value.is_string() ? value.get<std::string>() : value.dump()});
    }
  }
  std::string text = table({{""}, {""}}, rows);
  if (answer.join.cause) {
    return text + say(Message::price_joins_nothing, {{"cause", spoken_name("unjoined", *answer.join.cause, say)}}) +
           "\n";
  }
  for (const JoinedSystem& joined : answer.join.systems) {
    text += say(Message::price_joins,
                {{"system", std::string(answer.systems[joined.system].id)},
                 {"gpus", std::to_string(joined.gpus)},
                 {"units", std::to_string(joined.units)},
                 {"quality", spoken_name("join", joined.quality, say)}}) +
            "\n";
  }
  return text;
}

Json price_json(const PriceAnswer& answer, const Envelope& envelope) {
  Json json = json_envelope(envelope);
  json["price"] = line_json(answer.line);
  json["systems"] = Json::array();
  for (const JoinedSystem& joined : answer.join.systems) {
    json["systems"].push_back({{"system", answer.systems[joined.system].id},
                               {"gpus", joined.gpus},
                               {"units", joined.units},
                               {"join", enum_name(joined.quality)}});
  }
  if (answer.join.cause) {
    json["unjoined"] = enum_name(*answer.join.cause);
  }
  return json;
}

bool BookAnswer::has_faults() const {
  return std::any_of(
      findings.begin(), findings.end(), [](const BookFinding& finding) { return excludes(finding.fault); });
}

std::string findings_text(const std::vector<BookFinding>& findings, const Voice& say) {
  std::string text;
  for (const BookFinding& finding : findings) {
    text += fmt::format("{}: {}{}{}\n",
                        finding.place,
                        spoken_name("fault", finding.fault, say),
                        finding.detail.empty() ? "" : ": ",
                        finding.detail);
  }
  return text;
}

std::string books_text(const std::vector<BookAnswer>& books, const Voice& say) {
  std::string text;
  for (const BookAnswer& book : books) {
    text += book_summary(book, say) + findings_text(book.findings, say) +
            (book.coverage ? coverage_text(*book.coverage, say) : "");
  }
  return text;
}

Json books_json(const std::vector<BookAnswer>& books, const Envelope& envelope) {
  Json json = json_envelope(envelope);
  json["books"] = Json::array();
  for (const BookAnswer& book : books) {
    Json findings = Json::array();
    for (const BookFinding& finding : book.findings) {
      findings.push_back({{"fault", enum_name(finding.fault)},
                          {"excluded", excludes(finding.fault)},
                          {"place", finding.place},
                          {"detail", finding.detail}});
    }
    json["books"].push_back({{"subject", book.subject},
                             {"of", book.service ? enum_name(*book.service) : "gpu"},
                             {"rows", book.rows},
                             {"prices", book.prices},
                             {"without_gpu", book.without_gpu},
                             {"findings", std::move(findings)},
                             {"coverage", book.coverage ? coverage_json(*book.coverage) : Json(nullptr)}});
  }
  return json;
}

std::string changes_text(const std::vector<PriceChange>& changes, const Voice& say) {
  std::vector<std::vector<std::string>> rows;
  for (const PriceChange& change : changes) {
    const Price& price = change.after ? **change.after : **change.before;
    const bool both = change.before && change.after;
    rows.push_back({offer_text(price),
                    std::string(enum_name(price.kind)),
                    std::string(price.region),
                    change.before ? price_per_hour(**change.before) : "-",
                    change.after ? price_per_hour(**change.after) : "-",
                    both && (*change.before)->currency == (*change.after)->currency
                        ? change_text(*hourly(**change.before), *hourly(**change.after))
                        : "-"});
  }
  return table({{heading(Message::column_name, say)},
                {heading(Message::column_kind, say)},
                {"region"},
                {heading(Message::column_before, say), Align::right},
                {heading(Message::column_after, say), Align::right},
                {heading(Message::column_change, say), Align::right}},
               rows) +
         say(Message::changes_footer, {{"count", std::to_string(changes.size())}}) + "\n";
}

Json changes_json(const std::vector<PriceChange>& changes, const Envelope& envelope) {
  Json json = json_envelope(envelope);
  json["changes"] = Json::array();
  for (const PriceChange& change : changes) {
    Json item;
    item["before"] = change.before ? price_fields(**change.before) : Json(nullptr);
    item["after"] = change.after ? price_fields(**change.after) : Json(nullptr);
    json["changes"].push_back(std::move(item));
  }
  return json;
}

PriceHistory history_of(const PriceSeries& series, const Voice& say) {
  const Price& first = *series.front();
  PriceHistory history{.name = fmt::format("{} {} {}", offer_text(first), enum_name(first.kind), first.region),
                       .points = {}};
  for (const Price* price : series) {
    history.points.push_back({.day = price->as_of,
                              .amount = *hourly(*price),
                              .currency = std::string(price->currency),
                              .amount_text = price_per_hour(*price),
                              .detail = price_per_gpu_hour(*price),
                              .mark = is_suspect(*price) ? std::string(say(Message::prices_doubted)) : ""});
  }
  return history;
}

Json history_json(const std::vector<PriceSeries>& series, const Envelope& envelope) {
  Json json = json_envelope(envelope);
  json["series"] = Json::array();
  for (const PriceSeries& one : series) {
    Json points = Json::array();
    for (const Price* price : one) {
      points.push_back({{"date", format_date(price->as_of)},
                        {"per_hour", rounded(*hourly(*price))},
                        {"per_gpu_hour", rounded(*hourly_per_gpu(*price))},
                        {"currency", price->currency},
                        {"doubt", price->doubt},
                        {"id", price->id}});
    }
    const Price& first = *one.front();
    json["series"].push_back({{"provider", first.provider},
                              {"sku", first.sku},
                              {"gpu_of_book", first.gpu_id},
                              {"gpus", first.gpus},
                              {"region", first.region},
                              {"kind", enum_name(first.kind)},
                              {"points", std::move(points)}});
  }
  return json;
}

}  // namespace mekiki
