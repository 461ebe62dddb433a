#include "report/messages/message_file.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/json.h"

namespace mekiki {
namespace {

Error bad(std::string subject, std::string message) {
  return {ErrorCode::invalid_input, std::move(subject), std::move(message), ""};
}

bool is_id(std::string_view id) {
  return !id.empty() && id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_.") == std::string_view::npos;
}

bool braces_match(std::string_view text) {
  bool open = false;
  for (const char c : text) {
    if (c == '{' || c == '}') {
      if (open == (c == '{')) {
        return false;
      }
      open = c == '{';
    }
  }
  return !open;
}

// Ids of `wanted` that `given` lacks or whose places differ.
Status check_each(const std::vector<MessageText>& wanted,
                  const std::vector<MessageText>& given,
                  std::string_view given_subject) {
  for (const MessageText& message : wanted) {
    const auto by_id = [](const MessageText& m, std::string_view id) { return m.id < id; };
    const auto found = std::lower_bound(given.begin(), given.end(), message.id, by_id);
    if (found == given.end() || found->id != message.id) {
      return fail(bad(std::string(given_subject), "lacks \"" + message.id + "\""));
    }
    if (places_of(found->text) != places_of(message.text)) {
      return fail(
          bad(std::string(given_subject), "\"" + message.id + "\" has other places than in the other language"));
    }
  }
  return {};
}

}  // namespace

Result<std::vector<MessageText>> read_messages(std::string_view json_text, std::string_view subject) {
  const Result<nlohmann::json> json = parse_json(json_text, subject);
  if (!json) {
    return fail(json.error());
  }
  if (!json->is_object()) {
    return fail(bad(std::string(subject), "is no object of ids and texts"));
  }
  std::vector<MessageText> messages;
  for (const auto& [id, text] : json->items()) {
    const std::string place = std::string(subject) + ":" + json_path("", id);
    if (!is_id(id)) {
      return fail(bad(place, "is no id"));
    }
    if (!text.is_string() || text.get_ref<const std::string&>().empty()) {
      return fail(bad(place, "has no text"));
    }
    if (!braces_match(text.get_ref<const std::string&>())) {
      return fail(bad(place, "has a brace without its partner"));
    }
    messages.push_back({id, text.get<std::string>()});
  }
  std::sort(messages.begin(), messages.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  return messages;
}

std::vector<std::string> places_of(std::string_view text) {
  std::vector<std::string> places;
  for (std::size_t open = text.find('{'); open != std::string_view::npos; open = text.find('{', open + 1)) {
    const std::size_t close = text.find('}', open);
    places.emplace_back(text.substr(open + 1, close - open - 1));
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

Status check_same(const std::vector<MessageText>& first,
                  std::string_view first_subject,
                  const std::vector<MessageText>& second,
                  std::string_view second_subject) {
  if (Status status = check_each(first, second, second_subject); !status) {
    return status;
  }
  return check_each(second, first, first_subject);
}

}  // namespace mekiki
