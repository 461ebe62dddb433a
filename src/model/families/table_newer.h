// The families with other mixers than grouped-query attention, and those added after them. Part of table.cpp, which
// alone includes this.
#pragma once

#include <array>
#include <string_view>

#include "model/families/table.h"
#include "model/family.h"

namespace mekiki {

using FamilyName = std::string_view;

inline constexpr std::array kDeepseekV2Types = {FamilyName("deepseek_v2")};
inline constexpr std::array kDeepseekV2Classes = {FamilyName("DeepseekV2ForCausalLM")};
inline constexpr std::array kDeepseekV3Types = {FamilyName("deepseek_v3"), FamilyName("kimi_k2")};
inline constexpr std::array kDeepseekV3Classes = {FamilyName("DeepseekV3ForCausalLM")};
inline constexpr std::array kDeepseekV32Types = {FamilyName("deepseek_v32")};
inline constexpr std::array kDeepseekV32Classes = {FamilyName("DeepseekV32ForCausalLM")};
inline constexpr std::array kGlmMoeDsaTypes = {FamilyName("glm_moe_dsa")};
inline constexpr std::array kGlmMoeDsaClasses = {FamilyName("GlmMoeDsaForCausalLM")};
inline constexpr std::array kGlm4MoeLiteTypes = {FamilyName("glm4_moe_lite")};
inline constexpr std::array kGlm4MoeLiteClasses = {FamilyName("Glm4MoeLiteForCausalLM")};
inline constexpr std::array kMinicpm3Types = {FamilyName("minicpm3")};
inline constexpr std::array kMinicpm3Classes = {FamilyName("MiniCPM3ForCausalLM")};
inline constexpr std::array kMistral4Types = {FamilyName("mistral4")};
inline constexpr std::array kMistral4Classes = {FamilyName("Mistral4ForCausalLM")};
inline constexpr std::array kKimiK25Types = {FamilyName("kimi_k25")};
inline constexpr std::array kKimiK25Classes = {FamilyName("KimiK25ForConditionalGeneration"),
                                               FamilyName("Kimi_K25ForConditionalGeneration")};
inline constexpr std::array kKimiLinearTypes = {FamilyName("kimi_linear")};
inline constexpr std::array kKimiLinearClasses = {FamilyName("KimiLinearForCausalLM")};
inline constexpr std::array kQwen3NextTypes = {FamilyName("qwen3_next")};
inline constexpr std::array kQwen3NextClasses = {FamilyName("Qwen3NextForCausalLM")};
inline constexpr std::array kQwen35Types = {FamilyName("qwen3_5"), FamilyName("qwen3_5_text")};
inline constexpr std::array kQwen35Classes = {FamilyName("Qwen3_5ForConditionalGeneration"),
                                              FamilyName("Qwen3_5ForCausalLM")};
inline constexpr std::array kQwen35MoeTypes = {FamilyName("qwen3_5_moe"), FamilyName("qwen3_5_moe_text")};
inline constexpr std::array kQwen35MoeClasses = {FamilyName("Qwen3_5MoeForConditionalGeneration"),
                                                 FamilyName("Qwen3_5MoeForCausalLM")};
inline constexpr std::array kMambaTypes = {FamilyName("mamba")};
inline constexpr std::array kMambaClasses = {FamilyName("MambaForCausalLM")};
inline constexpr std::array kFalconMambaTypes = {FamilyName("falcon_mamba")};
inline constexpr std::array kFalconMambaClasses = {FamilyName("FalconMambaForCausalLM")};
inline constexpr std::array kMamba2Types = {FamilyName("mamba2")};
inline constexpr std::array kMamba2Classes = {FamilyName("Mamba2ForCausalLM")};
inline constexpr std::array kFalconH1Types = {FamilyName("falcon_h1")};
inline constexpr std::array kFalconH1Classes = {FamilyName("FalconH1ForCausalLM")};
inline constexpr std::array kJambaTypes = {FamilyName("jamba")};
inline constexpr std::array kJambaClasses = {FamilyName("JambaForCausalLM")};
inline constexpr std::array kBambaTypes = {FamilyName("bamba")};
inline constexpr std::array kBambaClasses = {FamilyName("BambaForCausalLM")};
inline constexpr std::array kPlamo2Types = {FamilyName("plamo2")};
inline constexpr std::array kPlamo2Classes = {FamilyName("Plamo2ForCausalLM")};
inline constexpr std::array kGranitemoesharedTypes = {FamilyName("granitemoeshared")};
inline constexpr std::array kGranitemoesharedClasses = {FamilyName("GraniteMoeSharedForCausalLM")};
inline constexpr std::array kNemotronHTypes = {FamilyName("nemotron_h")};
inline constexpr std::array kNemotronHClasses = {FamilyName("NemotronHForCausalLM")};
inline constexpr std::array kNemotronNasTypes = {FamilyName("nemotron-nas")};
inline constexpr std::array kNemotronNasClasses = {FamilyName("DeciLMForCausalLM")};
inline constexpr std::array kOpenelmTypes = {FamilyName("openelm")};
inline constexpr std::array kOpenelmClasses = {FamilyName("OpenELMForCausalLM")};
inline constexpr std::array kMinimaxTypes = {
    FamilyName("minimax"), FamilyName("minimax_text_01"), FamilyName("minimax_m1")};
inline constexpr std::array kMinimaxClasses = {
    FamilyName("MiniMaxForCausalLM"), FamilyName("MiniMaxText01ForCausalLM"), FamilyName("MiniMaxM1ForCausalLM")};
inline constexpr std::array kLfm2Types = {FamilyName("lfm2")};
inline constexpr std::array kLfm2Classes = {FamilyName("Lfm2ForCausalLM")};
inline constexpr std::array kLfm2MoeTypes = {FamilyName("lfm2_moe")};
inline constexpr std::array kLfm2MoeClasses = {FamilyName("Lfm2MoeForCausalLM")};
inline constexpr std::array kGemma4Types = {FamilyName("gemma4"), FamilyName("gemma4_text")};
inline constexpr std::array kGemma4Classes = {FamilyName("Gemma4ForConditionalGeneration"),
                                              FamilyName("Gemma4ForCausalLM")};
inline constexpr std::array kAfmoeTypes = {FamilyName("afmoe")};
inline constexpr std::array kAfmoeClasses = {FamilyName("AfmoeForCausalLM")};
inline constexpr std::array kDots1Types = {FamilyName("dots1")};
inline constexpr std::array kDots1Classes = {FamilyName("Dots1ForCausalLM")};
inline constexpr std::array kOlmoeTypes = {FamilyName("olmoe")};
inline constexpr std::array kOlmoeClasses = {FamilyName("OlmoeForCausalLM")};
inline constexpr std::array kFlexOlmoTypes = {FamilyName("flex_olmo")};
inline constexpr std::array kFlexOlmoClasses = {FamilyName("FlexOlmoForCausalLM")};
inline constexpr std::array kHunyuanV1MoeTypes = {FamilyName("hunyuan_v1_moe"), FamilyName("hunyuan")};
inline constexpr std::array kHunyuanV1MoeClasses = {FamilyName("HunYuanMoEV1ForCausalLM")};
inline constexpr std::array kExaone4Types = {FamilyName("exaone4")};
inline constexpr std::array kExaone4Classes = {FamilyName("Exaone4ForCausalLM")};
inline constexpr std::array kStarcoder2Types = {FamilyName("starcoder2")};
inline constexpr std::array kStarcoder2Classes = {FamilyName("Starcoder2ForCausalLM")};
inline constexpr std::array kHeliumTypes = {FamilyName("helium")};
inline constexpr std::array kHeliumClasses = {FamilyName("HeliumForCausalLM")};
inline constexpr std::array kPersimmonTypes = {FamilyName("persimmon")};
inline constexpr std::array kPersimmonClasses = {FamilyName("PersimmonForCausalLM")};
inline constexpr std::array kGptNeoTypes = {FamilyName("gpt_neo")};
inline constexpr std::array kGptNeoClasses = {FamilyName("GPTNeoForCausalLM")};
inline constexpr std::array kCodegenTypes = {FamilyName("codegen")};
inline constexpr std::array kCodegenClasses = {FamilyName("CodeGenForCausalLM")};
inline constexpr std::array kT5Types = {FamilyName("t5")};
inline constexpr std::array kT5Classes = {FamilyName("T5ForConditionalGeneration")};
inline constexpr std::array kMt5Types = {FamilyName("mt5")};
inline constexpr std::array kMt5Classes = {FamilyName("MT5ForConditionalGeneration")};
inline constexpr std::array kUmt5Types = {FamilyName("umt5")};
inline constexpr std::array kUmt5Classes = {FamilyName("UMT5ForConditionalGeneration")};
inline constexpr std::array kGlm4vTypes = {FamilyName("glm4v")};
inline constexpr std::array kGlm4vClasses = {FamilyName("Glm4vForConditionalGeneration")};
inline constexpr std::array kGlm4vMoeTypes = {FamilyName("glm4v_moe")};
inline constexpr std::array kGlm4vMoeClasses = {FamilyName("Glm4vMoeForConditionalGeneration")};
inline constexpr std::array kLlavaTypes = {FamilyName("llava")};
inline constexpr std::array kLlavaClasses = {FamilyName("LlavaForConditionalGeneration")};

inline constexpr std::array kNewerFamilies = {
    Family{"deepseek_v2", kDeepseekV2Types, kDeepseekV2Classes, read_deepseek_v2},
    Family{"deepseek_v3", kDeepseekV3Types, kDeepseekV3Classes, read_deepseek_v3},
    Family{"deepseek_v32", kDeepseekV32Types, kDeepseekV32Classes, read_deepseek_v32},
    Family{"glm_moe_dsa", kGlmMoeDsaTypes, kGlmMoeDsaClasses, read_glm_moe_dsa},
    Family{"glm4_moe_lite", kGlm4MoeLiteTypes, kGlm4MoeLiteClasses, read_glm4_moe_lite},
    Family{"minicpm3", kMinicpm3Types, kMinicpm3Classes, read_minicpm3},
    Family{"mistral4", kMistral4Types, kMistral4Classes, read_mistral4},
    Family{"kimi_k25", kKimiK25Types, kKimiK25Classes, read_kimi_k25},
    Family{"kimi_linear", kKimiLinearTypes, kKimiLinearClasses, read_kimi_linear},
    Family{"qwen3_next", kQwen3NextTypes, kQwen3NextClasses, read_qwen3_next},
    Family{"qwen3_5", kQwen35Types, kQwen35Classes, read_qwen3_5},
    Family{"qwen3_5_moe", kQwen35MoeTypes, kQwen35MoeClasses, read_qwen3_5_moe},
    Family{"mamba", kMambaTypes, kMambaClasses, read_mamba},
    Family{"falcon_mamba", kFalconMambaTypes, kFalconMambaClasses, read_mamba},
    Family{"mamba2", kMamba2Types, kMamba2Classes, read_mamba2},
    Family{"falcon_h1", kFalconH1Types, kFalconH1Classes, read_falcon_h1},
    Family{"jamba", kJambaTypes, kJambaClasses, read_jamba},
    Family{"bamba", kBambaTypes, kBambaClasses, read_bamba},
    Family{"plamo2", kPlamo2Types, kPlamo2Classes, read_plamo2},
    Family{"granitemoeshared", kGranitemoesharedTypes, kGranitemoesharedClasses, read_granite_shared},
    Family{"nemotron_h", kNemotronHTypes, kNemotronHClasses, read_nemotron_h},
    Family{"nemotron-nas", kNemotronNasTypes, kNemotronNasClasses, read_nemotron_nas},
    Family{"openelm", kOpenelmTypes, kOpenelmClasses, read_openelm},
    Family{"minimax", kMinimaxTypes, kMinimaxClasses, read_minimax},
    Family{"lfm2", kLfm2Types, kLfm2Classes, read_lfm2},
    Family{"lfm2_moe", kLfm2MoeTypes, kLfm2MoeClasses, read_lfm2_moe},
    Family{"gemma4", kGemma4Types, kGemma4Classes, read_gemma4},
    Family{"afmoe", kAfmoeTypes, kAfmoeClasses, read_afmoe},
    Family{"dots1", kDots1Types, kDots1Classes, read_dots1},
    Family{"olmoe", kOlmoeTypes, kOlmoeClasses, read_olmoe},
    Family{"flex_olmo", kFlexOlmoTypes, kFlexOlmoClasses, read_flex_olmo},
    Family{"hunyuan_v1_moe", kHunyuanV1MoeTypes, kHunyuanV1MoeClasses, read_hunyuan_moe},
    Family{"exaone4", kExaone4Types, kExaone4Classes, read_exaone4},
    Family{"starcoder2", kStarcoder2Types, kStarcoder2Classes, read_starcoder2},
    Family{"helium", kHeliumTypes, kHeliumClasses, read_helium},
    Family{"persimmon", kPersimmonTypes, kPersimmonClasses, read_persimmon},
    Family{"gpt_neo", kGptNeoTypes, kGptNeoClasses, read_gpt_neo},
    Family{"codegen", kCodegenTypes, kCodegenClasses, read_codegen},
    Family{"t5", kT5Types, kT5Classes, read_t5},
    Family{"mt5", kMt5Types, kMt5Classes, read_mt5},
    Family{"umt5", kUmt5Types, kUmt5Classes, read_umt5},
    Family{"glm4v", kGlm4vTypes, kGlm4vClasses, read_glm4v},
    Family{"glm4v_moe", kGlm4vMoeTypes, kGlm4vMoeClasses, read_glm4v_moe},
    Family{"llava", kLlavaTypes, kLlavaClasses, read_llava},
};

}  // namespace mekiki
