#include "program/lower.h"

#include <gtest/gtest.h>

#include "job/profile_for_tests.h"
#include "model/count.h"
#include "model/small_arch_for_tests.h"

namespace mekiki {
namespace {

struct Case {
  const char* name;
  Arch arch;
  ActivationRecompute recompute = ActivationRecompute::none;
  ParallelLayout layout{};
  Method method = Method::full;
};

std::vector<Case> cases() {
  using enum ActivationRecompute;
  return {{"dense", for_tests::dense_arch()},
          {"dense, full recompute", for_tests::dense_arch(), full},
          {"dense, selective", for_tests::dense_arch(), selective},
          {"mixed", for_tests::mixed_arch(), none},
          {"moe", for_tests::moe_arch(), none},
          {"moe, full recompute", for_tests::moe_arch(), full},
          {"tensor parallel", for_tests::dense_arch(), none, {.tensor_parallel = 4, .sequence_parallel = true}},
          {"tensor parallel without sequence parallel", for_tests::dense_arch(), full, {.tensor_parallel = 2}},
          {"pipeline", for_tests::dense_arch(8), none, {.pipeline_parallel = 4}},
          {"sharded", for_tests::dense_arch(), full, {.dp_shard = 8, .zero_stage = 3}},
          {"context", for_tests::dense_arch(), none, {.context_parallel = 2}},
          {"lora", for_tests::dense_arch(), full, {}, Method::lora}};
}

struct Lowered {
  ResolvedJob job;
  PreparedModel model;
  StepProgram program;
};

Lowered lower_case(const Case& c, const Profile& profile) {
  Job job;
  job.method = c.method;
  job.sequence_length = 64;
  job.micro_batch_size = 2;
  job.activation_recompute = c.recompute;
  job.gradient_accumulation_steps = 4;
  Lowered l;
  l.job = with_defaults(job, profile, {}).value();
  l.model = prepare_model(c.arch, l.job).value();
  l.program = lower(l.model, l.job, c.layout, profile).value();
  return l;
}

Bytes sum(const StepProgram& program, const Segment& segment, Lifetime lifetime) {
  Bytes bytes;
  for (const Tensor& tensor : program.tensors_of(segment)) {
    bytes += tensor.lifetime == lifetime ? tensor.bytes : Bytes{};
  }
  return bytes;
}

TEST(Lower, WhatForwardKeepsBackwardReleases) {
  const Profile profile = for_tests::plain_profile();
  for (const Case& c : cases()) {
    const Lowered l = lower_case(c, profile);
    std::vector<Bytes> kept(l.model.layers.size()), released(l.model.layers.size());
    for (const Segment& segment : l.program.segments) {
      if (segment.kind == SegmentKind::layer_forward) {
        kept[static_cast<std::size_t>(segment.layer_kind)] = sum(l.program, segment, Lifetime::kept);
      } else if (segment.kind == SegmentKind::layer_backward) {
        released[static_cast<std::size_t>(segment.layer_kind)] = sum(l.program, segment, Lifetime::released);
      }
    }
    for (std::size_t kind = 0; kind < kept.size(); ++kind) {
      EXPECT_GT(kept[kind], Bytes{}) << c.name;
      EXPECT_DOUBLE_EQ(kept[kind].base(), released[kind].base()) << c.name;
    }
  }
}

TEST(Lower, TensorsLiveInsideTheirSegment) {
  const Profile profile = for_tests::plain_profile();
  for (const Case& c : cases()) {
    const Lowered l = lower_case(c, profile);
    for (const Segment& segment : l.program.segments) {
      for (const Tensor& tensor : l.program.tensors_of(segment)) {
        EXPECT_GE(tensor.born, 0) << c.name << " " << tensor.name;
        EXPECT_LE(tensor.born, tensor.freed) << c.name << " " << tensor.name;
        EXPECT_LT(tensor.freed, segment.op_count) << c.name << " " << tensor.name;
        EXPECT_GE(tensor.bytes, Bytes{}) << c.name << " " << tensor.name;
      }
    }
  }
}

/// FLOPs of one micro-batch over all stages, recompute left out.
Flops step_flops(const StepProgram& program) {
  Flops total;
  for (const StageProgram& stage : program.stages) {
    const bool middle = !stage.role.has_embedding && !stage.role.has_head;
    const double stands_for = middle ? static_cast<double>(program.layout.pipeline_parallel - 2) : 1.0;
    for (const Timeline& timeline : {stage.forward, stage.backward}) {
      for (const TimelinePart& part : program.parts_of(timeline)) {
        for (const SegmentRun& run : program.runs_of(part)) {
          for (const StepOp& op : program.ops_of(program.segments[static_cast<std::size_t>(run.segment)])) {
            total += op.pass == Pass::recompute ? Flops{} : stands_for * run.repeat * flops_of(op);
          }
        }
      }
    }
  }
  return total;
}

std::int64_t norm_weights_of(const Arch& arch) {
  std::int64_t sum = norm_weights(arch.final_norm, arch.hidden_size);
  for (const LayerGroup& group : arch.layer_groups) {
    for (const SubLayer& sub : group.layer.sub_layers) {
      sum += group.count * (sub.norms_before + sub.norms_after) * norm_weights(group.layer.norm, arch.hidden_size);
    }
  }
  return sum;
}

// Two independent ways to the same number: the formula per token of model/count, and the sum over the ops of a lowered
// step.
TEST(Lower, FlopsAgreeWithTheFormulaPerToken) {
  const Profile profile = for_tests::plain_profile();
  for (const Case& c : cases()) {
    if (trains_adapters_only(c.method)) {
      continue;
    }
    const Lowered l = lower_case(c, profile);
    const FlopsPerToken per_token = flops_per_token(c.arch, l.job.sequence_length);
    const double ranks = static_cast<double>(c.layout.tensor_parallel * c.layout.context_parallel);
    const double tokens = static_cast<double>(l.job.micro_batch_size * l.job.sequence_length);
    // Attention backward recomputes the scores: 2.5 forward instead of 2; the formula counts 2.
    double attention = 0;
    for (const LayerGroup& group : c.arch.layer_groups) {
      for (const SubLayer& sub : group.layer.sub_layers) {
        if (const auto* a = std::get_if<Attention>(&sub.block)) {
          attention += static_cast<double>(group.count * a->heads * a->head_dim * l.job.sequence_length) * 2.0 * tokens;
        }
      }
    }
    // The formula counts norm weights among the weights a token visits (2 FLOPs each); a lowered step has no products
    // for them.
    const double norms = static_cast<double>(norm_weights_of(c.arch)) * 6.0 * tokens;
    const double expected = per_token.training_causal() / kFlop * tokens + 0.5 * attention - norms;
    EXPECT_NEAR(step_flops(l.program) / kFlop * ranks / expected, 1.0, 1e-9) << c.name;
  }
}

TEST(Lower, ResidentWeightsAreTheWeightsOfTheModel) {
  const Profile profile = for_tests::plain_profile();
  for (const Case& c : cases()) {
    if (c.layout.pipeline_parallel > 1 || c.method != Method::full) {
      continue;
    }
    const Lowered l = lower_case(c, profile);
    Bytes weights;
    for (const Resident& resident : l.program.residents) {
      weights += resident.category == Category::weights ? resident.bytes : Bytes{};
    }
    const double all = static_cast<double>(count_weights(c.arch).trainable) * 4.0;
    const double shards = c.layout.zero_stage == 3 ? static_cast<double>(c.layout.dp_shard) : 1.0;
    if (c.layout.tensor_parallel == 1) {
      EXPECT_DOUBLE_EQ(weights.base(), all / shards) << c.name;
    } else {
      EXPECT_GT(weights.base(), all / static_cast<double>(c.layout.tensor_parallel)) << "norms are on every rank";
      EXPECT_LT(weights.base(), all) << c.name;
    }
  }
}

TEST(Lower, FullRecomputeKeepsOneInputPerLayer) {
  const Profile profile = for_tests::plain_profile();
  const Lowered l = lower_case({"", for_tests::dense_arch(), ActivationRecompute::full}, profile);
  for (const Segment& segment : l.program.segments) {
    if (segment.kind == SegmentKind::layer_forward) {
      EXPECT_DOUBLE_EQ(sum(l.program, segment, Lifetime::kept).base(),
                       2.0 * 64 * 128 * 2);  // 2 sequences x 64 x hidden 128 x bf16
    }
  }
}

TEST(Lower, StagesShareTheLayers) {
  for (std::int64_t layers = 1; layers <= 40; ++layers) {
    for (std::int64_t stages = 1; stages <= layers; ++stages) {
      std::int64_t sum_of_layers = 0;
      for (std::int64_t stage = 0; stage < stages; ++stage) {
        sum_of_layers += layers_of_stage(layers, stages, stage);
      }
      EXPECT_EQ(sum_of_layers, layers) << layers << " over " << stages;
    }
  }
}

StepProgram lowered(const Job& job, const ParallelLayout& layout = {}) {
  const Profile profile = for_tests::plain_profile();
  const ResolvedJob resolved = with_defaults(job, profile, {}).value();
  const PreparedModel model = prepare_model(for_tests::dense_arch(), resolved).value();
  return lower(model, resolved, layout, profile).value();
}

Bytes resident_bytes(const StepProgram& program, Category category, bool on_host) {
  Bytes sum;
  for (const Resident& resident : program.residents) {
    sum += resident.category == category && (resident.place == MemoryPlace::host) == on_host ? resident.bytes : Bytes{};
  }
  return sum;
}

TEST(Lower, OffloadMovesWhatItNames) {
  const StepProgram plain = lowered({});
  for (const Offload offload : {Offload::optimizer, Offload::optimizer_and_weights, Offload::activations}) {
    Job job;
    job.offload = offload;
    const StepProgram program = lowered(job);
    for (const auto& [category, moves] : {std::pair{Category::optimizer_states, offloads_optimizer(offload)},
                                          std::pair{Category::weights, offloads_weights(offload)}}) {
      EXPECT_EQ(resident_bytes(program, category, moves), resident_bytes(plain, category, false)) << enum_name(offload);
      EXPECT_EQ(resident_bytes(program, category, !moves), Bytes{}) << enum_name(offload);
    }
    EXPECT_EQ(resident_bytes(program, Category::activations, true) > Bytes{}, offloads_activations(offload));
  }
}

// Source: arXiv 2104.08691: virtual tokens x width; arXiv 2101.00190: keys and values of each layer.
TEST(Lower, PromptsTrainTheirOwnTokensOnly) {
  Job job;
  job.method = Method::prompt;
  job.virtual_tokens = 10;
  EXPECT_DOUBLE_EQ(lowered(job).stages[0].trained_elements, 10.0 * 128);
  job.method = Method::prefix;
  EXPECT_DOUBLE_EQ(lowered(job).stages[0].trained_elements, 4 * 2.0 * 10 * 4 * 16);
}

TEST(Lower, OneOfSoManyLayersIsRecomputed) {
  const auto peak_of = [](Job job) {
    const Profile profile = for_tests::plain_profile();
    job.method = Method::full;
    job.sequence_length = 4096;
    const ResolvedJob resolved = with_defaults(job, profile, {}).value();
    Arch arch = for_tests::dense_arch();
    const StepProgram program =
        lower(prepare_model(arch, resolved).value(), resolved, ParallelLayout{}, profile).value();
    Bytes kept;
    for (const TimelinePart& part : program.parts_of(program.stages.front().forward)) {
      for (const SegmentRun& run : program.runs_of(part)) {
        for (const Tensor& tensor : program.tensors_of(program.segments[static_cast<std::size_t>(run.segment)])) {
          kept += tensor.lifetime == Lifetime::kept ? run.repeat * tensor.bytes : Bytes{};
        }
      }
    }
    return kept;
  };
  const Bytes none = peak_of({.activation_recompute = ActivationRecompute::none});
  const Bytes all = peak_of({.activation_recompute = ActivationRecompute::full});
  const Bytes half = peak_of({.activation_recompute = ActivationRecompute::every_k, .recompute_every = 2});
  EXPECT_LT(all, half);
  EXPECT_LT(half, none);
  EXPECT_EQ(peak_of({.activation_recompute = ActivationRecompute::every_k, .recompute_every = 1}), all);
  EXPECT_EQ(peak_of({.recompute_layers = for_tests::dense_arch().layer_count()}), all);
}

// Sources: see micro_batches_in_flight in lower.cpp.
TEST(Lower, SchedulesHoldWhatTheyHaveNotFinished) {
  const auto in_flight = [](PipelineSchedule schedule, std::size_t stage) {
    Job job;
    job.gradient_accumulation_steps = 16;
    job.pipeline_schedule = schedule;
    return lowered(job, {.pipeline_parallel = 4}).stages[stage].micro_batches_in_flight;
  };
  EXPECT_EQ(in_flight(PipelineSchedule::one_f_one_b, 0), 4);
  EXPECT_EQ(in_flight(PipelineSchedule::one_f_one_b, 2), 1);  // the last of first, middle, last
  EXPECT_EQ(in_flight(PipelineSchedule::gpipe, 2), 16);
  for (const PipelineSchedule schedule : {PipelineSchedule::zero_bubble, PipelineSchedule::zero_bubble_v}) {
    EXPECT_EQ(in_flight(schedule, 0), 4);
    EXPECT_EQ(in_flight(schedule, 2), 4);
  }
}

TEST(Lower, OffloadToNvmeLeavesBuffersOnTheHost) {
  Job job;
  job.offload = Offload::optimizer;
  job.offload_to = OffloadTarget::nvme;
  Profile profile = for_tests::plain_profile();
  profile.memory.sharding.nvme_update_buffers = 4;
  const ResolvedJob resolved = with_defaults(job, profile, {}).value();
  const PreparedModel model = prepare_model(for_tests::dense_arch(), resolved).value();
  const StepProgram program = lower(model, resolved, {}, profile).value();
  for (const Resident& resident : program.residents) {
    if (resident.category == Category::optimizer_states) {
      EXPECT_EQ(resident.place, MemoryPlace::nvme);
    }
    if (resident.name == "nvme_buffers") {
      EXPECT_EQ(resident.place, MemoryPlace::host);
      EXPECT_EQ(resident.bytes, 4.0 * program.stages[0].trained_elements * bytes_per_element(Dtype::fp32));
    }
  }
  EXPECT_FALSE(with_defaults({.offload_to = OffloadTarget::nvme}, profile, {}));
}

TEST(Lower, StochasticRoundingNeedsNoMasterCopy) {
  Profile profile = for_tests::plain_profile();
  DtypeRule& pure = profile.memory.dtypes[static_cast<std::size_t>(Precision::bf16_pure)];
  pure.master_weights = true;
  pure.optimizer_states = Dtype::fp32;
  const ResolvedJob job =
      with_defaults({.precision = Precision::bf16_pure, .stochastic_rounding = true}, profile, {}).value();
  EXPECT_FALSE(job.dtypes.master_weights);
  EXPECT_EQ(job.dtypes.optimizer_states, Dtype::bf16);
  EXPECT_FALSE(with_defaults({.stochastic_rounding = true}, profile, {})) << "fp32 weights are not rounded";
}

// Source: arXiv 2402.09353: one magnitude per output of every adapted layer.
TEST(Lower, DoraTrainsAMagnitudePerOutput) {
  Job job;
  job.method = Method::lora;
  job.lora = Lora{.rank = 4, .targets = {"q_proj"}};
  const double plain = lowered(job).stages[0].trained_elements;
  job.lora->dora = true;
  const StepProgram program = lowered(job);
  EXPECT_DOUBLE_EQ(program.stages[0].trained_elements - plain, 4 * 128.0);
}

TEST(Lower, TheBusiestExpertsDecide) {
  const auto moved = [](double imbalance, std::int64_t expert_parallel) {
    const Profile profile = for_tests::plain_profile();
    const ResolvedJob job = with_defaults({.expert_imbalance = imbalance}, profile, {}).value();
    const PreparedModel model = prepare_model(for_tests::moe_arch(), job).value();
    const ParallelLayout layout{.dp_replicate = 4, .expert_parallel = expert_parallel};
    const StepProgram program = lower(model, job, layout, profile).value();
    double dispatched = 0;
    for (const Tensor& tensor : program.tensors) {
      dispatched += tensor.name == "dispatched_tokens" ? tensor.bytes / kByte : 0.0;
    }
    return dispatched;
  };
  EXPECT_DOUBLE_EQ(moved(1.5, 4), 1.5 * moved(1.0, 4));
  EXPECT_DOUBLE_EQ(moved(1.5, 1), moved(1.0, 1)) << "one rank computes all experts";
}

// Sources: arXiv 2309.14509, section 3.2: an all-to-all moves 1 / ranks of what a gather brings.
TEST(Lower, ExchangedHeadsMoveLessThanGatheredKeys) {
  const auto traffic = [](ContextExchange exchange) {
    Job job;
    job.context_exchange = exchange;
    double sum = 0;
    for (const StepOp& op : lowered(job, {.context_parallel = 4}).ops) {
      const auto* work = std::get_if<CollectiveWork>(&op.work);
      if (work != nullptr && work->group == RankGroup::context) {
        sum += work->message / kByte / (work->kind == Collective::all_to_all ? 4.0 : 1.0);
      }
    }
    return sum;
  };
  EXPECT_GT(traffic(ContextExchange::all_to_all), 0.0);
  EXPECT_LT(traffic(ContextExchange::all_to_all), traffic(ContextExchange::ring));
}

// Source: arXiv 2305.14314, section 3: 32 / 64 = 0.5 bits a weight for the constants, 0.127 when they are quantised.
TEST(Lower, QuantisedConstantsAndExpertsLeftOut) {
  const auto weights = [](Job job) {
    const Profile profile = for_tests::plain_profile();
    job.method = Method::qlora;
    const ResolvedJob resolved = with_defaults(job, profile, {}).value();
    const PreparedModel model = prepare_model(for_tests::moe_arch(), resolved).value();
    return resident_bytes(lower(model, resolved, {}, profile).value(), Category::weights, false);
  };
  EXPECT_LT(weights({.double_quantization = true}), weights({.double_quantization = false}));
  EXPECT_GT(weights({.quantize_experts = false}), weights({}));
  const Profile profile = for_tests::plain_profile();
  const auto bits = [&](bool again) {
    const Job job{.method = Method::qlora, .double_quantization = again};
    return 8.0 * with_defaults(job, profile, {}).value().bytes_per_4bit_weight;
  };
  EXPECT_DOUBLE_EQ(bits(false), 4.5);
  EXPECT_NEAR(bits(true), 4.127, 5e-4);
}

}  // namespace
}  // namespace mekiki
