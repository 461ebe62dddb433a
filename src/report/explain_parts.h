// What text and JSON of explanations share: names, amounts and sizes in words.
#pragma once

#include <string>
#include <variant>

#include "explain/explanation.h"
#include "report/voice.h"

namespace mekiki {

/// "activations", "matrix products", "step time".
std::string term_name(Term term, const Voice& say);

/// "7.95 GiB", "4,096", "bf16"; a value that is not known says so.
std::string amount_text(const std::variant<std::monostate, double, std::string>& value, Unit unit, const Voice& say);

/// "given: --gpu", "default", "measured: data/measured/gemm/...".
std::string origin_text(const Input& input, const Voice& say);

/// "layer 0, kept for backward".
std::string place_text(const LiveItem& item, const Voice& say);

/// Size of one as a formula: "1 x 4096 x 16,384 bytes", "16,777,216 weights x 2 bytes".
std::string size_text(const LiveItem& item, const ResolvedJob& job, const Voice& say);

/// What a part of a step is: the op, or what the composition adds.
std::string part_name(const StepPart& part, const Voice& say);

/// "layer 0, forward pass of a layer, backward"; empty for what belongs to the whole step.
std::string part_place(const StepPart& part, const Voice& say);

/// "4096 x 8192 x 2048 bf16", "64.0 MiB".
std::string work_text(const StepPart& part);

}  // namespace mekiki
