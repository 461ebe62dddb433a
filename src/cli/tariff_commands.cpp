#include "cli/tariff_commands.h"

#include <algorithm>

#include "base/letter_case.h"
#include "cli/catalogue_filters.h"
#include "cli/history_source.h"
#include "cli/tariff_source.h"

namespace mekiki {
namespace {

std::vector<TariffLine> lines_of(const std::vector<Tariff>& tariffs, Date today) {
  std::vector<TariffLine> lines;
  for (const Tariff& tariff : tariffs) {
    lines.push_back(line_of(tariff, today));
  }
  return lines;
}

}  // namespace

Result<Outcome> list_tariffs(const Context& context, const Arguments& arguments, Service service) {
  const Result<TariffRows> rows = filtered_tariffs(context, arguments, service);
  if (!rows) {
    return fail(rows.error());
  }
  const std::vector<TariffLine> lines = lines_of(rows->tariffs, context.envelope.as_of);
  Result<Outcome> outcome = answer_listing(
      context,
      arguments,
      tariffs_listing(lines, service, context.say),
      [&](std::size_t count) { return tariffs_footer(count, service, context.say); },
      [&](const std::vector<std::size_t>& shown) {
        return tariffs_json(picked(lines, shown), service, context.envelope);
      });
  if (outcome) {
    outcome->talk = rows->talk;
  }
  return outcome;
}

Result<Outcome> tariff_history(const Context& context, const Arguments& arguments, Service service) {
  Result<TariffRows> rows = filtered_tariffs(context, arguments, service);
  if (!rows) {
    return fail(rows.error());
  }
  if (!arguments.positionals.empty()) {
    const std::string wanted = lower_case(arguments.positionals.front());
    std::erase_if(rows->tariffs,
                  [&](const Tariff& tariff) { return lower_case(tariff.item).find(wanted) == std::string::npos; });
  }
  const std::vector<TariffLine> lines = lines_of(rows->tariffs, context.envelope.as_of);
  const Message everything = message_of("service." + std::string(enum_name(service)));
  const Result<std::string> talk = write_history_page(
      context,
      arguments,
      {.what = arguments.positionals.empty() ? std::string(context.say(everything)) : arguments.positionals.front(),
       .unit = unit_of(lines, context.say),
       .prices = page_prices(lines, context.say),
       .since = {}});
  if (!talk) {
    return fail(talk.error());
  }
  std::vector<TariffSeries> series = series_of(points_of(rows->tariffs));
  std::erase_if(series, [](const TariffSeries& one) { return one.front().tariff->as_of == one.back().tariff->as_of; });
  const auto to_text = [&] {
    std::vector<PriceHistory> histories;
    for (const TariffSeries& one : series) {
      histories.push_back(history_of(one, context.say));
    }
    return history_text(histories, context.say);
  };
  Outcome outcome = answer_with(context, ExitCode::ok, to_text, [&] { return history_json(series, context.envelope); });
  outcome.talk = rows->talk + *talk;
  return outcome;
}

Result<Outcome> tariff_changes(const Context& context, const TariffBook& before, const TariffBook& after) {
  const std::vector<TariffChange> changes = changes_between(before.tariffs, after.tariffs);
  Outcome outcome = answer_with(
      context,
      ExitCode::ok,
      [&] { return changes_text(changes, context.say); },
      [&] { return changes_json(changes, context.envelope); });
  outcome.talk = findings_text(before.findings, context.say) + findings_text(after.findings, context.say);
  return outcome;
}

Result<std::optional<Outcome>> show_tariff(const Context& context, const Arguments& arguments, const std::string& id) {
  for (std::size_t i = 0; i < EnumNames<Service>::value.size(); ++i) {
    const auto service = static_cast<Service>(i);
    if (!id.starts_with(enum_name(service))) {
      continue;
    }
    const Result<TariffRows> rows = filtered_tariffs(context, arguments, service);
    if (!rows) {
      return fail(rows.error());
    }
    const auto found =
        std::find_if(rows->tariffs.begin(), rows->tariffs.end(), [&](const Tariff& tariff) { return tariff.id == id; });
    if (found != rows->tariffs.end()) {
      const TariffLine line = line_of(*found, context.envelope.as_of);
      return answer_with(
          context,
          ExitCode::ok,
          [&] { return tariff_text(line); },
          [&] { return tariff_json(line, context.envelope); });
    }
  }
  return std::nullopt;
}

BookAnswer answer_for(const TariffBook& book, const std::string& subject) {
  return {.subject = subject,
          .rows = book.rows,
          .prices = static_cast<std::int64_t>(book.tariffs.size()),
          .findings = book.findings,
          .coverage = std::nullopt,
          .service = book.service};
}

}  // namespace mekiki
