// A job file: the YAML that a person writes. One flat mapping of keys (job_keys.h); a nested mapping stands for a
// common beginning ("lora: {rank: 8}" is "lora_rank: 8"), a list for values joined by commas.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.h"
#include "job/job_request.h"

namespace mekiki {

struct JobFileOptions {
  std::size_t size_limit = std::size_t{1} << 20;  // bytes
  std::size_t depth_limit = 4;
};

/// `subject` names the text in errors ("job.yaml"), which point at line and column: "job.yaml:3:7".
///
/// Refused: what is no YAML mapping or no UTF-8, more than one document, anchors, aliases and tags (none of them is
/// needed here, and they are how a small file becomes a large one), deep nesting, long texts, a key given twice, a key
/// that does not exist, a key without a value, a value that cannot be read. Errors: invalid_input, not_found.
Result<JobRequest> read_job_file(std::string_view text, std::string_view subject, const JobFileOptions& options = {});

}  // namespace mekiki
