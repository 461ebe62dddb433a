#include "job/file_text.h"

#include <optional>
#include <utility>

namespace mekiki {
namespace {

tl::unexpected<Error> refused(std::string subject, std::string message, std::string hint) {
  return fail({ErrorCode::invalid_input, std::move(subject), std::move(message), std::move(hint)});
}

}  // namespace

std::string place_in(std::string_view subject, TextPosition position) {
  return std::string(subject) + ":" + std::to_string(position.line) + ":" + std::to_string(position.column);
}

Status check_file_text(std::string_view text, std::string_view subject, std::size_t size_limit) {
  if (text.size() > size_limit) {
    return refused(std::string(subject),
                   "is longer than " + std::to_string(size_limit) + " bytes",
                   "a job file is a short list of keys");
  }
  if (const std::optional<std::size_t> offset = find_invalid_utf8(text)) {
    return refused(place_in(subject, position_at(text, *offset)), "is no UTF-8 from here on", "save the file as UTF-8");
  }
  if (const std::size_t offset = text.find('\0'); offset != std::string_view::npos) {
    return refused(place_in(subject, position_at(text, offset)), "holds a NUL byte", "check that it is a text file");
  }
  return {};
}

}  // namespace mekiki
