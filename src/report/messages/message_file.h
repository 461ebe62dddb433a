// data/messages/LANGUAGE.json: one object of id to text. A text names its places in braces: "{gpus} GPUs".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace mekiki {

struct MessageText {
  std::string id;  // "fit.verdict.fits"
  std::string text;
};

/// By id. Errors: invalid_input for anything but a flat object of texts, an id with other characters than a-z, 0-9, "_"
/// and ".", an empty text, a brace without its partner; subject is the path of the entry.
Result<std::vector<MessageText>> read_messages(std::string_view json_text, std::string_view subject);

/// The places of a text, sorted, each once.
std::vector<std::string> places_of(std::string_view text);

/// Whether two languages say the same: every id in both, with the same places. Errors name the id and the language
/// that lacks it.
Status check_same(const std::vector<MessageText>& first,
                  std::string_view first_subject,
                  const std::vector<MessageText>& second,
                  std::string_view second_subject);

}  // namespace mekiki
