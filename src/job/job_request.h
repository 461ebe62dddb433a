// What a person asks for in a job file or with flags: the job itself, how it shall be spread, on what, and how to
// choose. Only what was said is set.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "base/quantity.h"
#include "hardware/mig.h"
#include "job/job.h"

namespace mekiki {

/// Axes of a layout that the user fixed.
struct LayoutRequest {
  std::optional<std::int64_t> dp_replicate, dp_shard, tensor_parallel, context_parallel, pipeline_parallel,
      virtual_pipeline, expert_parallel, expert_tensor_parallel;
  std::optional<bool> sequence_parallel, reshard_after_forward;
  std::optional<std::int64_t> zero_stage;

  bool operator==(const LayoutRequest&) const = default;
  /// Whether nothing was said about the layout.
  bool empty() const { return *this == LayoutRequest{}; }
};

/// The machine: names as the user writes them, looked up by the catalogue.
struct TargetRequest {
  std::string gpu;
  std::string system;
  std::optional<std::int64_t> gpus;   // in total
  std::optional<std::int64_t> nodes;  // of the system
  std::optional<Bytes> held_by_others;
  std::optional<MigProfile> mig;  // an instance of the GPU in place of the whole
};

/// What a plan must keep to, and what it shall be best at. Words are those of the command that reads them.
struct SelectionRequest {
  std::optional<Seconds> deadline;
  std::optional<Usd> budget;
  std::optional<Seconds> waiting;     // for capacity, where an offer does not say it; unset: unknown
  std::optional<double> utilisation;  // share of the rest of a commitment that other work uses; unset: unknown
  std::optional<std::int64_t> max_gpus;
  std::string objective;
  std::string goal;                          // what the training is for
  std::optional<Seconds> save_interval;      // unset: the best one
  std::optional<std::int64_t> deliveries;    // checkpoints that are to be delivered; unset: one
  std::optional<Usd> reuse;                  // value of what else the result serves
  std::optional<Usd> engineer_usd_per_hour;  // unset: the assumed one
  std::vector<std::string> systems, providers, price_kinds, require;
  std::vector<std::string> gpu_families, regions, tenancy;
  std::string unknown_offers;  // those whose region or tenancy nobody states: leave_out or keep
};

/// Why a line of another tool's file did not become part of the job.
enum class JobFileNoteKind : std::uint8_t {
  unknown_key,     // no table has it; it may matter
  unknown_value,   // the key is understood, this value of it is not
  not_modelled,    // it changes memory or time in that tool, and nothing here follows it
  run_length,      // steps or epochs: how long the run is, which here follows from `tokens`
  given_twice,     // the later line counts
  missing_file,    // it names a file that could not be read
  further_command  // a script's other command lines, of which one only is read
};
template <>
struct EnumNames<JobFileNoteKind> {
  static constexpr std::array<std::string_view, 7> value = {
      "unknown_key", "unknown_value", "not_modelled", "run_length", "given_twice", "missing_file", "further_command"};
};

struct JobFileNote {
  JobFileNoteKind kind = JobFileNoteKind::unknown_key;
  std::string key;    // as that tool writes it
  std::string value;  // as the file has it
  std::string place;  // "job.yaml:3:7"

  bool operator==(const JobFileNote&) const = default;
};

struct JobRequest {
  std::string model;                   // as written: id, alias or path
  std::optional<std::int64_t> params;  // where only a count is known
  std::string format;                  // of the file: empty or a name of another tool's format
  std::vector<JobFileNote> notes;      // on lines of such a file, in their order
  Job job;
  LayoutRequest layout;
  TargetRequest target;
  SelectionRequest selection;
  /// Where each key was said: "job.yaml:3:7" or "--tokens"; by key.
  std::map<std::string, std::string, std::less<>> origins;
};

}  // namespace mekiki
