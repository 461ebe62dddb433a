// Values of a job file, from text. Errors say what is wrong and how to write it; where it stands is added by the
// caller.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/date.h"
#include "base/enum_names.h"
#include "base/quantity.h"
#include "base/result.h"
#include "job/job.h"

namespace mekiki {

/// Not empty; blanks around it dropped.
Result<std::string> read_text(std::string_view text);

/// Texts joined by commas.
Result<std::vector<std::string>> read_texts(std::string_view text);

/// From 1.
Result<std::int64_t> read_count(std::string_view text);
Result<std::int64_t> read_length(std::string_view text);

/// Above 0, whole or not.
Result<double> read_positive_number(std::string_view text);

Result<std::int64_t> read_zero_stage(std::string_view text);
Result<Month> read_month(std::string_view text);

/// "0.2" or "20%", from 0 to 1.
Result<double> read_share(std::string_view text);

/// From 1: "1.25".
Result<double> read_ratio(std::string_view text);

/// "5000", "$5k" or "5000 USD", above 0.
Result<Usd> read_money(std::string_view text);

/// Above 0.
Result<Seconds> read_duration(std::string_view text);

Result<bool> read_yes_or_no(std::string_view text);

/// Index of the one of `words` that the text means: case ignored, dashes and underscores alike, or by another spelling
/// that tools and papers use ("pretrain"). Errors: invalid_input, with the words.
Result<std::size_t> read_word_index(std::string_view text, std::span<const std::string_view> words);

template <class E>
Result<E> read_word(std::string_view text) {
  return read_word_index(text, EnumNames<E>::value).map([](std::size_t index) { return static_cast<E>(index); });
}

/// A method of training. Errors: unsupported for generation of data and for inference.
Result<Method> read_method(std::string_view text);

}  // namespace mekiki
