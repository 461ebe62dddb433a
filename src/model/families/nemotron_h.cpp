// Nemotron-H, Nemotron Nano 2 and Nemotron 3: one block per layer behind one norm, a state-space mixer, attention, a
// network or experts, as a pattern says; experts may work at a narrower width.
// Source: transformers NemotronHConfig; totals of published checkpoints (tests/data/models/params.csv).
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "model/families/parts.h"
#include "model/families/stack_parts.h"
#include "model/families/state_space_parts.h"
#include "model/families/table.h"

namespace mekiki {
namespace {

constexpr std::array<std::pair<std::string_view, char>, 6> kKinds = {{{"mamba", 'M'},
                                                                      {"linear_attention", 'M'},
                                                                      {"attention", '*'},
                                                                      {"full_attention", '*'},
                                                                      {"mlp", '-'},
                                                                      {"moe", 'E'}}};

struct PatternKeys {
  std::string_view text;  // one letter per layer
  std::string_view list;  // one word per layer
};

/// One letter per layer: M mixer, * attention, - network, E experts.
std::string read_pattern(ConfigReader& config, const PatternKeys& keys, std::string_view by_class) {
  const std::vector<std::string_view> words = config.texts(keys.list);
  std::string pattern(config.text(keys.text, words.empty() ? by_class : ""));
  if (!words.empty()) {
    pattern.clear();
  }
  for (const std::string_view word : words) {
    char letter = '?';
    for (const auto& [known, short_form] : kKinds) {
      letter = word == known ? short_form : letter;
    }
    pattern += letter;
  }
  if (pattern.find_first_not_of("M*-E") != std::string::npos || pattern.empty()) {
    const std::string_view key = words.empty() ? keys.text : keys.list;
    config.refuse_unsupported(key, "must name mixers (M), attention (*), networks (-) and experts (E)");
  }
  return pattern;
}

StateSpace read_mixer(ConfigReader& config) {
  StateSpace mixer{.kind = StateSpace::Kind::per_head};
  mixer.heads = config.required("mamba_num_heads");
  mixer.inner_size = mixer.heads * config.required("mamba_head_dim");
  mixer.state_size = config.required("ssm_state_size");
  mixer.groups = config.or_default("n_groups", 8);
  mixer.conv_kernel = config.or_default("conv_kernel", 4, {1, 1000});
  mixer.conv_bias = config.flag("use_conv_bias", true);
  mixer.projection_bias = config.flag("use_bias", false);
  mixer.chunk = config.or_default("chunk_size", 128);
  if (config.flag("mamba_proj_bias", false) != mixer.projection_bias) {
    config.refuse_unsupported("mamba_proj_bias", "a bias on one of the two projections is not modelled");
  }
  config.ignore({"expand", "mamba_hidden_act", "time_step_rank"});
  ignore_step_keys(config);
  return mixer;
}

Attention read_plain_attention(ConfigReader& config, std::int64_t hidden_size) {
  HeadCounts counts{.heads = config.required("num_attention_heads")};
  counts.kv_heads = config.present("num_key_value_heads") ? config.or_default("num_key_value_heads", counts.heads)
                                                          : config.or_class_default("num_key_value_heads", 8);
  counts.head_dim = config.or_class_default(config.has("attention_head_dim") ? "attention_head_dim" : "head_dim", 128);
  Attention attention = make_attention(config, counts, hidden_size);
  if (config.flag("attention_bias", false)) {
    config.refuse_unsupported("attention_bias", "the class has no biases in attention");
  }
  attention.rotary = false;
  attention.sliding_window = config.optional("sliding_window");
  attention.names.module = "mixer";
  return attention;
}

DenseFfn read_plain_network(ConfigReader& config) {
  return {.intermediate_size = config.required("intermediate_size"),
          .gated = false,
          .bias = config.flag("mlp_bias", false),
          .activation = read_activation(config, "mlp_hidden_act", "relu2"),
          .names = {.module = "mixer"}};
}

MoeFfn read_experts(ConfigReader& config, Activation activation) {
  MoeFfn moe{.gated = false, .activation = activation, .correction_bias = true, .names = {.module = "mixer"}};
  moe.experts = config.required("n_routed_experts");
  moe.experts_per_token = read_experts_per_token(config, "num_experts_per_tok", moe.experts);
  moe.intermediate_size = config.required("moe_intermediate_size");
  moe.shared_intermediate_size = config.or_default("n_shared_experts", 1, {0, 1000}) *
                                 config.or_default("moe_shared_expert_intermediate_size", 0, kWidthOrNone);
  moe.latent_size = config.or_default("moe_latent_size", 0, kWidthOrNone);
  config.ignore({"moe_shared_expert_overlap", "n_group", "topk_group"});
  return moe;
}

struct Blocks {
  StateSpace mixer;
  Attention attention;
  DenseFfn network;
  std::optional<MoeFfn> moe;
};

Layer layer_of(const Blocks& blocks, char letter) {
  const Block block = letter == 'M'   ? Block(blocks.mixer)
                      : letter == '*' ? Block(blocks.attention)
                      : letter == '-' ? Block(blocks.network)
                                      : Block(blocks.moe.value_or(MoeFfn{}));
  return {.sub_layers = {{.block = block, .norm_before = "norm"}}};
}

}  // namespace

Result<Arch> read_nemotron_h(ConfigReader& config) {
  Arch arch = read_frame(config, false);
  if (arch.tie_word_embeddings) {
    config.refuse_unsupported("tie_word_embeddings", "the class does not tie its head");
  }
  arch.names.embedding = "backbone.embeddings";
  arch.names.layers = "backbone.layers";
  arch.names.final_norm = "backbone.norm_f";
  const std::string pattern = read_pattern(config, {"hybrid_override_pattern", "layers_block_type"}, "");
  const auto layers = static_cast<std::int64_t>(pattern.size());
  if (config.or_default("num_hidden_layers", layers, kLayers) != layers) {
    config.refuse("num_hidden_layers", "is not the length of the pattern of layers, " + std::to_string(layers));
  }
  const std::int64_t modules = config.or_default("num_nextn_predict_layers", 0, kLayersOrNone);
  const std::string ahead = read_pattern(config, {"mtp_hybrid_override_pattern", "mtp_layers_block_type"}, "*E");
  const bool has_experts = pattern.find('E') != std::string::npos;
  Blocks blocks{read_mixer(config), read_plain_attention(config, arch.hidden_size), read_plain_network(config), {}};
  if (has_experts) {
    blocks.moe = read_experts(config, blocks.network.activation);
  } else {
    config.ignore({"moe_intermediate_size",
                   "moe_latent_size",
                   "moe_shared_expert_intermediate_size",
                   "n_group",
                   "n_routed_experts",
                   "n_shared_experts",
                   "num_experts_per_tok",
                   "topk_group"});
  }
  if (modules > 0 && !has_experts && ahead.find('E') != std::string::npos) {
    config.refuse_unsupported("num_nextn_predict_layers", "modules with experts in a model without are not known");
  }
  arch.dropout = {config.rate("attention_dropout", 0.0), config.rate("hidden_dropout", 0.0)};
  for (const char letter : pattern) {
    append_layers(arch.layer_groups, 1, layer_of(blocks, letter));
  }
  std::vector<Layer> module;
  for (const char letter : ahead) {
    module.push_back(layer_of(blocks, letter));
  }
  add_prediction_modules(arch, modules, module);
  return config.finish(arch);
}

}  // namespace mekiki
