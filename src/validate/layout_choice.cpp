#include "validate/layout_choice.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "memory/memory.h"
#include "model/exact_count.h"
#include "time/step_time.h"

namespace mekiki {
namespace {

constexpr std::int64_t kWidestTensorGroup = 8;
constexpr std::int64_t kWidestContextGroup = 8;
constexpr std::int64_t kDeepestPipeline = 64;
constexpr std::int64_t kLargestOpenMicroBatch = 8;
constexpr double kNarrowestClass = 1.1;

struct Candidate {
  ParallelLayout layout;
  std::int64_t micro_batch_size = 1;
  std::int64_t global_batch_size = 1;
};

struct Judged {
  Candidate candidate;
  std::optional<std::int64_t> recomputed_layers;
  double memory = 0;  // the low end of its band over the capacity; 0: the capacity is unknown
  double tokens_per_s = 0;

  std::int64_t model_ranks() const { return candidate.layout.world_size() / candidate.layout.data_parallel(); }
};

/// Smaller is better. The run took place, so what the band leaves possible is possible. Where nothing is, the candidate
/// that needs least took place as far as memory can tell, and so did those within a band of it.
class Preference {
 public:
  Preference(double least_memory, double width)
      : possible_(least_memory <= 1.0 ? 1.0 : least_memory * width), width_(width) {}

  auto rank(const Judged& judged) const {
    return std::tuple(overshoot(judged.memory), judged.model_ranks(), -judged.tokens_per_s);
  }

 private:
  /// 0: possible. Above: how far from it, in classes as wide as a band.
  int overshoot(double memory) const {
    const double ratio = memory / possible_;
    return ratio <= 1.0 ? 0 : 1 + static_cast<int>(std::log(ratio) / std::log(width_));
  }

  double possible_, width_;
};

std::vector<std::int64_t> powers_of_two(std::int64_t most) {
  std::vector<std::int64_t> powers;
  for (std::int64_t power = 1; power <= most; power *= 2) {
    powers.push_back(power);
  }
  return powers;
}

std::vector<std::int64_t> stated_or_powers(const std::optional<std::int64_t>& stated, std::int64_t most) {
  return stated ? std::vector{*stated} : powers_of_two(std::max<std::int64_t>(most, 1));
}

class Chooser {
 public:
  Chooser(const RowJob& row, const StatedLayout& stated, const RowMachine& machine)
      : row_(row), stated_(stated), machine_(machine) {}

  Result<ChosenLayout> run() {
    collect();
    consider(std::nullopt);
    if (stated_.recompute_open) {
      for (const std::int64_t layers : recompute_choices()) {
        consider(layers);
      }
    }
    if (judged_.empty()) {
      return fail(first_error_.value_or(Error{ErrorCode::conflict,
                                              "dp",
                                              "no layout agrees with the numbers of the row",
                                              "check tp, pp, cp, dp and batch"}));
    }
    return chosen(best());
  }

 private:
  void collect() {
    const EngineSupport& can = row_.profile.supports;
    const std::int64_t node = machine_.cluster.gpus_per_node;
    const std::int64_t widest = can.tensor_parallel ? std::min({kWidestTensorGroup, node, row_.gpus}) : 1;
    const std::int64_t deepest = can.pipeline_parallel ? std::min(kDeepestPipeline, row_.arch->layer_count()) : 1;
    for (const std::int64_t tensor : stated_or_powers(stated_.tensor_parallel, widest)) {
      for (const std::int64_t pipeline : stated_or_powers(stated_.pipeline_parallel, deepest)) {
        for (const std::int64_t context : context_choices(capped_product(tensor, pipeline))) {
          add_layout(tensor, pipeline, context);
        }
      }
    }
  }

  /// Context parallelism is assumed only where there are more ranks than sequences, or where the stated axes leave a
  /// remainder that must be it.
  std::vector<std::int64_t> context_choices(std::int64_t model_ranks) const {
    if (stated_.context_parallel) {
      return {*stated_.context_parallel};
    }
    if (stated_.data_parallel) {
      const std::int64_t used = capped_product(model_ranks, *stated_.data_parallel);
      return used > 0 && row_.gpus % used == 0 ? std::vector{row_.gpus / used} : std::vector<std::int64_t>{};
    }
    const std::int64_t ranks = row_.gpus / std::max<std::int64_t>(model_ranks, 1);
    const bool starved = stated_.global_batch_size && ranks > *stated_.global_batch_size;
    return starved && row_.profile.supports.context_parallel ? powers_of_two(kWidestContextGroup)
                                                             : std::vector<std::int64_t>{1};
  }

  void add_layout(std::int64_t tensor, std::int64_t pipeline, std::int64_t context) {
    const std::int64_t model_ranks = capped_product(capped_product(tensor, pipeline), context);
    if (model_ranks < 1 || row_.gpus % model_ranks != 0) {
      return;
    }
    const std::int64_t ranks = row_.gpus / model_ranks;
    if (stated_.data_parallel && *stated_.data_parallel != ranks) {
      return;
    }
    ParallelLayout layout;
    layout.tensor_parallel = tensor;
    layout.sequence_parallel = tensor > 1 && row_.profile.memory.sequence_parallel_with_tensor_parallel;
    layout.pipeline_parallel = pipeline;
    layout.context_parallel = context;
    layout.expert_parallel = stated_.expert_parallel;
    spread_data(layout, ranks);
    layout.expert_tensor_parallel = expert_tensor_ranks(*row_.arch, layout, stated_.splits_experts_over_tensor);
    for (const std::int64_t chunks : virtual_choices(pipeline)) {
      layout.virtual_pipeline = chunks;
      add_batches(layout, ranks);
    }
  }

