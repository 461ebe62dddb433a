// The readers that the table names, one per family file. Nothing but the table includes this.
#pragma once

#include "base/result.h"
#include "model/arch.h"
#include "model/config_reader.h"

namespace mekiki {

Result<Arch> read_llama(ConfigReader& config);
Result<Arch> read_mistral(ConfigReader& config);
Result<Arch> read_mistral3(ConfigReader& config);
Result<Arch> read_qwen2(ConfigReader& config);
Result<Arch> read_qwen2_moe(ConfigReader& config);
Result<Arch> read_qwen3(ConfigReader& config);
Result<Arch> read_qwen3_moe(ConfigReader& config);
Result<Arch> read_gemma(ConfigReader& config);
Result<Arch> read_gemma2(ConfigReader& config);
Result<Arch> read_gemma3(ConfigReader& config);
Result<Arch> read_gpt_neox(ConfigReader& config);
Result<Arch> read_mixtral(ConfigReader& config);
Result<Arch> read_gpt_oss(ConfigReader& config);
Result<Arch> read_megatron_gpt(ConfigReader& config);
Result<Arch> read_mpt(ConfigReader& config);
Result<Arch> read_bloom(ConfigReader& config);
Result<Arch> read_gpt2(ConfigReader& config);
Result<Arch> read_gpt_bigcode(ConfigReader& config);
Result<Arch> read_falcon(ConfigReader& config);
Result<Arch> read_phi3(ConfigReader& config);
Result<Arch> read_olmo2(ConfigReader& config);
Result<Arch> read_olmo3(ConfigReader& config);
Result<Arch> read_opt(ConfigReader& config);
Result<Arch> read_glm(ConfigReader& config);
Result<Arch> read_glm4(ConfigReader& config);
Result<Arch> read_chatglm(ConfigReader& config);
Result<Arch> read_glm4_moe(ConfigReader& config);
Result<Arch> read_llama4(ConfigReader& config);
Result<Arch> read_nemotron(ConfigReader& config);
Result<Arch> read_arcee(ConfigReader& config);
Result<Arch> read_apertus(ConfigReader& config);
Result<Arch> read_seed_oss(ConfigReader& config);
Result<Arch> read_hunyuan_dense(ConfigReader& config);
Result<Arch> read_smollm3(ConfigReader& config);
Result<Arch> read_minicpm(ConfigReader& config);
Result<Arch> read_mimo(ConfigReader& config);
Result<Arch> read_stablelm(ConfigReader& config);
Result<Arch> read_phi(ConfigReader& config);
Result<Arch> read_phi_msft(ConfigReader& config);
Result<Arch> read_cohere(ConfigReader& config);
Result<Arch> read_cohere2(ConfigReader& config);
Result<Arch> read_internlm(ConfigReader& config);
Result<Arch> read_internlm2(ConfigReader& config);
Result<Arch> read_internlm3(ConfigReader& config);
Result<Arch> read_baichuan(ConfigReader& config);
Result<Arch> read_qwen(ConfigReader& config);
Result<Arch> read_olmo(ConfigReader& config);
Result<Arch> read_orion(ConfigReader& config);
Result<Arch> read_gptj(ConfigReader& config);
Result<Arch> read_phimoe(ConfigReader& config);
Result<Arch> read_granitemoe(ConfigReader& config);
Result<Arch> read_granite_hybrid(ConfigReader& config);
Result<Arch> read_dbrx(ConfigReader& config);
Result<Arch> read_deepseek_moe(ConfigReader& config);
Result<Arch> read_minimax_m2(ConfigReader& config);
Result<Arch> read_ernie4_5(ConfigReader& config);
Result<Arch> read_ernie4_5_moe(ConfigReader& config);
Result<Arch> read_qwen2_vl(ConfigReader& config);
Result<Arch> read_qwen2_5_vl(ConfigReader& config);
Result<Arch> read_qwen3_vl(ConfigReader& config);
Result<Arch> read_qwen3_vl_moe(ConfigReader& config);

}  // namespace mekiki
