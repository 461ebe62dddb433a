#include "cost/commitment.h"

#include <algorithm>

namespace mekiki {

std::optional<Commitment> commitment_of(const CommitmentInputs& inputs) {
  const Price& price = inputs.price->offer.price;
  if (!binds(price.kind)) {
    return std::nullopt;
  }
  Commitment commitment{.assumes_full_use = !inputs.utilisation};
  // A capacity block binds for at least its shortest time.
  commitment.bound = price.commitment ? price.commitment : price.minimum;
  if (commitment.bound) {
    const Seconds idle = std::max(*commitment.bound - inputs.wall, Seconds{});
    const double unused = 1.0 - inputs.utilisation.value_or(0.0);
    commitment.idle = idle;
    commitment.idle_cost = inputs.price->offer.per_node() * idle * (static_cast<double>(inputs.nodes) * unused);
  }
  if (inputs.on_demand != nullptr) {
    commitment.break_even_utilisation = inputs.price->offer.per_node() / inputs.on_demand->offer.per_node();
  }
  return commitment;
}

}  // namespace mekiki
