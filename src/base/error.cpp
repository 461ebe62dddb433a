#include "base/error.h"

namespace mekiki {

std::string_view name(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_input:
      return "invalid_input";
    case ErrorCode::unsupported:
      return "unsupported";
    case ErrorCode::not_found:
      return "not_found";
    case ErrorCode::conflict:
      return "conflict";
    case ErrorCode::io:
      return "io";
    case ErrorCode::usage:
      return "usage";
    case ErrorCode::environment:
      return "environment";
    case ErrorCode::internal:
      return "internal";
  }
  return "internal";
}

Error within(std::string_view outer, Error error) {
  error.subject.insert(0, outer);
  return error;
}

std::string describe(const Error& error) {
  return error.subject.empty() ? error.message : error.subject + ": " + error.message;
}

}  // namespace mekiki
