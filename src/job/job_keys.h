// The keys of a job file: one table for the file, the flags (dashes for underscores), `--set key=value`, the help and
// the documentation. The help text of a key is the message "key.NAME".
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/enum_names.h"
#include "base/result.h"
#include "job/job_request.h"

namespace mekiki {

enum class JobKeyCategory : std::uint8_t { model, method, numbers, batch, saving, layout, target, selection };

template <>
struct EnumNames<JobKeyCategory> {
  static constexpr std::array<std::string_view, 8> value = {
      "model", "method", "numbers", "batch", "saving", "layout", "target", "selection"};
};

/// How the value of a key is written.
enum class JobValueKind : std::uint8_t {
  text,             // a name
  texts,            // names, as a list or joined by commas
  word,             // one of JobKey::words
  count,            // 1000, 1B
  sequence_length,  // 4096, 4k
  bytes,            // 2GiB
  bytes_or_path,    // 40GB, corpus/
  number,           // 1.5
  duration,         // 7d
  money,            // 5000, $5k; US dollars
  share,            // 0.2, 20%
  yes_or_no
};

template <>
struct EnumNames<JobValueKind> {
  static constexpr std::array<std::string_view, 12> value = {"TEXT",
                                                             "TEXT,...",
                                                             "WORD",
                                                             "COUNT",
                                                             "LENGTH",
                                                             "BYTES",
                                                             "SIZE|PATH",
                                                             "NUMBER",
                                                             "DURATION",
                                                             "USD",
                                                             "SHARE",
                                                             "yes|no"};
};

struct JobKey {
  std::string_view name;
  JobKeyCategory category = JobKeyCategory::model;
  JobValueKind kind = JobValueKind::text;
  std::span<const std::string_view> words;  // of a word
  Result<JobRequest> (*set)(JobRequest, std::string_view) = nullptr;
};

/// All keys, by category.
std::span<const JobKey> job_keys();

/// By exact name, dashes taken as underscores and dots too ("lora.rank" is "lora_rank"); null: there is none.
const JobKey* find_job_key(std::string_view name);

/// The request with one key set. `origin` says where it stands, for later errors. Errors: not_found for an unknown key,
/// invalid_input for a value that cannot be read; subject is the origin, the message names the key.
Result<JobRequest> with_value(JobRequest request, std::string_view key, std::string_view value, std::string origin);

/// An error whose subject is a key, or the model that was asked for, becomes one whose subject is the place where the
/// key was said, if it was said.
Error at_origin(const JobRequest& request, Error error);

}  // namespace mekiki
