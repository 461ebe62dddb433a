// PreparedModel: an Arch with what does not depend on the layout worked out once, so that lowering a layout allocates
// next to nothing: the distinct layers, their ops, which of them adapters target, and their weights by how they may be
// split.
#pragma once

#include <cstdint>
#include <vector>

#include "job/defaults.h"
#include "model/arch.h"
#include "model/ops.h"
#include "program/optimizer_state.h"

namespace mekiki {

struct PreparedOp {
  ModelOp op;
  bool lora_target = false;
};

struct PreparedBlock {
  std::vector<PreparedOp> ops;
  int norms_before = 1;
  int norms_after = 0;
  bool rotary = false;
};

/// Elements of one layer, before any split.
struct LayerElements {
  double column_row = 0;     // split by tensor parallelism
  double replicated = 0;     // linear layers on every tensor rank
  double decision = 0;       // the same, but routers and the like: never quantised
  double expert = 0;         // split by expert parallelism
  double vector = 0;         // norms, biases
  double adapter_split = 0;  // LoRA matrices on the split side
  double adapter_whole = 0;  // LoRA matrices on the whole side
  double adapter_expert = 0;
};

struct PreparedLayer {
  std::vector<PreparedBlock> blocks;
  NormKind norm = NormKind::rms;
  bool parallel_residual = false;
  bool causal = true;        // false: an encoder layer
  bool wide_norm = false;    // as Layer::wide_norm
  bool offset_norm = false;  // as Layer::offset_norm
  LayerElements elements;
};

struct LayerRun {
  std::int16_t kind = 0;   // index into layers
  std::int64_t count = 0;  // in a row
};

struct PreparedModel {
  std::int64_t hidden_size = 0;
  std::int64_t vocab_size = 0;
  std::int64_t learned_positions = 0;
  bool tied = false;
  bool head_bias = false;
  NormKind final_norm = NormKind::rms;
  bool embedding_norm = false;
  bool encoder_norm = false;
  std::int64_t embedding_size = 0;  // width of embedding and head; hidden_size unless projections stand between
  std::int64_t expert_groups_per_token = 0;  // groups that a token's experts may lie in; 0: any
  double vision_elements = 0;
  double prompt_elements = 0;         // trained beside the embedding by prompt tuning
  std::vector<PreparedLayer> layers;  // distinct ones
  std::vector<LayerRun> order;        // whole depth
  std::int64_t layer_count = 0;
  OptimizerState optimizer;
};

/// Errors: a LoRA target that names no linear layer of the model (not_found, with the names that exist).
Result<PreparedModel> prepare_model(const Arch& arch, const ResolvedJob& job);

}  // namespace mekiki
