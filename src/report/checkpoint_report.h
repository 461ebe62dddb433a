// The part of `model` that speaks of a checkpoint on disk.
#pragma once

#include <string>

#include "report/model_report.h"

namespace mekiki {

/// Several lines, the last one ended.
std::string checkpoint_text(const CheckpointAnswer& answer, const Voice& say);
Json checkpoint_json(const CheckpointAnswer& answer);

}  // namespace mekiki
