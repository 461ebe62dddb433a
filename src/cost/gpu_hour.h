// GpuHour: the least that an hour of a GPU costs on demand, for answers that name a GPU and no provider.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cost/offer.h"

namespace mekiki {

/// Not in it: storage, egress, people, waste by failures, and whether so many GPUs are to be had at that price.
struct GpuHour {
  Name gpu_id;
  UsdPerSecond per_gpu;
  Name provider;
  Name price_id;
  Date as_of;
  std::int64_t age_days = 0;
  Staleness staleness = Staleness::fresh;
};

/// Of each GPU with an on-demand price that joins a system: prices that join exactly before similar ones, those that
/// may still be called current before outdated ones, then the cheapest. In the order of their ids.
std::vector<GpuHour> cheapest_gpu_hours(std::span<const PriceChoice> choices);

/// Null: none is known.
const GpuHour* gpu_hour_of(std::span<const GpuHour> hours, Name gpu_id);

/// What training on so many tokens costs in GPU hours, for a step of `step_time` over `tokens_per_step` on `gpus`.
Usd cost_of_gpu_hours(const GpuHour& hour, std::int64_t gpus, Seconds step_time, double tokens_per_step, double tokens);

}  // namespace mekiki
