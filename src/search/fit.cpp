#include "search/fit.h"

#include <algorithm>

#include "program/lower.h"
#include "time/step_time.h"

namespace mekiki {
namespace {

constexpr std::int64_t kShortestSequence = 256;
constexpr std::int64_t kMostMicroBatches = 1024;

ModelLimits limits_of_model(const Arch& arch) {
  return {.max_position_embeddings = arch.max_position_embeddings};
}

/// Everything that one evaluation needs, all decided.
struct Candidate {
  Job job;
  ParallelLayout layout;
};

struct Evaluation {
  ResolvedJob job;
  MemoryReport memory;
  std::optional<TimeReport> time;
};

class Fitter {
 public:
  explicit Fitter(const FitRequest& request) : request_(request) {}

  Result<FitReport> run() {
    FitReport report;
    report.layout_assumed = !request_.layout && request_.gpus > 1;
    report.layout = request_.layout.value_or(usual_layout(*request_.profile, request_.gpus));
    const Candidate asked{request_.job, report.layout};
    Result<Evaluation> evaluation = evaluate(asked, true);
    if (!evaluation) {
      return fail(evaluation.error());
    }
    report.job = evaluation->job;
    report.memory = std::move(evaluation->memory);
    report.time = evaluation->time;
    if (report.layout_assumed) {
      report.job.defaults_used.push_back("layout");
    }
    if (const std::optional<Bytes> room = capacity()) {
      judge(asked, *room, report);
    }
    return report;
  }

 private:
  void judge(const Candidate& asked, Bytes capacity, FitReport& report) {
    report.capacity = capacity;
    report.verdict = verdict_of(report.memory.device, capacity, report.job.headroom);
    report.oom_probability = oom_probability(report.memory.needed, capacity);
    report.largest = largest(asked, capacity, report.job);
    report.ways_out = ways_out(asked, capacity, report);
  }

  Result<Evaluation> evaluate(const Candidate& candidate, bool with_time) {
    Result<ResolvedJob> job = with_defaults(candidate.job, *request_.profile, limits_of_model(*request_.arch));
    if (!job) {
      return fail(job.error());
    }
    if (Status status = check_layout(candidate.layout, limits_of(*request_.arch, job->sequence_length, request_.gpus));
        !status) {
      return fail(status.error());
    }
    Result<PreparedModel> model = prepare_model(*request_.arch, *job);
    if (!model) {
      return fail(model.error());
    }
    Result<StepProgram> program = lower(*model, *job, candidate.layout, *request_.profile);
    if (!program) {
      return fail(program.error());
    }
    Evaluation evaluation{.job = std::move(*job)};
    evaluation.memory = memory_of(*program, evaluation.job);
    if (with_time && request_.target.rates) {
      const ResolvedJob timed = as_timed(evaluation.job);
      if (timed.sequence_length != evaluation.job.sequence_length) {
        program = lower(*model, timed, candidate.layout, *request_.profile);
        if (!program) {
          return fail(program.error());
        }
      }
      evaluation.time = step_time(
          *program, timed, *request_.profile, *request_.target.rates, request_.target.cluster, input_quality());
    }
    return evaluation;
  }

  MemoryReport memory_of(const StepProgram& program, const ResolvedJob& job) const {
    const std::optional<Bytes> room = capacity();
    return room ? memory_on(program, job, *request_.profile, input_quality(), *room)
                : memory(program, job, *request_.profile, input_quality());
  }

  std::optional<Bytes> capacity() const {
    const Gpu* gpu = request_.target.gpu;
    return gpu != nullptr ? std::optional(gpu->memory_reported - request_.target.held_by_others) : std::nullopt;
  }

  /// Defaults are printed and hold for this very answer, so they count as stated; real lengths that vary do not, nor
  /// does a framework that nobody described.
  InputQuality input_quality() const {
    const Lengths lengths = request_.job.lengths.value_or(Lengths::fixed);
    const bool known = lengths == Lengths::fixed || lengths == Lengths::packed;
    return known && !request_.profile->generic ? InputQuality::stated : InputQuality::assumed;
  }

  bool holds(const Candidate& candidate, Bytes capacity, double headroom) {
    Result<Evaluation> evaluation = evaluate(candidate, false);
    return evaluation && verdict_of(evaluation->memory.device, capacity, headroom) == Verdict::fits;
  }

  /// Largest value in [1, limit] x unit that still fits; memory grows with it, so bisection is exact.
  template <class Set>
  std::int64_t largest_value(const Candidate& asked, Bytes capacity, double headroom, std::int64_t limit, Set set) {
    const auto fits = [&](std::int64_t value) {
      Candidate candidate = asked;
      candidate.job.global_batch_size.reset();
      set(candidate.job, value);
      return holds(candidate, capacity, headroom);
    };
    std::int64_t low = 0, high = 1;
    while (high <= limit && fits(high)) {
      low = high;
      high *= 2;
    }
    high = std::min(high, limit + 1);
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      (fits(middle) ? low : high) = middle;
    }
    return low;
  }

