// Bands: how far the truth may lie from a prediction, by the kind of prediction. Data: data/profiles/bands.json,
// written by tools/fit_profiles from the errors on the bundled measured rows.
#pragma once

#include <array>
#include <cstdint>

#include "base/enum_names.h"
#include "base/estimate.h"

namespace mekiki {

/// How much of a prediction leans on inputs that the user did not state.
enum class InputQuality : std::uint8_t { stated, assumed };

/// Kinds of predictions whose errors differ.
enum class BandKind : std::uint8_t {
  full,      // all weights train, inputs stated
  adapters,  // adapters or prompts train, inputs stated
  assumed,   // lengths, micro-batch or layout assumed
  borrowed,  // time alone: rates of another GPU, or a network that nobody measured
  generic    // a framework without a profile
};
template <>
struct EnumNames<BandKind> {
  static constexpr std::array<std::string_view, 5> value = {"full", "adapters", "assumed", "borrowed", "generic"};
};

/// One for each kind, around the middle value: eight of ten measurements should fall inside.
class Bands {
 public:
  const Band& operator[](BandKind kind) const { return of_kind_[static_cast<std::size_t>(kind)]; }
  Band& operator[](BandKind kind) { return of_kind_[static_cast<std::size_t>(kind)]; }

 private:
  std::array<Band, EnumNames<BandKind>::value.size()> of_kind_{
      Band{0.75, 1.35}, Band{0.75, 1.35}, Band{0.6, 1.7}, Band{0.6, 1.7}, Band{0.5, 2.0}};
};

}  // namespace mekiki
