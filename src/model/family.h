// Family: how one kind of config.json becomes an Arch. One file per family under families/, one line each in the table.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/arch.h"
#include "model/config_reader.h"

namespace mekiki {

struct Family {
  std::string_view id;
  std::span<const std::string_view> model_types;
  std::span<const std::string_view> architectures;
  Result<Arch> (*read)(ConfigReader&);
};

/// Every supported family, in the order of docs/models.
std::span<const Family> families();

/// Whether the tensor names of a family agree with what transformers saves (model/tensors.h).
bool has_checked_names(std::string_view family);

struct ParsedModel {
  Arch arch;
  std::vector<ConfigWarning> warnings;
};

/// The model that a config.json describes. `subject` names the text in errors and warnings ("config.json").
///
/// The family is found by model_type and, only where that is absent, by architectures. Counts are of the weights as
/// trained: a quantised config gives the same Arch as its original, with a warning and the stored scales named.
///
/// Errors: unsupported where the family, or something the config asks of it, is not modelled (never guessed);
/// invalid_input where the text is no JSON object, or keys are missing, contradictory or absurd.
Result<ParsedModel> read_config(std::string_view json_text, std::string_view subject);

}  // namespace mekiki
