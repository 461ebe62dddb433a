#include "cli/flags.h"

#include <algorithm>
#include <array>

#include "base/enum_names.h"

namespace mekiki {
namespace {

constexpr std::string_view kGroupNames[] = {
    "global", "command", "model", "method", "numbers", "batch", "saving", "layout", "target", "selection"};

FlagGroup group_of(JobKeyCategory category) {
  constexpr std::array kGroups = {FlagGroup::model,
                                  FlagGroup::method,
                                  FlagGroup::numbers,
                                  FlagGroup::batch,
                                  FlagGroup::saving,
                                  FlagGroup::layout,
                                  FlagGroup::target,
                                  FlagGroup::selection};
  static_assert(kGroups.size() == EnumNames<JobKeyCategory>::value.size());
  return kGroups[static_cast<std::size_t>(category)];
}

bool takes(JobFlags which, const JobKey& key) {
  switch (which) {
    case JobFlags::none:
      return false;
    case JobFlags::counting:
      return key.name == "params" || key.name == "sequence_length";
    case JobFlags::fitting:
      return key.category != JobKeyCategory::selection;
    case JobFlags::all:
      return true;
  }
  return false;
}

}  // namespace

std::vector<Flag> global_flags() {
  return {{.name = "json", .help = "flag.json"},
          {.name = "lang", .value = "en|ja", .help = "flag.lang"},
          {.name = "data", .value = "DIR", .help = "flag.data"},
          {.name = "as-of", .value = "YYYY-MM-DD", .help = "flag.as_of"},
          {.name = "offline", .help = "flag.offline"},
          {.name = "quiet", .help = "flag.quiet"},
          {.name = "help", .help = "flag.help"},
          {.name = "version", .help = "flag.version"}};
}

Flag flag_of(const JobKey& key) {
  Flag flag{.name = std::string(key.name),
            .value = enum_name(key.kind),
            .group = group_of(key.category),
            .help = "key." + std::string(key.name),
            .key = &key};
  std::replace(flag.name.begin(), flag.name.end(), '_', '-');
  return flag;
}

std::vector<Flag> job_flags(JobFlags which) {
  std::vector<Flag> flags;
  for (const JobKey& key : job_keys()) {
    if (takes(which, key)) {
      flags.push_back(flag_of(key));
    }
  }
  if (which == JobFlags::fitting || which == JobFlags::all) {
    flags.push_back(
        {.name = "set", .value = "KEY=VALUE", .group = FlagGroup::command, .help = "flag.set", .repeatable = true});
  }
  return flags;
}

std::string usage_of(const Flag& flag) {
  return "--" + flag.name + (flag.value.empty() ? "" : " " + std::string(flag.value));
}

std::string group_message(FlagGroup group) {
  return "group." + std::string(kGroupNames[static_cast<std::size_t>(group)]);
}

}  // namespace mekiki
