#include <algorithm>

#include "base/did_you_mean.h"
#include "catalog/books/book_check.h"
#include "catalog/catalog.h"
#include "cli/catalogue_filters.h"
#include "cli/commands.h"
#include "cli/history_source.h"
#include "cli/price_books.h"
#include "cli/tariff_commands.h"
#include "cli/tariff_source.h"
#include "cost/offer.h"
#include "report/price_report.h"

namespace mekiki {
namespace {

// The catalogue that the prices are of, with the user's books where there are some.
struct PriceSource {
  std::shared_ptr<const MergedBooks> merged;
  const Catalog* catalog = nullptr;

  std::vector<PriceConflict> conflicts() const {
    return merged == nullptr ? std::vector<PriceConflict>{} : merged->conflicts;
  }
};

Result<PriceSource> price_source(const Context& context, const Arguments& arguments) {
  Result<std::shared_ptr<const MergedBooks>> merged = merged_books(context, arguments);
  if (!merged) {
    return fail(merged.error());
  }
  return PriceSource{*merged, *merged == nullptr ? context.catalog : &(*merged)->catalog};
}

PriceLine line_of(const Price& price, const Catalog& catalog, Date today) {
  const PriceGpu* meaning = meaning_of(price, catalog.price_gpus);
  const std::int64_t age = today.days - price.as_of.days;
  return {.price = &price,
          .gpu_id = meaning == nullptr ? Name{} : meaning->gpu_id,
          .gpu_reason = meaning == nullptr ? Name{} : meaning->reason,
          .age_days = age,
          .staleness = staleness_of(price.kind, age)};
}

// The prices that the filters leave, known on the day of the answer: a price of tomorrow is no part of it.
Result<std::vector<PriceLine>> filtered_lines(const Context& context,
                                              const Arguments& arguments,
                                              const Catalog& catalog) {
  const auto gpu = gpu_filter(context, arguments);
  const auto provider = provider_filter(context, arguments);
  const auto kind = kind_filter(arguments);
  if (!gpu || !provider || !kind) {
    return fail(!gpu ? gpu.error() : !provider ? provider.error() : kind.error());
  }
  std::vector<PriceLine> lines;
  for (const Price& price : catalog.prices) {
    const PriceLine line = line_of(price, catalog, context.envelope.as_of);
    const bool known = price.as_of <= context.envelope.as_of;
    if (known && (!*gpu || line.gpu_id == **gpu) && (!*provider || price.provider == **provider) &&
        (!*kind || price.kind == **kind)) {
      lines.push_back(line);
    }
  }
  return lines;
}

// A source with what the filters leave of it.
struct FilteredPrices {
  PriceSource source;
  std::vector<PriceLine> lines;
};

Result<FilteredPrices> filtered_prices(const Context& context, const Arguments& arguments) {
  Result<PriceSource> source = price_source(context, arguments);
  if (!source) {
    return fail(source.error());
  }
  Result<std::vector<PriceLine>> lines = filtered_lines(context, arguments, *source->catalog);
  if (!lines) {
    return fail(lines.error());
  }
  return FilteredPrices{std::move(*source), std::move(*lines)};
}

Result<const Price*> find_price(const Catalog& catalog, const std::string& id) {
  std::vector<std::string_view> ids;
  for (const Price& price : catalog.prices) {
    if (price.id == id) {
      return &price;
    }
    ids.push_back(price.id);
  }
  std::string hint = did_you_mean(id, ids);
  if (hint.empty()) {
    hint = "`mekiki prices list --columns id,per_hour,date` lists them";
  }
  return fail({ErrorCode::not_found, "price", "there is no price \"" + id + "\"", std::move(hint)});
}

BookAnswer answer_for(const PriceBookRows& book, const std::string& subject, const Catalog& catalog) {
  std::vector<PriceGpu> meanings(catalog.price_gpus.begin(), catalog.price_gpus.end());
  meanings.insert(meanings.end(), book.price_gpus.begin(), book.price_gpus.end());
  PriceJoiner joiner({catalog.systems, book.prices, meanings});
  return {.subject = subject,
          .rows = book.rows,
          .prices = static_cast<std::int64_t>(book.prices.size()),
          .without_gpu = book.without_gpu,
          .findings = book.findings,
          .coverage = coverage_of(book.prices, joiner)};
}

BookAnswer bundled_answer(const Catalog& catalog) {
  const JoinTables tables{catalog.systems, catalog.prices, catalog.price_gpus};
  PriceJoiner joiner(tables);
  BookAnswer answer{.subject = "data/prices/prices.csv",
                    .rows = static_cast<std::int64_t>(catalog.prices.size()),
                    .coverage = coverage_of(catalog.prices, joiner)};
  std::int64_t excluded = 0;
  for (const RowFinding& finding : check_book(catalog.prices, catalog.prices, tables)) {
    answer.findings.push_back({finding.fault, std::string(catalog.prices[finding.row].id), finding.detail});
    excluded += excludes(finding.fault) ? 1 : 0;
  }
  answer.prices = answer.rows - excluded;
  return answer;
}

Result<std::vector<BookAnswer>> bundled_answers(const Context& context) {
  std::vector<BookAnswer> answers = {bundled_answer(*context.catalog)};
  for (std::size_t i = 0; i < EnumNames<Service>::value.size(); ++i) {
    const auto service = static_cast<Service>(i);
    const Result<TariffBook> book = bundled_tariffs(context, service);
    if (!book) {
      return fail(book.error());
    }
    answers.push_back(answer_for(*book, std::string(bundled_path(service))));
  }
  return answers;
}

Result<BookAnswer> own_answer(const Context& context, const Arguments& arguments, const std::string& path) {
  const Result<std::string> text = book_file_text(context, path);
  if (!text) {
    return fail(text.error());
  }
  if (const std::optional<Service> service = service_of(*text)) {
    return own_tariffs(context, *service, *text, path).map([&](const TariffBook& book) {
      return answer_for(book, path);
    });
  }
  return read_machine_book(context, arguments, path, *text).map([&](const PriceBookRows& book) {
    return answer_for(book, path, *context.catalog);
  });
}

Result<std::vector<BookAnswer>> own_answers(const Context& context, const Arguments& arguments) {
  std::vector<BookAnswer> answers;
  for (const std::string& path : arguments.positionals) {
    Result<BookAnswer> answer = own_answer(context, arguments, path);
    if (!answer) {
      return fail(answer.error());
    }
    answers.push_back(std::move(*answer));
  }
  return answers;
}

HistoryPage machine_page(const Context& context, const Arguments& arguments, const std::vector<PriceLine>& lines) {
  const std::string* gpu = arguments.value("gpu");
  const Result<const Gpu*> found = gpu == nullptr ? Result<const Gpu*>(nullptr) : find_gpu(*context.catalog, *gpu);
  return {.what = found && *found != nullptr ? std::string((*found)->name) + " (" + std::string((*found)->id) + ")"
                                             : std::string(context.say(Message::history_page_all_gpus)),
          .unit = std::string(context.say(Message::history_page_per_gpu_hour)),
          .prices = page_prices(lines, context.say),
          .since = {}};
}

Result<Outcome> diff_machines(const Context& context,
                              const Arguments& arguments,
                              const std::vector<std::string>& texts) {
  std::vector<PriceBookRows> books;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    Result<PriceBookRows> book = read_machine_book(context, arguments, arguments.positionals[i], texts[i]);
    if (!book) {
      return fail(book.error());
    }
    books.push_back(std::move(*book));
  }
  const std::vector<PriceChange> changes = changes_between(books[0].prices, books[1].prices);
  Outcome outcome = answer_with(
      context,
      ExitCode::ok,
      [&] { return changes_text(changes, context.say); },
      [&] { return changes_json(changes, context.envelope); });
  outcome.talk = findings_text(books[0].findings, context.say) + findings_text(books[1].findings, context.say);
  return outcome;
}

}  // namespace

