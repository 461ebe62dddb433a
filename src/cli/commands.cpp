#include "cli/commands.h"

#include <algorithm>

namespace mekiki {
namespace {

constexpr FlagGroup kOwn = FlagGroup::command;

Flag gpu_filter_flag() {
  return {.name = "gpu", .value = "TEXT", .group = kOwn, .help = "flag.gpu_filter"};
}

Flag provider_filter_flag() {
  return {.name = "provider", .value = "TEXT", .group = kOwn, .help = "flag.provider_filter"};
}

Flag kind_filter_flag() {
  return {.name = "kind", .value = "WORD", .group = kOwn, .help = "flag.kind_filter"};
}

Flag of_service_flag() {
  return {.name = "of", .value = "gpu|storage|egress|api", .group = kOwn, .help = "flag.of_service"};
}

Flag price_book_flag() {
  return {.name = "price-book", .value = "FILE", .group = kOwn, .help = "flag.price_book", .repeatable = true};
}

Flag exchange_rate_flag() {
  return {.name = "exchange-rate",
          .value = "EUR=1.08@YYYY-MM-DD",
          .group = kOwn,
          .help = "flag.exchange_rate",
          .repeatable = true};
}

std::vector<Flag> with_view(std::vector<Flag> flags) {
  flags.push_back({.name = "where", .value = "KEY>=VALUE", .group = kOwn, .help = "flag.where", .repeatable = true});
  flags.push_back({.name = "sort", .value = "KEY|-KEY", .group = kOwn, .help = "flag.sort"});
  flags.push_back({.name = "columns", .value = "KEY,...", .group = kOwn, .help = "flag.columns"});
  flags.push_back({.name = "csv", .group = kOwn, .help = "flag.csv"});
  return flags;
}

std::span<const Flag> gpu_flags() {
  static const std::vector<Flag> flags = with_view({});
  return flags;
}

std::span<const Flag> system_flags() {
  static const std::vector<Flag> flags = with_view({gpu_filter_flag(), provider_filter_flag()});
  return flags;
}

std::span<const Flag> provider_flags() {
  static const std::vector<Flag> flags =
      with_view({{.name = "require", .value = "TOPIC=TEXT", .group = kOwn, .help = "key.require", .repeatable = true}});
  return flags;
}

std::span<const Flag> price_list_flags() {
  static const std::vector<Flag> flags = with_view({of_service_flag(),
                                                    gpu_filter_flag(),
                                                    provider_filter_flag(),
                                                    kind_filter_flag(),
                                                    price_book_flag(),
                                                    exchange_rate_flag()});
  return flags;
}

std::span<const Flag> price_show_flags() {
  static const std::vector<Flag> flags = {price_book_flag(), exchange_rate_flag()};
  return flags;
}

std::span<const Flag> price_history_flags() {
  static const std::vector<Flag> flags = {
      of_service_flag(),
      gpu_filter_flag(),
      provider_filter_flag(),
      kind_filter_flag(),
      price_book_flag(),
      exchange_rate_flag(),
      {.name = "html", .value = "FILE", .group = kOwn, .help = "flag.html"},
      {.name = "since", .value = "YYYY-MM-DD", .group = kOwn, .help = "flag.since"}};
  return flags;
}

std::span<const Flag> book_flags() {
  static const std::vector<Flag> flags = {
      {.name = "format", .value = "WORD", .group = kOwn, .help = "flag.book_format"},
      {.name = "provider", .value = "TEXT", .group = kOwn, .help = "flag.book_provider"},
      {.name = "dated", .value = "YYYY-MM-DD", .group = kOwn, .help = "flag.dated"},
      exchange_rate_flag(),
  };
  return flags;
}

std::span<const Flag> model_flags() {
  static const std::vector<Flag> flags = {{.name = "all", .group = FlagGroup::command, .help = "flag.all_models"},
                                          {.name = "tensors", .group = FlagGroup::command, .help = "flag.tensors"}};
  return flags;
}

std::span<const Flag> fit_flags() {
  static const std::vector<Flag> flags = {
      {.name = "from", .value = "DIR", .group = kOwn, .help = "flag.from"},
      {.name = "explain", .value = "TERM", .group = kOwn, .help = "flag.explain", .repeatable = true},
      {.name = "worksheet", .value = "FILE.csv", .group = kOwn, .help = "flag.worksheet"}};
  return flags;
}

std::span<const Flag> plan_flags() {
  static const std::vector<Flag> flags = {price_book_flag(),
                                          exchange_rate_flag(),
                                          {.name = "from", .value = "DIR", .group = kOwn, .help = "flag.from"},
                                          {.name = "threads", .value = "COUNT", .group = kOwn, .help = "flag.threads"}};
  return flags;
}

std::span<const Flag> here_flags() {
  static const std::vector<Flag> flags = {{.name = "from", .value = "DIR", .group = kOwn, .help = "flag.from"}};
  return flags;
}

std::span<const Flag> audit_flags() {
  static const std::vector<Flag> flags = {
      {.name = "time", .value = "DURATION", .group = FlagGroup::command, .help = "flag.claim_time"},
      {.name = "mfu", .value = "SHARE", .group = FlagGroup::command, .help = "flag.claim_mfu"},
      {.name = "tokens-per-s", .value = "NUMBER", .group = FlagGroup::command, .help = "flag.claim_rate"},
      {.name = "gpu-utilization", .value = "SHARE", .group = FlagGroup::command, .help = "flag.claim_utilization"}};
  return flags;
}

std::span<const Flag> validate_flags() {
  static const std::vector<Flag> flags = {
      {.name = "models", .value = "DIR", .group = FlagGroup::command, .help = "flag.models"},
      {.name = "framework", .value = "ID", .group = FlagGroup::command, .help = "flag.framework_of_rows"}};
  return flags;
}

std::span<const Flag> man_flags() {
  static const std::vector<Flag> flags = {{.name = "markdown", .group = FlagGroup::command, .help = "flag.markdown"},
                                          {.name = "formulas", .group = FlagGroup::command, .help = "flag.formulas"}};
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
      {"fit", "[JOB|MODEL]", 0, 1, JobFlags::fitting, fit_flags(), run_fit},
      {"plan", "[JOB|MODEL]", 0, 1, JobFlags::all, plan_flags(), run_plan},
      {"audit", "[JOB|MODEL]", 0, 1, JobFlags::fitting, audit_flags(), run_audit},
      {"gpus", "[GPU...]", 0, 64, JobFlags::none, gpu_flags(), run_gpus},
      {"systems", "[SYSTEM...]", 0, 64, JobFlags::none, system_flags(), run_systems},
      {"providers", "[PROVIDER...]", 0, 64, JobFlags::none, provider_flags(), run_providers},
      {"prices list", "", 0, 0, JobFlags::none, price_list_flags(), run_prices_list},
      {"prices show", "ID", 1, 1, JobFlags::none, price_show_flags(), run_prices_show},
      {"prices history", "[WHAT]", 0, 1, JobFlags::none, price_history_flags(), run_prices_history},
      {"prices import", "FILE", 1, 1, JobFlags::none, book_flags(), run_prices_import},
      {"prices lint", "[FILE...]", 0, 64, JobFlags::none, book_flags(), run_prices_lint},
      {"prices diff", "OLD NEW", 2, 2, JobFlags::none, book_flags(), run_prices_diff},
      {"here", "", 0, 0, JobFlags::none, here_flags(), run_here},
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
