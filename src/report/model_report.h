// The answer of `model` as text and as JSON.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/count.h"
#include "model/family.h"
#include "report/json_parts.h"
#include "report/voice.h"

namespace mekiki {

struct ModelAnswer {
  ParsedModel model;
  std::int64_t sequence_length = 4096;
  std::string source;  // where the config comes from: a path, or the repository of a bundled one
  std::string status;  // of a bundled config: verified, reconstructed, ...; empty for a file
};

std::string model_text(const ModelAnswer& answer, const Voice& say);
Json model_json(const ModelAnswer& answer, const Envelope& envelope, const Voice& say);

}  // namespace mekiki
