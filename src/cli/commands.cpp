#include "cli/commands.h"

#include <algorithm>

namespace mekiki {
namespace {

std::span<const Flag> catalogue_flags() {
  static const std::vector<Flag> flags = {
      {.name = "gpu", .value = "TEXT", .group = FlagGroup::command, .help = "flag.gpu_filter"},
      {.name = "provider", .value = "TEXT", .group = FlagGroup::command, .help = "flag.provider_filter"},
  };
  return flags;
}

std::span<const Flag> price_flags() {
  static const std::vector<Flag> flags = [] {
    std::vector<Flag> all(catalogue_flags().begin(), catalogue_flags().end());
    all.push_back({.name = "kind", .value = "WORD", .group = FlagGroup::command, .help = "flag.kind_filter"});
    return all;
  }();
  return flags;
}

std::span<const Flag> model_flags() {
  static const std::vector<Flag> flags = {{.name = "all", .group = FlagGroup::command, .help = "flag.all_models"},
                                          {.name = "tensors", .group = FlagGroup::command, .help = "flag.tensors"}};
  return flags;
}

std::span<const Flag> plan_flags() {
  static const std::vector<Flag> flags = {
      {.name = "threads", .value = "COUNT", .group = FlagGroup::command, .help = "flag.threads"}};
  return flags;
}

std::span<const Flag> audit_flags() {
  static const std::vector<Flag> flags = {
      {.name = "time", .value = "DURATION", .group = FlagGroup::command, .help = "flag.claim_time"},
      {.name = "mfu", .value = "SHARE", .group = FlagGroup::command, .help = "flag.claim_mfu"},
      {.name = "tokens-per-s", .value = "NUMBER", .group = FlagGroup::command, .help = "flag.claim_rate"}};
  return flags;
}

std::span<const Flag> validate_flags() {
  static const std::vector<Flag> flags = {
      {.name = "models", .value = "DIR", .group = FlagGroup::command, .help = "flag.models"},
      {.name = "framework", .value = "ID", .group = FlagGroup::command, .help = "flag.framework_of_rows"}};
  return flags;
}

std::span<const Flag> man_flags() {
  static const std::vector<Flag> flags = {{.name = "markdown", .group = FlagGroup::command, .help = "flag.markdown"}};
  return flags;
}

}  // namespace

const std::string* Arguments::value(std::string_view flag) const {
  const auto found = values.find(flag);
  return found == values.end() || found->second.empty() ? nullptr : &found->second.front();
}

std::span<const Command> commands() {
  static const std::vector<Command> all = {
      {"model", "[MODEL [MODEL]]", 0, 2, JobFlags::counting, model_flags(), run_model},
      {"fit", "[JOB|MODEL]", 0, 1, JobFlags::fitting, {}, run_fit},
      {"plan", "[JOB|MODEL]", 0, 1, JobFlags::all, plan_flags(), run_plan},
      {"audit", "[JOB|MODEL]", 0, 1, JobFlags::fitting, audit_flags(), run_audit},
      {"gpus", "[GPU...]", 0, 64, JobFlags::none, {}, run_gpus},
      {"systems", "[SYSTEM...]", 0, 64, JobFlags::none, catalogue_flags(), run_systems},
      {"prices list", "", 0, 0, JobFlags::none, price_flags(), run_prices_list},
      {"validate memory", "FILE.csv", 1, 1, JobFlags::none, validate_flags(), run_validate_memory},
      {"validate throughput", "FILE.csv", 1, 1, JobFlags::none, validate_flags(), run_validate_throughput},
      {"completions", "bash|zsh|fish", 1, 1, JobFlags::none, {}, run_completions},
      {"man", "", 0, 0, JobFlags::none, man_flags(), run_man},
  };
  return all;
}

std::vector<Flag> flags_of(const Command& command) {
  std::vector<Flag> flags = job_flags(command.job_flags);
  flags.insert(flags.end(), command.own_flags.begin(), command.own_flags.end());
  for (Flag& flag : global_flags()) {
    flags.push_back(std::move(flag));
  }
  return flags;
}

std::string command_message(std::string_view name, std::string_view what) {
  std::string id = "command." + std::string(name) + "." + std::string(what);
  std::replace(id.begin(), id.end(), ' ', '_');
  return id;
}

}  // namespace mekiki
