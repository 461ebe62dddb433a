#include "report/block_text.h"

#include <variant>

namespace mekiki {
namespace {

std::string amount(std::string_view name, std::int64_t value) {
  return std::string(name) + " " + std::to_string(value);
}

void add_flag(std::string& text, bool flag, std::string_view name) {
  if (flag) {
    text += ", " + std::string(name);
  }
}

struct TextOf {
  std::string operator()(const Attention& a) const {
    std::string text = amount("attention heads", a.heads) + ", " + amount("kv_heads", a.kv_heads) + ", " +
                       amount("head_dim", a.head_dim);
    if (a.sliding_window) {
      text += ", " + amount("sliding_window", *a.sliding_window);
    }
    add_flag(text, a.qkv_bias, "qkv_bias");
    add_flag(text, a.output_bias, "output_bias");
    add_flag(text, a.qk_norm != Attention::QkNorm::none, "qk_norm");
    add_flag(text, !a.rotary, "no rotary");
    add_flag(text, a.output_gate, "output_gate");
    add_flag(text, a.sinks, "sinks");
    return text;
  }
  std::string operator()(const DenseFfn& f) const {
    std::string text =
        amount("dense intermediate_size", f.intermediate_size) + ", " + std::string(enum_name(f.activation));
    add_flag(text, f.gated, "gated");
    add_flag(text, f.bias, "bias");
    return text;
  }
  std::string operator()(const MoeFfn& m) const {
    std::string text = amount("moe experts", m.experts) + ", " + amount("experts_per_token", m.experts_per_token) +
                       ", " + amount("intermediate_size", m.intermediate_size) + ", " +
                       std::string(enum_name(m.activation));
    add_flag(text, m.gated, "gated");
    if (m.shared_intermediate_size > 0) {
      text += ", " + amount("shared_intermediate_size", m.shared_intermediate_size);
    }
    if (m.latent_size > 0) {
      text += ", " + amount("latent_size", m.latent_size);
    }
    return text;
  }
  std::string operator()(const LatentAttention& a) const {
    std::string text = amount("latent attention heads", a.heads) + ", " + amount("kv_lora_rank", a.kv_lora_rank);
    if (a.q_lora_rank > 0) {
      text += ", " + amount("q_lora_rank", a.q_lora_rank);
    }
    text += ", " + amount("qk_head_dim", a.qk_head_dim()) + ", " + amount("v_head_dim", a.v_head_dim);
    if (a.indexer) {
      text += ", " + amount("indexer keys", a.indexer->keys_chosen);
    }
    return text;
  }
  std::string operator()(const StateSpace& m) const {
    std::string text = amount("state space inner_size", m.inner_size) + ", " + amount("state_size", m.state_size);
    if (m.heads > 0) {
      text += ", " + amount("heads", m.heads);
    }
    return text;
  }
  std::string operator()(const GatedDelta& m) const {
    return amount("gated delta value_heads", m.value_heads) + ", " + amount("key_heads", m.key_heads) + ", " +
           amount("value_head_dim", m.value_head_dim);
  }
  std::string operator()(const LightningAttention& a) const {
    return amount("lightning attention heads", a.heads) + ", " + amount("head_dim", a.head_dim);
  }
  std::string operator()(const ShortConvolution& m) const { return amount("short convolution kernel", m.kernel); }
};

struct JsonOf {
  Json operator()(const Attention& a) const {
    Json json = {{"kind", "attention"}, {"heads", a.heads}, {"kv_heads", a.kv_heads}, {"head_dim", a.head_dim}};
    if (a.sliding_window) {
      json["sliding_window"] = *a.sliding_window;
    }
    json["qkv_bias"] = a.qkv_bias;
    json["output_bias"] = a.output_bias;
    json["qk_norm"] = a.qk_norm != Attention::QkNorm::none;
    json["rotary"] = a.rotary;
    return json;
  }
  Json operator()(const DenseFfn& f) const {
    return {{"kind", "dense"},
            {"intermediate_size", f.intermediate_size},
            {"activation", enum_name(f.activation)},
            {"gated", f.gated},
            {"bias", f.bias}};
  }
  Json operator()(const MoeFfn& m) const {
    return {{"kind", "moe"},
            {"experts", m.experts},
            {"experts_per_token", m.experts_per_token},
            {"intermediate_size", m.intermediate_size},
            {"shared_intermediate_size", m.shared_intermediate_size},
            {"activation", enum_name(m.activation)},
            {"gated", m.gated},
            {"latent_size", m.latent_size}};
  }
  Json operator()(const LatentAttention& a) const {
    Json json = {{"kind", "latent_attention"},
                 {"heads", a.heads},
                 {"qk_nope_head_dim", a.qk_nope_head_dim},
                 {"qk_rope_head_dim", a.qk_rope_head_dim},
                 {"v_head_dim", a.v_head_dim},
                 {"q_lora_rank", a.q_lora_rank},
                 {"kv_lora_rank", a.kv_lora_rank}};
    if (a.indexer) {
      json["indexer"] = {
          {"heads", a.indexer->heads}, {"head_dim", a.indexer->head_dim}, {"keys_chosen", a.indexer->keys_chosen}};
    }
    return json;
  }
  Json operator()(const StateSpace& m) const {
    return {{"kind", "state_space"},
            {"scan", enum_name(m.kind)},
            {"inner_size", m.inner_size},
            {"state_size", m.state_size},
            {"conv_kernel", m.conv_kernel},
            {"heads", m.heads},
            {"groups", m.groups}};
  }
  Json operator()(const GatedDelta& m) const {
    return {{"kind", "gated_delta"},
            {"key_heads", m.key_heads},
            {"value_heads", m.value_heads},
            {"key_head_dim", m.key_head_dim},
            {"value_head_dim", m.value_head_dim},
            {"conv_kernel", m.conv_kernel}};
  }
  Json operator()(const LightningAttention& a) const {
    return {{"kind", "lightning_attention"}, {"heads", a.heads}, {"head_dim", a.head_dim}};
  }
  Json operator()(const ShortConvolution& m) const { return {{"kind", "short_convolution"}, {"kernel", m.kernel}}; }
};

}  // namespace

std::string block_text(const Block& block) {
  return std::visit(TextOf{}, block);
}

Json block_json(const Block& block) {
  return std::visit(JsonOf{}, block);
}

}  // namespace mekiki
