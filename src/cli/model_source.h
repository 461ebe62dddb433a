// From what a person writes for MODEL to a model: a bundled name, a config.json, a Hugging Face directory, the id of a
// model on a hub.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/commands.h"
#include "model/family.h"
#include "model/model_index.h"

namespace mekiki {

struct NamedModel {
  ParsedModel model;        // arch.id is the bundled id, the path or the hub id
  std::string source;       // repository of a bundled config, the path or the address
  std::string status;       // of a bundled config; empty for any other
  std::string config_text;  // as it was read
  std::string folder;       // where its checkpoint may lie; empty: nowhere
};

/// Tried in turn: a path (a name that ends in .json, or that is a directory); the bundled models; for "owner/name" the
/// local cache of the hub, our own, and, unless told to stay offline, the hub itself. "owner/name@revision" is never a
/// bundled model.
/// Errors: not_found, conflict and unsupported for names, invalid_input and io for files, environment for the network.
Result<NamedModel> read_model(const Context& context, const std::string& name);

/// The table of bundled models.
Result<std::vector<ModelIndexRow>> read_model_index(const Context& context);

/// What the published checkpoints of bundled models store besides.
Result<std::vector<StoredDifferenceRow>> read_stored_differences(const Context& context);

/// The model of one row of the table.
Result<NamedModel> read_bundled(const Context& context,
                                const ModelIndexRow& row,
                                std::span<const StoredDifferenceRow> stored);

}  // namespace mekiki
