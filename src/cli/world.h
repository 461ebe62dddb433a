// The outside world as commands see it.
#pragma once

#include <functional>

#include "os/files.h"
#include "os/http.h"
#include "os/process.h"
#include "os/surroundings.h"

namespace mekiki {

struct World {
  const Files* files = nullptr;
  FileWriter* writer = nullptr;      // null: nothing may be written
  const Http* http = nullptr;        // null: there is no network
  const Process* process = nullptr;  // null: no program may be run
  const Clock* clock = nullptr;
  const Environment* environment = nullptr;
  bool output_is_terminal = false;
  unsigned cores = 1;
  /// Whether the user asked to come to an end; a command that asks will be let finish. Empty: nobody can.
  std::function<bool()> interrupted = {};
};

}  // namespace mekiki
