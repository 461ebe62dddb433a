// A price book of any format against the bundled catalogue. The first byte chooses the format.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "catalog/books/book.h"
#include "catalog/catalog.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mekiki;
  if (size == 0) {
    return 0;
  }
  constexpr std::size_t kFormats = EnumNames<BookFormat>::value.size();
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const BookOptions options{.format = static_cast<BookFormat>(data[0] % kFormats),
                            .subject = "book",
                            .provider = "aws",
                            .dated = Date{20000},
                            .today = Date{20800},
                            .rates = {{"EUR", 1.1, Date{20700}}}};
  const auto book = read_book(text, options, bundled_catalog());
  if (!book) {
    MEKIKI_CHECK(!book.error().message.empty(), "every refusal has a reason");
    return 0;
  }
  for (const Price& price : book->prices) {
    MEKIKI_CHECK(price.per_unit && price.per_unit->base() > 0, "no price is zero");
    MEKIKI_CHECK(price.as_of <= options.today, "no price is of tomorrow");
  }
  const BookOptions again{.format = BookFormat::csv, .subject = "book", .today = options.today};
  const auto back = read_book(book_text(book->prices), again, bundled_catalog());
  MEKIKI_CHECK(back && back->prices.size() <= book->prices.size(), "what is written is read back");
  return 0;
}
