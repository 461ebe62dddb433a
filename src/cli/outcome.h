// What a run of the program ends with. Nothing is written before it is complete, so there is never half an output.
#pragma once

#include <string>

#include "base/error.h"

namespace mekiki {

enum class ExitCode : int {
  ok = 0,
  negative = 1,  // nothing fits, or a check failed
  usage = 2,
  bad_input = 3,
  environment = 4,
  internal = 70,
  interrupted = 130
};

struct Outcome {
  ExitCode code = ExitCode::ok;
  std::string output;  // for stdout
  std::string talk;    // for stderr
};

ExitCode exit_code_of(ErrorCode code);

}  // namespace mekiki
