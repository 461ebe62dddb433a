#include "search/bounds.h"

#include "program/layer_graph.h"
#include "program/sharding.h"
#include "program/stage_weights.h"

namespace mekiki {
namespace {

void add(ElementSplit& sum, const ElementSplit& part, double count) {
  sum.dense += count * part.dense;
  sum.expert += count * part.expert;
  sum.small += count * part.small;
  sum.unquantized += count * part.unquantized;
  sum.adapter += count * part.adapter;
}

/// Elements of all stages together, on one rank of each.
ElementSplit elements_of(const PreparedModel& model,
                         const ResolvedJob& job,
                         const ParallelLayout& layout,
                         const Profile& profile) {
  const GraphContext context{.model = &model, .job = &job, .profile = &profile, .layout = layout};
  const double rows = vocabulary_rows(context);
  ElementSplit sum;
  for (const LayerRun& run : model.order) {
    add(sum, layer_elements(model.layers[static_cast<std::size_t>(run.kind)], layout), static_cast<double>(run.count));
  }
  add(sum, embedding_elements(model, rows), 1);
  add(sum, head_elements(model, rows, model.tied && layout.pipeline_parallel == 1), 1);
  return sum;
}

}  // namespace

Bytes states_bound(const PreparedModel& model,
                   const ResolvedJob& job,
                   const ParallelLayout& layout,
                   const Profile& profile) {
  const ElementSplit e = elements_of(model, job, layout, profile);
  const Sharding sharding = sharding_of(job, layout, profile);
  const ShardCounts& shards = sharding.shards;
  const double trained = trained_on_one_rank(e, model, job, shards);
  Bytes sum = on_one_rank(stored_weights_of(e, job), shards) +
              e.adapter * bytes_per_element(job.dtypes.adapter) / shards.weights +
              (model.optimizer.block_wise() ? Bytes{} : kept_gradients(e, job, sharding));
  if (job.dtypes.master_weights) {
    sum += trained * bytes_per_element(Dtype::fp32);
  }
  if (job.optimizer != Optimizer::adamw_paged_8bit) {
    sum += Bytes{trained * model.optimizer.bytes_per_element};
  }
  return sum / static_cast<double>(layout.pipeline_parallel);
}

}  // namespace mekiki
