#include "catalog/books/book.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/amount.h"
#include "catalog/books/book_check.h"
#include "catalog/books/gpu_names.h"
#include "catalog/catalog.h"
#include "catalog/rows/row_reader.h"
#include "catalog/rows/row_text.h"

namespace mekiki {
namespace {

Result<BookTable> read_table(std::string_view text, const BookOptions& options) {
  const BookFormat format = options.format == BookFormat::automatic ? format_of(text) : options.format;
  const BookOrigin origin{options.subject, options.provider, options.dated ? format_date(*options.dated) : ""};
  const bool foreign = format == BookFormat::skypilot || format == BookFormat::gpuhunt;
  if (foreign && (origin.provider.empty() || origin.as_of.empty())) {
    return fail({ErrorCode::usage,
                 options.subject,
                 fmt::format("a {} catalogue says neither its provider nor its day", enum_name(format)),
                 "give --provider NAME and --dated YYYY-MM-DD: the day of the copy, not of the file"});
  }
  switch (format) {
    case BookFormat::json:
      return read_json_table(text, origin);
    case BookFormat::skypilot:
      return read_skypilot_table(text, origin);
    case BookFormat::gpuhunt:
      return read_gpuhunt_table(text, origin);
    default:
      return read_csv_table(text, origin);
  }
}

// Turns the rows of a table into prices. Carries what it has read so far.
class BookReader {
 public:
  BookReader(BookTable table, const BookOptions& options, const Catalog& catalog)
      : table_(std::move(table)), options_(options), catalog_(catalog), gpu_names_(catalog) {}

  PriceBookRows run() {
    book_.rows = static_cast<std::int64_t>(table_.table.rows.size());
    book_.without_gpu = table_.without_gpu;
    for (std::size_t i = 0; i < table_.table.rows.size(); ++i) {
      read_row(i);
    }
    book_.price_gpus = gpu_names_.take_meanings(book_.storage);
    convert();
    check();
    return std::move(book_);
  }

 private:
  std::string& field(CsvRow& line, std::string_view column) { return line.fields[*column_of(table_.table, column)]; }

  void add(BookFault fault, std::size_t row, std::string detail) {
    book_.findings.push_back({fault, table_.places[row], std::move(detail)});
  }

  void read_row(std::size_t row) {
    CsvRow& line = table_.table.rows[row];
    if (const std::optional<BookFault> fault = first_fault(row, line)) {
      return add(*fault, row, detail_);
    }
    const Result<Price> price = read_csv_row<Price>(table_.table, line, options_.subject, book_.storage);
    if (!price) {
      return add(BookFault::unreadable, row, describe(price.error()));
    }
    if (price->as_of > options_.today) {
      return add(BookFault::future, row, format_date(price->as_of));
    }
    book_.prices.push_back(*price);
    book_.prices.back().own = true;
    book_.places.push_back(table_.places[row]);
  }

  // What a person would tell first about a row; the rest is the row reader's. Names become the catalogue's.
  std::optional<BookFault> first_fault(std::size_t row, CsvRow& line) {
    detail_ = field(line, "price_per_hour");
    if (const std::optional<BookFault> fault = price_fault(detail_)) {
      return fault;
    }
    std::string& provider = field(line, "provider");
    detail_ = provider;
    const std::optional<Name> known = provider_of(provider);
    if (!known) {
      return BookFault::unknown_provider;
    }
    provider = *known;
    std::string& gpu = field(line, "gpu_id");
    detail_ = gpu;
    const std::optional<std::string> meant =
        gpu_names_.resolve({gpu, table_.gpu_memory[row], provider, field(line, "sku")});
    if (!meant) {
      return BookFault::unknown_gpu;
    }
    gpu = *meant;
    if (field(line, "source").empty()) {
      field(line, "source") = table_.places[row];
    }
    detail_ = {};
    return field(line, "as_of").empty() ? std::optional(BookFault::undated) : std::nullopt;
  }

  std::optional<Name> provider_of(const std::string& text) {
    const auto known = providers_.find(text);
    if (known != providers_.end()) {
      return known->second;
    }
    const Result<const Provider*> found = find_provider(catalog_, text);
    return providers_.emplace(text, found ? std::optional<Name>((*found)->id) : std::nullopt).first->second;
  }

  const ExchangeRate* rate_of(Name currency) const {
    const auto found = std::find_if(options_.rates.begin(), options_.rates.end(), [&](const ExchangeRate& rate) {
      return rate.currency == currency;
    });
    return found == options_.rates.end() ? nullptr : &*found;
  }

