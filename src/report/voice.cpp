#include "report/voice.h"

#include <algorithm>
#include <span>

#include "base/check.h"
#include "report/message_table.h"

namespace mekiki {
namespace {

std::string filled(std::string_view text, std::span<const Filling> fillings) {
  std::string result;
  while (true) {
    const std::size_t open = text.find('{');
    result += text.substr(0, open);
    if (open == std::string_view::npos) {
      return result;
    }
    const std::size_t close = text.find('}', open);
    const std::string_view place = text.substr(open + 1, close - open - 1);
    const auto filling =
        std::find_if(fillings.begin(), fillings.end(), [&](const Filling& f) { return f.place == place; });
    MEKIKI_CHECK(filling != fillings.end(), "whoever says a message fills all its places");
    result += filling->value;
    text.remove_prefix(close + 1);
  }
}

}  // namespace

std::string_view Voice::operator()(Message message) const {
  const MessageRow& row = message_rows()[static_cast<std::size_t>(message)];
  return language_ == Language::japanese ? row.japanese : row.english;
}

std::string Voice::operator()(Message message, std::initializer_list<Filling> fillings) const {
  return filled((*this)(message), std::span(fillings.begin(), fillings.size()));
}

std::string Voice::operator()(Message message, const std::vector<Filling>& fillings) const {
  return filled((*this)(message), fillings);
}

std::optional<Message> find_message(std::string_view id) {
  const std::span<const MessageRow> rows = message_rows();
  const auto found = std::lower_bound(
      rows.begin(), rows.end(), id, [](const MessageRow& row, std::string_view wanted) { return row.id < wanted; });
  if (found == rows.end() || found->id != id) {
    return std::nullopt;
  }
  return static_cast<Message>(found - rows.begin());
}

Message message_of(std::string_view id) {
  const std::optional<Message> message = find_message(id);
  if (!message) {
    throw InternalError("there is no message \"" + std::string(id) + "\"");
  }
  return *message;
}

}  // namespace mekiki
