#include "time/collective_time.h"

#include <algorithm>
#include <cmath>

namespace mekiki {
namespace {

const CollectiveCurve* nearest_curve(std::span<const CollectiveCurve> curves, Collective kind, std::int64_t ranks) {
  const CollectiveCurve* best = nullptr;
  double distance = 1e30;
  for (const CollectiveCurve& curve : curves) {
    if (curve.collective != kind || curve.points.size() < 2) {
      continue;
    }
    const double d = std::abs(std::log2(static_cast<double>(curve.ranks) / static_cast<double>(ranks)));
    if (d < distance) {
      distance = d;
      best = &curve;
    }
  }
  return best;
}

Seconds on_curve(const CollectiveCurve& curve, Bytes message) {
  const auto points = curve.points;
  const double log2_bytes = std::log2(std::max(1.0, message / kByte));
  if (log2_bytes <= static_cast<double>(points.front().log2_bytes)) {
    return Seconds{std::exp2(static_cast<double>(points.front().log2_seconds))};
  }
  if (log2_bytes >= static_cast<double>(points.back().log2_bytes)) {
    return Seconds{std::exp2(static_cast<double>(points.back().log2_seconds) + log2_bytes -
                             static_cast<double>(points.back().log2_bytes))};
  }
  const auto above =
      std::upper_bound(points.begin(), points.end(), log2_bytes, [](double value, const CollectivePoint& p) {
        return value < static_cast<double>(p.log2_bytes);
      });
  const CollectivePoint high = *above, low = *(above - 1);
  const double share =
      (log2_bytes - static_cast<double>(low.log2_bytes)) / static_cast<double>(high.log2_bytes - low.log2_bytes);
  return Seconds{std::exp2(static_cast<double>(low.log2_seconds) * (1.0 - share) +
                           static_cast<double>(high.log2_seconds) * share)};
}

Seconds inside_domain(Collective kind, Bytes message, std::int64_t ranks, const GpuRates& rates) {
  const auto n = static_cast<double>(ranks);
  const CollectiveCurve* curve = nearest_curve(rates.curves, kind, ranks);
  if (curve == nullptr) {
    const double passes = kind == Collective::all_reduce ? 2.0 : 1.0;
    return passes * (n - 1.0) / n * message / rates.rules.host_bridge + rates.rules.network_start;
  }
  const auto measured = static_cast<double>(curve->ranks);
  const double ring = ((n - 1.0) / n) / ((measured - 1.0) / measured);
  return on_curve(*curve, message) * (ring * rates.kernels.collective_time);
}

/// Of an all-to-all over `nodes`: what leaves its node. Once per node: the copies of a token fall on
/// n (1 - (1 - 1/n)^copies) of the n nodes that it may go to (balls thrown into bins), its own among them or not.
double share_between_nodes(const CollectiveWork& work, double nodes) {
  const double elsewhere = 1.0 - 1.0 / nodes;
  const auto copies = static_cast<double>(work.copies);
  if (copies <= 0) {
    return elsewhere;
  }
  const double open = work.most_nodes > 0 ? std::min(nodes, static_cast<double>(work.most_nodes)) : nodes;
  const double visited = open * (1.0 - std::pow(1.0 - 1.0 / open, copies));
  return elsewhere * std::min(1.0, visited / copies);
}

}  // namespace

Seconds collective_time(const CollectiveWork& work,
                        const GroupShape& group,
                        const GpuRates& rates,
                        const ClusterView& cluster) {
  if (group.ranks <= 1 || !(work.message > Bytes{})) {
    return Seconds{};
  }
  if (work.kind == Collective::send_receive) {
    return send_time(work.message, group, rates, cluster);
  }
  const StepRules& rules = rates.rules;
  const std::int64_t near =
      std::clamp<std::int64_t>(cluster.link_domain / std::max<std::int64_t>(group.stride, 1), 1, group.ranks);
  if (near >= group.ranks) {
    return inside_domain(work.kind, work.message, group.ranks, rates);
  }
  const auto n = static_cast<double>(group.ranks), inner = static_cast<double>(near);
  if (work.kind == Collective::all_to_all) {
    const Seconds outer =
        share_between_nodes(work, n / inner) * work.message / (cluster.network_per_gpu * rules.network_efficiency) +
        rules.network_start;
    return work.copies > 0 && near > 1 ? std::max(outer, inside_domain(work.kind, work.message, near, rates)) : outer;
  }
  const double passes = work.kind == Collective::all_reduce ? 2.0 : 1.0;
  const double domains = std::ceil(n / inner);
  const Seconds outer =
      passes * (n - 1.0) / n * work.message / (cluster.network_per_gpu * (inner * rules.network_efficiency)) +
      rules.network_start + rules.network_step * std::min(domains, rules.network_most_steps);
  return near > 1 ? std::max(outer, inside_domain(work.kind, work.message, near, rates)) : outer;
}

Seconds send_time(Bytes message, const GroupShape& group, const GpuRates& rates, const ClusterView& cluster) {
  constexpr Seconds kHandOver{15e-6};
  const bool leaves_domain = group.stride * group.ranks > cluster.link_domain;
  const BytesPerSecond link = rates.gpu->nvlink_bandwidth.value_or(2.0 * rates.rules.host_bridge) * 0.25;
  const BytesPerSecond rate = leaves_domain ? cluster.network_per_gpu * rates.rules.send_efficiency
                                            : std::max(link, rates.rules.host_bridge * 0.5);
  return message / rate + kHandOver;
}

}  // namespace mekiki
