// The outside world as commands see it.
#pragma once

#include "os/files.h"
#include "os/http.h"
#include "os/surroundings.h"

namespace mekiki {

struct World {
  const Files* files = nullptr;
  FileWriter* writer = nullptr;  // null: nothing may be written
  const Http* http = nullptr;    // null: there is no network
  const Clock* clock = nullptr;
  const Environment* environment = nullptr;
  bool output_is_terminal = false;
  unsigned cores = 1;
};

}  // namespace mekiki
