// The outside world as commands see it.
#pragma once

#include "os/files.h"
#include "os/surroundings.h"

namespace mekiki {

struct World {
  const Files* files = nullptr;
  const Clock* clock = nullptr;
  const Environment* environment = nullptr;
  bool output_is_terminal = false;
  unsigned cores = 1;
};

}  // namespace mekiki
