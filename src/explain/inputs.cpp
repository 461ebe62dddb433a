#include "explain/inputs.h"

#include <algorithm>

namespace mekiki {
namespace {

constexpr std::string_view kRatesFile = "data/measured/kernel_rates.json";

}  // namespace

Input Inputs::of_job(std::string_view key) const {
  Input input{.name = std::string(key), .origin = Origin::fallback, .place = std::string(key)};
  const auto said = subject_.places->find(key);
  if (said != subject_.places->end()) {
    input.origin = Origin::given;
    input.place = said->second;
  }
  return input;
}

void Inputs::job(std::string_view key, double value, Unit unit) {
  Input input = of_job(key);
  input.value = value;
  input.unit = unit;
  inputs_.push_back(std::move(input));
}

void Inputs::job(std::string_view key, std::string_view word) {
  Input input = of_job(key);
  input.value = std::string(word);
  inputs_.push_back(std::move(input));
}

void Inputs::model(std::string_view key, double value) {
  inputs_.push_back({std::string(key), value, Unit::none, Origin::model, std::string(subject_.request->arch->id)});
}

void Inputs::profile(std::string_view key, double value, Unit unit) {
  inputs_.push_back({std::string(key), value, unit, Origin::profile, subject_.profile().id});
}

void Inputs::profile(std::string_view key, std::string_view word) {
  inputs_.push_back({std::string(key), std::string(word), Unit::none, Origin::profile, subject_.profile().id});
}

void Inputs::gpu(std::string_view key, double value, Unit unit) {
  if (const Gpu* gpu = subject_.request->target.gpu) {
    inputs_.push_back({std::string(key), value, unit, Origin::catalogue, std::string(gpu->id)});
  }
}

void Inputs::kernel(std::string_view key, double value) {
  const std::string gpu = subject_.request->target.rates ? subject_.request->target.rates->kernels.gpu_id : "";
  inputs_.push_back({std::string(key), value, Unit::none, Origin::rules, std::string(kRatesFile) + " " + gpu});
}

void Inputs::rule(std::string_view key, double value, Unit unit) {
  inputs_.push_back({std::string(key), value, unit, Origin::rules, std::string(kRatesFile) + " step_rules"});
}

void Inputs::table(std::string_view kind, std::string_view gpu_id) {
  if (!gpu_id.empty()) {
    inputs_.push_back({std::string(kind),
                       std::string(gpu_id),
                       Unit::none,
                       Origin::measured,
                       "data/measured/" + std::string(kind) + "/" + std::string(gpu_id) + ".csv"});
  }
}

void Inputs::computed(std::string_view name, double value, Unit unit) {
  inputs_.push_back({std::string(name), value, unit, Origin::computed, ""});
}

void Inputs::computed(std::string_view name, std::string_view word) {
  inputs_.push_back({std::string(name), std::string(word), Unit::none, Origin::computed, ""});
}

void Inputs::layout() {
  const ParallelLayout& l = subject_.report->layout;
  const std::pair<std::string_view, std::int64_t> axes[] = {{"dp_replicate", l.dp_replicate},
                                                            {"dp_shard", l.dp_shard},
                                                            {"tensor_parallel", l.tensor_parallel},
                                                            {"context_parallel", l.context_parallel},
                                                            {"pipeline_parallel", l.pipeline_parallel},
                                                            {"expert_parallel", l.expert_parallel},
                                                            {"expert_tensor_parallel", l.expert_tensor_parallel}};
  for (const auto& [key, ranks] : axes) {
    if (ranks > 1) {
      job(key, static_cast<double>(ranks));
    }
  }
  if (l.dp_shard * l.context_parallel > 1) {
    job("zero_stage", static_cast<double>(l.zero_stage));
  }
}

}  // namespace mekiki
