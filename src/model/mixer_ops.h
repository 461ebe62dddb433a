// Ops of the blocks that mix tokens other than by grouped-query attention. Part of ops_of (model/ops.h).
#pragma once

#include <vector>

#include "model/ops.h"

namespace mekiki {

std::vector<ModelOp> ops_of_block(const LatentAttention& attention, std::int64_t hidden_size);
std::vector<ModelOp> ops_of_block(const StateSpace& mixer, std::int64_t hidden_size);
std::vector<ModelOp> ops_of_block(const GatedDelta& mixer, std::int64_t hidden_size);
std::vector<ModelOp> ops_of_block(const LightningAttention& attention, std::int64_t hidden_size);
std::vector<ModelOp> ops_of_block(const ShortConvolution& mixer, std::int64_t hidden_size);

}  // namespace mekiki
