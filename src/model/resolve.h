// From the name that a person types to one bundled model.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/model_index.h"

namespace mekiki {

/// What is left of a model's name when everything is dropped that changes no shape: the owner before the last slash, a
/// leading "Meta-", the words hf, Instruct, Base, FP8, Chat, it, pt, and case. "meta-llama/Meta-Llama-3.1-8B-Instruct"
/// becomes "llama-3.1-8b".
std::string plain_model_name(std::string_view name);

/// The row that a name means. Tried in turn: an id, repository or alias as it stands (case ignored); the plain names;
/// the plain name as the first words of a plain name ("mixtral-8x7b" for "mixtral-8x7b-v0.1"). Several rows of one
/// shape count as one, the first.
///
/// Errors: conflict where a name fits several shapes (the candidates are in the hint), not_found where it fits none
/// (similar names are in the hint).
Result<const ModelIndexRow*> resolve_model(std::string_view name, std::span<const ModelIndexRow> index);

}  // namespace mekiki
