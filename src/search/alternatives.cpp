#include "search/alternatives.h"

#include <algorithm>
#include <utility>

namespace mekiki {
namespace {

constexpr double kNotableSlowdown = 1.05;

bool same_size(const GpuChoice* a, const GpuChoice* b) {
  return a->gpu->memory_reported == b->gpu->memory_reported && a->gpu->architecture == b->gpu->architecture;
}

/// Without a GPU to judge, fit() tells memory and time alone.
std::optional<Estimate<Seconds>> step_time_on(FitRequest request, const FitReport& report, const GpuChoice& choice) {
  request.layout = report.layout;
  request.target.gpu = nullptr;
  request.target.rates = choice.rates;
  request.target.cluster = choice.cluster;
  const Result<FitReport> other = fit(request);
  return other && other->time ? std::optional(other->time->step_time) : std::nullopt;
}

bool holds(const std::optional<Verdict>& verdict) {
  return verdict && *verdict != Verdict::does_not_fit;
}

bool fits_after(const FitRequest& undone) {
  const Result<FitReport> report = fit(undone);
  return report && holds(report->verdict);
}

std::optional<Inefficiency> if_notable(std::string without, std::optional<double> slowdown) {
  const bool notable = !slowdown || *slowdown >= kNotableSlowdown;
  return notable ? std::optional(Inefficiency{std::move(without), slowdown}) : std::nullopt;
}

/// Step time over that of the same step without waiting for gathers and reductions.
std::optional<double> slowdown_by_sharding(const std::optional<TimeReport>& time) {
  if (!time) {
    return std::nullopt;
  }
  const Seconds waiting = time->at(TimeCause::data_communication);
  return time->step_time.mid / (time->step_time.mid - waiting);
}

std::optional<double> ratio(const std::optional<TimeReport>& with, const std::optional<TimeReport>& without) {
  return with && without ? std::optional(with->step_time.mid / without->step_time.mid) : std::nullopt;
}

}  // namespace

std::vector<OtherGpu> gpus_that_hold(const FitRequest& request,
                                     const FitReport& report,
                                     std::span<const GpuChoice> choices,
                                     std::size_t limit) {
  const Bytes held = request.target.held_by_others;
  const Bytes least = report.capacity.value_or(Bytes{}) + held;
  std::vector<const GpuChoice*> larger;
  for (const GpuChoice& choice : choices) {
    const Bytes memory = choice.gpu->memory_reported;
    const Estimate<Bytes> device = on_device(report.memory, memory - held).device;
    const Verdict verdict = verdict_of(device, memory - held, report.job.headroom);
    if (verdict == Verdict::fits && memory > least) {
      larger.push_back(&choice);
    }
  }
  std::stable_sort(larger.begin(), larger.end(), [](const GpuChoice* a, const GpuChoice* b) {
    return a->gpu->memory_reported < b->gpu->memory_reported;
  });
  larger.erase(std::unique(larger.begin(), larger.end(), same_size), larger.end());
  larger.resize(std::min(larger.size(), limit));
  std::vector<OtherGpu> others;
  others.reserve(larger.size());
  for (const GpuChoice* choice : larger) {
    others.push_back({.gpu = choice->gpu, .step_time = step_time_on(request, report, *choice)});
  }
  return others;
}

std::optional<Inefficiency> inefficiency_of(const FitRequest& request, const FitReport& report) {
  if (!holds(report.verdict)) {
    return std::nullopt;
  }
  FitRequest without = request;
  without.layout = report.layout;
  if (report.job.offload != Offload::none) {
    without.job.offload = Offload::none;
    const Result<FitReport> undone = fit(without);
    return undone && !holds(undone->verdict) ? if_notable("offload=none", ratio(report.time, undone->time))
                                             : std::nullopt;
  }
  if (report.layout.zero_stage < 3) {
    return std::nullopt;
  }
  without.layout->dp_replicate *= without.layout->dp_shard;
  without.layout->dp_shard = 1;
  without.layout->zero_stage = 0;
  return fits_after(without) ? std::nullopt : if_notable("zero_stage=0", slowdown_by_sharding(report.time));
}

}  // namespace mekiki
