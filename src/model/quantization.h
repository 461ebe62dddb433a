// What quantization_config says about a checkpoint: which method, and which scales it stores beside the weights.
#pragma once

#include <string>
#include <vector>

#include "model/arch.h"
#include "model/config_reader.h"

namespace mekiki {

struct Quantization {
  std::string method;  // "fp8", "mxfp4", "awq", ...; empty: not quantised
  std::vector<StoredDifference> scales;
};

/// Reads quantization_config of the root or of its text_config. Scales are counted for FP8 with square blocks (one per
/// block of every linear layer, those of MTP modules too, except head, router and gates) and for MXFP4 (one per 32
/// expert weights); other methods pack weights in ways that only the checkpoint tells.
/// Source: totals of five published checkpoints in these formats (tests/data/models/params.csv).
Quantization read_quantization(ConfigReader& config, const Arch& arch);

}  // namespace mekiki
