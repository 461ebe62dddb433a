// LengthQuantiles: how long the samples of a corpus are, as a few quantiles. A padded batch costs the time of its
// longest sample and a packed one attends within its documents, so a maximum alone says too little about time.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace mekiki {

struct LengthQuantile {
  double share = 0;         // of samples that are at most so long, in (0, 1]
  std::int64_t tokens = 0;  // before anything is cut off

  friend bool operator==(const LengthQuantile&, const LengthQuantile&) = default;
};

/// Shares and lengths rise. Lengths below the first quantile and between two are taken as evenly spread; above the last
/// one all are as long as it.
using LengthQuantiles = std::vector<LengthQuantile>;

/// "50%:400, 90%:1.2k, 100%:4096". Errors: not a share or a count, shares or lengths that fall.
Result<LengthQuantiles> parse_length_quantiles(std::string_view text);

/// Mean tokens of a sample that is cut at `longest`.
double mean_length(const LengthQuantiles& quantiles, std::int64_t longest);

/// Mean tokens of the longest of `samples`, each cut at `longest`: what a batch is padded to.
double mean_of_longest(const LengthQuantiles& quantiles, std::int64_t longest, std::int64_t samples);

/// Sum of the squared lengths over the sum of the lengths: the sequence whose attention costs the same per token.
double attended_length(const LengthQuantiles& quantiles, std::int64_t longest);

}  // namespace mekiki