Result<Outcome> run_prices_list(const Context& context, const Arguments& arguments) {
  const Result<std::optional<Service>> service = service_filter(arguments);
  if (!service || *service) {
    return service ? list_tariffs(context, arguments, **service) : fail(service.error());
  }
  const Result<FilteredPrices> prices = filtered_prices(context, arguments);
  if (!prices) {
    return fail(prices.error());
  }
  const auto& [source, lines] = *prices;
  Result<Outcome> outcome = answer_listing(
      context,
      arguments,
      prices_listing(lines, context.say),
      [&](std::size_t count) { return prices_footer(count, source.conflicts(), context.say); },
      [&](const std::vector<std::size_t>& rows) {
        return prices_json(picked(lines, rows), source.conflicts(), on_catalog(context, *source.catalog).envelope);
      });
  if (outcome && source.merged != nullptr) {
    outcome->talk = books_talk(*source.merged, context.say);
  }
  return outcome;
}

Result<Outcome> run_prices_show(const Context& context, const Arguments& arguments) {
  Result<std::optional<Outcome>> tariff = show_tariff(context, arguments, arguments.positionals.front());
  if (!tariff || *tariff) {
    return tariff ? Result<Outcome>(std::move(**tariff)) : fail(tariff.error());
  }
  const Result<PriceSource> source = price_source(context, arguments);
  if (!source) {
    return fail(source.error());
  }
  const Catalog& catalog = *source->catalog;
  const Result<const Price*> price = find_price(catalog, arguments.positionals.front());
  if (!price) {
    return fail(price.error());
  }
  PriceJoiner joiner({catalog.systems, catalog.prices, catalog.price_gpus});
  const PriceAnswer answer{line_of(**price, catalog, context.envelope.as_of), joiner.join(**price), catalog.systems};
  return answer_with(
      context,
      ExitCode::ok,
      [&] { return price_text(answer, context.say); },
      [&] { return price_json(answer, on_catalog(context, catalog).envelope); });
}

