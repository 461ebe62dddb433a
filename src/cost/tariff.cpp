#include "cost/tariff.h"

#include <algorithm>
#include <cctype>

#include "base/amount.h"
#include "base/check.h"
#include "base/csv.h"
#include "base/did_you_mean.h"
#include "base/words.h"

namespace mekiki {
namespace {

struct FigureColumn {
  std::string_view column;
  TariffUse use;
};

struct KindWord {
  std::string_view word, kind;
};

// The columns of one service. A column that is empty here is not there.
struct ServiceColumns {
  Service service;
  std::string_view item, variant, kind;
  std::span<const FigureColumn> figures;
  std::span<const KindWord> kinds;
  std::span<const std::string_view> further;  // that may be there, and are read by people
  bool free_is_said = false;                  // 0 is a statement of the provider
};

constexpr FigureColumn kStored[] = {{"price_usd_per_gb_month", TariffUse::stored}};
constexpr FigureColumn kSent[] = {{"price_usd_per_gb", TariffUse::sent}};
constexpr FigureColumn kCalls[] = {{"input_usd_per_1m", TariffUse::input},
                                   {"cached_input_usd_per_1m", TariffUse::cached_input},
                                   {"output_usd_per_1m", TariffUse::output},
                                   {"batch_input_usd_per_1m", TariffUse::batch_input},
                                   {"batch_output_usd_per_1m", TariffUse::batch_output},
                                   {"training_usd_per_1m", TariffUse::training}};
constexpr KindWord kStores[] = {{"object", "object"}, {"file", "file"}, {"block", "block"}};
constexpr KindWord kCallKinds[] = {{"inference", "inference"},
                                   {"inference of a fine-tuned model", "tuned_inference"},
                                   {"fine-tuning", "fine_tuning"},
                                   {"gateway", "gateway"}};
constexpr std::string_view kStoreWords[] = {"unit", "billing_granularity", "minimums"};
constexpr std::string_view kUnitAlone[] = {"unit"};
constexpr std::string_view kOther[] = {"other"};
constexpr std::string_view kCommon[] = {"provider", "as_of", "source"};

constexpr ServiceColumns kServices[] = {
    {Service::storage, "service", "class", "kind", kStored, kStores, kStoreWords},
    {Service::egress, "path", "tier", "", kSent, {}, kUnitAlone, true},
    {Service::api, "model", "method", "kind", kCalls, kCallKinds, kOther},
};

const ServiceColumns& columns_of(Service service) {
  return kServices[static_cast<std::size_t>(service)];
}

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
  });
}

const Provider* provider_of(std::string_view text, std::span<const Provider> providers) {
  const auto named = [&](const Provider& provider) {
    return same_word(provider.id, text) || same_word(provider.name, text) ||
           std::any_of(
               provider.aliases.begin(), provider.aliases.end(), [&](Name alias) { return same_word(alias, text); });
  };
  const auto found = std::find_if(providers.begin(), providers.end(), named);
  return found == providers.end() ? nullptr : &*found;
}

std::vector<std::string_view> all_columns(const ServiceColumns& columns) {
  std::vector<std::string_view> names(std::begin(kCommon), std::end(kCommon));
  names.insert(names.end(), {columns.item, columns.variant, "notes"});
  if (!columns.kind.empty()) {
    names.push_back(columns.kind);
  }
  for (const FigureColumn& figure : columns.figures) {
    names.push_back(figure.column);
  }
  names.insert(names.end(), columns.further.begin(), columns.further.end());
  return names;
}

Error header_error(std::string_view subject, std::string message, std::string hint) {
  return {ErrorCode::invalid_input, std::string(subject) + ":1", std::move(message), std::move(hint)};
}

