// Term: what of an answer of fit() can be explained.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/enum_names.h"
#include "base/result.h"
#include "time/report.h"

namespace mekiki {

/// First the memory categories in the order of Category, then what lies beyond them, the numbers, the verdict, the
/// causes of time in the order of TimeCause, the rates.
enum class Term : std::uint8_t {
  weights,
  gradients,
  optimizer_states,
  master_weights,
  activations,
  logits_and_loss,
  temporary,
  communication,
  allocator,
  context,
  host_memory,
  allocated,
  reserved,
  device,
  verdict,
  oom_probability,
  gemm,
  attention,
  memory_bound,
  launch,
  tensor_communication,
  data_communication,
  pipeline,
  optimizer,
  data_loading,
  other,
  step_time,
  tokens_per_s,
  mfu,
  hfu
};
inline constexpr std::size_t kTerms = 30;

template <>
struct EnumNames<Term> {
  static constexpr std::array<std::string_view, kTerms> value = {"weights",
                                                                 "gradients",
                                                                 "optimizer_states",
                                                                 "master_weights",
                                                                 "activations",
                                                                 "logits_and_loss",
                                                                 "temporary",
                                                                 "communication",
                                                                 "allocator",
                                                                 "context",
                                                                 "host_memory",
                                                                 "allocated",
                                                                 "reserved",
                                                                 "device",
                                                                 "verdict",
                                                                 "oom_probability",
                                                                 "gemm",
                                                                 "attention",
                                                                 "memory_bound",
                                                                 "launch",
                                                                 "tensor_communication",
                                                                 "data_communication",
                                                                 "pipeline",
                                                                 "optimizer",
                                                                 "data_loading",
                                                                 "other",
                                                                 "step_time",
                                                                 "tokens_per_s",
                                                                 "mfu",
                                                                 "hfu"};
};

/// The causes stand in one row, so that either can be counted from the other.
static_assert(enum_name(Term::gemm) == enum_name(TimeCause::gemm) &&
              enum_name(Term::other) == enum_name(TimeCause::other));
static_assert(static_cast<std::size_t>(Term::other) - static_cast<std::size_t>(Term::gemm) + 1 == kTimeCauses);

/// The term of this name, dashes taken as underscores, or all of them for "all". Errors: not_found with near names.
Result<std::vector<Term>> read_terms(std::string_view text);

}  // namespace mekiki
