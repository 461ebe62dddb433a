// The one table of flags. Parser, help, manual page, completions and docs/flags.md are all made from it. Flags of job
// keys come from the table of keys (job/job_keys.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "job/job_keys.h"

namespace mekiki {

enum class FlagGroup : std::uint8_t {
  global,
  command,
  model,
  method,
  numbers,
  batch,
  saving,
  layout,
  target,
  selection
};

struct Flag {
  std::string name;        // without the dashes
  std::string_view value;  // how the value is written; empty: a switch
  FlagGroup group = FlagGroup::global;
  std::string help;             // id of the message
  const JobKey* key = nullptr;  // the job key that it sets; null: none
  bool repeatable = false;
};

/// Flags that every command takes.
std::vector<Flag> global_flags();

/// The flag of a job key: dashes for underscores.
Flag flag_of(const JobKey& key);

/// Which job keys are flags of a command.
enum class JobFlags : std::uint8_t { none, counting, fitting, all };

/// Those flags, with --set where any key may be given.
std::vector<Flag> job_flags(JobFlags which);

/// "--gpus COUNT".
std::string usage_of(const Flag& flag);

/// Id of the message that titles a group.
std::string group_message(FlagGroup group);

}  // namespace mekiki
