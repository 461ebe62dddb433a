// MEKIKI_CHECK(condition, "why it always holds"): a broken invariant of our own, never an input error. Throws, so that
// a server that meets it answers 500 and lives on; main() turns it into exit code 70.
#pragma once

#include <stdexcept>
#include <string>

namespace mekiki {

class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void check_failed(const char* condition, const char* why, const char* file, int line);

}  // namespace mekiki

#define MEKIKI_CHECK(condition, why)                                 \
  do {                                                               \
    if (!(condition)) [[unlikely]] {                                 \
      ::mekiki::check_failed(#condition, (why), __FILE__, __LINE__); \
    }                                                                \
  } while (false)
