#include "job/readers/engines.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace mekiki {
namespace {

// Sharding strategies by name and, in older files, by number.
// Source: huggingface/accelerate src/accelerate/utils/constants.py and dataclasses.py @16cb6eb8
// (FSDP_SHARDING_STRATEGY, numbered from 1); what reshard_after_forward: false means in version 2 is SHARD_GRAD_OP,
// ibid.
struct Strategy {
  std::string_view name;
  std::string_view number;
  std::string_view zero_stage;
  std::string_view reshard_after_forward;  // empty: nothing follows
};
constexpr Strategy kStrategies[] = {
    {"FULL_SHARD", "1", "3", "yes"},
    {"SHARD_GRAD_OP", "2", "3", "no"},
    {"NO_SHARD", "3", "0", ""},
    {"HYBRID_SHARD", "4", "3", "yes"},
    {"HYBRID_SHARD_ZERO2", "5", "3", "no"},
};

std::string upper_case(std::string_view text) {
  std::string upper(text);
  std::transform(
      upper.begin(), upper.end(), upper.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return upper;
}

void set_strategy(Draft& draft, const Strategy& strategy, const Setting& said) {
  draft.set("zero_stage", strategy.zero_stage, said);
  if (!strategy.reshard_after_forward.empty()) {
    draft.set("reshard_after_forward", strategy.reshard_after_forward, said);
  }
  if (strategy.name.starts_with("HYBRID")) {
    draft.note(JobFileNoteKind::not_modelled, said);  // how many ranks share a copy is not in the file
  }
}

// A strategy, or, in version 2, whether units are gathered again for backward.
void read_sharding(Draft& draft, const Setting& said) {
  for (const Strategy& strategy : kStrategies) {
    if (upper_case(*said.value) == strategy.name || *said.value == strategy.number) {
      return set_strategy(draft, strategy, said);
    }
  }
  if (same_word(*said.value, "true") || same_word(*said.value, "false")) {
    return set_strategy(draft, kStrategies[same_word(*said.value, "true") ? 0 : 1], said);
  }
  draft.note(JobFileNoteKind::unknown_value, said);
}

const Setting* find_any(const Draft& draft, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    if (const Setting* setting = draft.find(key)) {
      return setting;
    }
  }
  return nullptr;
}

// "full_shard auto_wrap offload".
Engine read_fsdp_words(Draft& draft, const Setting& said, OffloadParts& offload) {
  const std::string words = upper_case(*said.value);
  if (words.find("OFFLOAD") != std::string::npos) {
    offload.weights = &said;
  }
  const Strategy* found = nullptr;
  for (const Strategy& strategy : kStrategies) {
    found = words.find(strategy.name) != std::string::npos ? &strategy : found;
  }
  if (found != nullptr) {
    set_strategy(draft, *found, said);
  } else if (same_word(words, "true") || words == "FSDP2") {
    set_strategy(draft, kStrategies[0], said);
  } else {
    draft.note(JobFileNoteKind::unknown_value, said);
  }
  return Engine::fsdp;
}

}  // namespace

void set_offload(Draft& draft, const OffloadParts& parts) {
  for (const Setting* part : {parts.weights, parts.optimizer}) {
    if (part != nullptr && same_word(*part->value, "nvme")) {
      draft.set("offload_to", "nvme", *part);
    }
  }
  if (parts.weights != nullptr) {
    draft.set("offload", parts.activations != nullptr ? "everything" : "optimizer_and_weights", *parts.weights);
  } else if (parts.optimizer != nullptr) {
    draft.set("offload", "optimizer", *parts.optimizer);
    if (parts.activations != nullptr) {
      draft.note(JobFileNoteKind::not_modelled, *parts.activations);
    }
  } else if (parts.activations != nullptr) {
    draft.set("offload", "activations", *parts.activations);
  }
}

