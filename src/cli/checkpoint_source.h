// From a folder to what lies in it: headers of safetensors files, their index, the model card. Data is never read.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "os/files.h"
#include "report/model_report.h"

namespace mekiki {

/// The checkpoint beside the config; unset: there are no safetensors files. `config_text` is the folder's config.json.
/// Errors: invalid_input for a file that breaks its format; io, not_found.
Result<std::optional<CheckpointAnswer>> read_checkpoint(const Files& files,
                                                        const std::string& folder,
                                                        const ParsedModel& model,
                                                        const std::string& config_text);

/// The licence that the README.md of the folder names; unset: it names none, or cannot be read.
std::optional<std::string> read_license(const Files& files, const std::string& folder);

}  // namespace mekiki
