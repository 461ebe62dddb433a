// The catalogues as tables and as JSON: GPUs, systems, prices. Every row with its status or age.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cost/offer.h"
#include "cost/price.h"
#include "hardware/gpu.h"
#include "hardware/system.h"
#include "report/json_parts.h"
#include "report/voice.h"

namespace mekiki {

std::string gpus_text(const std::vector<const Gpu*>& gpus, const Voice& say);
Json gpus_json(const std::vector<const Gpu*>& gpus, const Envelope& envelope);

std::string systems_text(const std::vector<const System*>& systems, const Voice& say);
Json systems_json(const std::vector<const System*>& systems, const Envelope& envelope);

/// A price with the GPU that its book means, and its age on the day of the report.
struct PriceLine {
  const Price* price = nullptr;
  Name gpu_id;      // empty: the book's name means no single product
  Name gpu_reason;  // why it means none
  std::int64_t age_days = 0;
  Staleness staleness = Staleness::fresh;
};

std::string prices_text(const std::vector<PriceLine>& prices, const Voice& say);
Json prices_json(const std::vector<PriceLine>& prices, const Envelope& envelope);

}  // namespace mekiki
