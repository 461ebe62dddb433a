#include "validate/aliases.h"

#include <set>

#include <gtest/gtest.h>

#include "catalog/catalog.h"
#include "hardware/system.h"
#include "job/profile.h"
#include "validate/columns.h"
#include "validate/flops_convention.h"

namespace mekiki {
namespace {

constexpr const char* kRules =
    "column,match,text,when_column,when_text,word,note\n"
    "gpu,is,Tiny,,,tiny-1,\n"
    "gpu,begins,big,mem,8,big-8,\n"
    "gpu,begins,big,mem,*,big-any,\n"
    "gpu,has,odd,,,refuse,\n"
    "quant,any,,,,,\n";

struct WordCase {
  const char* name;
  const char* column;
  const char* text;
  const char* memory;
  std::optional<std::string> word;
};

class Words : public testing::TestWithParam<WordCase> {};

TEST_P(Words, FirstRuleThatFitsDecides) {
  const Result<AliasRules> rules = parse_alias_rules(kRules, "aliases.csv");
  ASSERT_TRUE(rules) << describe(rules.error());
  const auto word = word_for(*rules, GetParam().column, GetParam().text, [](std::string_view column) {
    return column == "mem" ? std::string_view(GetParam().memory) : std::string_view{};
  });
  EXPECT_EQ(word ? std::optional<std::string>(*word) : std::nullopt, GetParam().word);
}

INSTANTIATE_TEST_SUITE_P(Rules,
                         Words,
                         testing::Values(WordCase{"case_ignored", "gpu", "TINY", "", "tiny-1"},
                                         WordCase{"whole_text", "gpu", "tiny gpu", "", std::nullopt},
                                         WordCase{"condition", "gpu", "Big one", "8", "big-8"},
                                         WordCase{"condition_any", "gpu", "Big one", "9", "big-any"},
                                         WordCase{"condition_empty", "gpu", "Big one", "", std::nullopt},
                                         WordCase{"refused", "gpu", "an odd one", "", std::nullopt},
                                         WordCase{"default", "quant", "whatever", "", ""},
                                         WordCase{"no_rules", "other", "x", "", std::nullopt}),
                         [](const auto& param_info) { return std::string(param_info.param.name); });

TEST(AliasRules, RefusedAndNotUnderstoodAreDifferentErrors) {
  const Result<AliasRules> rules = parse_alias_rules(kRules, "aliases.csv");
  const auto nothing = [](std::string_view) { return std::string_view{}; };
  EXPECT_EQ(word_for(*rules, "gpu", "odd", nothing).error().code, ErrorCode::unsupported);
  EXPECT_EQ(word_for(*rules, "gpu", "x", nothing).error().code, ErrorCode::invalid_input);
}

TEST(AliasRules, UnknownMatchAndMissingColumnAreErrors) {
  EXPECT_FALSE(parse_alias_rules("column,match,text,when_column,when_text,word\ngpu,like,x,,,y\n", "a.csv"));
  EXPECT_FALSE(parse_alias_rules("column,match,text,word\n", "a.csv"));
}

AliasRules bundled_rules() {
  const auto text = find_document(bundled_catalog(), "data/validation/aliases.csv");
  return text ? parse_alias_rules(*text, "aliases.csv").value_or(AliasRules{}) : AliasRules{};
}

std::string plain(std::string word) {
  if (word.ends_with('?')) {
    word.pop_back();
  }
  return word;
}

/// Every word of a column that becomes an enumerator must be one.
template <class E>
void expect_words_are(const char* column) {
  for (const AliasRule& rule : bundled_rules()) {
    if (rule.column == column && !plain(rule.word).empty() && rule.word != kRefusedWord) {
      EXPECT_TRUE(enum_from_name<E>(plain(rule.word))) << column << ": " << rule.word;
    }
  }
}

TEST(BundledAliases, WordsAreOurs) {
  ASSERT_FALSE(bundled_rules().empty());
  expect_words_are<Method>("method");
  expect_words_are<Precision>("precision");
  expect_words_are<Precision>("float8");
  expect_words_are<Dtype>("weights_dtype");
  expect_words_are<Dtype>("grads_dtype");
  expect_words_are<Dtype>("optimizer_state_dtype");
  expect_words_are<Optimizer>("optimizer");
  expect_words_are<OptimizerImplementation>("optimizer_impl");
  expect_words_are<ActivationRecompute>("recompute");
  expect_words_are<AttentionKernel>("attention");
  expect_words_are<LossKind>("fused_ce");
  expect_words_are<Offload>("offload");
  expect_words_are<Quantization>("quant");
  expect_words_are<Lengths>("lengths");
  expect_words_are<DataParallelStyle>("fsdp_version");
  expect_words_are<LinkKind>("link");
  for (const AliasRule& rule : bundled_rules()) {
    if (rule.column == "flops_convention" && !rule.word.empty()) {
      EXPECT_TRUE(enum_from_name<FlopsConvention>(plain(rule.word))) << rule.word;
    }
    if (rule.column == "gpu" && !rule.word.empty()) {
      EXPECT_TRUE(find_gpu(bundled_catalog(), plain(rule.word))) << rule.word;
    }
  }
}

TEST(BundledAliases, ConditionsNameColumnsOfRows) {
  std::set<std::string_view> columns;
  const auto add = [&](std::string_view column, auto&) { columns.insert(column); };
  KnownMemoryRow memory;
  KnownThroughputRow throughput;
  visit_columns(memory, add);
  visit_columns(throughput, add);
  for (const AliasRule& rule : bundled_rules()) {
    EXPECT_TRUE(rule.when_column.empty() || columns.count(rule.when_column) > 0) << rule.when_column;
  }
}

}  // namespace
}  // namespace mekiki
