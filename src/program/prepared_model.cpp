#include "program/prepared_model.h"

#include <algorithm>
#include <string>

#include "base/did_you_mean.h"

namespace mekiki {
namespace {

constexpr std::string_view kAllLinear = "all-linear";

bool targets(const Lora& lora, const LinearOp& linear) {
  for (const std::string& target : lora.targets) {
    if (target == kAllLinear ? !linear.decides : target == linear.name) {
      return true;
    }
  }
  return false;
}

/// Of DoRA, each output's magnitude beside.
void add_adapter(LayerElements& elements, const LinearOp& linear, const Lora& lora) {
  const auto r = static_cast<double>(lora.rank);
  const double magnitudes = lora.dora ? static_cast<double>(linear.out) : 0.0;
  const auto in = static_cast<double>(linear.in), out = static_cast<double>(linear.out);
  switch (linear.split) {
    case LinearSplit::column:
      elements.adapter_whole += r * in;
      elements.adapter_split += r * out + magnitudes;
      break;
    case LinearSplit::row:
      elements.adapter_split += r * in;
      elements.adapter_whole += r * out + magnitudes;
      break;
    case LinearSplit::replicated:
      elements.adapter_whole += r * (in + out) + magnitudes;
      break;
    case LinearSplit::expert_column:
    case LinearSplit::expert_row:
      elements.adapter_expert += static_cast<double>(linear.copies) * (r * (in + out) + magnitudes);
      break;
  }
}

void add_linear(LayerElements& elements, const LinearOp& linear) {
  const double matrix =
      static_cast<double>(linear.in) * static_cast<double>(linear.out) * static_cast<double>(linear.copies);
  switch (linear.split) {
    case LinearSplit::column:
    case LinearSplit::row:
      elements.column_row += matrix;
      break;
    case LinearSplit::replicated:
      (linear.decides ? elements.decision : elements.replicated) += matrix;
      break;
    case LinearSplit::expert_column:
    case LinearSplit::expert_row:
      elements.expert += matrix;
      break;
  }
  const double bias = linear.bias ? static_cast<double>(linear.out * linear.copies) : 0.0;
  (is_expert(linear.split) ? elements.expert : elements.vector) += bias;
}

bool has_rotary(const Block& block) {
  const auto* attention = std::get_if<Attention>(&block);
  return attention != nullptr && attention->rotary;
}

PreparedLayer prepare_layer(const Layer& layer, std::int64_t hidden_size, const ResolvedJob& job) {
  PreparedLayer prepared{.norm = layer.norm,
                         .parallel_residual = layer.parallel_residual,
                         .causal = !layer.encoder,
                         .wide_norm = layer.wide_norm,
                         .offset_norm = layer.offset_norm};
  for (const SubLayer& sub : layer.sub_layers) {
    PreparedBlock block{
        .norms_before = sub.norms_before, .norms_after = sub.norms_after, .rotary = has_rotary(sub.block)};
    prepared.elements.vector +=
        static_cast<double>((sub.norms_before + sub.norms_after) * norm_weights(layer.norm, hidden_size));
    for (const ModelOp& op : ops_of(sub.block, hidden_size)) {
      const auto* linear = std::get_if<LinearOp>(&op);
      const bool target = linear != nullptr && uses_lora(job.method) && targets(job.lora, *linear);
      if (linear != nullptr) {
        add_linear(prepared.elements, *linear);
        if (target) {
          add_adapter(prepared.elements, *linear, job.lora);
        }
      } else {
        prepared.elements.vector += static_cast<double>(stored_weights(op));
      }
      block.ops.push_back({op, target});
    }
    if (const auto* attention = std::get_if<Attention>(&sub.block); attention && job.method == Method::prefix) {
      // Learned keys and values before those of the text. Source: arXiv 2101.00190 (without its reparametrisation).
      prepared.elements.adapter_split +=
          2.0 * static_cast<double>(job.virtual_tokens * attention->kv_heads * attention->head_dim);
    }
    prepared.blocks.push_back(std::move(block));
  }
  return prepared;
}

Status check_targets(const PreparedModel& model, const ResolvedJob& job) {
  if (!uses_lora(job.method)) {
    return {};
  }
  std::vector<std::string_view> names{kAllLinear};
  for (const PreparedLayer& layer : model.layers) {
    for (const PreparedBlock& block : layer.blocks) {
      for (const PreparedOp& op : block.ops) {
        if (const auto* linear = std::get_if<LinearOp>(&op.op)) {
          names.push_back(linear->name);
        }
      }
    }
  }
  for (const std::string& target : job.lora.targets) {
    if (std::find(names.begin(), names.end(), target) == names.end()) {
      std::sort(names.begin(), names.end());
      names.erase(std::unique(names.begin(), names.end()), names.end());
      std::string known;
      for (const std::string_view name : names) {
        known += (known.empty() ? "" : ", ") + std::string(name);
      }
      return fail({ErrorCode::not_found,
                   "lora_targets",
                   "no linear layer of this model is called " + target,
                   "known: " + known});
    }
  }
  return {};
}

}  // namespace

Result<PreparedModel> prepare_model(const Arch& arch, const ResolvedJob& job) {
  const MoeFfn* experts = experts_of(arch);
  PreparedModel model{.hidden_size = arch.hidden_size,
                      .vocab_size = arch.vocab_size,
                      .learned_positions = arch.learned_positions,
                      .tied = arch.tie_word_embeddings,
                      .head_bias = arch.head_bias,
                      .final_norm = arch.final_norm,
                      .embedding_norm = arch.embedding_norm,
                      .encoder_norm = arch.encoder_norm,
                      .embedding_size = arch.embedding_size > 0 ? arch.embedding_size : arch.hidden_size,
                      .expert_groups_per_token = experts != nullptr ? experts->groups_per_token : 0,
                      .vision_elements = arch.vision ? static_cast<double>(arch.vision->weights) : 0.0,
                      .layer_count = arch.layer_count()};
  for (const LayerGroup& group : arch.layer_groups) {
    const auto same = std::find_if(arch.layer_groups.begin(), arch.layer_groups.end(), [&](const LayerGroup& other) {
      return other.layer == group.layer;
    });
    const auto first = static_cast<std::size_t>(same - arch.layer_groups.begin());
    std::int16_t kind = -1;
    for (std::size_t i = 0; i < model.order.size() && kind < 0; ++i) {
      kind = i == first ? model.order[i].kind : kind;
    }
    if (kind < 0) {
      kind = static_cast<std::int16_t>(model.layers.size());
      model.layers.push_back(prepare_layer(group.layer, arch.hidden_size, job));
    }
    model.order.push_back({kind, group.count});
  }
  if (job.method == Method::prompt) {
    // Learned rows before the embedded text. Source: arXiv 2104.08691.
    model.prompt_elements = static_cast<double>(job.virtual_tokens * model.embedding_size);
  }
  if (Status status = check_targets(model, job); !status) {
    return fail(status.error());
  }
  model.optimizer = optimizer_state_of(model, job);
  return model;
}

}  // namespace mekiki
