#include "cli/price_books.h"

#include "base/did_you_mean.h"
#include "report/price_report.h"

namespace mekiki {
namespace {

constexpr std::size_t kBookLimit = std::size_t{64} << 20;

Result<BookFormat> format_named(const std::string& text) {
  const std::optional<BookFormat> format = enum_from_name<BookFormat>(text);
  if (format) {
    return *format;
  }
  return fail({ErrorCode::not_found,
               "--format",
               "\"" + text + "\" is no format of a price book",
               one_of(EnumNames<BookFormat>::value)});
}

}  // namespace

Result<BookOptions> book_options(const Context& context, const Arguments& arguments, const std::string& path) {
  BookOptions options{.subject = path, .today = context.envelope.as_of};
  if (const std::string* text = arguments.value("format")) {
    const Result<BookFormat> format = format_named(*text);
    if (!format) {
      return fail(format.error());
    }
    options.format = *format;
  }
  if (const std::string* provider = arguments.value("provider")) {
    options.provider = *provider;
  }
  if (const std::string* text = arguments.value("dated")) {
    const Result<Date> day = parse_date(*text);
    if (!day) {
      return fail_within("--dated", day.error());
    }
    options.dated = *day;
  }
  const auto rates = arguments.values.find("exchange-rate");
  for (const std::string& text : rates == arguments.values.end() ? std::vector<std::string>{} : rates->second) {
    const Result<ExchangeRate> rate = parse_exchange_rate(text);
    if (!rate) {
      return fail_within("--exchange-rate ", rate.error());
    }
    options.rates.push_back(*rate);
  }
  return options;
}

Result<std::string> book_file_text(const Context& context, const std::string& path) {
  const Files& files = *context.world->files;
  return path == "-" ? files.read_standard_input(kBookLimit) : files.read(path, kBookLimit);
}

Result<PriceBookRows> read_machine_book(const Context& context,
                                        const Arguments& arguments,
                                        const std::string& path,
                                        std::string_view text) {
  const Result<BookOptions> options = book_options(context, arguments, path);
  if (!options) {
    return fail(options.error());
  }
  return read_book(text, *options, *context.catalog);
}

Result<PriceBookRows> load_book(const Context& context, const Arguments& arguments, const std::string& path) {
  const Result<std::string> text = book_file_text(context, path);
  if (!text) {
    return fail(text.error());
  }
  return read_machine_book(context, arguments, path, *text);
}

Result<std::shared_ptr<const MergedBooks>> merged_books(const Context& context, const Arguments& arguments) {
  const auto paths = arguments.values.find("price-book");
  if (paths == arguments.values.end()) {
    return nullptr;
  }
  // The provider of a filter is not that of a book, and our own format needs no other help.
  Arguments plain;
  if (const auto rates = arguments.values.find("exchange-rate"); rates != arguments.values.end()) {
    plain.values.insert(*rates);
  }
  std::vector<PriceBookRows> books;
  for (const std::string& path : paths->second) {
    Result<PriceBookRows> book = load_book(context, plain, path);
    if (!book) {
      return fail(book.error());
    }
    books.push_back(std::move(*book));
  }
  return merge_books(*context.catalog, std::move(books));
}

std::string books_talk(const MergedBooks& merged, const Voice& say) {
  std::string text;
  for (const PriceBookRows& book : merged.books) {
    text += findings_text(book.findings, say);
  }
  return text;
}

}  // namespace mekiki
