#include "job/length_quantiles.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/amount.h"
#include "job/job_values.h"

namespace mekiki {
namespace {

Error bad(std::string message) {
  return {ErrorCode::invalid_input, "", std::move(message), "write shares and lengths that rise: 50%:400, 100%:4096"};
}

/// Length at a share of the samples.
double length_at(const LengthQuantiles& quantiles, double share) {
  double share_before = 0, length_before = 0;
  for (const LengthQuantile& q : quantiles) {
    const auto length = static_cast<double>(q.tokens);
    if (share <= q.share) {
      return length_before + (length - length_before) * (share - share_before) / (q.share - share_before);
    }
    share_before = q.share;
    length_before = length;
  }
  return length_before;
}

/// Mean over evenly spaced shares u of f(length at u^(1 / samples)): the longest of `samples` draws lies there.
template <class F>
double mean_over(const LengthQuantiles& quantiles, std::int64_t longest, std::int64_t samples, F f) {
  constexpr int kSteps = 2048;
  double sum = 0;
  for (int i = 0; i < kSteps; ++i) {
    const double share = std::pow((i + 0.5) / kSteps, 1.0 / static_cast<double>(samples));
    sum += f(std::clamp(length_at(quantiles, share), 1.0, static_cast<double>(longest)));
  }
  return sum / kSteps;
}

}  // namespace

Result<LengthQuantiles> parse_length_quantiles(std::string_view text) {
  Result<std::vector<std::string>> items = read_texts(text);
  if (!items) {
    return fail(items.error());
  }
  LengthQuantiles quantiles;
  for (const std::string& item : *items) {
    const std::size_t colon = item.find(':');
    if (colon == std::string::npos) {
      return fail(bad("\"" + item + "\" has no colon between share and length"));
    }
    const Result<double> share = read_share(std::string_view(item).substr(0, colon));
    const Result<std::int64_t> tokens = read_length(std::string_view(item).substr(colon + 1));
    if (!share) {
      return fail(share.error());
    }
    if (!tokens) {
      return fail(tokens.error());
    }
    const bool rises = quantiles.empty() || (*share > quantiles.back().share && *tokens >= quantiles.back().tokens);
    if (!(*share > 0) || !rises) {
      return fail(bad("\"" + item + "\" does not rise above what stands before it"));
    }
    quantiles.push_back({*share, *tokens});
  }
  return quantiles;
}

double mean_length(const LengthQuantiles& quantiles, std::int64_t longest) {
  return mean_over(quantiles, longest, 1, [](double length) { return length; });
}

double mean_of_longest(const LengthQuantiles& quantiles, std::int64_t longest, std::int64_t samples) {
  return mean_over(quantiles, longest, samples, [](double length) { return length; });
}

double attended_length(const LengthQuantiles& quantiles, std::int64_t longest) {
  const double squares = mean_over(quantiles, longest, 1, [](double length) { return length * length; });
  return squares / mean_length(quantiles, longest);
}

}  // namespace mekiki
