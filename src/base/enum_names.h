// One table per enum for its names in both directions. Specialise EnumNames<E> with a constexpr array in the order of
// the enumerators; enum_names_test checks that each is complete and unambiguous.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace mekiki {

template <class E>
struct EnumNames;  // static constexpr std::array<std::string_view, N> value;

template <class E>
requires requires {
  EnumNames<E>::value;
}
constexpr std::string_view enum_name(E e) {
  return EnumNames<E>::value[static_cast<std::size_t>(e)];
}

template <class E>
requires requires {
  EnumNames<E>::value;
}
constexpr std::optional<E> enum_from_name(std::string_view text) {
  for (std::size_t i = 0; i < EnumNames<E>::value.size(); ++i) {
    if (EnumNames<E>::value[i] == text) {
      return static_cast<E>(i);
    }
  }
  return std::nullopt;
}

}  // namespace mekiki
