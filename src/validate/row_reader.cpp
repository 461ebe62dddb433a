#include "validate/row_reader.h"

#include <algorithm>

#include "base/amount.h"

namespace mekiki {
namespace {

constexpr char kGuess = '?';

}  // namespace

RowReader::RowReader(const AliasRules& rules, RowTexts texts) : rules_(rules), texts_(std::move(texts)) {}

std::string_view RowReader::word(std::string_view column) {
  return word(column, text(column));
}

std::string_view RowReader::word(std::string_view column, std::string_view text) {
  const Result<std::string_view> found = try_word(column, text);
  if (!found) {
    note(found.error());
    return {};
  }
  return *found;
}

Result<std::string_view> RowReader::try_word(std::string_view column, std::string_view text) {
  if (text.empty()) {
    return std::string_view{};
  }
  Result<std::string_view> found = word_for(rules_, column, text, [&](std::string_view other) {
    const auto at = texts_.find(other);
    return at == texts_.end() ? std::string_view{} : std::string_view(at->second);
  });
  if (!found || !found->ends_with(kGuess)) {
    return found;
  }
  assume(column);
  return found->substr(0, found->size() - 1);
}

std::optional<bool> RowReader::yes_or_no(std::string_view column) {
  const std::string_view found = word(column);
  return found.empty() ? std::nullopt : std::optional<bool>(found == "yes");
}

std::optional<double> RowReader::number(std::string_view column, std::string_view text) {
  const std::string_view found = word(column, text);
  if (found.empty()) {
    return std::nullopt;
  }
  const Result<double> number = parse_number(found);
  if (!number) {
    note(number.error());
    return std::nullopt;
  }
  return *number;
}

std::optional<std::int64_t> RowReader::whole_number(std::string_view column, std::string_view text) {
  const std::optional<double> found = number(column, text);
  return found ? std::optional<std::int64_t>(static_cast<std::int64_t>(*found)) : std::nullopt;
}

std::string_view RowReader::text(std::string_view column) const {
  const auto found = texts_.find(column);
  return found == texts_.end() ? std::string_view{} : std::string_view(found->second);
}

void RowReader::assume(std::string_view what) {
  if (std::find(assumed_.begin(), assumed_.end(), what) == assumed_.end()) {
    assumed_.emplace_back(what);
  }
}

void RowReader::note(Error error) {
  if (!error_) {
    error_ = std::move(error);
  }
}

}  // namespace mekiki
