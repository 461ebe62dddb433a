#include "report/run_json.h"

namespace mekiki {
namespace {

Estimate<TokensPerSecond> rate_of(double tokens, const Estimate<Seconds>& time) {
  return {Tokens{tokens} / time.high, Tokens{tokens} / time.mid, Tokens{tokens} / time.low, time.basis};
}

}  // namespace

Json memory_json(const MemoryReport& memory) {
  return {{"allocated_gib", json_estimate(memory.allocated, kGiB)},
          {"reserved_gib", json_estimate(memory.reserved, kGiB)},
          {"device_gib", json_estimate(memory.device, kGiB)}};
}

Json step_json(const TimeReport& time, std::int64_t gpus, std::optional<std::int64_t> tokens) {
  const Estimate<TokensPerSecond> rate = rate_of(time.tokens_per_step, time.step_time);
  const TokensPerSecond unit = kToken / kSecond;
  Json json = {{"step_time_s", json_estimate(time.step_time, kSecond)},
               {"tokens_per_s", json_estimate(rate, unit)},
               {"tokens_per_s_per_gpu", json_estimate(rate * (1.0 / static_cast<double>(gpus)), unit)},
               {"tokens_per_step", rounded(time.tokens_per_step)},
               {"padding_share", rounded(1.0 - time.real_token_share)},
               {"mfu", rounded(time.mfu)},
               {"hfu", rounded(time.hfu)},
               {"gpu_utilization", rounded(time.gpu_utilization())},
               {"waits_for_communication", rounded(time.communication_share())}};
  Json causes;
  for (std::size_t i = 0; i < kTimeCauses; ++i) {
    causes[std::string(EnumNames<TimeCause>::value[i])] = rounded(time.causes[i] / kSecond);
  }
  json["causes"] = std::move(causes);
  if (tokens && time.tokens_per_step > 0.0) {
    const double steps = static_cast<double>(*tokens) / time.tokens_per_step;
    json["training_time_s"] = json_estimate(time.step_time * steps, kSecond);
  }
  return json;
}

Json layout_json(const ParallelLayout& layout) {
  return {{"dp_replicate", layout.dp_replicate},
          {"dp_shard", layout.dp_shard},
          {"tensor_parallel", layout.tensor_parallel},
          {"sequence_parallel", layout.sequence_parallel},
          {"context_parallel", layout.context_parallel},
          {"pipeline_parallel", layout.pipeline_parallel},
          {"virtual_pipeline", layout.virtual_pipeline},
          {"expert_parallel", layout.expert_parallel},
          {"expert_tensor_parallel", layout.expert_tensor_parallel},
          {"zero_stage", layout.zero_stage},
          {"reshard_after_forward", layout.reshard_after_forward}};
}

}  // namespace mekiki
