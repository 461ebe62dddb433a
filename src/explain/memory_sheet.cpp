#include <cmath>

#include "explain/live_tensors.h"
#include "explain/resident_shares.h"
#include "explain/sheet_builder.h"
#include "memory/memory.h"

namespace mekiki {
namespace {

class MemoryRows {
 public:
  explicit MemoryRows(SheetBuilder& sheet)
      : sheet_(sheet),
        subject_(sheet.subject()),
        report_(*subject_.report),
        live_(live_at_peak(subject_, report_.memory.peak)) {}

  void add() {
    units();
    std::string categories;
    for (std::size_t c = 0; c < kCategories; ++c) {
      const std::string section(EnumNames<Category>::value[c]);
      const std::size_t first = sheet_.here();
      for (const LiveItem& item : live_.items) {
        if (static_cast<std::size_t>(item.category) == c) {
          live_row(section, item);
        }
      }
      total(section, section, sheet_.sum_from(first), report_.memory.categories[c]);
      categories += (c == 0 ? "" : "+") + sheet_.named(section);
    }
    numbers(categories);
    verdict();
  }

 private:
  void total(const std::string& section, const std::string& term, std::string formula, Bytes predicted) {
    sheet_.total(section, term, std::move(formula), predicted / kByte, Unit::bytes);
  }

  static std::string unit_name(const LiveItem& item) {
    return std::string(enum_name(item.part)) + (item.layer_kind >= 0 ? " " + std::to_string(item.layer_kind) : "");
  }
  static std::string number_key(const LiveItem& item) { return "number of " + unit_name(item); }
  static std::string elements_key(const LiveItem& item) {
    return "weights of " + unit_name(item) + " " + std::to_string(*item.elements);
  }

  /// Elements of every unit that residents name, and how many equal layers there are.
  void units() {
    const auto editable = [&](std::string term, double value, const std::string& key) {
      sheet_.add({.section = "model", .term = std::move(term), .value = value, .predicted = value, .editable = true},
                 key);
    };
    for (const LiveItem& item : live_.items) {
      if (!item.elements || sheet_.has(elements_key(item))) {
        continue;
      }
      if (!sheet_.has(number_key(item))) {
        editable(number_key(item), item.count, number_key(item));
      }
      const bool adapters = trains_adapters_only(subject_.job().method) && item.name != "weights";
      editable("weights of " + unit_name(item) + (adapters ? " (trained)" : ""), *item.elements, elements_key(item));
    }
  }

  void live_row(const std::string& section, const LiveItem& item) {
    const std::size_t row = sheet_.here();
    const std::string product = SheetBuilder::address('C', row) + "*" + SheetBuilder::address('D', row);
    SheetRow r{
        .section = section,
        .term = std::string(item.name) + " (" + unit_name(item) + ", " + std::string(enum_name(item.place)) + ")",
        .unit = Unit::bytes,
        .predicted = item.total() / kByte,
        .editable = true};
    if (item.elements && *item.elements > 0) {
      const std::string shards = shards_key(item);
      const double ranks = shards.empty() ? 1.0 : sheet_.number(shards);
      r.count = CellFormula{"=" + sheet_.named(number_key(item))};
      r.coefficient = item.bytes / kByte / *item.elements * ranks;
      r.value = CellFormula{"=" + product + "*" + sheet_.named(elements_key(item)) +
                            (shards.empty() ? std::string() : "/" + sheet_.named(shards))};
    } else {
      const SizeRule& size = item.size;
      const double batch = std::pow(static_cast<double>(report_.job.micro_batch_size), size.micro_batch) *
                           std::pow(static_cast<double>(report_.job.sequence_length), size.sequence);
      r.count = item.count;
      r.coefficient = item.bytes / kByte / batch;
      r.value = CellFormula{"=" + product + times("micro_batch_size", size.micro_batch) +
                            times("sequence_length", size.sequence)};
      r.note = size.known ? SheetNote::at_the_peak : SheetNote::fixed_size;
    }
    sheet_.add(std::move(r));
  }

