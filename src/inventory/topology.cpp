#include "inventory/topology.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/amount.h"
#include "inventory/text_lines.h"

namespace mekiki {
namespace {

constexpr std::size_t kMostDevices = 256;

constexpr std::array<std::pair<std::string_view, TopologyPath>, 9> kWords = {
    {{"X", TopologyPath::self},
     {"PIX", TopologyPath::pix},
     {"PXB", TopologyPath::pxb},
     {"PHB", TopologyPath::phb},
     {"NODE", TopologyPath::node},
     {"SYS", TopologyPath::sys},
     {"SOC", TopologyPath::sys},  // old drivers
     {"N/A", TopologyPath::unknown},
     {"DIS", TopologyPath::unknown}}};

std::optional<DevicePath> path_of(std::string_view word) {
  for (const auto& [name, kind] : kWords) {
    if (word == name) {
      return DevicePath{kind, 0};
    }
  }
  if (word.size() > 2 && word.starts_with("NV")) {
    const Result<std::int64_t> links = parse_count(word.substr(2));
    return links && *links > 0 ? std::optional(DevicePath{TopologyPath::nvlink, *links}) : std::nullopt;
  }
  return std::nullopt;
}

// The names of the devices stand before the affinities.
std::vector<std::string> devices_in(const std::vector<std::string>& header) {
  const auto end = std::find_if(
      header.begin(), header.end(), [](const std::string& word) { return word == "CPU" || word == "NUMA"; });
  return {header.begin(), end};
}

Error fault(std::string_view subject, std::size_t line, std::string message) {
  return {ErrorCode::invalid_input,
          fmt::format("{}:{}", subject, line + 1),
          std::move(message),
          "save the whole output of `nvidia-smi topo -m`"};
}

Status check_matrix(const Topology& topology, std::string_view subject, std::size_t header_line) {
  const std::size_t count = topology.devices.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (topology.paths[i][i].kind != TopologyPath::self) {
      return fail(fault(subject, header_line, "the diagonal of the matrix is not X"));
    }
    for (std::size_t j = 0; j < i; ++j) {
      const DevicePath& a = topology.paths[i][j];
      const DevicePath& b = topology.paths[j][i];
      if (a.kind != b.kind || a.links != b.links) {
        return fail(
            fault(subject,
                  header_line,
                  fmt::format("{} and {} see each other differently", topology.devices[i], topology.devices[j])));
      }
    }
  }
  return {};
}

// "NIC0: mlx5_0" below the matrix.
void name_nics(const std::vector<std::string>& lines, Topology& topology) {
  for (std::string& device : topology.devices) {
    for (const std::string& line : lines) {
      if (device.starts_with("NIC") && begins_with_key(line, device)) {
        device = value_after(line, device);
        break;
      }
    }
  }
}

}  // namespace

std::size_t Topology::gpus() const {
  return static_cast<std::size_t>(std::count_if(
      devices.begin(), devices.end(), [](const std::string& device) { return device.starts_with("GPU"); }));
}

Result<Topology> read_topology(std::string_view text, std::string_view subject) {
  const std::vector<std::string> lines = lines_of(text);
  std::size_t header = 0;
  while (header < lines.size() && (words_in(lines[header]).empty() || words_in(lines[header]).front() != "GPU0")) {
    ++header;
  }
  Topology topology;
  if (header < lines.size()) {
    topology.devices = devices_in(words_in(lines[header]));
  }
  const std::size_t count = topology.devices.size();
  if (count == 0 || count > kMostDevices) {
    return fail(fault(subject, 0, "holds no matrix of devices"));
  }
  for (std::size_t row = 0; row < count; ++row) {
    const std::size_t line = header + 1 + row;
    const std::vector<std::string> words = line < lines.size() ? words_in(lines[line]) : std::vector<std::string>{};
    if (words.size() < count + 1 || words.front() != topology.devices[row]) {
      return fail(fault(subject, line, fmt::format("the row of {} is cut", topology.devices[row])));
    }
    std::vector<DevicePath>& paths = topology.paths.emplace_back();
    for (std::size_t i = 0; i < count; ++i) {
      const std::optional<DevicePath> path = path_of(words[i + 1]);
      if (!path) {
        return fail(fault(subject, line, fmt::format("\"{}\" is no path between devices", words[i + 1])));
      }
      paths.push_back(*path);
    }
    if (words.front().starts_with("GPU")) {
      topology.numa.push_back(words.size() > count + 2 ? words[count + 2] : "");
    }
  }
  if (const Status status = check_matrix(topology, subject, header); !status) {
    return fail(status.error());
  }
  name_nics(lines, topology);
  return topology;
}

}  // namespace mekiki
