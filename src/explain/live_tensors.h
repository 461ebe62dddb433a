// What lives on the device at the peak moment, tensor by tensor.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/enum_names.h"
#include "explain/size_rule.h"
#include "explain/subject.h"
#include "memory/report.h"

namespace mekiki {

/// Since when an item lives, and how long.
enum class LivePlace : std::uint8_t {
  resident,           // throughout the phase
  kept_for_backward,  // since a forward pass, until the backward of the same layer
  waiting_gradient,   // since a backward pass, until the optimizer
  running             // within the segment that runs at the peak
};
template <>
struct EnumNames<LivePlace> {
  static constexpr std::array<std::string_view, 4> value = {
      "resident", "kept_for_backward", "waiting_gradient", "running"};
};

/// The part of a stage that an item belongs to.
enum class StagePart : std::uint8_t { whole, layer, embedding, head };
template <>
struct EnumNames<StagePart> {
  static constexpr std::array<std::string_view, 4> value = {"whole", "layer", "embedding", "head"};
};

/// Equal tensors, or the share of equal layers in a resident.
struct LiveItem {
  Category category = Category::weights;
  Name name;
  LivePlace place = LivePlace::resident;
  StagePart part = StagePart::whole;
  std::int16_t layer_kind = -1;  // which of the distinct layers; -1: none
  Bytes bytes;                   // of one
  double count = 1;
  std::optional<double> elements;  // weights that a share of a resident stands for, on this rank before sharding
  SizeRule size;                   // of one, by micro-batch and length

  Bytes total() const { return count * bytes; }
};

/// Items of the stage and phase of the peak, largest first, then by name. They add up to the categories of the report.
struct LiveSet {
  const StageProgram* stage = nullptr;
  std::vector<LiveItem> items;

  Bytes total(Category category) const;
};

/// Walks the phase of `peak` as memory() does, with counts of tensors instead of sums of bytes. Tested against
/// memory(): explain_test.cpp.
LiveSet live_at_peak(const Subject& subject, const PeakMoment& peak);

/// What one rank of the stage with most of it keeps in host memory.
std::vector<LiveItem> host_items(const Subject& subject);

}  // namespace mekiki
