// A table of facts on providers.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "cost/provider_fact.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mekiki;
  Provider cloud;
  cloud.id = "cloud";
  const Provider providers[] = {cloud};
  const auto facts = read_provider_facts({reinterpret_cast<const char*>(data), size}, "facts.csv", providers);
  if (!facts) {
    MEKIKI_CHECK(!facts.error().message.empty(), "every refusal has a reason");
    return 0;
  }
  for (const ProviderFact& fact : *facts) {
    MEKIKI_CHECK(fact.provider == "cloud" && !fact.value.empty() && !fact.source.empty(), "a fact is whole");
  }
  return 0;
}
