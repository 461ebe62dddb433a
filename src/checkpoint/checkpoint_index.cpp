#include "checkpoint/checkpoint_index.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "base/json.h"

namespace mekiki {
namespace {

using nlohmann::json;

bool is_plain_file_name(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && name.find_first_of("/\\") == std::string_view::npos;
}

Error bad(std::string subject, std::string message) {
  return {ErrorCode::invalid_input, std::move(subject), std::move(message), "fetch or save the index again"};
}

std::optional<std::uint64_t> claimed_size(const json& root) {
  const auto metadata = root.find("metadata");
  if (metadata == root.end() || !metadata->is_object()) {
    return std::nullopt;
  }
  const auto size = metadata->find("total_size");
  // Some writers give a float; a claim that is no whole number is no claim.
  return size != metadata->end() && size->is_number_unsigned() ? std::optional(size->get<std::uint64_t>())
                                                               : std::nullopt;
}

/// File by tensor over all files that are there; a tensor in a second file is a finding.
std::map<std::string_view, std::string_view> holders(std::span<const CheckpointFile> files,
                                                     std::vector<CheckpointFinding>& findings) {
  std::map<std::string_view, std::string_view> held;
  for (const CheckpointFile& file : files) {
    for (const CheckpointTensor& tensor : file.header.tensors) {
      const auto [first, is_new] = held.emplace(tensor.name, file.name);
      if (!is_new) {
        findings.push_back(
            {CheckpointFindingKind::duplicate_tensor, file.name, tensor.name, std::string(first->second)});
      }
    }
  }
  return held;
}

void check_index(const CheckpointIndex& index,
                 std::span<const CheckpointFile> files,
                 const std::map<std::string_view, std::string_view>& held,
                 std::vector<CheckpointFinding>& findings) {
  std::set<std::string_view> present;
  std::uint64_t bytes = 0;
  for (const CheckpointFile& file : files) {
    present.insert(file.name);
    for (const CheckpointTensor& tensor : file.header.tensors) {
      bytes += tensor.bytes();
      if (!index.weight_map.contains(tensor.name)) {
        findings.push_back({CheckpointFindingKind::not_in_index, file.name, tensor.name, ""});
      }
    }
  }
  bool is_complete = true;
  for (const std::string& shard : shards_of(index)) {
    if (!present.contains(shard)) {
      findings.push_back({CheckpointFindingKind::missing_shard, shard, "", ""});
      is_complete = false;
    }
  }
  for (const auto& [tensor, shard] : index.weight_map) {
    const auto holder = held.find(tensor);
    if (holder != held.end() && holder->second != shard) {
      findings.push_back({CheckpointFindingKind::in_another_shard, shard, tensor, std::string(holder->second)});
    } else if (holder == held.end() && present.contains(shard)) {
      findings.push_back({CheckpointFindingKind::missing_in_shard, shard, tensor, ""});
    }
  }
  if (is_complete && index.total_size && *index.total_size != bytes) {
    findings.push_back({CheckpointFindingKind::total_size_differs,
                        "",
                        "",
                        std::to_string(*index.total_size) + " != " + std::to_string(bytes)});
  }
}

}  // namespace

Result<CheckpointIndex> parse_checkpoint_index(std::string_view text, std::string_view subject) {
  const Result<json> root = parse_json(text, subject);
  if (!root) {
    return fail(root.error());
  }
  const std::string path = std::string(subject) + ":/weight_map";
  const auto map = root->is_object() ? root->find("weight_map") : root->end();
  if (!root->is_object() || map == root->end() || !map->is_object() || map->empty()) {
    return fail(bad(path, "there is no map from tensors to files"));
  }
  CheckpointIndex index{.weight_map = {}, .total_size = claimed_size(*root)};
  for (const auto& [tensor, file] : map->items()) {
    if (!file.is_string() || !is_plain_file_name(file.get_ref<const std::string&>())) {
      return fail(bad(json_path(path, tensor), "is no plain file name"));
    }
    index.weight_map.emplace(tensor, file.get<std::string>());
  }
  return index;
}

std::vector<std::string> shards_of(const CheckpointIndex& index) {
  std::set<std::string> shards;
  for (const auto& [tensor, file] : index.weight_map) {
    shards.insert(file);
  }
  return {shards.begin(), shards.end()};
}

std::vector<CheckpointFinding> check_shards(const std::optional<CheckpointIndex>& index,
                                            std::span<const CheckpointFile> files) {
  std::vector<CheckpointFinding> findings;
  const auto held = holders(files, findings);
  if (index) {
    check_index(*index, files, held, findings);
  }
  std::sort(findings.begin(), findings.end(), [](const CheckpointFinding& a, const CheckpointFinding& b) {
    return std::tie(a.kind, a.tensor, a.file, a.other) < std::tie(b.kind, b.tensor, b.file, b.other);
  });
  return findings;
}

}  // namespace mekiki
