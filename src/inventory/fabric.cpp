#include "inventory/fabric.h"

#include "base/amount.h"
#include "inventory/text_lines.h"

namespace mekiki {

FabricReadings read_ibstat(std::string_view text) {
  constexpr double kBitsPerByte = 8.0;
  FabricReadings readings;
  std::string adapter;
  for (const std::string& line : lines_of(text)) {
    const std::string_view plain = trimmed_text(line);
    if (plain.starts_with("CA '")) {
      adapter = std::string(plain.substr(4, plain.find('\'', 4) - 4));
    } else if (plain.starts_with("Port ") && plain.ends_with(":")) {
      const Result<std::int64_t> port = parse_count(plain.substr(5, plain.size() - 6));
      readings.ports.push_back({.adapter = adapter, .port = port.value_or(0)});
    } else if (plain.find("panic") != std::string_view::npos) {
      readings.faults.emplace_back(plain);
    } else if (!readings.ports.empty() && readings.ports.back().adapter == adapter) {
      FabricPort& port = readings.ports.back();
      if (begins_with_key(plain, "State")) {
        port.state = value_after(plain, "State");
      } else if (begins_with_key(plain, "Physical state")) {
        port.physical = value_after(plain, "Physical state");
      } else if (begins_with_key(plain, "Link layer")) {
        port.link_layer = value_after(plain, "Link layer");
      } else if (begins_with_key(plain, "Rate")) {
        const Result<double> rate = parse_number(value_after(plain, "Rate"));
        port.rate =
            rate && *rate > 0 ? std::optional<BytesPerSecond>(*rate / kBitsPerByte * kGBPerSecond) : std::nullopt;
      }
    }
  }
  return readings;
}

}  // namespace mekiki
