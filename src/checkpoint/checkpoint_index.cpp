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

/// The files that hold each tensor.
using Holders = std::map<std::string_view, std::vector<std::string_view>>;

Holders holders_of(std::span<const CheckpointFile> files) {
  Holders holders;
  for (const CheckpointFile& file : files) {
    for (const CheckpointTensor& tensor : file.header.tensors) {
      holders[tensor.name].push_back(file.name);
    }
  }
  return holders;
}

bool is_among(std::string_view file, std::span<const std::string_view> files) {
  return std::find(files.begin(), files.end(), file) != files.end();
}

std::vector<CheckpointFinding> duplicates(const Holders& holders) {
  std::vector<CheckpointFinding> findings;
  for (const auto& [tensor, files] : holders) {
    for (std::size_t i = 1; i < files.size(); ++i) {
      findings.push_back({CheckpointFindingKind::duplicate_tensor,
                          std::string(files[i]),
                          std::string(tensor),
                          std::string(files.front())});
    }
  }
  return findings;
}

/// What is wrong with one tensor of the index, whose file is there.
std::optional<CheckpointFinding> check_entry(const std::string& tensor,
                                             const std::string& shard,
                                             const Holders& holders) {
  const auto held = holders.find(tensor);
  if (held == holders.end()) {
    return CheckpointFinding{CheckpointFindingKind::missing_in_shard, shard, tensor, ""};
  }
  if (!is_among(shard, held->second)) {
    return CheckpointFinding{CheckpointFindingKind::in_another_shard, shard, tensor, std::string(held->second.front())};
  }
  return std::nullopt;
}

std::vector<CheckpointFinding> check_index(const CheckpointIndex& index,
                                           std::span<const CheckpointFile> files,
                                           const Holders& holders) {
  std::vector<CheckpointFinding> findings;
  std::set<std::string_view> present;
  for (const CheckpointFile& file : files) {
    present.insert(file.name);
  }
  for (const std::string& shard : shards_of(index)) {
    if (!present.contains(shard)) {
      findings.push_back({CheckpointFindingKind::missing_shard, shard, "", ""});
    }
  }
  for (const auto& [tensor, shard] : index.weight_map) {
    const auto finding = present.contains(shard) ? check_entry(tensor, shard, holders) : std::nullopt;
    if (finding) {
      findings.push_back(*finding);
    }
  }
  for (const auto& [tensor, held] : holders) {
    if (!index.weight_map.contains(std::string(tensor))) {
      findings.push_back({CheckpointFindingKind::not_in_index, std::string(held.front()), std::string(tensor), ""});
    }
  }
  return findings;
}

std::uint64_t bytes_of(std::span<const CheckpointFile> files) {
  std::uint64_t bytes = 0;
  for (const CheckpointFile& file : files) {
    for (const CheckpointTensor& tensor : file.header.tensors) {
      bytes += tensor.bytes();
    }
  }
  return bytes;
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
  const Holders holders = holders_of(files);
  std::vector<CheckpointFinding> findings = duplicates(holders);
  if (index) {
    const std::vector<CheckpointFinding> more = check_index(*index, files, holders);
    findings.insert(findings.end(), more.begin(), more.end());
  }
  // Where tensors are missing or stand twice the total says nothing new.
  const std::uint64_t bytes = bytes_of(files);
  if (index && findings.empty() && index->total_size && *index->total_size != bytes) {
    findings.push_back({CheckpointFindingKind::total_size_differs,
                        "",
                        "",
                        std::to_string(*index->total_size) + " != " + std::to_string(bytes)});
  }
  std::sort(findings.begin(), findings.end(), [](const CheckpointFinding& a, const CheckpointFinding& b) {
    return std::tie(a.kind, a.tensor, a.file, a.other) < std::tie(b.kind, b.tensor, b.file, b.other);
  });
  return findings;
}

}  // namespace mekiki
