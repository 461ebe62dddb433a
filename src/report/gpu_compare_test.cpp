#include "report/gpu_compare.h"

#include <string>

#include <gtest/gtest.h>

#include "catalog/catalog.h"

namespace mekiki {
namespace {

std::string contrasts_of(const char* first, const char* other) {
  std::string text;
  for (const GpuContrast& contrast :
       contrasts({*find_gpu(bundled_catalog(), first), *find_gpu(bundled_catalog(), other)})) {
    text += std::string(enum_name(contrast.what)) + (contrast.ratio > 1 ? "+ " : contrast.ratio < 1 ? "- " : " ");
  }
  return text;
}

TEST(Contrasts, SayWhatChangesForTraining) {
  const struct {
    const char* first;
    const char* other;
    const char* expected;
  } table[] = {
      {"l40s", "l40s", ""},
      {"l40s", "h100-sxm5-80", "memory+ bandwidth+ matrix_rate+ link+ mig+ "},
      {"h100-sxm5-80", "h200-sxm5-141", "memory+ bandwidth+ "},
      {"a100-sxm4-80", "v100-sxm2-32", "memory- bandwidth- matrix_rate- no_bf16 link- mig- "},
      {"h100-sxm5-80", "a100-sxm4-80", "bandwidth- matrix_rate- fp8- link- "},
      {"h100-sxm5-80", "h100-sxm5-96", "memory+ bandwidth- unknown_rate fp8- "},
  };
  for (const auto& row : table) {
    EXPECT_EQ(contrasts_of(row.first, row.other), row.expected) << row.first << " " << row.other;
  }
}

TEST(Contrasts, HaveSentencesInBothLanguages) {
  for (const Language language : {Language::english, Language::japanese}) {
    for (const char* other : {"v100-sxm2-32", "rtx4090", "h100-sxm5-96", "b200-sxm-180", "mi300x", "gaudi3"}) {
      for (const char* first : {"l40s", "h100-sxm5-80", "t4"}) {
        const auto list = contrasts({*find_gpu(bundled_catalog(), first), *find_gpu(bundled_catalog(), other)});
        EXPECT_EQ(contrasts_json(list, Voice(language)).size(), list.size());
        EXPECT_FALSE(contrasts_text(list, Voice(language)).empty());
      }
    }
  }
}

}  // namespace
}  // namespace mekiki
