#include "report/history_page.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "page/line_chart.h"
#include "page/page.h"
#include "report/price_parts.h"

namespace mekiki {
namespace {

// The first age at which prices of this kind are stale.
std::int64_t stale_after(PriceKind kind) {
  std::int64_t days = 0;
  while (staleness_of(kind, days) < Staleness::stale) {
    ++days;
  }
  return days;
}

ChartPoint point_of(Date day, std::vector<double> amounts) {
  std::sort(amounts.begin(), amounts.end());
  return {day, amounts.front(), amounts[amounts.size() / 2], amounts.back()};
}

// The lines of one plot, dearest last price first.
std::vector<ChartLine> lines_of(const HistoryPage& page, bool moving, Date last) {
  std::map<std::string, std::map<Date, std::vector<double>>> days;
  for (const PagePrice& price : page.prices) {
    if (price.amount && price.moves_daily == moving && price.day >= page.since) {
      days[price.line][price.day].push_back(*price.amount);
    }
  }
  const std::int64_t stale = stale_after(moving ? PriceKind::spot : PriceKind::on_demand);
  std::vector<ChartLine> lines;
  for (auto& [name, by_day] : days) {
    ChartLine line{.name = name, .points = {}, .is_range = moving, .old_from = std::nullopt};
    for (auto& [day, amounts] : by_day) {
      line.points.push_back(point_of(day, std::move(amounts)));
    }
    line.old_from = Date{line.points.back().day.days + static_cast<std::int32_t>(stale)};
    lines.push_back(std::move(line));
  }
  std::stable_sort(lines.begin(), lines.end(), [](const ChartLine& a, const ChartLine& b) {
    return a.points.back().mid > b.points.back().mid;
  });
  std::erase_if(lines, [&](const ChartLine& line) { return line.points.back().day > last; });
  return lines;
}

std::string plot(Message heading, const HistoryPage& page, std::vector<ChartLine> lines, Date last, const Voice& say) {
  if (lines.empty()) {
    return "";
  }
  const std::string title(say(heading));
  return page_heading(title) +
         line_chart_svg(
             {.title = title + ": " + page.what, .unit = page.unit, .last = last, .lines = std::move(lines)});
}

std::string table_of(const HistoryPage& page, const Voice& say) {
  std::vector<PagePrice> prices = page.prices;
  std::stable_sort(prices.begin(), prices.end(), [](const PagePrice& a, const PagePrice& b) { return a.day > b.day; });
  std::vector<std::vector<std::string>> rows;
  for (const PagePrice& price : prices) {
    rows.push_back({format_date(price.day), price.line, price.product, price.amount_text, price.age, price.source});
  }
  const auto heading = [&](Message message) { return std::string(say(message)); };
  return page_heading(say(Message::history_page_points)) + page_table({{heading(Message::column_date)},
                                                                       {heading(Message::column_provider)},
                                                                       {heading(Message::column_item)},
                                                                       {page.unit, true},
                                                                       {heading(Message::column_age)},
                                                                       {heading(Message::column_source)}},
                                                                      rows);
}

std::string age_words(const std::optional<Staleness>& staleness, bool doubted, const Voice& say) {
  const std::string_view word = staleness ? enum_name(*staleness) : "unknown";
  std::string text(say(message_of("staleness." + std::string(word))));
  return doubted ? text + " " + std::string(say(Message::prices_doubted)) : text;
}

std::string join_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += word.empty() ? "" : (text.empty() ? "" : ", ") + word;
  }
  return text;
}

}  // namespace

