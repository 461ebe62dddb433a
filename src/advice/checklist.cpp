#include "advice/checklist.h"

#include <algorithm>

#include "base/amount.h"
#include "base/csv.h"

namespace mekiki {
namespace {

constexpr std::string_view kContractQuestions[] = {
    "capacity", "region", "interruption", "support", "security", "tenancy"};

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// A test of one node, of several, or of neither.
bool is_cluster_test(const Baseline& baseline) {
  return has(baseline.test, "2-node") || has(baseline.test, "over IB") || has(baseline.system, "(32 GPUs)");
}

bool is_collective(const Baseline& baseline) {
  return has(baseline.test, "all-reduce") || has(baseline.test, "all_reduce") || has(baseline.test, "busbw");
}

std::string rate_text(BytesPerSecond rate) {
  std::string text = std::to_string(rate / kGBPerSecond);
  text.erase(text.find_last_not_of('0') + 1);
  return (text.ends_with('.') ? text.substr(0, text.size() - 1) : text) + " GB/s";
}

class Asker {
 public:
  Asker(const Plan& plan, std::span<const Baseline> baselines)
      : plan_(plan), system_(plan.machine->system), baselines_(baselines) {}

  std::vector<ChecklistEntry> run() {
    entries_ = checklist_without_plan();
    ask_of_the_node();
    if (plan_.nodes > 1) {
      ask_of_the_cluster();
    }
    add("storage", ChecklistGroup::cluster);
    return std::move(entries_);
  }

 private:
  using Test = bool (*)(const Baseline&);

  void add(std::string_view id, ChecklistGroup group, std::string answer = "", Test test = nullptr) {
    ChecklistEntry entry{.id = id, .group = group, .answer = std::move(answer)};
    if (!entry.answer.empty()) {
      entry.evidence = Evidence::claimed;
      entry.source = std::string(system_.source);
    }
    for (const Baseline& baseline : baselines_) {
      if (test != nullptr && baseline.gpu_id == plan_.machine->gpu->id && test(baseline)) {
        entry.levels.push_back(&baseline);
      }
    }
    std::stable_sort(entry.levels.begin(), entry.levels.end(), [](const Baseline* a, const Baseline* b) {
      return a->value < b->value;
    });
    entries_.push_back(std::move(entry));
  }

  void ask_of_the_node() {
    if (plan_.machine->system.gpus > 1) {
      const LinkLevel link = link_for_group(system_, system_.gpus);
      add("nvlink", ChecklistGroup::node, link.kind == LinkKind::none ? "" : std::string(enum_name(link.kind)));
      add("nccl", ChecklistGroup::node, "", [](const Baseline& b) {
        return is_collective(b) && !is_cluster_test(b) && b.unit == "GB/s";
      });
    }
    add("host_copies", ChecklistGroup::node, "", [](const Baseline& b) {
      return (has(b.test, "H2D") || has(b.test, "host-device")) && b.unit == "GB/s";
    });
    add("local_nvme",
        ChecklistGroup::node,
        system_.local_nvme ? std::to_string(static_cast<std::int64_t>(*system_.local_nvme / kGB)) + " GB" : "");
  }

  void ask_of_the_cluster() {
    const bool known = system_.rdma != RdmaKind::unknown;
    add("rdma", ChecklistGroup::cluster, known ? std::string(enum_name(system_.rdma)) : "");
    add("gpudirect",
        ChecklistGroup::cluster,
        system_.gpudirect == Answer::unknown ? "" : std::string(enum_name(system_.gpudirect)));
    add("network", ChecklistGroup::cluster, system_.network_per_gpu ? rate_text(*system_.network_per_gpu) : "");
    add("cluster_nccl", ChecklistGroup::cluster, "", [](const Baseline& b) {
      return is_collective(b) && is_cluster_test(b) && b.unit == "GB/s";
    });
    add("placement", ChecklistGroup::cluster);
  }

  const Plan& plan_;
  const System& system_;
  std::span<const Baseline> baselines_;
  std::vector<ChecklistEntry> entries_;
};

}  // namespace

Result<std::vector<Baseline>> read_baselines(std::string_view csv, std::string_view subject) {
  constexpr std::string_view kColumns[] = {"system", "gpu_id", "test", "value", "unit", "source", "notes"};
  const Result<CsvTable> table = parse_csv_of(kColumns, "pass levels", csv, subject);
  if (!table) {
    return fail(table.error());
  }
  std::vector<Baseline> baselines;
  for (const CsvRow& row : table->rows) {
    const auto& fields = row.fields;
    const Result<double> value = parse_number(fields[3]);
    if (value) {
      baselines.push_back({fields[0], fields[1], fields[2], *value, fields[4], fields[5]});
    }
  }
  return baselines;
}

std::vector<ChecklistEntry> checklist_of(const Plan& plan, std::span<const Baseline> baselines) {
  return Asker(plan, baselines).run();
}

std::vector<ChecklistEntry> checklist_without_plan() {
  std::vector<ChecklistEntry> entries;
  for (const std::string_view id : kContractQuestions) {
    entries.push_back({.id = id});
  }
  return entries;
}

}  // namespace mekiki
