// Any bytes: a refusal, or a model whose counts hold together.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "model/count.h"
#include "model/exact_count.h"
#include "model/family.h"

namespace mekiki {
namespace {

void check_config(std::string_view text) {
  constexpr std::size_t kLongestInput = std::size_t{1} << 16;
  if (text.size() > kLongestInput) {
    return;
  }
  const auto parsed = read_config(text, "config.json");
  if (!parsed) {
    MEKIKI_CHECK(!parsed.error().message.empty(), "a refusal says why");
    return;
  }
  const WeightCounts counts = count_weights(parsed->arch);
  MEKIKI_CHECK(counts.trainable > 0 && counts.stored < kCountCeiling, "read_config refuses other counts");
  MEKIKI_CHECK(counts.stored >= counts.trainable, "a checkpoint holds every weight");
  MEKIKI_CHECK(counts.trainable >= counts.active_per_token, "a token visits no more than there is");
  MEKIKI_CHECK(counts.active_per_token >= counts.matmul_per_token, "looked-up weights are never negative");
  const FlopsPerToken flops = flops_per_token(parsed->arch, 4096);
  MEKIKI_CHECK(flops.forward_full >= flops.forward_causal, "a causal mask removes work");
  MEKIKI_CHECK(kv_cache_bytes(parsed->arch, 4096, Dtype::bf16) >= kv_cache_bytes_per_token(parsed->arch, Dtype::bf16),
               "a cache grows");
}

}  // namespace
}  // namespace mekiki

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  mekiki::check_config({reinterpret_cast<const char*>(data), size});
  return 0;
}