  std::string times(const std::string& key, int exponent) const {
    return exponent == 0 ? "" : "*" + sheet_.named(key) + (exponent > 1 ? "^" + std::to_string(exponent) : "");
  }

  /// The shards that split a resident; none where experts are split otherwise than the rest.
  std::string shards_key(const LiveItem& item) const {
    const ShardCounts& s = subject_.sharding.shards;
    const bool experts = has_experts();
    switch (item.category) {
      case Category::weights:
        return !experts || s.weights == s.expert_weights ? "weight_shards" : "";
      case Category::optimizer_states:
      case Category::master_weights:
        return !experts || s.states == s.expert_states ? "state_shards" : "";
      case Category::gradients:
        return item.name == "gradients" && (!experts || s.gradients == s.expert_gradients) ? "gradient_shards" : "";
      default:
        return "";
    }
  }

  bool has_experts() const {
    for (const StageUnit& unit : stage_units(subject_, *live_.stage)) {
      if (unit.elements.expert > 0) {
        return true;
      }
    }
    return false;
  }

  void numbers(const std::string& categories) {
    const MemoryReport& memory = report_.memory;
    total("numbers", "allocated", categories, memory.allocated.mid);
    sheet_.add({.section = "numbers",
                .term = "allocator",
                .value = memory.allocator / kByte,
                .unit = Unit::bytes,
                .predicted = memory.allocator / kByte,
                .editable = true,
                .note = SheetNote::replayed},
               "allocator");
    total("numbers", "reserved", sheet_.named("allocated") + "+" + sheet_.named("allocator"), memory.reserved.mid);
    context();
    total("numbers", "device", sheet_.named("reserved") + "+" + sheet_.named("context"), memory.device.mid);
    const std::pair<const char*, Bytes> shown[] = {
        {"allocated", memory.allocated.mid}, {"reserved", memory.reserved.mid}, {"device", memory.device.mid}};
    for (const auto& [term, bytes] : shown) {
      sheet_.total("numbers", std::string(term) + "_gib", sheet_.named(term) + "/1024^3", bytes / kGiB, Unit::none);
    }
  }

  void context() {
    const DeviceOverheads& rule = subject_.profile().memory.device;
    const std::pair<const char*, Bytes> sizes[] = {{"device.context_gib", rule.context},
                                                   {"device.first_communicator_gib", rule.first_communicator},
                                                   {"device.further_communicator_gib", rule.further_communicator}};
    for (const auto& [key, bytes] : sizes) {
      sheet_.input("context", key, [&, k = key, b = bytes](Inputs& i) { i.profile(k, b / kByte, Unit::bytes); });
    }
    sheet_.input("context", "communicators", [&](Inputs& i) {
      i.computed("communicators", static_cast<double>(communicators(report_.layout)));
    });
    const std::string open = sheet_.named("communicators");
    total("context",
          "context",
          sheet_.named("device.context_gib") + "+IF(" + open + ">0," + sheet_.named("device.first_communicator_gib") +
              "+(" + open + "-1)*" + sheet_.named("device.further_communicator_gib") + ",0)",
          report_.memory.context);
  }

  void verdict() {
    if (!report_.capacity) {
      return;
    }
    const std::string device = sheet_.named("device"), capacity = sheet_.named("capacity");
    total("verdict",
          "with_headroom",
          device + "*(1+" + sheet_.named("headroom") + ")",
          report_.memory.device.mid * (1.0 + report_.job.headroom));
    sheet_.add({.section = "verdict",
                .term = "verdict",
                .value = CellFormula{"=IF(" + sheet_.named("with_headroom") + "<=" + capacity + ",\"fits\",IF(" +
                                     device + "<=" + capacity + ",\"tight\",\"does_not_fit\"))"}});
  }

  SheetBuilder& sheet_;
  const Subject& subject_;
  const FitReport& report_;
  LiveSet live_;
};

}  // namespace

void add_memory_rows(SheetBuilder& sheet) {
  MemoryRows(sheet).add();
}

}  // namespace mekiki
