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
    return text;
  }
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
            {"gated", m.gated}};
  }
};

}  // namespace

std::string block_text(const Block& block) {
  return std::visit(TextOf{}, block);
}

Json block_json(const Block& block) {
  return std::visit(JsonOf{}, block);
}

}  // namespace mekiki
