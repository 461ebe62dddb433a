// What the free texts of rows mean in our words. The rules are data (data/validation/aliases.csv), one line each:
//
//   column       the column of the rows that the rule reads
//   match        is | begins | has | any: how `text` is compared, case ignored; `any` matches every text
//   text         what a row writes
//   when_column  a further condition: that column of the row begins with when_text (empty: no condition;
//   when_text    "*": anything but an empty field)
//   word         our word; empty: the framework's own default; "refuse": not modelled, the row is refused
//   note         why
//
// The first rule of a column that matches counts. A text that no rule matches is not understood, which is an error of
// the row: a setting is never dropped in silence.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_names.h"
#include "base/result.h"

namespace mekiki {

enum class AliasMatch : std::uint8_t { is, begins, has, any };
template <>
struct EnumNames<AliasMatch> {
  static constexpr std::array<std::string_view, 4> value = {"is", "begins", "has", "any"};
};

struct AliasRule {
  std::string column;
  AliasMatch match = AliasMatch::is;
  std::string text;  // lower case
  std::string when_column;
  std::string when_text;  // lower case
  std::string word;
};

using AliasRules = std::vector<AliasRule>;

/// The word of a rule that refuses.
inline constexpr std::string_view kRefusedWord = "refuse";

/// Errors: those of parse_csv, a missing column, an unknown kind of match.
Result<AliasRules> parse_alias_rules(std::string_view csv_text, std::string_view subject);

/// Text of another column of the same row, for conditions.
using ColumnText = std::function<std::string_view(std::string_view column)>;

/// The word for what `column` holds. Errors: unsupported where the rule refuses, invalid_input where no rule matches;
/// the subject is the column.
Result<std::string_view> word_for(const AliasRules& rules,
                                  std::string_view column,
                                  std::string_view text,
                                  const ColumnText& other_columns);

}  // namespace mekiki
