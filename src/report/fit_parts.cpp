#include "report/fit_parts.h"

#include <fmt/format.h>

#include "report/numbers.h"

namespace mekiki {
namespace {}  // namespace

std::string moment_text(const PeakMoment& peak, const Voice& say) {
  const std::string phase = spoken("phase", peak.phase, say);
  if (peak.op.empty()) {
    return say(Message::fit_moment_residents, {{"phase", phase}});
  }
  return say(Message::fit_moment,
             {{"segment", spoken("segment", peak.segment, say)}, {"phase", phase}, {"op", std::string(peak.op)}});
}

std::string config_warning_text(const ConfigWarning& warning, const Voice& say) {
  return say(message_of("config_warning." + std::string(enum_name(warning.kind))),
             {{"subject", warning.subject}, {"value", warning.value}});
}

std::string no_verdict_reason(const Voice& say) {
  return std::string(say(Message::fit_no_gpu));
}

std::vector<std::string> warnings_of(const FitAnswer& answer, const Voice& say) {
  std::vector<std::string> warnings = job_file_warnings(answer.job_file, say);
  for (const ConfigWarning& warning : answer.config_warnings) {
    warnings.push_back(config_warning_text(warning, say));
  }
  if (answer.generic_profile) {
    warnings.push_back(say(Message::warning_generic_profile, {{"framework", answer.framework_asked}}));
  }
  if (answer.gpu != nullptr && answer.gpu->status == FactStatus::from_memory) {
    warnings.push_back(say(Message::warning_gpu_from_memory, {{"gpu", std::string(answer.gpu->name)}}));
  }
  if (answer.mig && answer.whole_gpu_speedup) {
    warnings.push_back(say(Message::warning_mig_instance,
                           {{"profile", std::string(enum_name(*answer.mig))},
                            {"times", fmt::format("{:.1f}", *answer.whole_gpu_speedup)}}));
  }
  if (answer.network_assumed) {
    warnings.emplace_back(say(Message::warning_network_assumed));
  }
  const std::optional<TimeReport>& time = answer.fit.time;
  constexpr double kLongWait = 0.10;
  if (time && time->communication_share() >= kLongWait) {
    warnings.push_back(
        say(Message::warning_waits_for_communication, {{"share", percent(time->communication_share())}}));
  }
  if (answer.fit.job.tokens) {
    warnings.emplace_back(say(Message::fit_tokens_change_time));
  }
  return warnings;
}

namespace {

/// What the memory of this job may hold besides.
std::vector<Message> memory_limits(const FitAnswer& answer) {
  const ResolvedJob& job = answer.fit.job;
  std::vector<Message> limits = {Message::not_modelled_library_workspaces,
                                 Message::not_modelled_loading,
                                 Message::not_modelled_garbage_collection,
                                 Message::not_modelled_dropout_masks};
  const auto add_if = [&](bool applies, Message limit) {
    if (applies) {
      limits.push_back(limit);
    }
  };
  add_if(job.lengths != Lengths::fixed && job.lengths != Lengths::packed, Message::not_modelled_varying_lengths);
  add_if(answer.cuda_graphs, Message::not_modelled_cuda_graphs);
  add_if(answer.fit.layout.pipeline_parallel > 1, Message::not_modelled_uneven_stages);
  add_if(experts_of(answer.arch) != nullptr, Message::not_modelled_expert_imbalance);
  add_if(answer.arch.vision.has_value(), Message::not_modelled_vision);
  add_if(answer.arch.mtp_weights > 0, Message::not_modelled_mtp);
  add_if(answer.fit.memory.host > Bytes{}, Message::not_modelled_host_memory);
  return limits;
}

}  // namespace

std::vector<std::string> not_modelled(const FitAnswer& answer, const Voice& say) {
  std::vector<Message> limits = memory_limits(answer);
  if (answer.fit.time) {
    limits.push_back(Message::not_modelled_data_loading);
    limits.push_back(Message::not_modelled_power_capping);
    if (answer.network) {
      limits.push_back(Message::not_modelled_congestion);
    }
  }
  std::vector<std::string> sentences;
  sentences.reserve(limits.size());
  for (const Message limit : limits) {
    sentences.emplace_back(say(limit));
  }
  return sentences;
}

std::string layout_text(const ParallelLayout& layout, const Voice& say) {
  return layout == ParallelLayout{} ? std::string(say(Message::fit_single_gpu)) : describe(layout);
}

std::string separator(const Voice& say) {
  return std::string(say(Message::list_separator));
}

InferenceMemory inference_memory(const FitAnswer& answer) {
  return {static_cast<double>(answer.counts.trainable) * bytes_per_element(Dtype::bf16),
          kv_cache_bytes(answer.arch, answer.fit.job.sequence_length, Dtype::bf16)};
}

QuickQuestion quick_question(const FitAnswer& answer) {
  return {.parameters = static_cast<double>(answer.counts.trainable),
          .first = answer.stack_stated ? quick_rule_of(answer.fit.job) : usual_quick_rule()};
}

}  // namespace mekiki