Engine read_fsdp(Draft& draft, OffloadParts& offload) {
  Engine engine = Engine::none;
  if (const Setting* words = draft.find("fsdp"); words != nullptr && !is_off(*words->value)) {
    engine = read_fsdp_words(draft, *words, offload);
  }
  const bool has_config =
      std::any_of(draft.file().settings.begin(), draft.file().settings.end(), [](const Setting& setting) {
        return setting.key.starts_with("fsdp_config.") && setting.value;
      });
  if (!has_config) {
    return engine;
  }
  const Setting* sharding = find_any(draft,
                                     {"fsdp_config.fsdp_reshard_after_forward",
                                      "fsdp_config.reshard_after_forward",
                                      "fsdp_config.fsdp_sharding_strategy",
                                      "fsdp_config.sharding_strategy"});
  if (sharding != nullptr) {
    read_sharding(draft, *sharding);
  } else if (engine == Engine::none) {
    draft.set_default("zero_stage", "3");  // FULL_SHARD where nothing is said
  }
  const Setting* offloaded = find_any(draft, {"fsdp_config.fsdp_offload_params", "fsdp_config.offload_params"});
  if (offloaded != nullptr && !is_off(*offloaded->value)) {
    offload.weights = offloaded;
  }
  const Setting* recompute =
      find_any(draft, {"fsdp_config.fsdp_activation_checkpointing", "fsdp_config.activation_checkpointing"});
  if (recompute != nullptr && !is_off(*recompute->value)) {
    draft.set("activation_recompute", "full", *recompute);
  }
  return Engine::fsdp;
}

Engine read_deepspeed_key(Draft& draft, std::string_view key) {
  const Setting* said = draft.find(key);
  if (said == nullptr || is_off(*said->value)) {
    return Engine::none;
  }
  draft.read_reference(*said, read_deepspeed);
  return Engine::deepspeed;
}

std::string_view profile_of(Engine engine) {
  return engine == Engine::deepspeed ? "deepspeed" : engine == Engine::fsdp ? "accelerate-fsdp" : "";
}

Engine read_accelerate_launch(Draft& draft) {
  const Setting* config = draft.find("config_file");
  if (config == nullptr || !draft.has_word("accelerate")) {
    return Engine::none;
  }
  draft.read_reference(*config, read_accelerate);
  return draft.framework() == profile_of(Engine::deepspeed) ? Engine::deepspeed
         : draft.framework() == profile_of(Engine::fsdp)    ? Engine::fsdp
                                                            : Engine::none;
}

void read_launcher(Draft& draft) {
  const auto number = [&](std::string_view key) { return whole_number(draft.text(key)); };
  for (const std::string_view key : {"nproc_per_node", "num_gpus", "env.NPROC_PER_NODE", "env.NGPU"}) {
    if (const auto per_node = number(key)) {
      const std::int64_t nodes = std::max({number("nnodes").value_or(1),
                                           number("num_nodes").value_or(1),
                                           number("env.NNODES").value_or(1),
                                           std::int64_t{1}});
      constexpr std::int64_t kMost = 1 << 20;
      if (*per_node <= kMost && nodes <= kMost) {
        draft.set("gpus", std::to_string(*per_node * nodes), *draft.find(key));
      }
      return;
    }
  }
  if (const Setting* processes = draft.find("num_processes")) {
    return draft.set("gpus", *processes->value, *processes);
  }
  // One visible device is one GPU; several are used by launchers only, which say how many.
  if (const Setting* visible = draft.find("env.CUDA_VISIBLE_DEVICES");
      visible != nullptr && visible->value->find(',') == std::string::npos && !visible->value->empty()) {
    draft.set("gpus", "1", *visible);
  }
}

void set_lora_targets(Draft& draft, const Setting& targets, std::string_view all_word) {
  if (same_word(*targets.value, all_word)) {
    return draft.set("lora_targets", "all-linear", targets);
  }
  if (targets.value->find_first_of("*\\()|^$[]") != std::string::npos) {
    return draft.note(JobFileNoteKind::unknown_value, targets);
  }
  // Projections of attention have names of their own, so their module's name adds nothing.
  constexpr std::string_view kAttention = "self_attn.";
  std::string names = *targets.value;
  for (std::size_t at = names.find(kAttention); at != std::string::npos; at = names.find(kAttention, at)) {
    names.erase(at, kAttention.size());
  }
  draft.set("lora_targets", names, targets);
}

}  // namespace mekiki
