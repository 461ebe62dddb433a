// What a person asks for in a job file or with flags: the job itself, how it shall be spread, on what, and how to
// choose. Only what was said is set.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/quantity.h"
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
};

/// What a plan must keep to, and what it shall be best at. Words are those of the command that reads them.
struct SelectionRequest {
  std::optional<Seconds> deadline;
  std::optional<Usd> budget;
  std::optional<std::int64_t> max_gpus;
  std::string objective;
  std::vector<std::string> systems, providers, price_kinds;
};

struct JobRequest {
  std::string model;                   // as written: id, alias or path
  std::optional<std::int64_t> params;  // where only a count is known
  Job job;
  LayoutRequest layout;
  TargetRequest target;
  SelectionRequest selection;
  /// Where each key was said: "job.yaml:3:7" or "--tokens"; by key.
  std::map<std::string, std::string, std::less<>> origins;
};

}  // namespace mekiki
