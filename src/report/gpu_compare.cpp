#include "report/gpu_compare.h"

#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace mekiki {
namespace {

constexpr double kSame = 0.05;

std::optional<FlopsPerSecond> matrix_rate(const Gpu& gpu) {
  return gpu.peaks.bf16 ? gpu.peaks.bf16 : gpu.peaks.fp16;
}

class Contraster {
 public:
  Contraster(const Gpu& first, const Gpu& other) : first_(first), other_(other) {}

  std::vector<GpuContrast> run() {
    ratio(GpuDifference::memory, other_.memory_reported / first_.memory_reported);
    ratio(GpuDifference::bandwidth, other_.memory_bandwidth / first_.memory_bandwidth);
    const auto rate = matrix_rate(first_), other_rate = matrix_rate(other_);
    if (rate && other_rate) {
      ratio(GpuDifference::matrix_rate, *other_rate / *rate);
    } else if (!other_rate) {
      add(GpuDifference::unknown_rate, 1);
    }
    if (first_.peaks.bf16 && !other_.peaks.bf16 && other_.peaks.fp16) {
      add(GpuDifference::no_bf16, 1);
    }
    // The ratio tells the direction: above 1 the other one has it.
    either(GpuDifference::fp8, first_.peaks.fp8.has_value(), other_.peaks.fp8.has_value());
    link();
    either(GpuDifference::ecc, first_.ecc == Ecc::yes, other_.ecc == Ecc::yes);
    either(GpuDifference::mig, first_.mig_max_instances.value_or(0) > 1, other_.mig_max_instances.value_or(0) > 1);
    return std::move(contrasts_);
  }

 private:
  void add(GpuDifference what, double value) { contrasts_.push_back({&first_, &other_, what, value}); }

  void ratio(GpuDifference what, double value) {
    if (std::abs(value - 1.0) > kSame) {
      add(what, value);
    }
  }

  void either(GpuDifference what, bool first, bool other) {
    if (first != other) {
      add(what, other ? 2.0 : 0.5);
    }
  }

  // Without a link of their own GPUs meet over the host's PCIe.
  void link() {
    const auto reach = [](const Gpu& gpu) {
      return gpu.nvlink_bandwidth ? gpu.nvlink_bandwidth : gpu.host_link_bandwidth;
    };
    const auto a = reach(first_), b = reach(other_);
    if (a && b) {
      ratio(GpuDifference::link, *b / *a);
    }
  }

  const Gpu& first_;
  const Gpu& other_;
  std::vector<GpuContrast> contrasts_;
};

std::string sentence(const GpuContrast& contrast, const Voice& say) {
  const std::string direction = contrast.ratio > 1 ? "_more" : contrast.ratio < 1 ? "_less" : "";
  const std::string id = "gpu_contrast." + std::string(enum_name(contrast.what)) + direction;
  return say(message_of(id),
             {{"gpu", std::string(contrast.other->id)},
              {"first", std::string(contrast.first->id)},
              {"ratio", fmt::format("{:.2f}", contrast.ratio)}});
}

}  // namespace

std::vector<GpuContrast> contrasts(const std::vector<const Gpu*>& gpus) {
  std::vector<GpuContrast> list;
  for (std::size_t i = 1; i < gpus.size(); ++i) {
    for (const GpuContrast& contrast : Contraster(*gpus.front(), *gpus[i]).run()) {
      list.push_back(contrast);
    }
  }
  return list;
}

std::string contrasts_text(const std::vector<GpuContrast>& list, const Voice& say) {
  std::string text;
  for (const GpuContrast& contrast : list) {
    text += sentence(contrast, say) + "\n";
  }
  return text;
}

Json contrasts_json(const std::vector<GpuContrast>& list, const Voice& say) {
  Json json = Json::array();
  for (const GpuContrast& contrast : list) {
    json.push_back({{"gpu", contrast.other->id},
                    {"against", contrast.first->id},
                    {"what", enum_name(contrast.what)},
                    {"ratio", rounded(contrast.ratio)},
                    {"text", sentence(contrast, say)}});
  }
  return json;
}

}  // namespace mekiki
