#include "model/traits.h"

#include <set>
#include <variant>

namespace mekiki {
namespace {

/// Collects what the blocks of a model have, over all layers.
class TraitCollector {
 public:
  explicit TraitCollector(const Arch& arch) : arch_(arch) {}

  std::vector<ModelTrait> collect() && {
    for (const LayerGroup& group : arch_.layer_groups) {
      add_layer(group.layer);
    }
    add(ModelTrait::mixed_layers, has(ModelTrait::experts) && has_dense_layer_);
    add(ModelTrait::learned_positions, arch_.learned_positions > 0);
    add(ModelTrait::no_rotary, has_attention_without_rotary_ && !has_rotary_ && arch_.learned_positions == 0);
    add(ModelTrait::no_rotary_layers, has_attention_without_rotary_ && has_rotary_);
    add(ModelTrait::logit_soft_cap, arch_.logit_soft_cap);
    add(ModelTrait::layer_norm, arch_.final_norm != NormKind::rms && arch_.final_norm != NormKind::none);
    add(ModelTrait::tied_head, arch_.tie_word_embeddings);
    add(ModelTrait::factored_embedding, arch_.embedding_size > 0 && arch_.embedding_size != arch_.hidden_size);
    add(ModelTrait::embedding_norm, arch_.embedding_norm);
    add(ModelTrait::dropout, arch_.dropout.attention > 0.0 || arch_.dropout.hidden > 0.0);
    add(ModelTrait::vision_tower, arch_.vision.has_value());
    add(ModelTrait::multi_token_prediction, arch_.mtp_weights > 0);
    return {traits_.begin(), traits_.end()};
  }

  void operator()(const Attention& a) {
    const bool is_self_attention = !a.cross;
    add(ModelTrait::sliding_window, a.sliding_window.has_value());
    add(ModelTrait::chunked_attention, a.chunk.has_value());
    add(ModelTrait::multi_query, a.kv_heads == 1 && a.heads > 1);
    add(ModelTrait::head_dim_apart, a.heads * a.head_dim != arch_.hidden_size);
    add(ModelTrait::query_key_norm, a.qk_norm != Attention::QkNorm::none);
    add(ModelTrait::attention_sinks, a.sinks);
    add(ModelTrait::attention_soft_cap, a.soft_cap);
    add(ModelTrait::attention_gate, a.output_gate);
    add(ModelTrait::attention_bias, a.qkv_bias);
    has_rotary_ = has_rotary_ || (is_self_attention && a.rotary);
    has_attention_without_rotary_ = has_attention_without_rotary_ || (is_self_attention && !a.rotary);
  }
  void operator()(const LatentAttention& a) {
    add(ModelTrait::latent_attention, true);
    add(ModelTrait::chosen_keys, a.indexer.has_value());
    has_rotary_ = has_rotary_ || a.qk_rope_head_dim > 0;
  }
  void operator()(const DenseFfn& f) { add(ModelTrait::ungated_ffn, !f.gated); }
  void operator()(const MoeFfn& m) {
    add(ModelTrait::experts, true);
    add(ModelTrait::shared_experts, m.shared_intermediate_size > 0);
    add(ModelTrait::latent_experts, m.latent_size > 0);
    add(ModelTrait::ungated_ffn, !m.gated);
  }
  void operator()(const StateSpace&) { add(ModelTrait::state_space, true); }
  void operator()(const GatedDelta&) { add(ModelTrait::linear_attention, true); }
  void operator()(const LightningAttention&) { add(ModelTrait::linear_attention, true); }
  void operator()(const ShortConvolution&) { add(ModelTrait::short_convolution, true); }

 private:
  void add(ModelTrait trait, bool is_there) {
    if (is_there) {
      traits_.insert(trait);
    }
  }
  bool has(ModelTrait trait) const { return traits_.contains(trait); }

  void add_layer(const Layer& layer) {
    add(ModelTrait::encoder_decoder, layer.encoder);
    add(ModelTrait::parallel_residual, layer.parallel_residual);
    bool has_dense = false;
    bool has_experts = false;
    for (const SubLayer& sub : layer.sub_layers) {
      std::visit(*this, sub.block);
      add(ModelTrait::norms_after, sub.norms_after > 0);
      has_dense = has_dense || std::holds_alternative<DenseFfn>(sub.block);
      has_experts = has_experts || std::holds_alternative<MoeFfn>(sub.block);
    }
    has_dense_layer_ = has_dense_layer_ || (has_dense && !has_experts);
  }

  const Arch& arch_;
  std::set<ModelTrait> traits_;
  bool has_rotary_ = false;
  bool has_attention_without_rotary_ = false;
  bool has_dense_layer_ = false;
};

}  // namespace

std::vector<ModelTrait> traits_of(const Arch& arch) {
  return TraitCollector(arch).collect();
}

}  // namespace mekiki
