#include "report/fit_parts.h"

#include <algorithm>
#include <variant>

#include "report/numbers.h"

namespace mekiki {
namespace {

bool has_experts(const Arch& arch) {
  return std::any_of(arch.layer_groups.begin(), arch.layer_groups.end(), [](const LayerGroup& group) {
    return std::any_of(group.layer.sub_layers.begin(), group.layer.sub_layers.end(), [](const SubLayer& sub) {
      return std::holds_alternative<MoeFfn>(sub.block);
    });
  });
}

}  // namespace

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

std::vector<std::string> not_modelled(const FitAnswer& answer, const Voice& say) {
  std::vector<Message> parts = {
      Message::not_modelled_allocator_blocks, Message::not_modelled_library_workspaces, Message::not_modelled_loading};
  if (answer.fit.time) {
    parts.push_back(Message::not_modelled_data_loading);
  }
  if (has_experts(answer.arch)) {
    parts.push_back(Message::not_modelled_expert_imbalance);
  }
  if (answer.arch.vision) {
    parts.push_back(Message::not_modelled_vision);
  }
  if (answer.arch.mtp_weights > 0) {
    parts.push_back(Message::not_modelled_mtp);
  }
  if (answer.fit.job.offload != Offload::none) {
    parts.push_back(Message::not_modelled_host_memory);
  }
  std::vector<std::string> sentences;
  sentences.reserve(parts.size());
  for (const Message part : parts) {
    sentences.emplace_back(say(part));
  }
  return sentences;
}

std::string layout_text(const ParallelLayout& layout, const Voice& say) {
  return layout == ParallelLayout{} ? std::string(say(Message::fit_single_gpu)) : describe(layout);
}

std::string separator(const Voice& say) {
  return std::string(say(Message::list_separator));
}

QuickQuestion quick_question(const FitAnswer& answer) {
  return {.parameters = static_cast<double>(answer.counts.trainable),
          .first = answer.stack_stated ? quick_rule_of(answer.fit.job) : usual_quick_rule()};
}

}  // namespace mekiki
