// What to mind with the model that training starts from: its tokenizer, its licence, what it would forget.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "advice/advice.h"
#include "job/text_density.h"

namespace mekiki {

/// What is known of it beside its shapes.
struct BaseModel {
  std::optional<TextLanguage> language;  // of the text to train on, as the user said
  std::optional<Fertility> fertility;    // of its tokenizer in that language
  std::optional<std::string> licence;    // that its model card names
};

/// fertility: the tokenizer cuts this language into many more tokens than others do. forgetting: continued pretraining
/// overwrites what the model knew. licence_known or licence_unknown; not of a model that is trained from nothing.
std::vector<Advice> advise_base_model(const BaseModel& base, Method method, const AdviceRules& rules);

}  // namespace mekiki
