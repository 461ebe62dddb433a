// The rest of the outside world that a command may ask: the day, the environment, whether a person is watching.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/date.h"
#include "base/quantity.h"

namespace mekiki {

class Clock {
 public:
  virtual ~Clock() = default;
  /// The day in UTC.
  virtual Date today() const = 0;
  /// Time since some moment that stays the same; never goes back.
  virtual Seconds elapsed() const = 0;
};

class SystemClock final : public Clock {
 public:
  Date today() const override;
  Seconds elapsed() const override;
};

class FakeClock final : public Clock {
 public:
  explicit FakeClock(Date day) : day_(day) {}
  Date today() const override { return day_; }
  Seconds elapsed() const override { return {}; }

 private:
  Date day_;
};

class Environment {
 public:
  virtual ~Environment() = default;
  /// A variable; unset where it does not exist.
  virtual std::optional<std::string> variable(const std::string& name) const = 0;
};

class ProcessEnvironment final : public Environment {
 public:
  std::optional<std::string> variable(const std::string& name) const override;
};

class FakeEnvironment final : public Environment {
 public:
  std::map<std::string, std::string> variables;
  std::optional<std::string> variable(const std::string& name) const override;
};

enum class StandardStream : std::uint8_t { output, talk };

/// Cores that this process may use, at least 1.
unsigned core_count();

/// Whether stdout or stderr is a terminal.
bool is_terminal(StandardStream stream);

}  // namespace mekiki
