// RowReader: the texts of one row in our words, with a list of what had to be assumed and the first text that nobody
// understands.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/enum_names.h"
#include "validate/aliases.h"
#include "validate/columns.h"

namespace mekiki {

using RowTexts = std::map<std::string_view, std::string>;

namespace row_texts {
inline std::string as_text(const std::string& field) {
  return field;
}
template <class Number>
std::string as_text(const std::optional<Number>& field) {
  return field ? std::to_string(static_cast<long long>(*field)) : std::string();
}
}  // namespace row_texts

/// Every known column of a row as text, for the conditions of alias rules.
template <class Known>
RowTexts texts_of(Known row) {
  RowTexts texts;
  visit_columns(row, [&](std::string_view column, const auto& field) { texts[column] = row_texts::as_text(field); });
  return texts;
}

class RowReader {
 public:
  /// `rules` must outlive the reader.
  RowReader(const AliasRules& rules, RowTexts texts);

  /// Our word for a text of the row: empty where the row says nothing or the framework's own default is meant. A word
  /// that ends in "?" in the rules is a guess: it comes back without the mark, and `column` is noted as assumed.
  std::string_view word(std::string_view column);
  /// The same for a text that is not the row's own column (one name out of a list, a profile's id).
  std::string_view word(std::string_view column, std::string_view text);

  /// The word or why there is none; nothing is noted as the row's error.
  Result<std::string_view> try_word(std::string_view column, std::string_view text);

  /// The enumerator of a word, unset where there is none.
  template <class E>
  std::optional<E> choice(std::string_view column) {
    const std::string_view found = word(column);
    if (found.empty()) {
      return std::nullopt;
    }
    const std::optional<E> value = enum_from_name<E>(found);
    if (!value) {
      note({ErrorCode::internal,
            std::string(column),
            "the aliases use the unknown word '" + std::string(found) + "'",
            ""});
    }
    return value;
  }

  std::optional<bool> yes_or_no(std::string_view column);
  /// A word that is a number.
  std::optional<double> number(std::string_view column, std::string_view text);
  std::optional<std::int64_t> whole_number(std::string_view column, std::string_view text);
  /// What the row itself writes in a column.
  std::string_view text(std::string_view column) const;

  void assume(std::string_view what);
  void note(Error error);

  const std::vector<std::string>& assumed() const { return assumed_; }
  const std::optional<Error>& error() const { return error_; }

 private:
  const AliasRules& rules_;
  RowTexts texts_;
  std::vector<std::string> assumed_;
  std::optional<Error> error_;
};

}  // namespace mekiki