std::optional<Error> header_fault(const CsvTable& table, const ServiceColumns& columns, std::string_view subject) {
  const std::vector<std::string_view> known = all_columns(columns);
  for (const std::string& column : table.header) {
    if (std::find(known.begin(), known.end(), column) == known.end()) {
      return header_error(
          subject,
          "\"" + column + "\" is no column of a book of " + std::string(enum_name(columns.service)) + " prices",
          did_you_mean(column, known));
    }
  }
  std::vector<std::string_view> needed(std::begin(kCommon), std::end(kCommon));
  needed.push_back(columns.item);
  if (!columns.kind.empty()) {
    needed.push_back(columns.kind);
  }
  if (columns.service != Service::api) {
    needed.insert(needed.end(), {columns.figures.front().column, "unit"});
  }
  for (const std::string_view column : needed) {
    if (!column_of(table, column)) {
      return header_error(subject,
                          "the column \"" + std::string(column) + "\" is missing",
                          "data/README.md says what the columns hold");
    }
  }
  return std::nullopt;
}

std::string id_of(const Tariff& tariff) {
  std::string id(enum_name(tariff.service));
  const std::string day = tariff.as_of ? format_date(*tariff.as_of) : "undated";
  const std::string_view kind = tariff.kind == "inference" ? std::string_view() : tariff.kind;
  for (const std::string_view part : {std::string_view(tariff.provider),
                                      std::string_view(tariff.item),
                                      std::string_view(tariff.variant),
                                      kind,
                                      std::string_view(day)}) {
    std::string word = slug(part);
    if (word.ends_with('-')) {
      word.pop_back();
    }
    id += word.empty() ? "" : "-" + word;
  }
  return id;
}

// Reads one row; the first thing that goes wrong stays.
class RowReader {
 public:
  RowReader(const CsvTable& table, const CsvRow& row, const ServiceColumns& columns, const TariffOptions& options)
      : table_(table), row_(row), columns_(columns), options_(options) {}

  Tariff read() {
    Tariff tariff{.service = columns_.service,
                  .provider = provider(),
                  .item = text(columns_.item),
                  .variant = text(columns_.variant),
                  .kind = kind(),
                  .other = text("other"),
                  .source = text("source"),
                  .notes = text("notes"),
                  .own = options_.own};
    tariff.figures = figures();
    if (tariff.figures.empty() && tariff.other.empty()) {
      note(BookFault::no_price, tariff.item);
    }
    tariff.as_of = date();
    tariff.id = id_of(tariff);
    return tariff;
  }

  const std::optional<BookFault>& fault() const { return fault_; }
  const std::string& detail() const { return detail_; }

 private:
  void note(BookFault fault, std::string detail) {
    if (!fault_) {
      fault_ = fault;
      detail_ = std::move(detail);
    }
  }

  std::string text(std::string_view column) const {
    const std::optional<std::size_t> place = column_of(table_, column);
    return place ? row_.fields[*place] : std::string();
  }

  std::string provider() {
    const std::string field = text("provider");
    const Provider* known = provider_of(field, options_.providers);
    if (known == nullptr) {
      note(BookFault::unknown_provider, field);
    }
    return known == nullptr ? std::string() : std::string(known->id);
  }

  std::string kind() {
    if (columns_.kind.empty()) {
      return {};
    }
    const std::string field = text(columns_.kind);
    const auto found = std::find_if(
        columns_.kinds.begin(), columns_.kinds.end(), [&](const KindWord& known) { return known.word == field; });
    if (found == columns_.kinds.end()) {
      note(BookFault::unreadable, columns_word(columns_.kind, field));
      return {};
    }
    return std::string(found->kind);
  }

  std::vector<TariffFigure> figures() {
    std::vector<TariffFigure> list;
    for (const FigureColumn& column : columns_.figures) {
      const std::string field = text(column.column);
      if (field.empty()) {
        continue;  // a row without any figure is judged as a whole
      }
      const std::optional<BookFault> fault = price_fault(field);
      if (fault && !(columns_.free_is_said && *fault == BookFault::zero_price)) {
        note(*fault, columns_word(column.column, field));
        continue;
      }
      list.push_back({column.use, unit(), Usd{*parse_number(field)}});
    }
    return list;
  }

