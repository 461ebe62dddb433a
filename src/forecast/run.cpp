#include "forecast/run.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/check.h"
#include "base/quantile.h"
#include "forecast/wall_time.h"

namespace mekiki {
namespace {

/// Interruptions per stretch beyond which a run is as good as endless; keeps the exponentials finite.
constexpr double kMostExposure = 30;

/// The number of interruptions until `saves` stretches have passed, each uninterrupted with probability e^-exposure, at
/// the given point of its distribution.
double interruptions_at(double saves, double stretch_exposure, const Draw& draw) {
  const double exposure = std::min(stretch_exposure, kMostExposure);
  const double passes = std::exp(-exposure);
  const double mean = saves * std::expm1(exposure);
  constexpr double kMostCounted = 50;
  if (mean > kMostCounted) {
    const double spread = std::sqrt(mean / passes);
    return std::max(0.0, mean + spread * draw.interruptions_normal);
  }
  double probability = std::exp(-exposure * saves), reached = probability, k = 0;
  while (reached < draw.interruptions && k < 20 * kMostCounted) {
    probability *= (saves + k) / (k + 1.0) * (1.0 - passes);
    k += 1.0;
    reached += probability;
  }
  return k;
}

struct DrawnRun {
  const RunInputs& inputs;
  const Run& run;

  Seconds wall_time(const Draw& draw) const {
    const Estimate<Seconds>& step = inputs.step_time;
    const double step_seconds = scaled_by_band(step.low.base(), step.mid.base(), step.high.base(), draw.step_time);
    const Estimate<PerSecond>& rate = run.interruption_rate;
    const double more_work = scaled_by_band(inputs.tokens_band.low, 1.0, inputs.tokens_band.high, draw.tokens);
    const PerSecond drawn_rate{scaled_by_band(rate.low.base(), rate.mid.base(), rate.high.base(), draw.rate)};
    const std::int64_t saves = saves_at(more_work);
    const SavedWork work{.work = Seconds{static_cast<double>(run.steps) * more_work * step_seconds},
                         .saves = saves,
                         .save = run.save_time,
                         .restart = run.restart_time};
    const Seconds stretch = work.stretch();
    const double k = interruptions_at(static_cast<double>(saves), drawn_rate * stretch, draw);
    const PerSecond restart_rate = std::min(drawn_rate, PerSecond{kMostExposure / run.restart_time.base()});
    const Seconds lost = expected_restart(run.restart_time, restart_rate) + 0.5 * stretch;
    return static_cast<double>(saves) * stretch + k * lost;
  }

  /// A longer run saves as often as the planned one does.
  std::int64_t saves_at(double more_work) const {
    return std::max<std::int64_t>(1, std::llround(static_cast<double>(run.saves) * more_work));
  }
};

std::int64_t saves_of(const RunInputs& inputs, const SavedWork& work, PerSecond rate, std::int64_t steps) {
  if (!inputs.save_interval) {
    return best_saves(work, rate, steps);
  }
  const double wanted = std::ceil(work.work / *inputs.save_interval);
  return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::min(wanted, 1e15)), 1, steps);
}

}  // namespace

Estimate<PerSecond> interruption_rate(const RunInputs& inputs, const ForecastRules& rules) {
  constexpr double kGpusOfANode = 8;
  Estimate<PerSecond> rate =
      rules.node_failures * (static_cast<double>(inputs.gpus) / kGpusOfANode) + rules.job_failures;
  if (inputs.interruptible) {
    rate = rate + rules.spot_losses * static_cast<double>(inputs.nodes);
  }
  return rate;
}

std::optional<Run> forecast_run(const RunInputs& inputs, const ForecastRules& rules, std::span<const Draw> draws) {
  MEKIKI_CHECK(inputs.tokens > 0 && inputs.tokens_per_step > 0, "a job has tokens");
  MEKIKI_CHECK(!draws.empty(), "quantiles need draws");
  const auto nodes = static_cast<double>(inputs.nodes);
  Run run;
  run.steps = static_cast<std::int64_t>(std::ceil(inputs.tokens / inputs.tokens_per_step));
  run.work = static_cast<double>(run.steps) * inputs.step_time.mid;
  run.save_time = inputs.checkpoint / (rules.checkpoint_write_per_node.mid * nodes);
  run.restart_time = rules.restart.mid + inputs.checkpoint / (rules.checkpoint_read_per_node.mid * nodes);
  run.interruption_rate = interruption_rate(inputs, rules);
  const PerSecond rate = run.interruption_rate.mid;
  SavedWork work{.work = run.work, .save = run.save_time, .restart = run.restart_time};
  work.saves = run.saves = saves_of(inputs, work, rate, run.steps);
  run.save_interval = run.work / static_cast<double>(run.saves);
  const std::optional<Seconds> expected = expected_wall_time(work, rate);
  if (!expected) {
    return std::nullopt;
  }
  run.expected = *expected;
  run.interruptions = expected_interruptions(work, rate);
  const DrawnRun drawn{inputs, run};
  std::vector<Seconds> seconds;
  seconds.reserve(draws.size());
  for (const Draw& draw : draws) {
    seconds.push_back(drawn.wall_time(draw));
  }
  run.p50 = quantile(seconds, 0.5);
  run.p90 = quantile(seconds, 0.9);
  run.drawn = std::move(seconds);
  return run;
}

}  // namespace mekiki
