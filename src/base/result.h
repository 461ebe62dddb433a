// Result<T>: a value, or an Error. An alias, so that a later standard library can take its place in one line.
#pragma once

#include <utility>

#include <tl/expected.hpp>

#include "base/error.h"

namespace mekiki {

template <class T>
using Result = tl::expected<T, Error>;

using Status = Result<void>;

/// Shorthand for `return fail({...})`.
inline tl::unexpected<Error> fail(Error error) {
  return tl::unexpected<Error>(std::move(error));
}

/// Passes an error on, with the outer part of its path put before it.
inline tl::unexpected<Error> fail_within(std::string_view outer, Error error) {
  return tl::unexpected<Error>(within(outer, std::move(error)));
}

}  // namespace mekiki
