#include "audit/work.h"

#include "model/count.h"

namespace mekiki {
namespace {

Flops per_weight(Method method) {
  return Flops{trains_adapters_only(method) ? 4.0 : 6.0};
}

}  // namespace

WorkPerToken work_per_token(const Arch& arch, Method method, std::int64_t sequence_length) {
  const auto weights = static_cast<double>(count_weights(arch).matmul_per_token);
  const FlopsPerToken flops = flops_per_token(arch, sequence_length);
  const Flops trained_products = Flops{6.0} * weights;
  const Flops products = per_weight(method) * weights;
  return {.weights_only = products,
          .causal = products + (flops.training_causal() - trained_products),
          .full = products + (flops.training_full() - trained_products)};
}

WorkPerToken work_per_token(double weights, Method method) {
  const Flops products = per_weight(method) * weights;
  return {products, products, products};
}

}  // namespace mekiki
