#include "model/harmless_keys.h"

#include <algorithm>
#include <array>

namespace mekiki {
namespace {

using namespace std::string_view_literals;

// Sorted; harmless_keys_test checks that.
constexpr std::array kHarmlessKeys = {
    "_attn_implementation"sv,
    "_attn_implementation_autoset"sv,
    "_from_model_config"sv,
    "_name_or_path"sv,
    "architectures"sv,
    "attention_multiplier"sv,
    "attention_softmax_in_fp32"sv,
    "attn_implementation"sv,
    "auto_map"sv,
    "aux_loss_alpha"sv,
    "begin_suppress_tokens"sv,
    "bf16"sv,
    "bias_dropout_fusion"sv,
    "boi_token_index"sv,
    "bos_token_id"sv,
    "cache_implementation"sv,
    "chunk_size_feed_forward"sv,
    "decoder_start_token_id"sv,
    "do_sample"sv,
    "dtype"sv,
    "early_stopping"sv,
    "embedding_multiplier"sv,
    "eoi_token_index"sv,
    "eos_token_id"sv,
    "ep_size"sv,
    "finetuning_task"sv,
    "forced_bos_token_id"sv,
    "forced_eos_token_id"sv,
    "fp16"sv,
    "fp32"sv,
    "gradient_checkpointing"sv,
    "id2label"sv,
    "ignore_index"sv,
    "image_token_id"sv,
    "image_token_index"sv,
    "init_device"sv,
    "initial_context_length"sv,
    "initializer_range"sv,
    "is_decoder"sv,
    "is_encoder_decoder"sv,
    "is_llama_config"sv,
    "label2id"sv,
    "layer_norm_eps"sv,
    "layer_norm_epsilon"sv,
    "layernorm_epsilon"sv,
    "length_penalty"sv,
    "logit_scale"sv,
    "logits_scaling"sv,
    "max_length"sv,
    "min_length"sv,
    "mm_tokens_per_image"sv,
    "model_max_length"sv,
    "model_type"sv,
    "n_ctx"sv,
    "no_repeat_ngram_size"sv,
    "norm_eps"sv,
    "norm_epsilon"sv,
    "norm_topk_prob"sv,
    "num_beams"sv,
    "num_logits_to_keep"sv,
    "onnx_safe"sv,
    "original_max_position_embeddings"sv,
    "output_attentions"sv,
    "output_hidden_states"sv,
    "output_router_logits"sv,
    "pad_token_id"sv,
    "partial_rotary_factor"sv,
    "pretraining_tp"sv,
    "problem_type"sv,
    "pruned_heads"sv,
    "query_pre_attn_scalar"sv,
    "repetition_penalty"sv,
    "residual_multiplier"sv,
    "return_dict"sv,
    "rms_norm_eps"sv,
    "rope_interleaved"sv,
    "rope_local_base_freq"sv,
    "rope_parameters"sv,
    "rope_ratio"sv,
    "rope_scaling"sv,
    "rope_theta"sv,
    "rotary_dim"sv,
    "rotary_emb_base"sv,
    "rotary_pct"sv,
    "router_aux_loss_coef"sv,
    "routed_scaling_factor"sv,
    "scale_attention_softmax_in_fp32"sv,
    "scale_attn_weights"sv,
    "seq_aux"sv,
    "summary_activation"sv,
    "summary_first_dropout"sv,
    "summary_proj_to_labels"sv,
    "summary_type"sv,
    "summary_use_proj"sv,
    "task_specific_params"sv,
    "temperature"sv,
    "tie_encoder_decoder"sv,
    "tokenizer_class"sv,
    "top_k"sv,
    "top_p"sv,
    "torch_dtype"sv,
    "torchscript"sv,
    "transformers.js_config"sv,
    "transformers_version"sv,
    "typical_p"sv,
    "use_bfloat16"sv,
    "use_cache"sv,
    "use_mrope"sv,
    "video_token_id"sv,
    "vision_end_token_id"sv,
    "vision_start_token_id"sv,
    "vision_token_id"sv,
};

constexpr auto kSorted = [] {
  auto keys = kHarmlessKeys;
  std::sort(keys.begin(), keys.end());
  return keys;
}();

}  // namespace

bool is_harmless_key(std::string_view key) {
  return std::binary_search(kSorted.begin(), kSorted.end(), key);
}

}  // namespace mekiki
