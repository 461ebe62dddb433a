// A plain framework for tests: bf16 compute over fp32 weights, nothing fused, nothing bucketed.
#pragma once

#include "job/profile.h"

namespace mekiki::for_tests {

inline Profile plain_profile() {
  Profile profile{.id = "plain"};
  DtypeRule mixed{.supported = true};
  profile.memory.dtypes[static_cast<std::size_t>(Precision::bf16_mixed)] = mixed;
  profile.memory.dtypes[static_cast<std::size_t>(Precision::bf16_pure)] = {
      true, Dtype::bf16, Dtype::bf16, Dtype::bf16, Dtype::bf16, Dtype::bf16, false, false};
  profile.memory.loss = {LossKind::eager, 12.0, 1};
  profile.memory.selective_policy = "every_second_matmul";
  profile.supports = {.tensor_parallel = true,
                      .pipeline_parallel = true,
                      .context_parallel = true,
                      .expert_parallel = true,
                      .sharding = true,
                      .adapters = true};
  return profile;
}

}  // namespace mekiki::for_tests
