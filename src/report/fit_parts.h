// What text and JSON of `fit` share: sentences about its parts.
#pragma once

#include <string>
#include <vector>

#include "report/fit_report.h"

namespace mekiki {

/// The line that says what was asked: model, method, framework, lengths, machine.
std::string fit_heading(const FitAnswer& answer, const Voice& say);

/// "backward pass of a layer, first step, while it runs mlp.down".
std::string moment_text(const PeakMoment& peak, const Voice& say);

/// Warnings of config, catalogue and profile, one sentence each.
std::vector<std::string> warnings_of(const FitAnswer& answer, const Voice& say);

/// What the prediction leaves out for this job, one sentence each.
std::vector<std::string> not_modelled(const FitAnswer& answer, const Voice& say);

/// The sentence for a config warning.
std::string config_warning_text(const ConfigWarning& warning, const Voice& say);

/// Why there is no verdict, where there is none.
std::string no_verdict_reason(const Voice& say);

/// The name of an enumerator in the voice's language: the message PREFIX.NAME.
template <class E>
std::string spoken(std::string_view prefix, E value, const Voice& say) {
  return std::string(say(message_of(std::string(prefix) + "." + std::string(enum_name(value)))));
}

/// The axes above 1, or that it is one GPU.
std::string layout_text(const ParallelLayout& layout, const Voice& say);

/// What stands between the items of a list.
std::string separator(const Voice& say);

/// Weights and the cache of one sequence, both in 16 bits: what an evaluation by generation or a service holds.
struct InferenceMemory {
  Bytes weights, cache;
};
InferenceMemory inference_memory(const FitAnswer& answer);

/// The quick-rule question of an answer.
QuickQuestion quick_question(const FitAnswer& answer);

}  // namespace mekiki
