#include "time/step_time.h"

#include "time/step_timer.h"

namespace mekiki {

TimeReport step_time(const StepProgram& program,
                     const ResolvedJob& job,
                     const Profile& profile,
                     const KnownTimes& known,
                     const ClusterView& cluster,
                     InputQuality inputs) {
  TimeReport report = StepTimer(program, job, profile, known, cluster).run();
  const bool network_matters = program.layout.world_size() > cluster.gpus_per_node;
  const bool borrowed = !known.clock->rates().kernels.own_surface || (network_matters && cluster.network_assumed);
  report.band = band_kind(profile, job.method, inputs);
  if (borrowed && report.band != BandKind::generic) {
    report.band = BandKind::borrowed;
  }
  report.step_time = with_band(report.step_time.mid, profile.time.bands[report.band], Basis::fitted);
  return report;
}

TimeReport step_time(const StepProgram& program,
                     const ResolvedJob& job,
                     const Profile& profile,
                     const GpuRates& rates,
                     const ClusterView& cluster,
                     InputQuality inputs) {
  KernelClock clock(rates);
  return step_time(program, job, profile, KnownTimes{.clock = &clock}, cluster, inputs);
}

TimeReport step_time_floor(const StepProgram& program,
                           const ResolvedJob& job,
                           const Profile& profile,
                           const KnownTimes& known,
                           const ClusterView& cluster) {
  return StepTimer(program, job, profile, known, cluster).run(PipelineTiming::floor);
}

std::vector<SegmentTime> unit_times(const StepProgram& program,
                                    const ResolvedJob& job,
                                    const Profile& profile,
                                    KernelClock& clock,
                                    const ClusterView& cluster) {
  return StepTimer(program, job, profile, {.clock = &clock}, cluster).unit_times();
}

}  // namespace mekiki
