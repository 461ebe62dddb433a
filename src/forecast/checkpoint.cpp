#include "forecast/checkpoint.h"

#include "program/sharding.h"

namespace mekiki {
namespace {

std::int64_t adapter_weights(const PreparedModel& model) {
  double sum = 0;
  for (const LayerRun& run : model.order) {
    const LayerElements& e = model.layers[static_cast<std::size_t>(run.kind)].elements;
    sum += static_cast<double>(run.count) * (e.adapter_split + e.adapter_whole + e.adapter_expert);
  }
  return static_cast<std::int64_t>(sum);
}

}  // namespace

CheckpointSize checkpoint_size(const PreparedModel& model, const ResolvedJob& job, std::int64_t total_weights) {
  const bool adapters = trains_adapters_only(job.method);
  const DtypePlan& dtypes = job.dtypes;
  CheckpointSize size{.trained = adapters ? adapter_weights(model) : total_weights};
  const auto trained = static_cast<double>(size.trained);
  const Bytes weight = bytes_per_element(adapters ? dtypes.adapter : dtypes.weights);
  const Bytes master = dtypes.master_weights ? bytes_per_element(Dtype::fp32) : Bytes{};
  const Bytes states = Bytes{model.optimizer.bytes_per_element};
  size.resume = trained * (weight + master + states);
  size.delivered = trained * bytes_per_element(adapters ? dtypes.adapter : dtypes.compute);
  return size;
}

}  // namespace mekiki
