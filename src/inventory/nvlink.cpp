#include "inventory/nvlink.h"

#include <algorithm>
#include <string>

#include "base/amount.h"
#include "base/letter_case.h"
#include "inventory/text_lines.h"

namespace mekiki {
namespace {

// "GPU 3: name (UUID: ...)" is 3.
std::optional<std::int64_t> gpu_index(std::string_view line) {
  if (!line.starts_with("GPU ")) {
    return std::nullopt;
  }
  const std::size_t colon = line.find(':');
  const Result<std::int64_t> index =
      colon == std::string_view::npos ? Result<std::int64_t>(-1) : parse_count(line.substr(4, colon - 4));
  return index && *index >= 0 ? std::optional(*index) : std::nullopt;
}

// The driver writes "inActive".
bool says_inactive(std::string_view line) {
  return lower_case(line).find("all links are inactive") != std::string::npos;
}

}  // namespace

std::int64_t GpuLinks::active() const {
  return std::count_if(links.begin(), links.end(), [](const auto& link) { return link.has_value(); });
}

BytesPerSecond GpuLinks::bandwidth() const {
  BytesPerSecond sum;
  for (const auto& link : links) {
    sum = sum + link.value_or(BytesPerSecond{});
  }
  return sum;
}

std::vector<GpuLinks> read_nvlink(std::string_view text) {
  std::vector<GpuLinks> gpus;
  for (const std::string& line : lines_of(text)) {
    if (const std::optional<std::int64_t> index = gpu_index(line)) {
      gpus.push_back({.index = *index});
      continue;
    }
    if (gpus.empty()) {
      continue;
    }
    if (says_inactive(line)) {
      gpus.back().all_inactive = true;
      continue;
    }
    const std::vector<std::string> words = words_in(line);
    if (words.size() >= 3 && words[0] == "Link") {
      const Result<double> rate = parse_number(words[2]);
      const bool known = rate && *rate > 0 && words.size() >= 4 && words[3] == "GB/s";
      gpus.back().links.push_back(known ? std::optional<BytesPerSecond>(*rate * kGBPerSecond) : std::nullopt);
    }
  }
  return gpus;
}

}  // namespace mekiki
