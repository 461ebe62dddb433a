#include "job/text_density.h"

#include <gtest/gtest.h>

namespace mekiki {
namespace {

constexpr std::string_view kHeader =
    "tokenizer,families,vocab_from,vocab_to,language,bytes_per_token_low,bytes_per_token_mid,bytes_per_token_high,"
    "basis,confidence,as_of,source\n";

// Round figures, so that the tokens can be worked out by hand.
constexpr std::string_view kRows =
    "small,llama phi3,32000,32064,ja,2,2.5,4,measured,medium,2026-11-30,s\n"
    "large,llama,128000,128256,ja,4,5,8,measured,medium,2026-11-30,s\n"
    "any,*,1,40000,ja,2,3,6,assumed,low,2026-11-30,s\n";

std::vector<TextDensity> rows() {
  return read_text_densities(std::string(kHeader) + std::string(kRows), "t").value();
}

Arch arch(std::string family, std::int64_t vocab_size) {
  return {.family = std::move(family), .vocab_size = vocab_size};
}

Job job(Bytes size, double epochs) {
  Job job;
  job.corpus = {.size = size, .language = TextLanguage::ja, .epochs = epochs};
  return job;
}

TEST(TextDensity, TokensAreBytesOfAllEpochsOverBytesPerToken) {
  const auto reading = read_corpus(job(10.0 * kGB, 2), arch("llama", 32000), rows());
  ASSERT_TRUE(reading && *reading);
  EXPECT_DOUBLE_EQ((*reading)->tokens.mid / kToken, 8e9);  // 20 GB / 2.5
  EXPECT_DOUBLE_EQ((*reading)->tokens.low / kToken, 5e9);
  EXPECT_DOUBLE_EQ((*reading)->tokens.high / kToken, 1e10);
  EXPECT_DOUBLE_EQ((*reading)->band().low, 0.625);
  EXPECT_DOUBLE_EQ((*reading)->band().high, 1.25);
  EXPECT_DOUBLE_EQ((*reading)->against_best, 2.0);
  EXPECT_EQ((*reading)->best->tokenizer, "large");
}

TEST(TextDensity, TheFamilyGoesBeforeTheSizeAlone) {
  const struct {
    const char* family;
    std::int64_t vocab_size;
    const char* tokenizer;  // null: none
  } cases[] = {{"llama", 32000, "small"},
               {"phi3", 32064, "small"},
               {"llama", 32065, "any"},
               {"mistral", 32000, "any"},
               {"llama", 128256, "large"},
               {"mistral", 128256, nullptr}};
  const std::vector<TextDensity> table = rows();
  for (const auto& c : cases) {
    const TextDensity* found = density_of(table, arch(c.family, c.vocab_size), TextLanguage::ja);
    EXPECT_EQ(found == nullptr ? std::string() : found->tokenizer, c.tokenizer == nullptr ? std::string() : c.tokenizer)
        << c.family << c.vocab_size;
  }
}

TEST(TextDensity, WhatIsMissingIsSaid) {
  Job both = job(kGB, 1);
  both.tokens = 5;
  Job silent = job(kGB, 1);
  silent.corpus.language.reset();
  Job epochs_alone;
  epochs_alone.corpus.epochs = 2;
  Job unknown = job(kGB, 1);
  unknown.corpus.language = TextLanguage::ko;
  const struct {
    Job job;
    ErrorCode code;
    const char* subject;
  } cases[] = {{both, ErrorCode::conflict, "corpus"},
               {silent, ErrorCode::invalid_input, "corpus"},
               {epochs_alone, ErrorCode::invalid_input, "epochs"},
               {unknown, ErrorCode::not_found, "corpus_language"}};
  for (const auto& c : cases) {
    const auto reading = read_corpus(c.job, arch("llama", 32000), rows());
    ASSERT_FALSE(reading) << c.subject;
    EXPECT_EQ(reading.error().code, c.code);
    EXPECT_EQ(reading.error().subject, c.subject);
    EXPECT_FALSE(reading.error().hint.empty());
  }
  EXPECT_FALSE(read_corpus(Job{}, arch("llama", 32000), rows()).value());
}

TEST(TextDensity, RowsThatCannotBeAreRefusedWithTheirLine) {
  for (const std::string_view wrong : {"a,llama,32000,31999,ja,2,3,4,measured,low,2026-11-30,s",
                                       "a,llama,1,2,xx,2,3,4,measured,low,2026-11-30,s",
                                       "a,llama,1,2,ja,3,2,4,measured,low,2026-11-30,s",
                                       "a,llama,1,2,ja,0,2,4,measured,low,2026-11-30,s",
                                       "a,llama,1,2,ja,1,2,4,guessed,low,2026-11-30,s",
                                       "a,llama,1,2,ja,1,2,4,measured,high,2026-11-30,s",
                                       "a,llama,1,2,ja,1,2,4,measured,low,2026-13-30,s",
                                       "a,,1,2,ja,1,2,4,measured,low,2026-11-30,s",
                                       "a,llama,1,2,ja,1,2,4,measured,low,2026-11-30,"}) {
    const auto table = read_text_densities(std::string(kHeader) + std::string(kRows) + std::string(wrong), "t");
    ASSERT_FALSE(table) << wrong;
    EXPECT_EQ(table.error().subject, "t:5") << wrong;
  }
  EXPECT_FALSE(read_text_densities("tokenizer\n", "t"));
}

}  // namespace
}  // namespace mekiki
