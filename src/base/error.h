// What went wrong, where in the input, and what to try.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mekiki {

enum class ErrorCode : std::uint8_t {
  invalid_input,
  unsupported,
  not_found,
  conflict,
  io,
  usage,
  environment,
  internal
};

/// Spelling of a code in JSON output. Scripts rely on it.
std::string_view name(ErrorCode code);

/// `subject` is a path into the input ("config.json:/num_local_experts", "rows.csv:17:micro_batch"), `message` the
/// reason, `hint` what to try next; each may be empty except the message.
struct Error {
  ErrorCode code = ErrorCode::internal;
  std::string subject;
  std::string message;
  std::string hint;

  bool operator==(const Error&) const = default;
};

/// The same error, seen from further out: "job.yaml" + ":/tokens" becomes "job.yaml:/tokens".
[[nodiscard]] Error within(std::string_view outer, Error error);

/// "subject: message" in one line, without the hint.
std::string describe(const Error& error);

}  // namespace mekiki