  // Converts what the user gave a rate for; a book of several currencies is a fault, a book of one that is not the
  // plan's is told.
  void convert() {
    std::map<Name, std::int64_t> counts;
    for (Price& price : book_.prices) {
      if (const ExchangeRate* rate = rate_of(price.currency)) {
        price.notes = book_.storage.keep(fmt::format("{}{:.6g} {} an hour at {:.6g} USD of {}",
                                                     price.notes.empty() ? "" : std::string(price.notes) + "; ",
                                                     *price.per_unit / kUsdPerHour,
                                                     price.currency,
                                                     rate->usd,
                                                     format_date(rate->day)));
        price.per_unit = *price.per_unit * rate->usd;
        price.currency = kPlanCurrency;
      }
      ++counts[price.currency];
    }
    Name main = kPlanCurrency;
    std::int64_t most = 0;
    for (const auto& [currency, count] : counts) {
      main = count > most ? currency : main;
      most = std::max(most, count);
    }
    std::vector<bool> keep(book_.prices.size(), true);
    for (std::size_t i = 0; i < book_.prices.size(); ++i) {
      const Name currency = book_.prices[i].currency;
      if (currency != main) {
        keep[i] = false;
        book_.findings.push_back({BookFault::mixed_currency, book_.places[i], fmt::format("{} / {}", currency, main)});
      } else if (currency != kPlanCurrency) {
        book_.findings.push_back({BookFault::foreign_currency, book_.places[i], std::string(currency)});
      }
    }
    keep_only(keep);
  }

  void check() {
    const std::vector<RowFinding> findings =
        check_book(book_.prices, catalog_.prices, {catalog_.systems, book_.prices, all_meanings()});
    std::vector<bool> keep(book_.prices.size(), true);
    for (const RowFinding& finding : findings) {
      keep[finding.row] = keep[finding.row] && !excludes(finding.fault);
      book_.findings.push_back({finding.fault, book_.places[finding.row], finding.detail});
    }
    keep_only(keep);
  }

  std::span<const PriceGpu> all_meanings() {
    meanings_.assign(catalog_.price_gpus.begin(), catalog_.price_gpus.end());
    meanings_.insert(meanings_.end(), book_.price_gpus.begin(), book_.price_gpus.end());
    return meanings_;
  }

  void keep_only(const std::vector<bool>& keep) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < keep.size(); ++i) {
      if (keep[i]) {
        book_.prices[kept] = book_.prices[i];
        std::swap(book_.places[kept], book_.places[i]);
        ++kept;
      }
    }
    book_.prices.resize(kept);
    book_.places.resize(kept);
  }

  BookTable table_;
  const BookOptions& options_;
  const Catalog& catalog_;
  GpuNames gpu_names_;
  std::map<std::string, std::optional<Name>> providers_;
  std::vector<PriceGpu> meanings_;
  std::string detail_;
  PriceBookRows book_;
};

// A visitor of Fields that writes CSV fields.
struct FieldWriter {
  std::vector<std::string> fields;

  void text(std::string_view, Name value, Presence, std::string_view) { fields.emplace_back(value); }
  template <class T>
  void number(std::string_view, const std::optional<T>& value, const Unit& unit, std::string_view doc) {
    if (value) {
      number("", *value, unit, doc);
    } else {
      fields.emplace_back();
    }
  }
  template <Dimension D>
  void number(std::string_view, const Quantity<D>& value, const Unit& unit, std::string_view) {
    fields.push_back(fmt::format("{:.12g}", value.base() / unit.scale));
  }
  void number(std::string_view, double value, const Unit&, std::string_view) {
    fields.push_back(fmt::format("{:.12g}", value));
  }
  void number(std::string_view, std::int64_t value, const Unit&, std::string_view) {
    fields.push_back(std::to_string(value));
  }
  template <class E>
  void choice(std::string_view, E value, std::string_view) {
    fields.emplace_back(enum_name(value));
  }
  void date(std::string_view, Date value, std::string_view) { fields.push_back(format_date(value)); }
  void date(std::string_view, const std::optional<Date>& value, std::string_view) {
    fields.push_back(value ? format_date(*value) : "");
  }
};

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    line += (i == 0 ? "" : ",") + csv_field(fields[i]);
  }
  return line + "\n";
}

}  // namespace

Result<ExchangeRate> parse_exchange_rate(std::string_view text) {
  const std::size_t equals = text.find('='), at = text.find('@');
  const bool shaped = equals != std::string_view::npos && at != std::string_view::npos && equals > 0 && equals < at;
  const Result<double> usd = shaped ? parse_number(text.substr(equals + 1, at - equals - 1)) : Result<double>(0.0);
  const Result<Date> day = shaped ? parse_date(text.substr(at + 1)) : Result<Date>(Date{});
  if (!shaped || !usd || !day || !(*usd > 0)) {
    return fail({ErrorCode::invalid_input,
                 std::string(text),
                 "is no dated exchange rate",
                 "write it like EUR=1.08@2026-11-20: US dollars for one unit, and the day of the rate"});
  }
  return ExchangeRate{std::string(text.substr(0, equals)), *usd, *day};
}

Result<PriceBookRows> read_book(std::string_view text, const BookOptions& options, const Catalog& catalog) {
  Result<BookTable> table = read_table(text, options);
  if (!table) {
    return fail(table.error());
  }
  return BookReader(std::move(*table), options, catalog).run();
}

std::string book_text(std::span<const Price> prices) {
  std::string text = csv_line(price_columns());
  for (const Price& price : prices) {
    FieldWriter writer;
    Fields<Price>::visit(writer, price);
    text += csv_line(writer.fields);
  }
  return text;
}

}  // namespace mekiki
