// Live tensors add up to memory(), parts of a step to step_time(): on every bundled profile, for jobs that differ in
// what they keep, gather, offload and split.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "catalog/kernel_rates_reader.h"
#include "catalog/profile_reader.h"
#include "explain/explanation.h"
#include "model/family.h"

namespace mekiki {
namespace {

struct Case {
  std::string name;
  std::string config = "data/models/meta-llama__Llama-3.2-1B.json";
  Job job{};
  std::int64_t gpus = 1;
  std::optional<ParallelLayout> layout{};
};

std::vector<Case> cases() {
  const std::string moe = "data/models/mistralai__Mixtral-8x7B-v0.1.json";
  return {{.name = "alone"},
          {.name = "usual_layout", .job = {.gradient_accumulation_steps = 4}, .gpus = 8},
          {.name = "adapters", .job = {.method = Method::lora, .micro_batch_size = 3}},
          {.name = "quantised", .job = {.method = Method::qlora, .sequence_length = 1024}},
          {.name = "recomputed", .job = {.activation_recompute = ActivationRecompute::full}},
          {.name = "every_second_recomputed", .job = {.activation_recompute = ActivationRecompute::every_k}},
          {.name = "low_rank", .job = {.optimizer = Optimizer::galore}},
          {.name = "block_by_block", .job = {.optimizer = Optimizer::badam}},
          {.name = "offloaded", .job = {.offload = Offload::everything}},
          {.name = "sharded",
           .job = {.micro_batch_size = 2},
           .gpus = 8,
           .layout = ParallelLayout{.dp_shard = 8, .zero_stage = 3}},
          {.name = "pipeline",
           .job = {.gradient_accumulation_steps = 8},
           .gpus = 8,
           .layout = ParallelLayout{.dp_replicate = 2, .pipeline_parallel = 4}},
          {.name = "three_axes",
           .job = {.gradient_accumulation_steps = 4},
           .gpus = 16,
           .layout = ParallelLayout{.dp_shard = 2,
                                    .tensor_parallel = 2,
                                    .sequence_parallel = true,
                                    .context_parallel = 2,
                                    .pipeline_parallel = 2,
                                    .zero_stage = 1}},
          {.name = "experts",
           .config = moe,
           .gpus = 8,
           .layout = ParallelLayout{.dp_shard = 8, .expert_parallel = 4, .zero_stage = 2}}};
}

struct World {
  const Catalog& catalog = bundled_catalog();
  RatesBook book = rates_book(catalog).value();
  const Gpu& gpu = *find_gpu(catalog, "h200-sxm5-141").value();
  GpuRates rates = rates_of(gpu, book, catalog).value();
  ClusterView cluster = usual_cluster(gpu, 8, book);
};

const World& world() {
  static const World the_world;
  return the_world;
}

double sum_of(const Explanation& e) {
  double sum = 0;
  for (const LiveItem& item : e.live) {
    sum += item.total() / kByte;
  }
  for (const StepPart& part : e.parts) {
    sum += part.total() / kSecond;
  }
  return sum;
}

void expect_in_order(const Explanation& e) {
  EXPECT_TRUE(std::is_sorted(
      e.live.begin(), e.live.end(), [](const LiveItem& a, const LiveItem& b) { return a.total() > b.total(); }));
  EXPECT_TRUE(std::is_sorted(
      e.parts.begin(), e.parts.end(), [](const StepPart& a, const StepPart& b) { return a.total() > b.total(); }));
}

void expect_adds_up(const Explanation& e) {
  SCOPED_TRACE(enum_name(e.term));
  ASSERT_TRUE(std::holds_alternative<double>(e.value));
  const double value = std::get<double>(e.value);
  if (e.term >= Term::gemm && e.term <= Term::other) {
    EXPECT_NEAR(sum_of(e), value, 1e-12 + 1e-9 * value);
  } else if (e.term <= Term::communication || e.term == Term::host_memory) {
    EXPECT_NEAR(sum_of(e), value, 0.5);
    for (const LiveItem& item : e.live) {
      EXPECT_GT(item.count, 0.0) << item.name;
    }
  }
  expect_in_order(e);
  EXPECT_FALSE(e.inputs.empty());
}

/// Whether the profile can run the case; then every term of it is checked.
bool check(std::string_view profile_id, const Case& c) {
  const Arch arch = read_config(find_document(world().catalog, c.config).value(), c.config).value().arch;
  const Profile profile = find_profile(world().catalog, profile_id).value();
  const FitRequest request{.arch = &arch,
                           .job = c.job,
                           .profile = &profile,
                           .gpus = c.gpus,
                           .layout = c.layout,
                           .target = {.rates = world().rates, .cluster = world().cluster}};
  const Result<FitReport> report = fit(request);
  if (!report) {
    return false;
  }
  const Result<std::vector<Explanation>> all = explain(request, *report, {}, read_terms("all").value());
  EXPECT_TRUE(all) << describe(all.error());
  for (const Explanation& e : *all) {
    if (e.term != Term::verdict && e.term != Term::oom_probability) {
      expect_adds_up(e);
    }
  }
  return true;
}

TEST(Explain, WhatLivesAddsUpOnEveryProfile) {
  int checked = 0, refused = 0;
  for (const std::string_view profile : profile_ids(world().catalog)) {
    for (const Case& c : cases()) {
      SCOPED_TRACE(std::string(profile) + " " + c.name);
      (check(profile, c) ? checked : refused) += 1;
    }
  }
  EXPECT_GT(checked, 10 * refused) << refused << " refused";
}

TEST(Explain, SizesFollowTheBatchAsTheySay) {
  const Case c{.name = "alone", .job = {.sequence_length = 512}};
  const Arch arch = read_config(find_document(world().catalog, c.config).value(), c.config).value().arch;
  const Profile profile = find_profile(world().catalog, profile_ids(world().catalog).front()).value();
  FitRequest request{.arch = &arch, .job = c.job, .profile = &profile};
  const FitReport report = fit(request).value();
  const KeyPlaces nowhere;
  const Subject subject = subject_of(request, report, nowhere).value();
  const LiveSet live = live_at_peak(subject, report.memory.peak);
  request.job.micro_batch_size = 4;
  const FitReport wider = fit(request).value();
  const Subject wider_subject = subject_of(request, wider, nowhere).value();
  const LiveSet wider_live = live_at_peak(wider_subject, report.memory.peak);
  int compared = 0;
  for (const LiveItem& item : live.items) {
    const Bytes expected = item.bytes * std::pow(4.0, item.size.micro_batch);
    compared +=
        item.size.known && std::any_of(wider_live.items.begin(), wider_live.items.end(), [&](const auto& other) {
          return other.name == item.name && other.place == item.place && other.bytes == expected;
        });
  }
  EXPECT_EQ(compared, static_cast<int>(live.items.size()));
}

}  // namespace
}  // namespace mekiki
