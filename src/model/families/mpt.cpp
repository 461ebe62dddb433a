// MPT as llm-foundry trains it and as the published checkpoints have it: one fused projection, LayerNorm with or
// without biases, ALiBi or learned positions (ALiBi and rope switch the table off).
// Source: llm-foundry MPTConfig, transformers MptConfig; parameter counts printed by llm-foundry's benchmark tables
// (tests/data/models/params.csv).
#include "model/families/parts.h"
#include "model/families/table.h"

namespace mekiki {
namespace {

std::int64_t read_kv_heads(ConfigReader& options, std::int64_t heads) {
  const std::string_view type = options.text("attn_type", "multihead_attention");
  const std::int64_t given = options.or_default("kv_n_heads", heads);
  if (type == "multiquery_attention") {
    return 1;
  }
  if (type == "grouped_query_attention") {
    return given;
  }
  if (type != "multihead_attention") {
    options.refuse_unsupported("attn_type", "\"" + std::string(type) + "\" is not known");
  }
  return heads;
}

NormKind read_norm(ConfigReader& config, bool bias) {
  const std::string_view norm = config.text("norm_type", "low_precision_layernorm");
  if (norm == "rmsnorm" || norm == "low_precision_rmsnorm") {
    return NormKind::rms;
  }
  if (norm != "layernorm" && norm != "low_precision_layernorm") {
    config.refuse_unsupported("norm_type", "\"" + std::string(norm) + "\" is not known");
  }
  return bias ? NormKind::layer_norm : NormKind::layer_norm_no_bias;
}

Attention read_mpt_attention(ConfigReader& config, Arch& arch, bool bias) {
  ConfigReader options = config.section("attn_config");
  const std::int64_t heads = config.required("n_heads");
  Attention attention =
      make_attention(config, {.heads = heads, .kv_heads = read_kv_heads(options, heads)}, arch.hidden_size);
  attention.qkv_bias = bias;
  attention.output_bias = bias;
  attention.fused_qkv = true;
  attention.rotary = options.flag("rope", false);
  attention.names = {.module = "attn", .fused = "Wqkv", .output = "out_proj"};
  const bool alibi = options.flag("alibi", true);
  if (config.flag("learned_pos_emb", true) && !alibi && !attention.rotary) {
    arch.learned_positions = arch.max_position_embeddings;
  }
  if (options.flag("qk_ln", false)) {
    options.refuse_unsupported("qk_ln", "norms on queries and keys are not modelled for this type");
  }
  arch.dropout.attention = options.rate("attn_pdrop", 0.0);
  options.ignore({"alibi_bias_max", "attn_impl", "attn_uses_sequence_id", "clip_qkv", "prefix_lm", "softmax_scale"});
  return attention;
}

}  // namespace

Result<Arch> read_mpt(ConfigReader& config) {
  Arch arch;
  arch.names = {.embedding = "transformer.wte",
                .positions = "transformer.wpe",
                .layers = "transformer.blocks",
                .final_norm = "transformer.norm_f"};
  arch.hidden_size = config.required("d_model");
  arch.vocab_size = config.required("vocab_size");
  arch.max_position_embeddings = config.required("max_seq_len");
  arch.tie_word_embeddings = config.flag("tie_word_embeddings", true);
  const bool bias = !config.flag("no_bias", true);
  const Attention attention = read_mpt_attention(config, arch, bias);
  const DenseFfn ffn{.intermediate_size = config.or_class_default("expansion_ratio", 4) * arch.hidden_size,
                     .gated = false,
                     .bias = bias,
                     .activation = Activation::gelu,
                     .names = {.module = "ffn"}};
  const NormKind norm = read_norm(config, bias);
  arch.final_norm = norm;
  arch.dropout.hidden = config.rate("resid_pdrop", 0.0);
  config.ignore({"emb_pdrop", "embedding_fraction", "init_config", "tokenizer_name", "verbose"});
  append_layers(arch.layer_groups,
                config.required("n_layers", kLayers),
                with_norm_names(pre_norm_layer(attention, ffn, norm), "norm_1", "norm_2"));
  return config.finish(arch);
}

}  // namespace mekiki
