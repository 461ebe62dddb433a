#include "cli/checkpoint_source.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "checkpoint/check.h"
#include "checkpoint/model_card.h"
#include "checkpoint/quantization_settings.h"

namespace mekiki {
namespace {

constexpr std::size_t kIndexLimit = std::size_t{64} << 20;
constexpr std::size_t kCardLimit = std::size_t{4} << 20;
constexpr std::size_t kFileCount = 100'000;
constexpr std::string_view kSingleFile = "model.safetensors";
constexpr std::string_view kIndexFile = "model.safetensors.index.json";

/// What the folder names as its checkpoint.
struct Found {
  std::vector<std::string> names;  // of files that are there
  std::optional<CheckpointIndex> index;
};

Result<Found> with_index(const Files& files, const std::string& folder) {
  const std::string path = join_path(folder, kIndexFile);
  const Result<std::string> text = files.read(path, kIndexLimit);
  if (!text) {
    return fail(text.error());
  }
  Result<CheckpointIndex> index = parse_checkpoint_index(*text, path);
  if (!index) {
    return fail(index.error());
  }
  Found found;
  for (std::string& shard : shards_of(*index)) {
    if (files.kind(join_path(folder, shard)) == PathKind::file) {
      found.names.push_back(std::move(shard));
    }
  }
  found.index = std::move(*index);
  return found;
}

// Without an index the usual single file; else every file of the format that is no adapter.
Result<Found> without_index(const Files& files, const std::string& folder) {
  if (files.kind(join_path(folder, kSingleFile)) == PathKind::file) {
    return Found{{std::string(kSingleFile)}, std::nullopt};
  }
  Result<std::vector<std::string>> names = files.list(folder, kFileCount);
  if (!names) {
    return fail(names.error());
  }
  Found found;
  for (std::string& name : *names) {
    const bool is_here = name.find('/') == std::string::npos;
    if (is_here && name.ends_with(".safetensors") && !name.starts_with("adapter_")) {
      found.names.push_back(std::move(name));
    }
  }
  return found;
}

Result<SafetensorsHeader> read_header(const Files& files, const std::string& path) {
  const Result<std::uint64_t> length = files.size(path);
  if (!length) {
    return fail(length.error());
  }
  const Result<std::string> prefix = files.read_part(path, 0, kSafetensorsPrefix);
  if (!prefix) {
    return fail(prefix.error());
  }
  const Result<std::uint64_t> end = safetensors_header_end(*prefix, *length, path);
  if (!end) {
    return fail(end.error());
  }
  const Result<std::string> header = files.read_part(path, 0, *end);
  return header ? parse_safetensors(*header, *length, path) : fail(header.error());
}

bool tower_is_counted(const ParsedModel& model) {
  return std::none_of(model.warnings.begin(), model.warnings.end(), [](const ConfigWarning& warning) {
    return warning.kind == ConfigWarningKind::tower_not_described;
  });
}

}  // namespace

Result<std::optional<CheckpointAnswer>> read_checkpoint(const Files& files,
                                                        const std::string& folder,
                                                        const ParsedModel& model,
                                                        const std::string& config_text) {
  const bool has_index = files.kind(join_path(folder, kIndexFile)) == PathKind::file;
  Result<Found> found = has_index ? with_index(files, folder) : without_index(files, folder);
  if (!found) {
    return fail(found.error());
  }
  if (found->names.empty() && !found->index) {
    return std::nullopt;
  }
  std::vector<CheckpointFile> headers;
  for (const std::string& name : found->names) {
    Result<SafetensorsHeader> header = read_header(files, join_path(folder, name));
    if (!header) {
      return fail(header.error());
    }
    headers.push_back({name, std::move(*header)});
  }
  Result<QuantizationSettings> settings = read_quantization_settings(config_text, join_path(folder, "config.json"));
  if (!settings) {
    return fail(settings.error());
  }
  CheckpointAnswer answer{.folder = folder, .files = std::move(found->names), .method = settings->method};
  answer.check = check_checkpoint({.arch = &model.arch,
                                   .tower_counted = tower_is_counted(model),
                                   .files = headers,
                                   .index = std::move(found->index),
                                   .quantization = std::move(*settings)});
  return answer;
}

std::optional<std::string> read_license(const Files& files, const std::string& folder) {
  const std::string path = join_path(folder, "README.md");
  if (files.kind(path) != PathKind::file) {
    return std::nullopt;
  }
  const Result<std::string> text = files.read(path, kCardLimit);
  return text ? license_of(*text) : std::nullopt;
}

}  // namespace mekiki