Result<Outcome> run_prices_lint(const Context& context, const Arguments& arguments) {
  Result<std::vector<BookAnswer>> answers =
      arguments.positionals.empty() ? bundled_answers(context) : own_answers(context, arguments);
  if (!answers) {
    return fail(answers.error());
  }
  const bool faults =
      std::any_of(answers->begin(), answers->end(), [](const BookAnswer& book) { return book.has_faults(); });
  return answer_with(
      context,
      faults ? ExitCode::negative : ExitCode::ok,
      [&] { return books_text(*answers, context.say); },
      [&] { return books_json(*answers, context.envelope); });
}

Result<Outcome> run_prices_import(const Context& context, const Arguments& arguments) {
  const std::string& path = arguments.positionals.front();
  const Result<PriceBookRows> book = load_book(context, arguments, path);
  if (!book) {
    return fail(book.error());
  }
  const BookAnswer answer = answer_for(*book, path, *context.catalog);
  Outcome outcome = answer_with(
      context,
      book->prices.empty() ? ExitCode::negative : ExitCode::ok,
      [&] { return book_text(book->prices); },
      [&] { return books_json({answer}, context.envelope); });
  outcome.talk = books_text({answer}, context.say);
  return outcome;
}

Result<Outcome> run_prices_diff(const Context& context, const Arguments& arguments) {
  std::vector<std::string> texts;
  for (const std::string& path : arguments.positionals) {
    Result<std::string> text = book_file_text(context, path);
    if (!text) {
      return fail(text.error());
    }
    texts.push_back(std::move(*text));
  }
  const std::optional<Service> service = service_of(texts[0]);
  if (!service) {
    return diff_machines(context, arguments, texts);
  }
  const Result<TariffBook> before = own_tariffs(context, *service, texts[0], arguments.positionals[0]);
  const Result<TariffBook> after = own_tariffs(context, *service, texts[1], arguments.positionals[1]);
  if (!before || !after) {
    return fail(!before ? before.error() : after.error());
  }
  return tariff_changes(context, *before, *after);
}

Result<Outcome> run_prices_history(const Context& context, const Arguments& arguments) {
  const Result<std::optional<Service>> service = service_filter(arguments);
  if (!service || *service) {
    return service ? tariff_history(context, arguments, **service) : fail(service.error());
  }
  Arguments wanted = arguments;
  if (!wanted.positionals.empty()) {
    wanted.values["gpu"] = {wanted.positionals.front()};
  }
  const Result<FilteredPrices> prices = filtered_prices(context, wanted);
  if (!prices) {
    return fail(prices.error());
  }
  const auto& [source, lines] = *prices;
  const Context shown = on_catalog(context, *source.catalog);
  Result<std::string> talk = write_history_page(shown, arguments, machine_page(shown, wanted, lines));
  if (!talk) {
    return fail(talk.error());
  }
  std::vector<const Price*> filtered;
  for (const PriceLine& line : lines) {
    filtered.push_back(line.price);
  }
  std::vector<PriceSeries> series = series_of(filtered);
  // One day is no history.
  std::erase_if(series, [](const PriceSeries& one) { return one.front()->as_of == one.back()->as_of; });
  const auto to_text = [&] {
    std::vector<PriceHistory> histories;
    for (const PriceSeries& one : series) {
      histories.push_back(history_of(one, context.say));
    }
    return history_text(histories, context.say);
  };
  Outcome outcome = answer_with(context, ExitCode::ok, to_text, [&] { return history_json(series, shown.envelope); });
  outcome.talk = std::move(*talk);
  return outcome;
}

}  // namespace mekiki