  void spread_data(ParallelLayout& layout, std::int64_t ranks) const {
    layout.zero_stage = stated_.zero_stage;
    layout.reshard_after_forward = stated_.reshard_after_forward;
    if (layout.zero_stage == 0) {
      layout.dp_replicate = ranks;
      return;
    }
    const std::int64_t in_node = std::max<std::int64_t>(1, machine_.cluster.gpus_per_node / layout.tensor_parallel);
    const bool split = stated_.shards_within_node && ranks % in_node == 0;
    layout.dp_shard = split ? in_node : ranks;
    layout.dp_replicate = split ? ranks / in_node : 1;
  }

  std::vector<std::int64_t> virtual_choices(std::int64_t pipeline) const {
    if (stated_.virtual_pipeline || pipeline == 1) {
      return {pipeline == 1 ? 1 : *stated_.virtual_pipeline};
    }
    // Embedding and head may stand for a layer each.
    const std::int64_t layers = row_.arch->layer_count();
    std::vector<std::int64_t> choices{1};
    for (std::int64_t chunks = 2; chunks <= stated_.most_virtual_stages; ++chunks) {
      if (layers % (pipeline * chunks) == 0 || (layers + 2) % (pipeline * chunks) == 0) {
        choices.push_back(chunks);
      }
    }
    return choices;
  }

  void add_batches(const ParallelLayout& layout, std::int64_t ranks) {
    const std::int64_t steps = stated_.gradient_accumulation_steps.value_or(1);
    std::optional<std::int64_t> micro = stated_.micro_batch_size;
    const std::int64_t passes = capped_product(ranks, steps);
    if (!micro && stated_.global_batch_size && stated_.gradient_accumulation_steps && passes > 0 &&
        *stated_.global_batch_size % passes == 0) {
      micro = *stated_.global_batch_size / passes;
    }
    for (const std::int64_t size : stated_or_powers(micro, kLargestOpenMicroBatch)) {
      const std::int64_t global = stated_.global_batch_size.value_or(capped_product(size, passes));
      if (size > 0 && global > 0 && global % capped_product(size, ranks) == 0) {
        candidates_.push_back({layout, size, global});
      }
    }
  }

  /// Layers to recompute, in eighths of the model.
  std::vector<std::int64_t> recompute_choices() const {
    constexpr std::int64_t kParts = 8;
    const std::int64_t layers = row_.arch->layer_count();
    std::vector<std::int64_t> choices;
    for (std::int64_t part = row_.profile.memory.partial_recompute ? 1 : kParts; part <= kParts; ++part) {
      choices.push_back((layers * part + kParts - 1) / kParts);
    }
    return choices;
  }

  void consider(std::optional<std::int64_t> recomputed_layers) {
    for (const Candidate& candidate : candidates_) {
      if (std::optional<Judged> judged = judge(candidate, recomputed_layers)) {
        judged_.push_back(std::move(*judged));
      }
    }
  }

  const Judged& best() const {
    const Band& band = row_.profile.memory.bands[BandKind::full];
    const auto least = std::min_element(
        judged_.begin(), judged_.end(), [](const Judged& a, const Judged& b) { return a.memory < b.memory; });
    const Preference preference(least->memory, std::max(band.high / band.low, kNarrowestClass));
    return *std::min_element(judged_.begin(), judged_.end(), [&](const Judged& a, const Judged& b) {
      return preference.rank(a) < preference.rank(b);
    });
  }

  std::optional<Judged> judge(const Candidate& candidate, std::optional<std::int64_t> recomputed_layers) {
    RowJob row = row_;
    row.layout = candidate.layout;
    row.job.micro_batch_size = candidate.micro_batch_size;
    row.job.global_batch_size = candidate.global_batch_size;
    row.job.recompute_layers = recomputed_layers;
    const Result<RowProgram> lowered = lower_row(row);
    if (!lowered) {
      first_error_ = first_error_.value_or(lowered.error());
      return std::nullopt;
    }
    Judged judged{.candidate = candidate, .recomputed_layers = recomputed_layers};
    const Bytes device = memory_peak(lowered->program, row.profile).device;
    judged.memory = row.capacity ? device * row.profile.memory.bands[BandKind::full].low / *row.capacity : 0.0;
    judged.tokens_per_s =
        step_time(lowered->program, lowered->job, row.profile, machine_.rates, machine_.cluster, InputQuality::assumed)
            .tokens_per_s.base();
    return judged;
  }

  ChosenLayout chosen(const Judged& best) const {
    const ParallelLayout& layout = best.candidate.layout;
    ChosenLayout choice{.layout = layout,
                        .micro_batch_size = best.candidate.micro_batch_size,
                        .global_batch_size = best.candidate.global_batch_size};
    const bool open = !stated_.tensor_parallel || !stated_.pipeline_parallel;
    choice.layout_assumed = open && row_.gpus > 1;
    const bool derived = stated_.global_batch_size && stated_.gradient_accumulation_steps;
    choice.micro_batch_assumed = !stated_.micro_batch_size && !derived;
    choice.virtual_pipeline_assumed = !stated_.virtual_pipeline && layout.pipeline_parallel > 1;
    choice.global_batch_assumed = !stated_.global_batch_size && !stated_.gradient_accumulation_steps;
    choice.recomputed_layers = best.recomputed_layers;
    return choice;
  }

  const RowJob& row_;
  const StatedLayout& stated_;
  const RowMachine& machine_;
  std::vector<Candidate> candidates_;
  std::vector<Judged> judged_;
  std::optional<Error> first_error_;
};

}  // namespace

Result<ChosenLayout> choose_layout(const RowJob& row, const StatedLayout& stated, const RowMachine& machine) {
  return Chooser(row, stated, machine).run();
}

}  // namespace mekiki
