#include "inventory/host.h"

#include <utility>

#include "base/amount.h"
#include "inventory/text_lines.h"

namespace mekiki {
namespace {

std::optional<double> number_in(std::string_view text) {
  const Result<double> number = parse_number(text);
  return number && *number >= 0 ? std::optional<double>(*number) : std::nullopt;
}

std::optional<std::int64_t> count_in(std::string_view text) {
  const Result<std::int64_t> count = parse_count(text);
  return count ? std::optional<std::int64_t>(*count) : std::nullopt;
}

// "MemTotal:       16316412 kB"
std::optional<Bytes> kibibytes_in(const std::string& value) {
  const std::vector<std::string> words = words_in(value);
  const auto number = words.size() == 2 && words[1] == "kB" ? number_in(words[0]) : std::nullopt;
  return number ? std::optional<Bytes>(*number * 1024.0 * kByte) : std::nullopt;
}

}  // namespace

HostReadings with_lscpu(HostReadings host, std::string_view text) {
  for (const std::string& line : lines_of(text)) {
    if (begins_with_key(line, "CPU(s)")) {
      host.cpus = count_in(value_after(line, "CPU(s)"));
    } else if (begins_with_key(line, "NUMA node(s)")) {
      host.numa_nodes = count_in(value_after(line, "NUMA node(s)"));
    } else if (begins_with_key(line, "Model name")) {
      host.processor = value_after(line, "Model name");
    }
  }
  return host;
}

HostReadings with_meminfo(HostReadings host, std::string_view text) {
  for (const std::string& line : lines_of(text)) {
    if (begins_with_key(line, "MemTotal")) {
      host.memory = kibibytes_in(value_after(line, "MemTotal"));
    } else if (begins_with_key(line, "MemAvailable")) {
      host.memory_free = kibibytes_in(value_after(line, "MemAvailable"));
    }
  }
  return host;
}

HostReadings with_memory_limit(HostReadings host, std::string_view text) {
  const std::vector<std::string> words = words_in(lines_of(text).empty() ? "" : lines_of(text).front());
  const auto number = words.empty() ? std::nullopt : number_in(words.front());
  // Old control groups write a huge number for "no limit".
  constexpr double kNoLimit = 1e18;
  if (number && *number > 0 && *number < kNoLimit) {
    host.memory_limit = *number * kByte;
  }
  return host;
}

HostReadings with_cpu_limit(HostReadings host, std::string_view text) {
  const std::vector<std::string> words = words_in(lines_of(text).empty() ? "" : lines_of(text).front());
  const auto quota = words.size() == 2 ? number_in(words[0]) : std::nullopt;
  const auto period = words.size() == 2 ? number_in(words[1]) : std::nullopt;
  if (quota && period && *period > 0) {
    host.cpu_limit = *quota / *period;
  }
  return host;
}

HostReadings with_mounts(HostReadings host, std::string_view text) {
  for (const std::string& line : lines_of(text)) {
    const std::vector<std::string> words = words_in(line);
    if (words.size() < 6 || !words[0].starts_with("/dev/")) {
      continue;
    }
    const auto size = number_in(words[1]), free = number_in(words[3]);
    if (size && free) {
      host.mounts.push_back({words[0], words[5], *size * kByte, *free * kByte});
    }
  }
  return host;
}

HostReadings with_libraries(HostReadings host, std::string_view text) {
  const std::pair<std::string_view, std::string HostReadings::*> names[] = {
      {"torch", &HostReadings::torch}, {"cuda", &HostReadings::torch_cuda}, {"nccl", &HostReadings::nccl}};
  for (const std::string& line : lines_of(text)) {
    const std::vector<std::string> words = words_in(line);
    for (const auto& [name, member] : names) {
      if (words.size() == 2 && words[0] == name && words[1] != "None") {
        host.*member = words[1];
      }
    }
  }
  return host;
}

}  // namespace mekiki
