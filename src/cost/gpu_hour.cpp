#include "cost/gpu_hour.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace mekiki {
namespace {

UsdPerSecond per_gpu(const PriceChoice& choice) {
  return choice.offer.per_node() / static_cast<double>(choice.offer.system.gpus);
}

/// Smaller is better.
auto standing(const PriceChoice& choice) {
  return std::tuple(choice.offer.quality != JoinQuality::exact,
                    choice.staleness == Staleness::outdated,
                    per_gpu(choice),
                    choice.offer.price.id);
}

}  // namespace

std::vector<GpuHour> cheapest_gpu_hours(std::span<const PriceChoice> choices) {
  std::map<Name, const PriceChoice*> best;
  for (const PriceChoice& choice : choices) {
    if (choice.offer.price.kind != PriceKind::on_demand || choice.offer.system.gpus < 1) {
      continue;
    }
    const PriceChoice*& known = best[choice.offer.system.gpu_id];
    if (known == nullptr || standing(choice) < standing(*known)) {
      known = &choice;
    }
  }
  std::vector<GpuHour> hours;
  for (const auto& [gpu_id, choice] : best) {
    const Price& price = choice->offer.price;
    hours.push_back(
        {gpu_id, per_gpu(*choice), price.provider, price.id, price.as_of, choice->age_days, choice->staleness});
  }
  return hours;
}

const GpuHour* gpu_hour_of(std::span<const GpuHour> hours, Name gpu_id) {
  const auto found = std::lower_bound(
      hours.begin(), hours.end(), gpu_id, [](const GpuHour& hour, Name id) { return hour.gpu_id < id; });
  return found != hours.end() && found->gpu_id == gpu_id ? &*found : nullptr;
}

Usd cost_of_gpu_hours(
    const GpuHour& hour, std::int64_t gpus, Seconds step_time, double tokens_per_step, double tokens) {
  return hour.per_gpu * static_cast<double>(gpus) * step_time * (tokens / tokens_per_step);
}

}  // namespace mekiki