  TariffUnit unit() {
    if (columns_.service == Service::api) {
      return TariffUnit::million_tokens;
    }
    const std::string field = text("unit");
    const bool monthly = columns_.service == Service::storage;
    const std::optional<TariffUnit> unit = enum_from_name<TariffUnit>(field);
    const bool fits = unit && *unit != TariffUnit::million_tokens && monthly == (*unit <= TariffUnit::gib_month);
    if (!fits) {
      note(BookFault::unreadable, columns_word("unit", field));
    }
    return fits ? *unit : TariffUnit::gb;
  }

  std::optional<Date> date() {
    const std::string field = text("as_of");
    if (field.empty()) {
      note(BookFault::undated, "");
    }
    if (field.empty() || field == "undated") {
      return std::nullopt;
    }
    constexpr std::size_t kYearAlone = 4;
    const Result<Date> date = parse_date(field.size() == kYearAlone ? field + "-12-31" : field);
    if (!date) {
      note(BookFault::unreadable, columns_word("as_of", field));
      return std::nullopt;
    }
    if (options_.today && *date > *options_.today) {
      note(BookFault::future, field);
    }
    return *date;
  }

  static std::string columns_word(std::string_view column, std::string_view value) {
    return std::string(column) + " \"" + std::string(value) + "\"";
  }

  const CsvTable& table_;
  const CsvRow& row_;
  const ServiceColumns& columns_;
  const TariffOptions& options_;
  std::optional<BookFault> fault_;
  std::string detail_;
};

}  // namespace

Usd TariffFigure::comparable() const {
  const bool binary = unit == TariffUnit::gib || unit == TariffUnit::gib_month;
  return binary ? price * (kGB / kGiB) : price;
}

const TariffFigure* Tariff::figure(TariffUse use) const {
  const auto found =
      std::find_if(figures.begin(), figures.end(), [&](const TariffFigure& figure) { return figure.use == use; });
  return found == figures.end() ? nullptr : &*found;
}

std::optional<Service> service_of(std::string_view csv) {
  const Result<CsvTable> header = parse_csv(csv.substr(0, csv.find('\n')), "header");
  if (!header) {
    return std::nullopt;
  }
  for (const ServiceColumns& columns : kServices) {
    if (column_of(*header, columns.item)) {
      return columns.service;
    }
  }
  return std::nullopt;
}

Result<TariffBook> read_tariffs(std::string_view csv, Service service, const TariffOptions& options) {
  const Result<CsvTable> table = parse_csv(csv, options.subject);
  if (!table) {
    return fail(table.error());
  }
  const ServiceColumns& columns = columns_of(service);
  if (std::optional<Error> error = header_fault(*table, columns, options.subject)) {
    return fail(std::move(*error));
  }
  TariffBook book{.service = service, .rows = static_cast<std::int64_t>(table->rows.size())};
  for (const CsvRow& row : table->rows) {
    const std::string place = std::string(options.subject) + ":" + std::to_string(row.line);
    RowReader reader(*table, row, columns, options);
    Tariff tariff = reader.read();
    if (reader.fault()) {
      book.findings.push_back({*reader.fault(), place, reader.detail()});
      continue;
    }
    if (!tariff.as_of) {
      book.findings.push_back({BookFault::age_unknown, place, tariff.id});
    }
    book.tariffs.push_back(std::move(tariff));
    book.places.push_back(place);
  }
  return book;
}

Result<std::vector<Tariff>> read_sound_tariffs(std::string_view csv,
                                               Service service,
                                               std::string_view subject,
                                               std::span<const Provider> providers) {
  Result<TariffBook> book = read_tariffs(csv, service, {.subject = subject, .providers = providers});
  if (!book) {
    return fail(book.error());
  }
  for (const BookFinding& finding : book->findings) {
    if (excludes(finding.fault) && finding.fault != BookFault::unknown_provider) {
      return fail({ErrorCode::invalid_input,
                   finding.place,
                   "is no price (" + std::string(enum_name(finding.fault)) + "): " + finding.detail,
                   "`mekiki prices lint FILE` lists all such rows"});
    }
  }
  return std::move(book->tariffs);
}

}  // namespace mekiki
