#include "explain/time_terms.h"

#include <algorithm>

#include "explain/inputs.h"
#include "time/step_time.h"

namespace mekiki {
namespace {

double seconds(Seconds s) {
  return s / kSecond;
}

/// Adds the peak that products run against.
void peak(Inputs& inputs, const GpuRates& rates, Dtype format) {
  if (const auto dense = dense_peak(*rates.gpu, format)) {
    inputs.gpu("dense peak " + std::string(enum_name(format)), dense->base(), Unit::flops_per_second);
  }
}

void software(Inputs& inputs, const Subject& subject, const KernelRates& kernels) {
  if (subject.job().era && kernels.software_loss_per_year > 0) {
    inputs.kernel("software_loss_per_year", kernels.software_loss_per_year);
    inputs.kernel("software_mature_year", kernels.software_mature_year);
  }
}

void kernel_start(Inputs& inputs, const GpuRates& rates) {
  inputs.rule("kernel_start_us", seconds(rates.rules.kernel_start), Unit::seconds);
}

void gemm(Inputs& inputs, const Subject& subject, const GpuRates& rates) {
  peak(inputs, rates, subject.job().dtypes.compute);
  if (arithmetic_of(subject.job()) != subject.job().dtypes.compute) {
    peak(inputs, rates, arithmetic_of(subject.job()));
    inputs.kernel("low_precision", rates.kernels.low_precision);
  }
  inputs.table("gemm", rates.kernels.gemm_surface_of);
  inputs.kernel("sustained", rates.kernels.sustained);
  inputs.kernel("backward_gemm", rates.kernels.backward_gemm);
  kernel_start(inputs, rates);
  software(inputs, subject, rates.kernels);
}

void attention(Inputs& inputs, const Subject& subject, const GpuRates& rates) {
  kernel_start(inputs, rates);
  inputs.job("attention", enum_name(subject.job().attention));
  inputs.job("sequence_length", static_cast<double>(subject.job().sequence_length), Unit::tokens);
  if (subject.job().attention == AttentionKernel::eager) {
    inputs.rule("eager_attention_efficiency", rates.rules.eager_attention_efficiency);
    inputs.rule("eager_attention_bytes_per_score", rates.rules.eager_attention_bytes_per_score, Unit::bytes);
    return;
  }
  inputs.table("attention", rates.kernels.attention_surface_of);
  inputs.kernel("attention", rates.kernels.attention);
  inputs.kernel("attention_backward", rates.kernels.attention_backward);
  software(inputs, subject, rates.kernels);
}

void bandwidth(Inputs& inputs, const GpuRates& rates) {
  inputs.gpu("memory_bandwidth", rates.gpu->memory_bandwidth.base(), Unit::bytes_per_second);
  inputs.kernel("memory_efficiency", rates.kernels.memory_efficiency);
}

void memory_bound(Inputs& inputs, const Subject& subject, const GpuRates& rates) {
  const TimeProfile& time = subject.profile().time;
  bandwidth(inputs, rates);
  kernel_start(inputs, rates);
  inputs.job("compile", subject.job().compile ? "yes" : "no");
  if (subject.job().compile) {
    inputs.profile("elementwise_traffic_compiled", time.elementwise_traffic_compiled);
  } else {
    inputs.profile("elementwise_traffic", time.elementwise_traffic);
  }
  inputs.profile("loss_bytes_per_logit", time.loss_traffic_per_logit, Unit::bytes);
}

void launch(Inputs& inputs, const Subject& subject, const GpuRates& rates) {
  const TimeProfile& time = subject.profile().time;
  inputs.profile("launch_forward_us", seconds(time.launch_forward_per_layer), Unit::seconds);
  inputs.profile("launch_backward_us", seconds(time.launch_backward_per_layer), Unit::seconds);
  inputs.rule("launch_scale", rates.rules.launch_scale);
  inputs.rule("kernels_per_layer", rates.rules.kernels_per_layer);
  inputs.job("cuda_graphs", subject.job().cuda_graphs ? "yes" : "no");
  if (subject.job().compile) {
    inputs.profile("launch_compiled_factor", time.launch_compiled_factor);
  }
}

void links(Inputs& inputs, const Subject& subject, const GpuRates& rates) {
  const ClusterView& cluster = subject.request->target.cluster;
  inputs.layout();
  inputs.computed("gpus_per_node", static_cast<double>(cluster.gpus_per_node));
  inputs.computed("link_domain", static_cast<double>(cluster.link_domain));
  inputs.table("collectives", rates.kernels.collective_curves_of);
  if (subject.report->layout.world_size() > cluster.link_domain) {
    inputs.computed("network_per_gpu", cluster.network_per_gpu.base(), Unit::bytes_per_second);
    inputs.rule("network_efficiency", rates.rules.network_efficiency);
  }
}

void tensor_communication(Inputs& inputs, const Subject& subject, const GpuRates& rates) {
  links(inputs, subject, rates);
  inputs.profile("tensor_parallel_overlap", subject.profile().time.tensor_parallel_overlap);
  inputs.rule("tensor_overlap_slowdown", rates.rules.tensor_overlap_slowdown);
}

void data_communication(Inputs& inputs, const Subject& subject, const GpuRates& rates) {
  links(inputs, subject, rates);
  inputs.profile("data_parallel_overlap", subject.profile().time.data_parallel_overlap);
  inputs.rule("sharded_overlap_slowdown", rates.rules.sharded_overlap_slowdown);
  inputs.rule("reduction_window", rates.rules.reduction_window);
  inputs.rule("reduction_overlap_slowdown", rates.rules.reduction_overlap_slowdown);
}

void pipeline(Inputs& inputs, const Subject& subject, const GpuRates& rates) {
  const ParallelLayout& layout = subject.report->layout;
  inputs.job("pipeline_parallel", static_cast<double>(layout.pipeline_parallel));
  inputs.job("virtual_pipeline", static_cast<double>(layout.virtual_pipeline));
  inputs.computed("micro_batches", static_cast<double>(subject.program.micro_batches));
  inputs.computed("pipeline_message", subject.program.pipeline_message / kByte, Unit::bytes);
  if (layout.virtual_pipeline > 1) {
    inputs.rule("interleaved_send_exposed", rates.rules.interleaved_send_exposed);
  } else {
    inputs.rule("plain_send_exposed", rates.rules.plain_send_exposed);
  }
}

void optimizer(Inputs& inputs, const Subject& subject, const GpuRates& rates) {
  inputs.job("optimizer", enum_name(subject.job().optimizer));
  bandwidth(inputs, rates);
}

void data_loading(Inputs& inputs, const Subject& subject, const GpuRates&) {
  inputs.computed("tokens_per_step", subject.program.tokens_per_step);
  if (const auto rate = subject.job().data_loader) {
    inputs.job("data_loader_tokens_per_s", rate->base());
  }
}

void other(Inputs& inputs, const Subject& subject, const GpuRates& rates) {
  inputs.profile("step_overhead_us", seconds(subject.profile().time.step_overhead), Unit::seconds);
  inputs.rule("stragglers_per_doubling", rates.rules.stragglers_per_doubling);
  if (subject.job().offload != Offload::none) {
    inputs.job("offload", enum_name(subject.job().offload));
    if (const auto link = rates.gpu->host_link_bandwidth) {
      inputs.gpu("host_link_bandwidth", link->base(), Unit::bytes_per_second);
    } else {
      inputs.rule("host_bridge", rates.rules.host_bridge.base(), Unit::bytes_per_second);
    }
  }
}

using AddInputs = void (*)(Inputs&, const Subject&, const GpuRates&);
constexpr AddInputs kCauseInputs[kTimeCauses] = {gemm,
                                                 attention,
                                                 memory_bound,
                                                 launch,
                                                 tensor_communication,
                                                 data_communication,
                                                 pipeline,
                                                 optimizer,
                                                 data_loading,
                                                 other};

std::vector<StepPart> parts_of(const std::vector<StepPart>& parts, TimeCause cause) {
  std::vector<StepPart> chosen;
  for (const StepPart& part : parts) {
    if (part.cause == cause) {
      chosen.push_back(part);
    }
  }
  std::stable_sort(
      chosen.begin(), chosen.end(), [](const StepPart& a, const StepPart& b) { return a.total() > b.total(); });
  return chosen;
}

void step_time_inputs(Inputs& inputs, const TimeReport& time) {
  for (std::size_t i = 0; i < kTimeCauses; ++i) {
    inputs.computed(EnumNames<TimeCause>::value[i], seconds(time.causes[i]), Unit::seconds);
  }
  inputs.computed("low", seconds(time.step_time.low), Unit::seconds);
  inputs.computed("high", seconds(time.step_time.high), Unit::seconds);
}

void rate_inputs(Inputs& inputs, const Subject& subject, const TimeReport& time) {
  inputs.job("micro_batch_size", static_cast<double>(subject.job().micro_batch_size));
  inputs.job("sequence_length", static_cast<double>(subject.job().sequence_length), Unit::tokens);
  inputs.computed("micro_batches", static_cast<double>(subject.program.micro_batches));
  inputs.computed("data_parallel", static_cast<double>(subject.report->layout.data_parallel()));
  inputs.computed("tokens_per_step", time.tokens_per_step, Unit::tokens);
  inputs.computed("step_time", seconds(time.step_time.mid), Unit::seconds);
}

void utilisation_inputs(
    Inputs& inputs, const Subject& subject, const GpuRates& rates, const TimeReport& time, Term term) {
  const double share = term == Term::mfu || time.mfu <= 0 ? 1.0 : time.hfu / time.mfu;
  const Flops per_step = time.model_flops_per_gpu * time.step_time.mid * share;
  inputs.computed("flops_per_gpu_and_step", per_step / kFlop, Unit::flops);
  inputs.computed("step_time", seconds(time.step_time.mid), Unit::seconds);
  peak(inputs, rates, arithmetic_of(subject.job()));
}

}  // namespace

Explanation explain_time(const Subject& subject, const std::vector<StepPart>& parts, Term term) {
  Explanation e{.term = term, .unit = Unit::seconds};
  const std::optional<TimeReport>& time = subject.report->time;
  const std::optional<GpuRates>& rates = subject.request->target.rates;
  if (!time || !rates) {
    return e;
  }
  Inputs inputs(subject);
  const std::size_t cause = static_cast<std::size_t>(term) - static_cast<std::size_t>(Term::gemm);
  if (cause < kTimeCauses) {
    e.value = seconds(time->causes[cause]);
    e.parts = parts_of(parts, static_cast<TimeCause>(cause));
    kCauseInputs[cause](inputs, subject, *rates);
  } else if (term == Term::step_time) {
    e.value = seconds(time->step_time.mid);
    step_time_inputs(inputs, *time);
  } else if (term == Term::tokens_per_s) {
    e.value = time->tokens_per_s.base();
    e.unit = Unit::tokens_per_second;
    rate_inputs(inputs, subject, *time);
  } else {
    e.value = term == Term::mfu ? time->mfu : time->hfu;
    e.unit = Unit::share;
    utilisation_inputs(inputs, subject, *rates, *time, term);
  }
  e.inputs = std::move(inputs).finish();
  return e;
}

}  // namespace mekiki
