#include "os/surroundings.h"

#include <chrono>
#include <cstdlib>

#include <unistd.h>

namespace mekiki {

Date SystemClock::today() const {
  const auto now = std::chrono::system_clock::now();
  const auto day = std::chrono::floor<std::chrono::days>(now);
  return Date{static_cast<std::int32_t>(day.time_since_epoch().count())};
}

std::optional<std::string> ProcessEnvironment::variable(const std::string& name) const {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::optional<std::string> FakeEnvironment::variable(const std::string& name) const {
  const auto found = variables.find(name);
  return found == variables.end() ? std::nullopt : std::optional<std::string>(found->second);
}

bool is_terminal(StandardStream stream) {
  return isatty(stream == StandardStream::output ? STDOUT_FILENO : STDERR_FILENO) == 1;
}

}  // namespace mekiki
