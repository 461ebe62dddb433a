// RuleTable: the few numbers that a calculation assumes, as a CSV that a person can review: columns key, low, mid,
// high, unit, basis, source, notes. Each number says where it comes from, or that it is assumed.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/estimate.h"
#include "base/result.h"

namespace mekiki {

struct Rule {
  std::string key;
  Estimate<double> value;  // in `unit`
  std::string unit;
  std::string source;
};

/// A key that a reader expects, with the unit that it takes it in.
struct RuleKey {
  std::string_view key;
  std::string_view unit;
};

/// The rules in the order of `keys`. Errors: invalid_input, with the line or the key, for an unknown, missing or
/// repeated key, another unit than the key's own, an unknown basis, or values that are not 0 <= low <= mid <= high.
Result<std::vector<Rule>> read_rules(std::string_view csv, std::string_view subject, std::span<const RuleKey> keys);

}  // namespace mekiki
