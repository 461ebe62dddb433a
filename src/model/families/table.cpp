// The one list of families. Adding one: its file, its declaration in table.h, its lines here
// (docs/models/adding-a-family.md).
#include "model/families/table.h"

#include <algorithm>
#include <array>

#include "model/families/table_newer.h"
#include "model/family.h"

namespace mekiki {
namespace {

using Names = std::string_view;

constexpr std::array kLlamaTypes = {Names("llama")};
constexpr std::array kLlamaClasses = {Names("LlamaForCausalLM"), Names("LLaMAForCausalLM")};
constexpr std::array kMistralTypes = {Names("mistral"), Names("ministral")};
constexpr std::array kMistralClasses = {Names("MistralForCausalLM"), Names("MinistralForCausalLM")};
constexpr std::array kMistral3Types = {Names("mistral3"), Names("ministral3")};
constexpr std::array kMistral3Classes = {Names("Mistral3ForConditionalGeneration"), Names("Ministral3ForCausalLM")};
constexpr std::array kQwen2Types = {Names("qwen2")};
constexpr std::array kQwen2Classes = {Names("Qwen2ForCausalLM")};
constexpr std::array kQwen2MoeTypes = {Names("qwen2_moe")};
constexpr std::array kQwen2MoeClasses = {Names("Qwen2MoeForCausalLM")};
constexpr std::array kQwen3Types = {Names("qwen3")};
constexpr std::array kQwen3Classes = {Names("Qwen3ForCausalLM")};
constexpr std::array kQwen3MoeTypes = {Names("qwen3_moe")};
constexpr std::array kQwen3MoeClasses = {Names("Qwen3MoeForCausalLM")};
constexpr std::array kGemmaTypes = {Names("gemma")};
constexpr std::array kGemmaClasses = {Names("GemmaForCausalLM")};
constexpr std::array kGemma2Types = {Names("gemma2")};
constexpr std::array kGemma2Classes = {Names("Gemma2ForCausalLM")};
constexpr std::array kGemma3Types = {Names("gemma3"), Names("gemma3_text")};
constexpr std::array kGemma3Classes = {Names("Gemma3ForConditionalGeneration"), Names("Gemma3ForCausalLM")};
constexpr std::array kGptNeoxTypes = {Names("gpt_neox")};
constexpr std::array kGptNeoxClasses = {Names("GPTNeoXForCausalLM")};
constexpr std::array kMixtralTypes = {Names("mixtral")};
constexpr std::array kMixtralClasses = {Names("MixtralForCausalLM")};
constexpr std::array kGptOssTypes = {Names("gpt_oss")};
constexpr std::array kGptOssClasses = {Names("GptOssForCausalLM")};
constexpr std::array kMegatronGptTypes = {Names("megatron_gpt")};
constexpr std::array kMptTypes = {Names("mpt")};
constexpr std::array kMptClasses = {Names("MPTForCausalLM"), Names("MptForCausalLM")};
constexpr std::array kBloomTypes = {Names("bloom")};
constexpr std::array kBloomClasses = {Names("BloomForCausalLM")};
constexpr std::array kGpt2Types = {Names("gpt2")};
constexpr std::array kGpt2Classes = {Names("GPT2LMHeadModel"), Names("GPT2Model")};
constexpr std::array kGptBigcodeTypes = {Names("gpt_bigcode")};
constexpr std::array kGptBigcodeClasses = {Names("GPTBigCodeForCausalLM")};
constexpr std::array kFalconTypes = {Names("falcon"), Names("RefinedWeb"), Names("RefinedWebModel")};
constexpr std::array kFalconClasses = {Names("FalconForCausalLM"), Names("RWForCausalLM")};
constexpr std::array kPhi3Types = {Names("phi3")};
constexpr std::array kPhi3Classes = {Names("Phi3ForCausalLM")};
constexpr std::array kGraniteTypes = {Names("granite")};
constexpr std::array kGraniteClasses = {Names("GraniteForCausalLM")};
constexpr std::array kOlmo2Types = {Names("olmo2")};
constexpr std::array kOlmo2Classes = {Names("Olmo2ForCausalLM")};
constexpr std::array kOlmo3Types = {Names("olmo3")};
constexpr std::array kOlmo3Classes = {Names("Olmo3ForCausalLM")};
constexpr std::array kOptTypes = {Names("opt")};
constexpr std::array kOptClasses = {Names("OPTForCausalLM")};
constexpr std::array kGlmTypes = {Names("glm")};
constexpr std::array kGlmClasses = {Names("GlmForCausalLM")};
constexpr std::array kGlm4Types = {Names("glm4")};
constexpr std::array kGlm4Classes = {Names("Glm4ForCausalLM")};
constexpr std::array kChatglmTypes = {Names("chatglm")};
constexpr std::array kChatglmClasses = {Names("ChatGLMModel"), Names("ChatGLMForConditionalGeneration")};

constexpr std::array kGlm4MoeTypes = {Names("glm4_moe")};
constexpr std::array kGlm4MoeClasses = {Names("Glm4MoeForCausalLM")};
constexpr std::array kLlama4Types = {Names("llama4"), Names("llama4_text")};
constexpr std::array kLlama4Classes = {Names("Llama4ForConditionalGeneration"), Names("Llama4ForCausalLM")};
constexpr std::array kNemotronTypes = {Names("nemotron")};
constexpr std::array kNemotronClasses = {Names("NemotronForCausalLM")};
constexpr std::array kArceeTypes = {Names("arcee")};
constexpr std::array kArceeClasses = {Names("ArceeForCausalLM")};
constexpr std::array kApertusTypes = {Names("apertus")};
constexpr std::array kApertusClasses = {Names("ApertusForCausalLM")};
constexpr std::array kSeedOssTypes = {Names("seed_oss")};
constexpr std::array kSeedOssClasses = {Names("SeedOssForCausalLM")};
constexpr std::array kHunyuanDenseTypes = {Names("hunyuan_v1_dense")};
constexpr std::array kHunyuanDenseClasses = {Names("HunYuanDenseV1ForCausalLM")};
constexpr std::array kSmollm3Types = {Names("smollm3")};
constexpr std::array kSmollm3Classes = {Names("SmolLM3ForCausalLM")};
constexpr std::array kMinicpmTypes = {Names("minicpm")};
constexpr std::array kMinicpmClasses = {Names("MiniCPMForCausalLM")};
constexpr std::array kMimoTypes = {Names("mimo")};
constexpr std::array kMimoClasses = {Names("MiMoForCausalLM")};
constexpr std::array kStablelmTypes = {Names("stablelm")};
constexpr std::array kStablelmClasses = {Names("StableLmForCausalLM")};
constexpr std::array kPhiTypes = {Names("phi")};
constexpr std::array kPhiMsftTypes = {Names("phi-msft")};
constexpr std::array kCohereTypes = {Names("cohere")};
constexpr std::array kCohereClasses = {Names("CohereForCausalLM")};
constexpr std::array kCohere2Types = {Names("cohere2")};
constexpr std::array kCohere2Classes = {Names("Cohere2ForCausalLM")};
constexpr std::array kInternlmTypes = {Names("internlm")};
constexpr std::array kInternlmClasses = {Names("InternLMForCausalLM")};
constexpr std::array kInternlm2Types = {Names("internlm2")};
constexpr std::array kInternlm2Classes = {Names("InternLM2ForCausalLM")};
constexpr std::array kInternlm3Types = {Names("internlm3")};
constexpr std::array kInternlm3Classes = {Names("InternLM3ForCausalLM")};
constexpr std::array kBaichuanTypes = {Names("baichuan")};
constexpr std::array kBaichuanClasses = {Names("BaichuanForCausalLM"), Names("BaiChuanForCausalLM")};
constexpr std::array kQwenTypes = {Names("qwen")};
constexpr std::array kQwenClasses = {Names("QWenLMHeadModel")};
constexpr std::array kOlmoTypes = {Names("olmo")};
constexpr std::array kOlmoClasses = {Names("OlmoForCausalLM")};
constexpr std::array kOrionTypes = {Names("orion")};
constexpr std::array kOrionClasses = {Names("OrionForCausalLM")};
constexpr std::array kGptjTypes = {Names("gptj")};
constexpr std::array kGptjClasses = {Names("GPTJForCausalLM")};
constexpr std::array kPhimoeTypes = {Names("phimoe")};
constexpr std::array kPhimoeClasses = {Names("PhiMoEForCausalLM"), Names("PhimoeForCausalLM")};
constexpr std::array kGraniteMoeTypes = {Names("granitemoe")};
constexpr std::array kGraniteMoeClasses = {Names("GraniteMoeForCausalLM")};
constexpr std::array kGraniteHybridTypes = {Names("granitemoehybrid")};
constexpr std::array kGraniteHybridClasses = {Names("GraniteMoeHybridForCausalLM")};
constexpr std::array kDbrxTypes = {Names("dbrx")};
constexpr std::array kDbrxClasses = {Names("DbrxForCausalLM")};
constexpr std::array kDeepseekMoeTypes = {Names("deepseek")};
constexpr std::array kDeepseekMoeClasses = {Names("DeepseekForCausalLM")};
constexpr std::array kMinimaxM2Types = {Names("minimax_m2")};
constexpr std::array kMinimaxM2Classes = {Names("MiniMaxM2ForCausalLM")};
constexpr std::array kErnieTypes = {Names("ernie4_5")};
constexpr std::array kErnieClasses = {Names("Ernie4_5ForCausalLM")};
constexpr std::array kErnieMoeTypes = {Names("ernie4_5_moe")};
constexpr std::array kErnieMoeClasses = {Names("Ernie4_5_MoeForCausalLM"), Names("Ernie4_5MoeForCausalLM")};
constexpr std::array kQwen2VlTypes = {Names("qwen2_vl")};
constexpr std::array kQwen2VlClasses = {Names("Qwen2VLForConditionalGeneration")};
constexpr std::array kQwen25VlTypes = {Names("qwen2_5_vl")};
constexpr std::array kQwen25VlClasses = {Names("Qwen2_5_VLForConditionalGeneration")};
constexpr std::array kQwen3VlTypes = {Names("qwen3_vl")};
constexpr std::array kQwen3VlClasses = {Names("Qwen3VLForConditionalGeneration")};
constexpr std::array kQwen3VlMoeTypes = {Names("qwen3_vl_moe")};
constexpr std::array kQwen3VlMoeClasses = {Names("Qwen3VLMoeForConditionalGeneration")};

// Llama layers with multipliers, which have no weights.
constexpr auto kReadGranite = read_llama;

constexpr std::array kFamilies = {
    Family{"llama", kLlamaTypes, kLlamaClasses, read_llama},
    Family{"mistral", kMistralTypes, kMistralClasses, read_mistral},
    Family{"mistral3", kMistral3Types, kMistral3Classes, read_mistral3},
    Family{"qwen2", kQwen2Types, kQwen2Classes, read_qwen2},
    Family{"qwen2_moe", kQwen2MoeTypes, kQwen2MoeClasses, read_qwen2_moe},
    Family{"qwen3", kQwen3Types, kQwen3Classes, read_qwen3},
    Family{"qwen3_moe", kQwen3MoeTypes, kQwen3MoeClasses, read_qwen3_moe},
    Family{"gemma", kGemmaTypes, kGemmaClasses, read_gemma},
    Family{"gemma2", kGemma2Types, kGemma2Classes, read_gemma2},
    Family{"gemma3", kGemma3Types, kGemma3Classes, read_gemma3},
    Family{"gpt_neox", kGptNeoxTypes, kGptNeoxClasses, read_gpt_neox},
    Family{"mixtral", kMixtralTypes, kMixtralClasses, read_mixtral},
    Family{"gpt_oss", kGptOssTypes, kGptOssClasses, read_gpt_oss},
    Family{"megatron_gpt", kMegatronGptTypes, {}, read_megatron_gpt},
    Family{"mpt", kMptTypes, kMptClasses, read_mpt},
    Family{"bloom", kBloomTypes, kBloomClasses, read_bloom},
    Family{"gpt2", kGpt2Types, kGpt2Classes, read_gpt2},
    Family{"gpt_bigcode", kGptBigcodeTypes, kGptBigcodeClasses, read_gpt_bigcode},
    Family{"falcon", kFalconTypes, kFalconClasses, read_falcon},
    Family{"phi3", kPhi3Types, kPhi3Classes, read_phi3},
    Family{"granite", kGraniteTypes, kGraniteClasses, kReadGranite},
    Family{"olmo2", kOlmo2Types, kOlmo2Classes, read_olmo2},
    Family{"olmo3", kOlmo3Types, kOlmo3Classes, read_olmo3},
    Family{"opt", kOptTypes, kOptClasses, read_opt},
    Family{"glm", kGlmTypes, kGlmClasses, read_glm},
    Family{"glm4", kGlm4Types, kGlm4Classes, read_glm4},
    Family{"chatglm", kChatglmTypes, kChatglmClasses, read_chatglm},
    Family{"glm4_moe", kGlm4MoeTypes, kGlm4MoeClasses, read_glm4_moe},
    Family{"llama4", kLlama4Types, kLlama4Classes, read_llama4},
    Family{"nemotron", kNemotronTypes, kNemotronClasses, read_nemotron},
    Family{"arcee", kArceeTypes, kArceeClasses, read_arcee},
    Family{"apertus", kApertusTypes, kApertusClasses, read_apertus},
    Family{"seed_oss", kSeedOssTypes, kSeedOssClasses, read_seed_oss},
    Family{"hunyuan_v1_dense", kHunyuanDenseTypes, kHunyuanDenseClasses, read_hunyuan_dense},
    Family{"smollm3", kSmollm3Types, kSmollm3Classes, read_smollm3},
    Family{"minicpm", kMinicpmTypes, kMinicpmClasses, read_minicpm},
    Family{"mimo", kMimoTypes, kMimoClasses, read_mimo},
    Family{"stablelm", kStablelmTypes, kStablelmClasses, read_stablelm},
    Family{"phi", kPhiTypes, {}, read_phi},
    Family{"phi-msft", kPhiMsftTypes, {}, read_phi_msft},
    Family{"cohere", kCohereTypes, kCohereClasses, read_cohere},
    Family{"cohere2", kCohere2Types, kCohere2Classes, read_cohere2},
    Family{"internlm", kInternlmTypes, kInternlmClasses, read_internlm},
    Family{"internlm2", kInternlm2Types, kInternlm2Classes, read_internlm2},
    Family{"internlm3", kInternlm3Types, kInternlm3Classes, read_internlm3},
    Family{"baichuan", kBaichuanTypes, kBaichuanClasses, read_baichuan},
    Family{"qwen", kQwenTypes, kQwenClasses, read_qwen},
    Family{"olmo", kOlmoTypes, kOlmoClasses, read_olmo},
    Family{"orion", kOrionTypes, kOrionClasses, read_orion},
    Family{"gptj", kGptjTypes, kGptjClasses, read_gptj},
    Family{"phimoe", kPhimoeTypes, kPhimoeClasses, read_phimoe},
    Family{"granitemoe", kGraniteMoeTypes, kGraniteMoeClasses, read_granitemoe},
    Family{"granitemoehybrid", kGraniteHybridTypes, kGraniteHybridClasses, read_granite_hybrid},
    Family{"dbrx", kDbrxTypes, kDbrxClasses, read_dbrx},
    Family{"deepseek", kDeepseekMoeTypes, kDeepseekMoeClasses, read_deepseek_moe},
    Family{"minimax_m2", kMinimaxM2Types, kMinimaxM2Classes, read_minimax_m2},
    Family{"ernie4_5", kErnieTypes, kErnieClasses, read_ernie4_5},
    Family{"ernie4_5_moe", kErnieMoeTypes, kErnieMoeClasses, read_ernie4_5_moe},
    Family{"qwen2_vl", kQwen2VlTypes, kQwen2VlClasses, read_qwen2_vl},
    Family{"qwen2_5_vl", kQwen25VlTypes, kQwen25VlClasses, read_qwen2_5_vl},
    Family{"qwen3_vl", kQwen3VlTypes, kQwen3VlClasses, read_qwen3_vl},
    Family{"qwen3_vl_moe", kQwen3VlMoeTypes, kQwen3VlMoeClasses, read_qwen3_vl_moe},
};

template <std::size_t kFirst, std::size_t kSecond>
constexpr auto joined(const std::array<Family, kFirst>& first, const std::array<Family, kSecond>& second) {
  std::array<Family, kFirst + kSecond> all{};
  std::copy(first.begin(), first.end(), all.begin());
  std::copy(second.begin(), second.end(), all.begin() + kFirst);
  return all;
}

constexpr auto kAllFamilies = joined(kFamilies, kNewerFamilies);

}  // namespace

std::span<const Family> families() {
  return kAllFamilies;
}

}  // namespace mekiki
