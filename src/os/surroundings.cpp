#include "os/surroundings.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include <unistd.h>

namespace mekiki {

Date SystemClock::today() const {
  const auto now = std::chrono::system_clock::now();
  const auto day = std::chrono::floor<std::chrono::days>(now);
  return Date{static_cast<std::int32_t>(day.time_since_epoch().count())};
}

Seconds SystemClock::elapsed() const {
  return Seconds{std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count()};
}

std::optional<std::string> ProcessEnvironment::variable(const std::string& name) const {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::optional<std::string> FakeEnvironment::variable(const std::string& name) const {
  const auto found = variables.find(name);
  return found == variables.end() ? std::nullopt : std::optional<std::string>(found->second);
}

unsigned core_count() {
  return std::max(std::thread::hardware_concurrency(), 1U);
}

bool is_terminal(StandardStream stream) {
  return isatty(stream == StandardStream::output ? STDOUT_FILENO : STDERR_FILENO) == 1;
}

}  // namespace mekiki
