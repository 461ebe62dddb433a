// A checkpoint judged: are its files whole, and do they hold what the config asks for?
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/enum_names.h"
#include "checkpoint/comparison.h"
#include "model/arch.h"

namespace mekiki {

enum class CheckpointVerdict : std::uint8_t {
  agrees,
  differs,  // tensors are missing, unexpected or of another shape, or there are more or fewer weights
  damaged,  // files are missing, or hold other tensors than their index says
  unknown   // some tensors are packed in a way that is not understood
};

template <>
struct EnumNames<CheckpointVerdict> {
  static constexpr std::array<std::string_view, 4> value = {"agrees", "differs", "damaged", "unknown"};
};

struct CheckpointCheck {
  CheckpointVerdict verdict = CheckpointVerdict::unknown;
  std::vector<CheckpointFinding> findings;
  CheckpointContents contents;
  /// Tensor by tensor; unset where the tensor names of the family are not known, so that only the number of weights was
  /// compared. A second copy of a tied output head is not among the unexpected tensors.
  std::optional<CheckpointComparison> comparison;
  std::int64_t expected_weights = 0;  // with tower and MTP modules
  std::int64_t head_copy = 0;         // elements of a tied output head that is stored a second time
};

/// What is given to judge by.
struct CheckpointQuestion {
  const Arch* arch = nullptr;
  bool tower_counted = true;  // false: the config does not describe its image tower, so further tensors are no fault
  std::span<const CheckpointFile> files;
  std::optional<CheckpointIndex> index;
  QuantizationSettings quantization;
};

/// Tensors of the image tower and of MTP modules are compared by their number of weights only: all of them, or none
/// where a checkpoint leaves them out.
CheckpointCheck check_checkpoint(const CheckpointQuestion& question);

}  // namespace mekiki
