// Process: how the program runs other programs. The real one and a fake; everything above takes the interface.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/quantity.h"
#include "base/result.h"

namespace mekiki {

struct ProcessOutput {
  int exit_code = 0;
  std::string output;  // stdout
  std::string talk;    // stderr
};

class Process {
 public:
  virtual ~Process() = default;

  /// Runs a program found on the path with these words, without a shell and without standard input. Errors: not_found
  /// where there is no such program; environment where it runs longer than `limit` (it is ended, with its children) or
  /// writes more than `size_limit` bytes. A program that fails is no error: it has an exit code.
  virtual Result<ProcessOutput> run(const std::vector<std::string>& words, Seconds limit) const = 0;

  static constexpr std::size_t size_limit = std::size_t{16} << 20;
};

/// The programs of this machine.
class SystemProcess final : public Process {
 public:
  Result<ProcessOutput> run(const std::vector<std::string>& words, Seconds limit) const override;
};

/// Answers by the first word; all else is not there.
class FakeProcess final : public Process {
 public:
  std::map<std::string, ProcessOutput> answers;
  Result<ProcessOutput> run(const std::vector<std::string>& words, Seconds limit) const override;
};

}  // namespace mekiki
