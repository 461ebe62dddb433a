#include "job/job_values.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "base/amount.h"
#include "base/did_you_mean.h"

namespace mekiki {
namespace {

// Other spellings of words, as tools and papers write them.
struct WordAlias {
  std::string_view spelling;
  std::string_view word;
};

constexpr WordAlias kWordAliases[] = {
    {"pretrain", "pretraining"},
    {"continued_pretrain", "continued_pretraining"},
    {"cpt", "continued_pretraining"},
    {"full_finetuning", "full"},
    {"full_fine_tuning", "full"},
    {"prompt_tuning", "prompt"},
    {"prefix_tuning", "prefix"},
    {"bf16", "bf16-mixed"},
    {"fp16", "fp16-mixed"},
    {"adam", "adamw"},
    {"adamw8bit", "adamw_8bit"},
    {"adamw4bit", "adamw_4bit"},
    {"paged_adamw8bit", "adamw_paged_8bit"},
    {"paged_adamw_8bit", "adamw_paged_8bit"},
    {"flash", "flash2"},
    {"flash_attention_2", "flash2"},
    {"flash_attention_3", "flash3"},
    {"int4", "gptq-int4"},
};

std::string folded(std::string_view word) {
  std::string text(word);
  for (char& c : text) {
    c = c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return text;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t";
  const std::size_t first = text.find_first_not_of(kBlank);
  return first == std::string_view::npos ? std::string_view{}
                                         : text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

Error bad_value(std::string message, std::string hint) {
  return {ErrorCode::invalid_input, "", std::move(message), std::move(hint)};
}

std::string quoted(std::string_view text) {
  constexpr std::size_t kLongestQuote = 64;
  return "\"" + std::string(text.substr(0, kLongestQuote)) + (text.size() > kLongestQuote ? "...\"" : "\"");
}

// Counts of a job are at least 1.
Result<std::int64_t> at_least_one(Result<std::int64_t> value) {
  if (value && *value < 1) {
    return fail(bad_value(std::to_string(*value) + " is out of range", "give a whole number from 1"));
  }
  return value;
}

std::optional<std::size_t> index_of(const std::string& word, std::span<const std::string_view> words) {
  const auto found =
      std::find_if(words.begin(), words.end(), [&](std::string_view known) { return folded(known) == word; });
  return found == words.end() ? std::nullopt : std::optional<std::size_t>(found - words.begin());
}

}  // namespace

Result<std::string> read_text(std::string_view text) {
  const std::string_view value = trimmed(text);
  if (value.empty()) {
    return fail(bad_value("has no value", "give one, or drop the key"));
  }
  return std::string(value);
}

Result<std::vector<std::string>> read_texts(std::string_view text) {
  std::vector<std::string> values;
  while (true) {
    const std::size_t comma = text.find(',');
    Result<std::string> value = read_text(text.substr(0, comma));
    if (!value) {
      return fail(value.error());
    }
    values.push_back(std::move(*value));
    if (comma == std::string_view::npos) {
      return values;
    }
    text.remove_prefix(comma + 1);
  }
}

Result<std::int64_t> read_count(std::string_view text) {
  return at_least_one(parse_count(text));
}

Result<std::int64_t> read_length(std::string_view text) {
  return at_least_one(parse_sequence_length(text));
}

Result<std::int64_t> read_zero_stage(std::string_view text) {
  Result<std::int64_t> value = parse_count(text);
  if (value && *value > 3) {
    return fail(bad_value(std::to_string(*value) + " is no ZeRO stage", "0, 1, 2 or 3"));
  }
  return value;
}

Result<Month> read_month(std::string_view text) {
  return parse_month(trimmed(text));
}

Result<double> read_share(std::string_view text) {
  std::string_view number = trimmed(text);
  const bool percent = number.ends_with('%');
  number.remove_suffix(percent ? 1 : 0);
  Result<double> value = parse_number(number);
  if (!value) {
    return value;
  }
  const double share = percent ? *value / 100.0 : *value;
  if (!(share >= 0.0 && share <= 1.0)) {
    return fail(bad_value(quoted(text) + " is no share", "give a number from 0 to 1, or from 0% to 100%"));
  }
  return share;
}

Result<double> read_ratio(std::string_view text) {
  constexpr double kMost = 1000.0;
  Result<double> value = parse_number(trimmed(text));
  if (value && !(*value >= 1.0 && *value <= kMost)) {
    return fail(bad_value(quoted(text) + " is out of range", "give a number from 1 to 1000"));
  }
  return value;
}

Result<double> read_positive_number(std::string_view text) {
  const Result<double> value = parse_number(trimmed(text));
  return value && *value > 0.0 ? value
                               : fail(bad_value(quoted(text) + " is no number above 0", "write it like 2 or 1.5"));
}

Result<Usd> read_money(std::string_view text) {
  std::string_view number = trimmed(text);
  if (number.starts_with('$')) {
    number.remove_prefix(1);
  } else if (number.ends_with("USD")) {
    number = trimmed(number.substr(0, number.size() - 3));
  }
  Result<double> value = parse_number(number);
  if (!value) {
    value = parse_count(number).map([](std::int64_t count) { return static_cast<double>(count); });
  }
  if (!value || !(*value > 0.0) || *value > 1e12) {
    return fail(bad_value(quoted(text) + " is no amount of US dollars", "write it like 5000 or $5k"));
  }
  return Usd{*value};
}

Result<Seconds> read_duration(std::string_view text) {
  Result<Seconds> value = parse_duration(text);
  if (value && !(*value > Seconds{})) {
    return fail(bad_value(quoted(text) + " is no duration above zero", "write it like 33min, 36h or 7d"));
  }
  return value;
}

Result<bool> read_yes_or_no(std::string_view text) {
  const std::string word = folded(trimmed(text));
  if (word == "yes" || word == "true" || word == "on" || word == "1") {
    return true;
  }
  if (word == "no" || word == "false" || word == "off" || word == "0") {
    return false;
  }
  return fail(bad_value(quoted(text) + " is neither yes nor no", "yes or no"));
}

Result<std::size_t> read_word_index(std::string_view text, std::span<const std::string_view> words) {
  const std::string word = folded(trimmed(text));
  if (const auto index = index_of(word, words)) {
    return *index;
  }
  for (const WordAlias& alias : kWordAliases) {
    const auto index = alias.spelling == word ? index_of(folded(alias.word), words) : std::nullopt;
    if (index) {
      return *index;
    }
  }
  const std::string near = did_you_mean(word, words);
  return fail(bad_value(quoted(text) + " is not known", (near.empty() ? "" : near + " ") + one_of(words)));
}

Result<Method> read_method(std::string_view text) {
  constexpr std::string_view kOtherJobs[] = {
      "generation", "synthetic_data", "synthetic_data_generation", "inference", "serving"};
  const Result<std::size_t> other = read_word_index(text, kOtherJobs);
  if (other) {
    return fail({ErrorCode::unsupported,
                 "",
                 "\"" + std::string(text) + "\" trains nothing: generating data and serving a model are out of scope",
                 "plan the training that uses the data; one of the methods of training"});
  }
  return read_word<Method>(text);
}

}  // namespace mekiki
