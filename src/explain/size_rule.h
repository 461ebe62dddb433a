// SizeRule: how the size of a tensor follows micro-batch and sequence length.
#pragma once

#include <cstdint>

#include "base/quantity.h"

namespace mekiki {

/// bytes = coefficient x micro_batch_size^micro_batch x sequence_length^sequence, where `known`; seen by lowering the
/// same job with twice the micro-batch and with twice the length. Not known: sizes that are a sum of such terms, and
/// tensors that exist only at one of the lengths.
struct SizeRule {
  bool known = false;
  std::int8_t micro_batch = 0, sequence = 0;

  bool follows_batch() const { return known && (micro_batch != 0 || sequence != 0); }
  friend bool operator==(const SizeRule&, const SizeRule&) = default;
};

/// From a size, the one with twice the micro-batch and the one with twice the length.
SizeRule size_rule(Bytes bytes, Bytes twice_micro_batch, Bytes twice_sequence);

}  // namespace mekiki
