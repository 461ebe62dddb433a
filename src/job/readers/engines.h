// What several readers do alike: engines that shard, launchers that start processes, parts that are offloaded.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "job/readers/draft.h"

namespace mekiki {

/// What is moved to host memory, gathered from several keys and said as one word.
struct OffloadParts {
  const Setting* optimizer = nullptr;
  const Setting* weights = nullptr;
  const Setting* activations = nullptr;
};
void set_offload(Draft& draft, const OffloadParts& parts);

/// Which engine shards the job. It decides the profile: what it keeps in which dtype is the same under every tool.
enum class Engine : std::uint8_t { none, deepspeed, fsdp };

/// Reads what the settings at hand say as a DeepSpeed config. For use with Draft::read_reference too.
void read_deepspeed(Draft& draft);
/// Reads what the settings at hand say as a config of accelerate; the engine decides the profile, none leaves it open.
void read_accelerate(Draft& draft);
/// `accelerate launch --config_file FILE`: what shards stands in a file of its own.
Engine read_accelerate_launch(Draft& draft);
/// Reads the value of a key `deepspeed`: a path, or the text of the config itself.
Engine read_deepspeed_key(Draft& draft, std::string_view key);

/// Reads `fsdp` (words such as "full_shard auto_wrap") and `fsdp_config.*` with and without the prefix "fsdp_".
Engine read_fsdp(Draft& draft, OffloadParts& offload);
/// Its keys, for the tables of the readers.
inline constexpr KeyRule kFsdpRules[] = {
    {"fsdp"},
    {"fsdp_config.sharding_strategy"},
    {"fsdp_config.fsdp_sharding_strategy"},
    {"fsdp_config.reshard_after_forward"},
    {"fsdp_config.fsdp_reshard_after_forward"},
    {"fsdp_config.offload_params"},
    {"fsdp_config.fsdp_offload_params"},
    {"fsdp_config.activation_checkpointing"},
    {"fsdp_config.fsdp_activation_checkpointing"},
    {"fsdp_config.mixed_precision_policy", Treatment::not_modelled},
};
/// Which class is wrapped, how checkpoints are written and loaded, when units are fetched ahead.
inline constexpr std::string_view kHarmlessFsdpKeys[] = {
    "fsdp_version",
    "fsdp_final_state_dict_type",
    "fsdp_transformer_layer_cls_to_wrap",
    "fsdp_config.fsdp_version",
    "fsdp_config.version",
    "fsdp_config.auto_wrap_policy",
    "fsdp_config.fsdp_auto_wrap_policy",
    "fsdp_config.transformer_layer_cls_to_wrap",
    "fsdp_config.fsdp_transformer_layer_cls_to_wrap",
    "fsdp_config.min_num_params",
    "fsdp_config.fsdp_min_num_params",
    "fsdp_config.state_dict_type",
    "fsdp_config.fsdp_state_dict_type",
    "fsdp_config.final_state_dict_type",
    "fsdp_config.cpu_ram_efficient_loading",
    "fsdp_config.fsdp_cpu_ram_efficient_loading",
    "fsdp_config.sync_module_states",
    "fsdp_config.fsdp_sync_module_states",
    "fsdp_config.use_orig_params",
    "fsdp_config.fsdp_use_orig_params",
    "fsdp_config.limit_all_gathers",
    "fsdp_config.fsdp_limit_all_gathers",
    "fsdp_config.backward_prefetch",
    "fsdp_config.fsdp_backward_prefetch",
    "fsdp_config.fsdp_backward_prefetch_policy",
    "fsdp_config.forward_prefetch",
    "fsdp_config.fsdp_forward_prefetch",
    "fsdp_config.fsdp_ignored_modules",
    "fsdp_config.cpu_offload_pin_memory",
};

/// The profile of an engine; empty: none shards.
std::string_view profile_of(Engine engine);

/// Reads GPUs out of options and variables of launchers: --nproc_per_node x --nnodes, --num_processes, --num_gpus,
/// NPROC_PER_NODE, NGPU, CUDA_VISIBLE_DEVICES.
void read_launcher(Draft& draft);
/// Options of launchers: nothing in them but the number of GPUs matters.
inline constexpr std::string_view kHarmlessLauncherKeys[] = {
    "env.*",
    "nproc_per_node",
    "nnodes",
    "node_rank",
    "master_addr",
    "master_port",
    "num_gpus",
    "num_nodes",
    "num_processes",
    "num_machines",
    "machine_rank",
    "main_process_ip",
    "main_process_port",
    "rdzv_backend",
    "rdzv_endpoint",
    "rdzv_id",
    "rdzv_conf",
    "standalone",
    "role",
    "tee",
    "local_ranks_filter",
    "max_restarts",
    "log_dir",
    "hostfile",
    "include",
    "exclude",
    "launcher",
    "multi_gpu",
    "same_network",
    "use_deepspeed",
    "use_fsdp",
    "module",
    "m",
    "c",
    "num_cpu_threads_per_process",
};

/// Module names as adapters want them; a pattern instead of names is noted.
void set_lora_targets(Draft& draft, const Setting& targets, std::string_view all_word);

}  // namespace mekiki
