// State-space mixers and layers as configs of hybrids describe them.
#pragma once

#include "model/arch.h"
#include "model/config_reader.h"

namespace mekiki {

/// mamba_n_heads x mamba_d_head ("auto": the inner size shared out), mamba_d_state, mamba_n_groups, mamba_d_conv,
/// mamba_chunk_size, mamba_conv_bias, mamba_proj_bias. The inner size is `inner_size`, or mamba_expand x `hidden_size`
/// where that is 0.
StateSpace read_mamba_heads(ConfigReader& config, std::int64_t hidden_size, std::int64_t inner_size = 0);

/// Keys about the steps and the start of training, which change no size.
void ignore_step_keys(ConfigReader& config);

}  // namespace mekiki
