#include "model/quantization.h"

#include "model/exact_count.h"
#include "model/ops.h"

namespace mekiki {
namespace {

constexpr std::int64_t kMxfp4BlockSize = 32;

template <class CountScales>
std::int64_t count_over_linears(const std::vector<LayerGroup>& groups,
                                std::int64_t hidden_size,
                                CountScales count_scales) {
  std::int64_t total = 0;
  for (const LayerGroup& group : groups) {
    for (const SubLayer& sub_layer : group.layer.sub_layers) {
      for (const ModelOp& op : ops_of(sub_layer.block, hidden_size)) {
        const auto* linear = std::get_if<LinearOp>(&op);
        if (linear != nullptr && !linear->decides) {
          const std::int64_t scales = capped_product(linear->copies, count_scales(*linear));
          total = capped_sum(total, capped_product(group.count, scales));
        }
      }
    }
  }
  return total;
}

/// Over the model and its MTP modules, whose projections keep their precision.
template <class CountScales>
std::int64_t count_over_linears(const Arch& arch, CountScales count_scales) {
  return capped_sum(count_over_linears(arch.layer_groups, arch.hidden_size, count_scales),
                    count_over_linears(arch.mtp_layers, arch.hidden_size, count_scales));
}

std::int64_t blocks(std::int64_t length, std::int64_t block) {
  return (length + block - 1) / block;
}

std::int64_t fp8_scales(const Arch& arch, std::int64_t rows, std::int64_t columns) {
  return count_over_linears(arch, [=](const LinearOp& linear) {
    return capped_product(blocks(linear.out, rows), blocks(linear.in, columns));
  });
}

std::int64_t mxfp4_scales(const Arch& arch) {
  return count_over_linears(arch, [](const LinearOp& linear) {
    return is_expert(linear.split) ? capped_product(linear.in, linear.out) / kMxfp4BlockSize : 0;
  });
}

}  // namespace

Quantization read_quantization(ConfigReader& config, const Arch& arch) {
  if (!config.has("quantization_config")) {
    config.ignore({"quantization_config"});
    if (!config.has("text_config")) {
      return {};
    }
    ConfigReader text = config.section("text_config");
    return read_quantization(text, arch);
  }
  ConfigReader options = config.section("quantization_config");
  Quantization quantization;
  quantization.method = options.text("quant_method", options.text("quant_algo", "unknown"));
  options.ignore_rest();
  const std::vector<std::int64_t> block = options.integers("weight_block_size", {1, 1'000'000});
  if (quantization.method == "fp8" && block.size() == 2) {
    quantization.scales.push_back({StoredDifferenceKind::fp8_block_scales, fp8_scales(arch, block[0], block[1])});
  } else if (quantization.method == "mxfp4") {
    quantization.scales.push_back({StoredDifferenceKind::mxfp4_block_scales, mxfp4_scales(arch)});
  }
  return quantization;
}

}  // namespace mekiki
