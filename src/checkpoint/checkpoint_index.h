// model.safetensors.index.json: which file of a sharded checkpoint holds which tensor, and whether the files agree.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_names.h"
#include "base/result.h"
#include "checkpoint/safetensors.h"

namespace mekiki {

struct CheckpointIndex {
  std::map<std::string, std::string> weight_map;  // tensor -> file name
  std::optional<std::uint64_t> total_size;        // bytes of all tensors, as the index claims; often wrong
};

/// `subject` names the file in errors. A file name must be a plain one: nothing outside the folder is ever opened.
/// Errors: invalid_input.
Result<CheckpointIndex> parse_checkpoint_index(std::string_view text, std::string_view subject);

/// The files that the index names, sorted, each once.
std::vector<std::string> shards_of(const CheckpointIndex& index);

struct CheckpointFile {
  std::string name;
  SafetensorsHeader header;
};

enum class CheckpointFindingKind : std::uint8_t {
  missing_shard,       // named by the index, not there
  missing_in_shard,    // the index puts the tensor into a file that does not hold it
  in_another_shard,    // held by another file than the index says
  not_in_index,        // held by a file, unknown to the index
  duplicate_tensor,    // held by two files
  total_size_differs,  // nothing else, but the bytes of all tensors are not what the index claims
};

template <>
struct EnumNames<CheckpointFindingKind> {
  static constexpr std::array<std::string_view, 6> value = {"missing_shard",
                                                            "missing_in_shard",
                                                            "in_another_shard",
                                                            "not_in_index",
                                                            "duplicate_tensor",
                                                            "total_size_differs"};
};

struct CheckpointFinding {
  CheckpointFindingKind kind = CheckpointFindingKind::missing_shard;
  std::string file;    // the file that is at fault, or that the index names
  std::string tensor;  // empty: the finding is about the whole file
  std::string other;   // the other file, or the figure that disagrees

  bool operator==(const CheckpointFinding&) const = default;
};

/// Whether a finding makes the checkpoint unusable as it is; a wrong total in the index does not.
constexpr bool is_damage(CheckpointFindingKind kind) {
  return kind != CheckpointFindingKind::total_size_differs;
}

/// What disagrees between the index and the files that are there (those it names and that exist). In the order of the
/// enumerators, then of names. `index` unset: a checkpoint without one, where only tensors in two files can be found.
std::vector<CheckpointFinding> check_shards(const std::optional<CheckpointIndex>& index,
                                            std::span<const CheckpointFile> files);

}  // namespace mekiki