  LargestThatFits largest(const Candidate& asked, Bytes capacity, const ResolvedJob& job) {
    LargestThatFits l;
    l.micro_batch_size = largest_value(
        asked, capacity, job.headroom, kMostMicroBatches, [](Job& j, std::int64_t v) { j.micro_batch_size = v; });
    const std::int64_t longest =
        request_.arch->max_position_embeddings > 0 ? request_.arch->max_position_embeddings : 1 << 20;
    l.sequence_length =
        kShortestSequence * largest_value(asked,
                                          capacity,
                                          job.headroom,
                                          std::max<std::int64_t>(longest / kShortestSequence, 1),
                                          [](Job& j, std::int64_t v) { j.sequence_length = v * kShortestSequence; });
    return l;
  }

  void try_way(std::string change,
               const Candidate& candidate,
               Bytes capacity,
               const FitReport& report,
               std::vector<WayOut>& ways) {
    Result<Evaluation> evaluation = evaluate(candidate, true);
    if (!evaluation || !(evaluation->memory.needed.mid < report.memory.needed.mid)) {
      return;  // impossible here, or no help
    }
    WayOut way{.change = std::move(change), .device = evaluation->memory.device};
    way.verdict = verdict_of(way.device, capacity, report.job.headroom);
    if (evaluation->time) {
      way.step_time = evaluation->time->step_time;
      way.communication = evaluation->time->communication_share() * evaluation->time->step_time.mid;
    }
    ways.push_back(std::move(way));
  }

  std::vector<WayOut> ways_out(const Candidate& asked, Bytes capacity, const FitReport& report) {
    std::vector<WayOut> ways;
    const auto with = [&](std::string change, auto edit) {
      Candidate candidate = asked;
      edit(candidate);
      try_way(std::move(change), candidate, capacity, report, ways);
    };
    if (report.job.activation_recompute != ActivationRecompute::full) {
      with("activation_recompute=full", [](Candidate& c) { c.job.activation_recompute = ActivationRecompute::full; });
    }
    if (report.job.micro_batch_size > 1) {
      with("micro_batch_size=1", [](Candidate& c) { c.job.micro_batch_size = 1; });
    }
    if (report.job.loss.kind != LossKind::fused_linear) {
      with("loss=fused_linear", [](Candidate& c) { c.job.loss = LossKind::fused_linear; });
    }
    if (!trains_adapters_only(report.job.method)) {
      with("optimizer=adamw_8bit", [](Candidate& c) { c.job.optimizer = Optimizer::adamw_8bit; });
      with("precision=bf16-pure", [](Candidate& c) { c.job.precision = Precision::bf16_pure; });
      with("method=lora", [](Candidate& c) { c.job.method = Method::lora; });
    }
    if (report.job.method != Method::qlora) {
      with("method=qlora", [](Candidate& c) { c.job.method = Method::qlora; });
    }
    const EngineSupport& supports = request_.profile->supports;
    const std::pair<bool, Offload> offloads[] = {
        {supports.offload_optimizer, Offload::optimizer},
        {supports.offload_optimizer_and_weights, Offload::optimizer_and_weights},
        {supports.offload_activations, Offload::activations}};
    for (const auto& [supported, offload] : offloads) {
      if (supported && report.job.offload == Offload::none) {
        with("offload=" + std::string(enum_name(offload)), [what = offload](Candidate& c) { c.job.offload = what; });
      }
    }
    if (request_.gpus > 1 && supports.sharding && asked.layout.zero_stage < 3) {
      with("zero_stage=3", [&](Candidate& c) {
        c.layout.dp_shard = c.layout.data_parallel();
        c.layout.dp_replicate = 1;
        c.layout.zero_stage = 3;
      });
    }
    std::stable_sort(ways.begin(), ways.end(), [](const WayOut& a, const WayOut& b) {
      if ((a.verdict == Verdict::does_not_fit) != (b.verdict == Verdict::does_not_fit)) {
        return b.verdict == Verdict::does_not_fit;
      }
      return a.step_time && b.step_time && a.step_time->mid < b.step_time->mid;
    });
    return ways;
  }

  const FitRequest& request_;
};

}  // namespace

ParallelLayout usual_layout(const Profile& profile, std::int64_t gpus) {
  ParallelLayout layout;
  if (gpus <= 1) {
    return layout;
  }
  switch (profile.memory.sharding.style) {
    case DataParallelStyle::ddp:
      layout.dp_replicate = gpus;
      break;
    case DataParallelStyle::fsdp1:
    case DataParallelStyle::fsdp2:
      layout.dp_shard = gpus;
      layout.zero_stage = 3;
      break;
    case DataParallelStyle::zero:
      layout.dp_shard = gpus;
      layout.zero_stage = 2;
      break;
    case DataParallelStyle::distributed_optimizer:
      layout.dp_shard = gpus;
      layout.zero_stage = 1;
      break;
  }
  return layout;
}

Result<FitReport> fit(const FitRequest& request) {
  return Fitter(request).run();
}

}  // namespace mekiki
