// Price books that the command line names.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "catalog/books/merge.h"
#include "cli/commands.h"

namespace mekiki {

/// --format, --provider, --dated and --exchange-rate as options for a book at `path`. Errors: not_found for an unknown
/// format, invalid_input for a day or a rate that is none.
Result<BookOptions> book_options(const Context& context, const Arguments& arguments, const std::string& path);

/// The text of a book; "-" is standard input. Errors: those of the file.
Result<std::string> book_file_text(const Context& context, const std::string& path);

/// Reads one book of machines from its text. Errors: those of book_options and of read_book.
Result<PriceBookRows> read_machine_book(const Context& context,
                                        const Arguments& arguments,
                                        const std::string& path,
                                        std::string_view text);

/// Reads one book of machines; "-" is standard input. Errors: those of the file and of read_book.
Result<PriceBookRows> load_book(const Context& context, const Arguments& arguments, const std::string& path);

/// The catalogue with the books of --price-book; null where none is named.
Result<std::shared_ptr<const MergedBooks>> merged_books(const Context& context, const Arguments& arguments);

/// What the books had that is no price, as talk.
std::string books_talk(const MergedBooks& merged, const Voice& say);

}  // namespace mekiki
