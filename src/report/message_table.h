// Every sentence of the program, in every language, by id. Texts: data/messages/*.json.
#pragma once

#include <span>
#include <string_view>

namespace mekiki {

struct MessageRow {
  std::string_view id;
  std::string_view english;
  std::string_view japanese;
};

/// In the order of the enum Message, which is that of ids.
std::span<const MessageRow> message_rows();

}  // namespace mekiki
