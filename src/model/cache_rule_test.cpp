#include "model/cache_rule.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "model/count.h"
#include "model/family.h"
#include "model/test_files.h"

namespace mekiki {
namespace {

// Two ways to the same figure, over every bundled config that is supported.
TEST(CacheRule, SumsUpToTheCache) {
  std::size_t models = 0;
  for (const std::string& name : test_file_names("data/models", ".json")) {
    const auto model = read_config(test_file("data/models/" + name), name);
    if (!model) {
      continue;
    }
    ++models;
    for (const std::int64_t length : {std::int64_t{1}, std::int64_t{1000}, std::int64_t{300'000}}) {
      Bytes sum;
      for (const CacheRule& rule : cache_rules(model->arch, Dtype::bf16)) {
        const auto tokens = static_cast<double>(std::min(length, rule.tokens_kept.value_or(length)));
        sum += static_cast<double>(rule.layers) * (tokens * rule.per_token + rule.state);
      }
      const Bytes cache = kv_cache_bytes(model->arch, length, Dtype::bf16);
      EXPECT_NEAR(sum / kByte, cache / kByte, 1e-9 * (cache / kByte)) << name << " at " << length;
    }
  }
  EXPECT_GT(models, 250U);
}

// Source: 2 x 8 key-value heads x 128 x 2 bytes in each of 32 layers, by hand.
TEST(CacheRule, OfAPlainDecoder) {
  const auto model = read_config(test_file("data/models/meta-llama__Meta-Llama-3.1-8B.json"), "c");
  EXPECT_EQ(cache_rules(model.value().arch, Dtype::bf16),
            (std::vector<CacheRule>{{32, Bytes{4096.0}, Bytes{}, std::nullopt}}));
}

// Source: layers in turns of sliding_window 128 and full attention (config), 2 x 8 x 64 x 2 bytes each.
TEST(CacheRule, KeepsWindowsApart) {
  const auto model = read_config(test_file("data/models/openai__gpt-oss-20b.json"), "c");
  EXPECT_EQ(cache_rules(model.value().arch, Dtype::bf16),
            (std::vector<CacheRule>{{12, Bytes{2048.0}, Bytes{}, 128}, {12, Bytes{2048.0}, Bytes{}, std::nullopt}}));
}

}  // namespace
}  // namespace mekiki
