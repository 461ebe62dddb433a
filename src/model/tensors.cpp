#include "model/tensors.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "model/exact_count.h"
#include "model/ops.h"

namespace mekiki {
namespace {

using Shape = std::vector<std::int64_t>;

Name module_of(const Attention& attention) {
  return attention.names.module;
}
Name module_of(const DenseFfn& ffn) {
  return ffn.names.module;
}
Name module_of(const MoeFfn& moe) {
  return moe.names.module;
}
template <class Mixer>
Name module_of(const Mixer& mixer) {
  return mixer.module;
}

std::string joined(std::string_view parent, std::string_view child) {
  return parent.empty()  ? std::string(child)
         : child.empty() ? std::string(parent)
                         : fmt::format("{}.{}", parent, child);
}

class TensorLister {
 public:
  explicit TensorLister(const Arch& arch) : arch_(arch) {}

  std::vector<StoredTensor> list() && {
    const std::int64_t width = arch_.embedding_size > 0 ? arch_.embedding_size : arch_.hidden_size;
    const ModelNames& names = arch_.names;
    add(joined(names.embedding, "weight"), {arch_.vocab_size, width});
    if (arch_.embedding_size > 0) {
      add(joined(names.embedding_up, "weight"), {arch_.hidden_size, width});
      add(joined(names.embedding_down, "weight"), {width, arch_.hidden_size});
    }
    if (arch_.learned_positions > 0) {
      add(joined(names.positions, "weight"), {arch_.learned_positions, arch_.hidden_size});
    }
    if (arch_.embedding_norm) {
      add_norm(names.embedding_norm, arch_.final_norm, arch_.hidden_size);
    }
    add_layers();
    if (arch_.encoder_norm) {
      add_norm(names.encoder_norm, arch_.final_norm, arch_.hidden_size);
    }
    add_norm(names.final_norm, arch_.final_norm, arch_.hidden_size);
    if (!arch_.tie_word_embeddings) {
      add(joined(names.head, "weight"), {arch_.vocab_size, width});
    }
    if (arch_.head_bias) {
      add(joined(names.head, "bias"), {arch_.vocab_size});
    }
    return std::move(tensors_);
  }

 private:
  void add(std::string name, Shape shape) { tensors_.push_back({std::move(name), std::move(shape)}); }

  void add_norm(const std::string& name, NormKind kind, std::int64_t width) {
    const std::int64_t vectors = norm_weights(kind, width) / std::max<std::int64_t>(width, 1);
    if (vectors > 0) {
      add(joined(name, "weight"), {width});
    }
    if (vectors > 1) {
      add(joined(name, "bias"), {width});
    }
  }
  void add_norm(Name name, NormKind kind, std::int64_t width) { add_norm(std::string(name), kind, width); }

  void add_layers() {
    std::int64_t next[2] = {0, 0};  // decoder, encoder
    for (const LayerGroup& group : arch_.layer_groups) {
      for (std::int64_t i = 0; i < group.count; ++i) {
        const bool encoder = group.layer.encoder;
        const Name parent = encoder ? arch_.names.encoder_layers : arch_.names.layers;
        add_layer(group.layer, fmt::format("{}.{}", parent, next[encoder ? 1 : 0]++));
      }
    }
  }

  void add_layer(const Layer& layer, const std::string& parent) {
    for (const SubLayer& sub : layer.sub_layers) {
      if (sub.norms_before > 0) {
        add_norm(joined(parent, sub.norm_before), layer.norm, arch_.hidden_size);
      }
      const Name module = std::visit([](const auto& block) { return module_of(block); }, sub.block);
      const auto* moe = std::get_if<MoeFfn>(&sub.block);
      const MoeNames places = moe == nullptr ? MoeNames{} : moe->places;
      for (const ModelOp& op : ops_of(sub.block, arch_.hidden_size)) {
        add_op(op, joined(parent, module), places);
      }
      if (sub.norms_after > 0) {
        add_norm(joined(parent, sub.norm_after), layer.norm, arch_.hidden_size);
      }
      if (sub.norms_after > 1) {
        add_norm(joined(parent, sub.norm_last), layer.norm, arch_.hidden_size);
      }
    }
    if (layer.output_scalar) {
      add(joined(parent, "layer_scalar"), {1});
    }
  }

  void add_op(const ModelOp& op, const std::string& module, const MoeNames& places) {
    if (const auto* linear = std::get_if<LinearOp>(&op)) {
      const std::string parent = joined(module, linear->place);
      if (!is_expert(linear->split)) {
        add_linear(*linear, joined(parent, linear->name));
      } else if (places.storage == ExpertStorage::separate) {
        for (std::int64_t expert = 0; expert < linear->copies; ++expert) {
          add_linear(*linear, fmt::format("{}.{}.{}", parent, expert, linear->name));
        }
      } else {
        add_stacked(*linear, joined(parent, linear->name), places);
      }
    } else if (const auto* vector = std::get_if<VectorOp>(&op)) {
      add_vector(*vector, joined(module, vector->name));
    } else if (const auto* convolution = std::get_if<ConvolutionOp>(&op)) {
      const std::string name = joined(module, convolution->name);
      add(name + ".weight", {convolution->width, 1, convolution->kernel});
      if (convolution->bias) {
        add(name + ".bias", {convolution->width});
      }
    }
  }

  void add_linear(const LinearOp& linear, const std::string& name) {
    add(name + ".weight", arch_.names.in_by_out ? Shape{linear.in, linear.out} : Shape{linear.out, linear.in});
    if (linear.bias) {
      add(name + ".bias", {linear.out});
    }
  }

  void add_stacked(const LinearOp& linear, const std::string& name, const MoeNames& places) {
    const std::int64_t experts = linear.copies;
    switch (places.storage) {
      case ExpertStorage::stacked_in_out:
        add(name + std::string(places.stacked_suffix), {experts, linear.in, linear.out});
        break;
      case ExpertStorage::stacked_in_rows: {
        const bool inward = linear.split == LinearSplit::expert_column;
        add(name + std::string(places.stacked_suffix),
            inward ? Shape{experts * linear.out, linear.in} : Shape{experts * linear.in, linear.out});
        break;
      }
      default:
        add(name + std::string(places.stacked_suffix), {experts, linear.out, linear.in});
    }
    if (linear.bias) {
      add(name + "_bias", {experts, linear.out});
    }
  }

  void add_vector(const VectorOp& vector, const std::string& name) {
    const bool norm = vector.role != VectorOp::Role::parameter && vector.role != VectorOp::Role::buffer;
    if (norm) {
      add(name + ".weight", {vector.width});
      if (vector.vectors > 1) {
        add(name + ".bias", {vector.width});
      }
      return;
    }
    add(name, vector.vectors > 1 ? Shape{vector.width, vector.vectors} : Shape{vector.width});
  }

  const Arch& arch_;
  std::vector<StoredTensor> tensors_;
};

}  // namespace

Result<std::vector<StoredTensor>> tensors_of(const Arch& arch) {
  if (!arch.names.known) {
    return fail({ErrorCode::unsupported,
                 "tensors",
                 fmt::format("the tensor names of the {} family were not checked", arch.family),
                 "counts are known: leave out --tensors"});
  }
  return TensorLister(arch).list();
}

std::int64_t elements_of(std::span<const StoredTensor> tensors) {
  std::int64_t total = 0;
  for (const StoredTensor& tensor : tensors) {
    std::int64_t elements = 1;
    for (const std::int64_t length : tensor.shape) {
      elements = capped_product(elements, length);
    }
    total = capped_sum(total, elements);
  }
  return total;
}

}  // namespace mekiki