std::vector<PagePrice> page_prices(const std::vector<PriceLine>& lines, const Voice& say) {
  std::vector<PagePrice> prices;
  for (const PriceLine& line : lines) {
    const Price& price = *line.price;
    if (!price.per_unit) {
      continue;
    }
    const double per_gpu = *price.per_unit / kUsdPerHour / static_cast<double>(price.gpus);
    const std::string size = fmt::format("{} x {}", price.gpus, price.gpu_id);
    prices.push_back({.line = fmt::format("{} {}", price.provider, enum_name(price.kind)),
                      .day = price.as_of,
                      .amount = is_plannable(price) ? std::optional(per_gpu) : std::nullopt,
                      .moves_daily = moves_daily(price.kind),
                      .amount_text = price.currency == kPlanCurrency
                                         ? price_per_gpu_hour(price)
                                         : fmt::format("{} {}", price_per_gpu_hour(price), price.currency),
                      .product = join_words({std::string(price.sku), size, std::string(price.region)}),
                      .age = age_words(line.staleness, is_suspect(price), say),
                      .source = std::string(price.source)});
  }
  return prices;
}

std::vector<PagePrice> page_prices(const std::vector<TariffLine>& lines, const Voice& say) {
  std::vector<PagePrice> prices;
  for (const TariffLine& line : lines) {
    const Tariff& tariff = *line.tariff;
    for (const TariffFigure& figure : tariff.figures) {
      if (!tariff.as_of) {
        continue;
      }
      const std::string use(say(message_of("tariff_use." + std::string(enum_name(figure.use)))));
      const std::string name = tariff.service == Service::api ? join_words({tariff.item, tariff.variant, use})
                                                              : join_words({tariff.item, tariff.variant});
      prices.push_back({.line = tariff.provider + " " + name,
                        .day = *tariff.as_of,
                        .amount = figure.comparable() / kUsd,
                        .moves_daily = false,
                        .amount_text = fmt::format("{:.6g} / {}", figure.price / kUsd, enum_name(figure.unit)),
                        .product = tariff.kind,
                        .age = age_words(line.staleness, false, say),
                        .source = tariff.source});
    }
  }
  return prices;
}

std::string unit_of(const std::vector<TariffLine>& lines, const Voice& say) {
  for (const TariffLine& line : lines) {
    for (const TariffFigure& figure : line.tariff->figures) {
      const TariffUnit unit = figure.unit == TariffUnit::gib         ? TariffUnit::gb
                              : figure.unit == TariffUnit::gib_month ? TariffUnit::gb_month
                                                                     : figure.unit;
      return say(Message::history_page_per_unit, {{"unit", std::string(enum_name(unit))}});
    }
  }
  return std::string(kPlanCurrency);
}

Result<std::string> history_page(const HistoryPage& page, const Envelope& envelope, const Voice& say) {
  std::vector<ChartLine> listed = lines_of(page, false, envelope.as_of), moving = lines_of(page, true, envelope.as_of);
  if (listed.empty() && moving.empty()) {
    return fail({ErrorCode::not_found,
                 page.what,
                 "there is no price to plot",
                 "a wider choice, or an earlier --since, may have some"});
  }
  const auto older = std::count_if(
      page.prices.begin(), page.prices.end(), [&](const PagePrice& price) { return price.day < page.since; });
  std::string body = plot(Message::history_page_list_prices, page, std::move(listed), envelope.as_of, say) +
                     plot(Message::history_page_moving_prices, page, std::move(moving), envelope.as_of, say);
  std::string introduction =
      say(Message::history_page_introduction,
          {{"as_of", format_date(envelope.as_of)}, {"days", std::to_string(stale_after(PriceKind::on_demand))}});
  if (older > 0) {
    introduction +=
        " " + say(Message::history_page_older, {{"count", std::to_string(older)}, {"day", format_date(page.since)}});
  }
  return page_text(
      {.language = std::string(enum_name(say.language())),
       .title = say(Message::history_page_title, {{"what", page.what}}),
       .introduction = std::move(introduction),
       .body = body + table_of(page, say),
       .footer = say(Message::page_footer,
                     {{"digest", std::string(envelope.data_digest)}, {"as_of", format_date(envelope.as_of)}}),
       .script = ""});
}

}  // namespace mekiki
