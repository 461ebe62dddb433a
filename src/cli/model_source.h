// From what a person writes for MODEL to a model: a bundled name, a config.json, a Hugging Face directory.
#pragma once

#include <string>

#include "base/result.h"
#include "cli/commands.h"
#include "model/family.h"

namespace mekiki {

struct NamedModel {
  ParsedModel model;   // arch.id is the bundled id, or the path
  std::string source;  // repository of a bundled config, or the path
  std::string status;  // of a bundled config; empty for a file
};

/// Errors: not_found, conflict and unsupported for names, invalid_input and io for files.
Result<NamedModel> read_model(const Context& context, const std::string& name);

}  // namespace mekiki
