// The catalogues of GPUs and systems as tables and as JSON, every row with its status.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "catalog/gpu_evidence.h"
#include "hardware/gpu.h"
#include "hardware/system.h"
#include "report/gpu_compare.h"
#include "report/json_parts.h"
#include "report/listing.h"
#include "report/voice.h"

namespace mekiki {

/// `evidence` goes with the GPUs.
Listing gpus_listing(const std::vector<const Gpu*>& gpus, const std::vector<GpuEvidence>& evidence, const Voice& say);
std::string gpus_footer(const Voice& say);
Json gpus_json(const std::vector<const Gpu*>& gpus, const std::vector<GpuEvidence>& evidence, const Envelope& envelope);

Listing systems_listing(const std::vector<const System*>& systems, const Voice& say);
std::string systems_footer(const Voice& say);
Json systems_json(const std::vector<const System*>& systems, const Envelope& envelope);

}  // namespace mekiki
