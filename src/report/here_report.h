// What is on a machine, and how it differs from the catalogue.
#pragma once

#include <string>

#include "inventory/match.h"
#include "report/json_parts.h"
#include "report/voice.h"

namespace mekiki {

struct HereAnswer {
  Inventory inventory;
  MachineMatch match;
};

std::string here_text(const HereAnswer& answer, const Voice& say);
Json here_json(const HereAnswer& answer, const Envelope& envelope);

}  // namespace mekiki
