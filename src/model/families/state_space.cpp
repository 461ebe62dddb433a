// Mamba, Falcon-Mamba and Mamba-2: a state-space mixer in every layer and nothing else; and the pieces of them that
// hybrids share.
// Source: transformers MambaConfig, FalconMambaConfig, Mamba2Config; totals of mamba-130m and falcon-mamba-7b
// (tests/data/models/params.csv).
#include <string>

#include "model/exact_count.h"
#include "model/families/parts.h"
#include "model/families/state_space_parts.h"
#include "model/families/table.h"

namespace mekiki {
namespace {

void name_backbone(Arch& arch) {
  arch.names.embedding = "backbone.embeddings";
  arch.names.layers = "backbone.layers";
  arch.names.final_norm = "backbone.norm_f";
}

Result<Arch> finish(ConfigReader& config, Arch arch, const StateSpace& mixer) {
  name_backbone(arch);
  ignore_step_keys(config);
  config.ignore({"hidden_act", "norm_before_gate"});
  append_all_layers(config, arch, {.sub_layers = {{.block = mixer, .norm_before = "norm"}}});
  return config.finish(arch);
}

void check_heads(ConfigReader& config, std::string_view key, const StateSpace& mixer, std::int64_t head_dim) {
  if (capped_product(mixer.heads, head_dim) != mixer.inner_size) {
    config.refuse(key,
                  std::to_string(mixer.heads) + " heads of " + std::to_string(head_dim) +
                      " are not the inner size of " + std::to_string(mixer.inner_size));
  }
}

}  // namespace

StateSpace read_mamba_heads(ConfigReader& config, std::int64_t hidden_size, std::int64_t inner_size) {
  StateSpace mixer{.kind = StateSpace::Kind::per_head, .module = "mamba"};
  const std::int64_t expanded = config.or_default("mamba_expand", 2, {1, 1000}) * hidden_size;
  mixer.inner_size = inner_size > 0 ? inner_size : expanded;
  mixer.heads = config.required("mamba_n_heads");
  mixer.state_size = config.required("mamba_d_state");
  mixer.groups = config.or_default("mamba_n_groups", 1);
  mixer.conv_kernel = config.or_default("mamba_d_conv", 4, {1, 1000});
  mixer.chunk = config.or_default("mamba_chunk_size", 256);
  mixer.conv_bias = config.flag("mamba_conv_bias", true);
  mixer.projection_bias = config.flag("mamba_proj_bias", false);
  if (config.is_text("mamba_d_head")) {
    config.text("mamba_d_head", "auto");
  } else {
    check_heads(config, "mamba_d_head", mixer, config.or_default("mamba_d_head", mixer.inner_size / mixer.heads));
  }
  if (mixer.inner_size % mixer.heads != 0) {
    config.refuse("mamba_n_heads", "does not divide the inner size of " + std::to_string(mixer.inner_size));
  }
  ignore_step_keys(config);
  return mixer;
}

void ignore_step_keys(ConfigReader& config) {
  config.ignore({"mamba_dt_init_floor",
                 "mamba_dt_limit",
                 "mamba_dt_max",
                 "mamba_dt_min",
                 "mamba_ssm_cache_dtype",
                 "rescale_prenorm_residual",
                 "residual_in_fp32",
                 "time_step_floor",
                 "time_step_init_scheme",
                 "time_step_limit",
                 "time_step_max",
                 "time_step_min",
                 "time_step_scale",
                 "use_mamba_kernels",
                 "use_mambapy"});
}

/// intermediate_size counts where it is there: falcon-mamba-7b names an expand that it does not use.
Result<Arch> read_mamba(ConfigReader& config) {
  Arch arch = read_frame(config, true);
  StateSpace mixer{.kind = StateSpace::Kind::selective_scan};
  const std::int64_t expanded = config.or_default("expand", 2, {1, 1000}) * arch.hidden_size;
  mixer.inner_size = config.or_default("intermediate_size", expanded);
  mixer.state_size = config.or_default("state_size", 16);
  mixer.conv_kernel = config.or_default("conv_kernel", 4, {1, 1000});
  mixer.conv_bias = config.flag("use_conv_bias", true);
  mixer.projection_bias = config.flag("use_bias", false);
  const std::int64_t automatic = (arch.hidden_size + 15) / 16;
  mixer.step_rank = config.is_text("time_step_rank") ? automatic : config.or_default("time_step_rank", automatic);
  config.ignore({"time_step_rank", "mixer_rms_eps"});
  return finish(config, arch, mixer);
}

Result<Arch> read_mamba2(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  StateSpace mixer{.kind = StateSpace::Kind::per_head};
  mixer.inner_size = config.or_default("expand", 2, {1, 1000}) * arch.hidden_size;
  mixer.heads = config.required("num_heads");
  check_heads(config, "num_heads", mixer, config.required("head_dim"));
  mixer.state_size = config.or_default("state_size", 128);
  mixer.groups = config.or_default("n_groups", 8);
  mixer.conv_kernel = config.or_default("conv_kernel", 4, {1, 1000});
  mixer.conv_bias = config.flag("use_conv_bias", true);
  mixer.projection_bias = config.flag("use_bias", false);
  mixer.chunk = config.or_default("chunk_size", 256);
  if (!config.flag("rms_norm", true)) {
    config.refuse_unsupported("rms_norm", "a mixer without its norm is not known");
  }
  if (config.or_default("intermediate_size", mixer.inner_size) != mixer.inner_size) {
    config.refuse("intermediate_size", "is not expand x hidden_size");
  }
  config.ignore({"time_step_rank"});
  return finish(config, arch, mixer);
}

}  // namespace mekiki
