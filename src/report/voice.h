// Voice: says messages in one language.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/enum_names.h"
#include "report/message_ids.h"

namespace mekiki {

enum class Language : std::uint8_t { english, japanese };

template <>
struct EnumNames<Language> {
  static constexpr std::array<std::string_view, 2> value = {"en", "ja"};
};

/// What fills a place of a message.
struct Filling {
  std::string_view place;
  std::string value;
};

class Voice {
 public:
  explicit constexpr Voice(Language language) : language_(language) {}

  Language language() const { return language_; }

  /// The text of a message without places.
  std::string_view operator()(Message message) const;

  /// The text with its places filled. A place without a filling is an internal error.
  std::string operator()(Message message, std::initializer_list<Filling> fillings) const;
  std::string operator()(Message message, const std::vector<Filling>& fillings) const;

 private:
  Language language_;
};

/// The message of an id that comes from a table ("key.tokens"); unset: there is none.
std::optional<Message> find_message(std::string_view id);

/// The message of an id that must be there; its absence is an internal error.
Message message_of(std::string_view id);

}  // namespace mekiki
