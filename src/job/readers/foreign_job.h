// Job files of other tools: which tool a file is of, and the job that it describes.
//
// Not read: presets that a tool keeps in code (a note says so), values that a script computes, keys that no table has
// (a note each). Prices, GPUs and the number of tokens stand in none of these files.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "job/job_request.h"
#include "job/readers/draft.h"

namespace mekiki {

/// Names of the formats, for --format: "mekiki" and other tools'.
std::vector<std::string_view> job_file_formats();

/// The format by the keys of the file, never by its name; unset: by none of them is it known, so it may be our own or
/// no job file at all. Errors: conflict where keys of several formats stand in it, with the candidates.
Result<std::optional<std::string_view>> recognised_format(const SettingsFile& file);

struct ForeignJob {
  JobRequest request;
  std::vector<std::string> wanted;  // files it names that `references` lacks; reading again with them says more
};

/// Errors: not_found for a format that is not known.
Result<ForeignJob> read_foreign_job(const SettingsFile& file, std::string_view format, const References& references);

}  // namespace mekiki
