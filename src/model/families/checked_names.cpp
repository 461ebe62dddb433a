#include <algorithm>
#include <array>

#include "model/family.h"

namespace mekiki {
namespace {

using Names = std::string_view;

// Families whose tensor lists agree with what transformers saves (model/tensors_test.cpp).
constexpr std::array kCheckedNames = {
    Names("afmoe"),
    Names("apertus"),
    Names("arcee"),
    Names("bamba"),
    Names("bloom"),
    Names("codegen"),
    Names("cohere"),
    Names("cohere2"),
    Names("dbrx"),
    Names("deepseek_v2"),
    Names("deepseek_v3"),
    Names("deepseek_v32"),
    Names("dots1"),
    Names("ernie4_5"),
    Names("ernie4_5_moe"),
    Names("exaone4"),
    Names("falcon"),
    Names("falcon_h1"),
    Names("falcon_mamba"),
    Names("flex_olmo"),
    Names("gemma"),
    Names("gemma2"),
    Names("gemma3"),
    Names("glm"),
    Names("glm4"),
    Names("glm4_moe"),
    Names("glm4_moe_lite"),
    Names("glm4v"),
    Names("glm4v_moe"),
    Names("glm_moe_dsa"),
    Names("gpt2"),
    Names("gpt_bigcode"),
    Names("gpt_neo"),
    Names("gpt_neox"),
    Names("gpt_oss"),
    Names("gptj"),
    Names("granite"),
    Names("granitemoe"),
    Names("granitemoehybrid"),
    Names("granitemoeshared"),
    Names("helium"),
    Names("hunyuan_v1_dense"),
    Names("hunyuan_v1_moe"),
    Names("jamba"),
    Names("lfm2"),
    Names("lfm2_moe"),
    Names("llama"),
    Names("llama4"),
    Names("llava"),
    Names("mamba"),
    Names("mamba2"),
    Names("minicpm3"),
    Names("minimax"),
    Names("minimax_m2"),
    Names("mistral"),
    Names("mistral3"),
    Names("mistral4"),
    Names("mixtral"),
    Names("nemotron"),
    Names("nemotron_h"),
    Names("olmo"),
    Names("olmo2"),
    Names("olmo3"),
    Names("olmoe"),
    Names("opt"),
    Names("persimmon"),
    Names("phi"),
    Names("phi3"),
    Names("phimoe"),
    Names("qwen2"),
    Names("qwen2_5_vl"),
    Names("qwen2_moe"),
    Names("qwen2_vl"),
    Names("qwen3"),
    Names("qwen3_5"),
    Names("qwen3_5_moe"),
    Names("qwen3_moe"),
    Names("qwen3_next"),
    Names("qwen3_vl"),
    Names("qwen3_vl_moe"),
    Names("seed_oss"),
    Names("smollm3"),
    Names("stablelm"),
    Names("starcoder2"),
    Names("t5"),
};

}  // namespace

bool has_checked_names(std::string_view family) {
  return std::find(kCheckedNames.begin(), kCheckedNames.end(), family) != kCheckedNames.end();
}

}  // namespace mekiki
