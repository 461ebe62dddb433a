#include "program/optimizer_state.h"

#include <algorithm>

#include "program/prepared_model.h"

namespace mekiki {
namespace {

constexpr double kProjectionBytes = 2.0;

bool is_low_rank(Optimizer optimizer) {
  return optimizer == Optimizer::galore || optimizer == Optimizer::galore_8bit || optimizer == Optimizer::apollo;
}

bool keeps_projection(Optimizer optimizer) {
  return optimizer == Optimizer::galore || optimizer == Optimizer::galore_8bit;
}

struct Sides {
  double elements = 0;             // of all weights
  double projected = 0;            // of matrices that are projected
  double longer = 0, shorter = 0;  // summed over those matrices
  double layers = 0;               // elements of all layers
};

void add_layer(Sides& sides, const PreparedLayer& layer, double count) {
  const LayerElements& e = layer.elements;
  const double all = e.column_row + e.replicated + e.decision + e.expert + e.vector;
  sides.elements += count * all;
  sides.layers += count * all;
  for (const PreparedBlock& block : layer.blocks) {
    for (const PreparedOp& op : block.ops) {
      const auto* linear = std::get_if<LinearOp>(&op.op);
      if (linear == nullptr || linear->decides) {
        continue;
      }
      const double copies = count * static_cast<double>(linear->copies);
      const auto in = static_cast<double>(linear->in), out = static_cast<double>(linear->out);
      sides.projected += copies * in * out;
      sides.longer += copies * std::max(in, out);
      sides.shorter += copies * std::min(in, out);
    }
  }
}

Sides sides_of(const PreparedModel& model) {
  Sides sides;
  for (const LayerRun& run : model.order) {
    add_layer(sides, model.layers[static_cast<std::size_t>(run.kind)], static_cast<double>(run.count));
  }
  const double table = static_cast<double>(model.vocab_size * model.embedding_size);
  sides.elements += table * (model.tied ? 1.0 : 2.0);
  return sides;
}

double low_rank_bytes(const Sides& sides, const ResolvedJob& job, double plain) {
  const auto rank = static_cast<double>(job.optimizer_rank);
  const double moments = rank * sides.longer * plain;
  const double projections = keeps_projection(job.optimizer) ? rank * sides.shorter * kProjectionBytes : 0.0;
  return std::min(plain, ((sides.elements - sides.projected) * plain + moments + projections) / sides.elements);
}

double active_share(const Sides& sides, const PreparedModel& model, const ResolvedJob& job) {
  const auto layers = static_cast<double>(std::max<std::int64_t>(model.layer_count, 1));
  const double active = std::min(1.0, static_cast<double>(job.active_layers) / layers);
  switch (job.optimizer) {
    case Optimizer::badam:
      return active * sides.layers / sides.elements;
    case Optimizer::lisa:
      return (sides.elements - sides.layers + active * sides.layers) / sides.elements;
    default:
      return 1.0;
  }
}

}  // namespace

OptimizerState optimizer_state_of(const PreparedModel& model, const ResolvedJob& job) {
  const double plain = optimizer_state_bytes(job.optimizer, job.dtypes.optimizer_states);
  if (trains_adapters_only(job.method)) {
    return {.bytes_per_element = plain};
  }
  const Sides sides = sides_of(model);
  if (!(sides.elements > 0)) {
    return {.bytes_per_element = plain};
  }
  return {.bytes_per_element = is_low_rank(job.optimizer) ? low_rank_bytes(sides, job, plain) : plain,
          .active_share = active_share(sides, model, job)};
}

double optimizer_state_bytes(Optimizer optimizer, Dtype states) {
  const double element = bytes_per_element(states) / kByte;
  // Block-wise 8-bit states keep one fp32 constant per 256 elements, 4-bit ones per 128. Source: arXiv 2110.02861,
  // section 2.
  switch (optimizer) {
    case Optimizer::adamw:
    case Optimizer::galore:
    case Optimizer::apollo:
    case Optimizer::badam:
    case Optimizer::lisa:
      return 2.0 * element;
    case Optimizer::adamw_8bit:
    case Optimizer::adamw_paged_8bit:
    case Optimizer::galore_8bit:
      return 2.0 * (1.0 + 4.0 / 256.0);
    case Optimizer::adamw_4bit:
      return 2.0 * (0.5 + 4.0 / 128.0);
    case Optimizer::lion:
    case Optimizer::muon:
      return element;
    case Optimizer::adafactor:
      return 0.01 * element;  // one row and one column of factors per matrix
    case Optimizer::sgd:
    case Optimizer::lomo:
    case Optimizer::none:
      return 0.0;
  }
  return 0.0;
}

bool steps_in_backward(Optimizer optimizer) {
  return optimizer == Optimizer::lomo || optimizer == Optimizer::badam || optimizer == Optimizer::lisa;
}

}  // namespace mekiki
