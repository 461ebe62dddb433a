// Rules over a whole set of plans: usual advice, steps, purchase, mistakes, goal.
#include <algorithm>
#include <deque>

#include <gtest/gtest.h>

#include "advice/adviser.h"
#include "advice/base_model.h"
#include "advice/checklist.h"
#include "advice/matrix.h"
#include "advice/mistakes.h"
#include "advice/steps.h"

namespace mekiki {
namespace {

/// Plans with the figures that rules look at; everything else is as a quiet plan has it.
struct Market {
  std::deque<Gpu> gpus;
  std::deque<Machine> machines;
  std::deque<PriceChoice> prices;
  PlanSet set;

  struct Offer {
    std::string_view gpu = "card";
    std::int64_t gpus = 1;
    std::int64_t nodes = 1;
    double rate = 2.0;    // USD per hour of a node
    double cost = 100.0;  // of everything
    double hours = 10.0;
    std::string_view provider = "shop";
    FormFactor form = FormFactor::sxm;
    LinkKind link = LinkKind::nvswitch;
    PriceKind kind = PriceKind::on_demand;
    Method method = Method::full;
  };

  Plan& add(const Offer& offer) {
    Gpu& gpu = gpus.emplace_back(Gpu{.id = offer.gpu, .vendor = "maker", .architecture = "Chip", .form = offer.form});
    gpu.memory_marketed = 80e9 * kByte;
    gpu.memory_reported = 80.0 * kGiB;
    for (Gpu& known : gpus) {
      if (known.id == offer.gpu && &known != &gpu) {
        return finish(offer, known);
      }
    }
    return finish(offer, gpu);
  }

  Plan& finish(const Offer& offer, const Gpu& gpu) {
    Machine& machine = machines.emplace_back();
    machine.system = {.id = "box", .provider = offer.provider, .gpu_id = offer.gpu, .gpus = offer.gpus / offer.nodes};
    machine.gpu = &gpu;
    machine.cluster.link = offer.link;
    PriceChoice& price = prices.emplace_back();
    price.offer.price = {.id = "row", .provider = offer.provider, .kind = offer.kind};
    price.offer.price.per_unit = offer.rate * kUsdPerHour;
    Plan plan;
    plan.rank = static_cast<std::int64_t>(set.plans.size()) + 1;
    plan.machine = &machine;
    plan.nodes = offer.nodes;
    plan.price = &price;
    plan.capacity = gpu.memory_reported;
    plan.job.method = offer.method;
    plan.job.headroom = 0.2;
    plan.memory.device.mid = 40.0 * kGiB;
    plan.run.p50 = plan.run.work = offer.hours * kHour;
    plan.run.p90 = 1.5 * offer.hours * kHour;
    plan.cost = CostReport{};
    plan.cost->total = plan.cost->total_p90 = Usd{offer.cost};
    plan.cost->terms[static_cast<std::size_t>(CostTermKind::gpu)].amount =
        Usd{offer.rate * offer.hours * static_cast<double>(offer.nodes)};
    set.plans.push_back(plan);
    if (!set.cheapest || offer.cost < set.plans[static_cast<std::size_t>(*set.cheapest - 1)].cost->total / kUsd) {
      set.cheapest = plan.rank;
    }
    set.smallest = SmallestProof{.rank = 1};
    return set.plans.back();
  }
};

const Advice* find(const std::vector<Advice>& advice, AdviceId id) {
  const auto found = std::find_if(advice.begin(), advice.end(), [&](const Advice& a) { return a.id == id; });
  return found == advice.end() ? nullptr : &*found;
}

template <class T>
T value(const Advice& advice, Name key) {
  for (const AdviceValue& v : advice.values) {
    if (v.key == key) {
      return std::get<T>(v.value);
    }
  }
  throw std::runtime_error("no value " + std::string(key));
}

std::vector<WorkloadRule> rules() {
  return *read_workload_rules(
      "workload,methods,weights_from,weights_to,gpus,most_gpus_in_a_node,note\n"
      "small,lora qlora,0,20e9,card other,1,\n"
      "large,full,20e9,,big,,\n",
      "workloads.csv");
}

TEST(Workload, RowsAreChosenByMethodAndWeights) {
  const std::vector<WorkloadRule> all = rules();
  EXPECT_EQ(workload_of(all, Method::lora, 7e9)->workload, "small");
  EXPECT_EQ(workload_of(all, Method::full, 70e9)->workload, "large");
  EXPECT_EQ(workload_of(all, Method::full, 7e9), nullptr);
  EXPECT_EQ(workload_of(all, Method::lora, 20e9), nullptr) << "the end of a range is not in it";
}

TEST(Workload, AgreesDiffersOrHasNothingToCompare) {
  Market agrees;
  agrees.add({.gpu = "card", .cost = 100, .method = Method::lora});
  EXPECT_NE(find(advise_workload(agrees.set, rules(), 7e9), AdviceId::workload_agrees), nullptr);
  Market differs;
  differs.add({.gpu = "odd", .cost = 50, .method = Method::lora});
  differs.add({.gpu = "card", .cost = 100, .hours = 7, .method = Method::lora});
  const std::vector<Advice> advice = advise_workload(differs.set, rules(), 7e9);
  const Advice* difference = find(advice, AdviceId::workload_differs);
  ASSERT_NE(difference, nullptr);
  EXPECT_EQ(value<Usd>(*difference, "usual_cost"), Usd{100});
  EXPECT_EQ(value<std::int64_t>(*difference, "usual_rank"), 2);
  Market nothing;
  nothing.add({.gpu = "odd", .method = Method::lora});
  EXPECT_NE(find(advise_workload(nothing.set, rules(), 7e9), AdviceId::workload_unavailable), nullptr);
  EXPECT_TRUE(advise_workload({}, rules(), 7e9).empty());
}

TEST(Workload, AWholeNodeIsNotNeededWhereOneCardDoes) {
  Market market;
  market.add({.gpu = "card", .cost = 100, .method = Method::lora});
  market.add({.gpu = "card", .gpus = 8, .cost = 400, .method = Method::lora});
  const std::vector<Advice> advice = advise_workload(market.set, rules(), 7e9);
  const Advice* node = find(advice, AdviceId::node_not_needed);
  ASSERT_NE(node, nullptr);
  EXPECT_EQ(value<Usd>(*node, "node_cost"), Usd{400});
}

TEST(Workload, BadTablesAreRefusedWithTheirLine) {
  const std::string header = "workload,methods,weights_from,weights_to,gpus,most_gpus_in_a_node,note\n";
  for (const char* row :
       {"a,loras,0,,x,,\n", "a,lora,5,3,x,,\n", "a,lora,0,,,,\n", "a,lora,0,,x,0,\n", ",lora,0,,x,,\n"}) {
    const auto read = read_workload_rules(header + row, "t.csv");
    ASSERT_FALSE(read) << row;
    EXPECT_EQ(read.error().subject, "t.csv:2") << row;
  }
  EXPECT_EQ(read_workload_rules("a,b\n", "t.csv").error().subject, "t.csv:1");
}

TEST(Mistakes, TheDearestGpuCostsFurtherRuns) {
  Market market;
  market.add({.gpu = "card", .rate = 2, .cost = 100});
  market.add({.gpu = "dear", .rate = 9, .cost = 350});
  const std::vector<Advice> advice = advise_mistakes(market.set, 1e9);
  const Advice* dear = find(advice, AdviceId::dearest_gpu);
  ASSERT_NE(dear, nullptr);
  EXPECT_EQ(value<Usd>(*dear, "saving"), Usd{250});
  EXPECT_DOUBLE_EQ(value<Count>(*dear, "further_runs").value, 2.5);
}

TEST(Mistakes, NobodyIsWarnedOfTheGpuThatIsCheapestToo) {
  Market market;
  market.add({.gpu = "card", .rate = 2, .cost = 300});
  market.add({.gpu = "dear", .rate = 9, .cost = 100});
  const std::vector<Advice> advice = advise_mistakes(market.set, 1e9);
  EXPECT_EQ(find(advice, AdviceId::dearest_gpu), nullptr);
  const Advice* rate = find(advice, AdviceId::rate_is_not_cost);
  ASSERT_NE(rate, nullptr) << "a cheaper hour that makes a dearer job";
  EXPECT_EQ(value<Usd>(*rate, "rate"), Usd{2});
}

TEST(Mistakes, FormsOfAChipAreComparedAtTheSameNumber) {
  Market market;
  market.add({.gpu = "card-sxm", .gpus = 8, .cost = 100, .hours = 10});
  market.add({.gpu = "card-pcie", .gpus = 8, .cost = 150, .hours = 16, .form = FormFactor::pcie});
  market.add({.gpu = "card-pcie", .gpus = 1, .cost = 160, .hours = 90, .form = FormFactor::pcie});
  const std::vector<Advice> advice = advise_mistakes(market.set, 1e9);
  const Advice* forms = find(advice, AdviceId::form_factor);
  ASSERT_NE(forms, nullptr);
  EXPECT_DOUBLE_EQ(value<Count>(*forms, "slower").value, 1.6);
  EXPECT_EQ(value<std::string>(*forms, "gpu"), "card-pcie");
}

TEST(Mistakes, PcieThatDoesNotWaitIsFine) {
  Market market;
  Plan& plan = market.add({.gpus = 4, .link = LinkKind::pcie});
  plan.share_waiting = 0.04;
  EXPECT_NE(find(advise_mistakes(market.set, 1e9), AdviceId::pcie_does), nullptr);
  plan.waits_for_communication = true;
  EXPECT_EQ(find(advise_mistakes(market.set, 1e9), AdviceId::pcie_does), nullptr);
}

TEST(Mistakes, ContinuedPretrainingOnOneNodeNeedsNoCluster) {
  Market one, many;
  one.add({.gpus = 8, .method = Method::continued_pretraining});
  many.add({.gpus = 16, .nodes = 2, .method = Method::continued_pretraining});
  EXPECT_NE(find(advise_mistakes(one.set, 1e9), AdviceId::one_node_does), nullptr);
  EXPECT_EQ(find(advise_mistakes(many.set, 1e9), AdviceId::one_node_does), nullptr);
}

TEST(Steps, HardwareThenProviderEachWithItsRunnerUp) {
  Market market;
  market.add({.gpu = "card", .cost = 100, .provider = "shop"});
  market.add({.gpu = "card", .cost = 120, .provider = "other"});
  market.add({.gpu = "big", .cost = 130, .provider = "shop"});
  const std::vector<Advice> advice = advise_steps(market.set, {});
  EXPECT_EQ(value<std::string>(*find(advice, AdviceId::hardware_step), "next_gpu"), "big");
  EXPECT_EQ(value<std::string>(*find(advice, AdviceId::provider_step), "next_provider"), "other");
  Market alone;
  alone.add({});
  EXPECT_NE(find(advise_steps(alone.set, {}), AdviceId::hardware_step_alone), nullptr);
  EXPECT_NE(find(advise_steps(alone.set, {}), AdviceId::provider_step_alone), nullptr);
}

TEST(Steps, AxesAreSharesOfWhatMayBeUsed) {
  Market market;
  market.add({.cost = 100, .hours = 10});
  const std::vector<Advice> free = advise_steps(market.set, {});
  EXPECT_DOUBLE_EQ(value<double>(*find(free, AdviceId::axes), "memory"), 40.0 * 1.2 / 80.0);
  EXPECT_EQ(value<Seconds>(*find(free, AdviceId::axes), "scale"), 15.0 * kHour);
  const std::vector<Advice> bound = advise_steps(market.set, {.budget = Usd{200}, .deadline = 30.0 * kHour});
  EXPECT_DOUBLE_EQ(value<double>(*find(bound, AdviceId::axes), "scale"), 0.5);
  EXPECT_DOUBLE_EQ(value<double>(*find(bound, AdviceId::axes), "budget"), 0.5);
}

TEST(Purchase, EachSituationHasItsPattern) {
  const struct {
    Market::Offer offer;
    AdviceId pattern;
  } cases[] = {{{.method = Method::lora}, AdviceId::buy_card},
               {{.method = Method::full}, AdviceId::buy_on_demand},
               {{.gpus = 8}, AdviceId::buy_node},
               {{.gpus = 16, .nodes = 2}, AdviceId::buy_committed},
               {{.kind = PriceKind::spot}, AdviceId::buy_interruptible}};
  for (const auto& c : cases) {
    Market market;
    market.add(c.offer);
    const std::vector<Advice> advice = advise_purchase(market.set);
    ASSERT_EQ(advice.size(), 1U);
    EXPECT_EQ(advice.front().id, c.pattern) << enum_name(c.pattern);
  }
}

TEST(Goal, DecidesTheMethod) {
  const struct {
    Goal goal;
    Method method;
    AdviceId says;
  } cases[] = {{Goal::knowledge, Method::continued_pretraining, AdviceId::goal_served},
               {Goal::knowledge, Method::lora, AdviceId::goal_missed},
               {Goal::style, Method::lora, AdviceId::goal_served},
               {Goal::instruction, Method::full, AdviceId::goal_served},
               {Goal::style, Method::continued_pretraining, AdviceId::goal_missed}};
  for (const auto& c : cases) {
    const std::vector<Advice> advice = advise_goal(c.goal, c.method);
    EXPECT_EQ(advice.front().id, c.says) << enum_name(c.goal) << " " << enum_name(c.method);
    EXPECT_EQ(find(advice, AdviceId::forgetting) != nullptr, c.method == Method::full);
  }
}

TEST(BaseModel, TokenizerForgettingAndLicence) {
  const AdviceRules rules{.poor_fertility = 1.3};
  const Fertility poor{.density = {.tokenizer = "small"}, .best = {.tokenizer = "large"}, .factor = 2.5};
  Fertility good = poor;
  good.factor = 1.2;
  const struct {
    BaseModel base;
    Method method;
    std::vector<AdviceId> says;
  } cases[] = {
      {{TextLanguage::ja, poor, "mit"},
       Method::continued_pretraining,
       {AdviceId::fertility, AdviceId::forgetting, AdviceId::licence_known}},
      {{TextLanguage::ja, good, std::nullopt}, Method::lora, {AdviceId::licence_unknown}},
      {{}, Method::continued_pretraining, {AdviceId::forgetting, AdviceId::licence_unknown}},
      {{}, Method::pretraining, {}},
      {{TextLanguage::ja, poor, "mit"}, Method::pretraining, {AdviceId::fertility}},
  };
  for (const auto& c : cases) {
    std::vector<AdviceId> said;
    for (const Advice& advice : advise_base_model(c.base, c.method, rules)) {
      said.push_back(advice.id);
    }
    EXPECT_EQ(said, c.says) << enum_name(c.method);
  }
}

const MatrixCell* cell_of(const std::vector<MatrixCell>& cells, MatrixNeed need) {
  const auto found =
      std::find_if(cells.begin(), cells.end(), [&](const MatrixCell& cell) { return cell.rule.need == need; });
  return found == cells.end() ? nullptr : &*found;
}

TEST(Matrix, EveryCellIsJudgedByTheNumbers) {
  const std::vector<MatrixRule> rules{{MatrixNeed::larger_model, {"big"}, {}},
                                      {MatrixNeed::proven, {"card"}, {}},
                                      {MatrixNeed::cheapest_adapter, {"card"}, {}},
                                      {MatrixNeed::several_nodes, {}, {}},
                                      {MatrixNeed::quick_trial, {}, {}},
                                      {MatrixNeed::procurement, {}, {ProviderClass::hyperscaler}}};
  const Provider providers[] = {{.id = "shop", .provider_class = ProviderClass::marketplace},
                                {.id = "cloud", .provider_class = ProviderClass::hyperscaler}};
  Market market;
  market.add({.gpu = "card", .gpus = 4, .cost = 100});
  market.add({.gpu = "big", .gpus = 1, .cost = 150, .provider = "cloud"});
  market.add({.gpu = "card", .gpus = 2, .cost = 160});
  const ApiEstimate api{.tuned = ApiCost{.low = Usd{90}, .high = Usd{900}}};
  const auto cells = evaluate_matrix(rules, {&market.set, providers, &api});
  const struct {
    MatrixNeed need;
    MatrixVerdict verdict;
    MatrixReason reason;
    std::int64_t rank;
  } cases[] = {{MatrixNeed::larger_model, MatrixVerdict::agrees, MatrixReason::in_the_list, 2},
               {MatrixNeed::proven, MatrixVerdict::agrees, MatrixReason::in_the_list, 1},
               {MatrixNeed::cheapest_adapter, MatrixVerdict::not_compared, MatrixReason::no_adapters, 0},
               {MatrixNeed::several_nodes, MatrixVerdict::not_compared, MatrixReason::one_node_does, 1},
               {MatrixNeed::quick_trial, MatrixVerdict::agrees, MatrixReason::api_costs_less, 1},
               {MatrixNeed::procurement, MatrixVerdict::differs, MatrixReason::other_provider, 1}};
  for (const auto& c : cases) {
    const MatrixCell* cell = cell_of(cells, c.need);
    ASSERT_NE(cell, nullptr);
    EXPECT_EQ(cell->verdict, c.verdict) << enum_name(c.need);
    EXPECT_EQ(cell->reason, c.reason) << enum_name(c.need);
    EXPECT_EQ(cell->rank, c.rank) << enum_name(c.need);
  }
}

TEST(Matrix, WhereTheNumbersDifferTheCellSaysWhy) {
  const std::vector<MatrixRule> rules{{MatrixNeed::larger_model, {"big"}, {}},
                                      {MatrixNeed::cheapest_adapter, {"big"}, {}},
                                      {MatrixNeed::several_nodes, {}, {}},
                                      {MatrixNeed::quick_trial, {}, {}}};
  Market market;
  market.add({.gpu = "card", .gpus = 2, .nodes = 2, .cost = 100, .method = Method::lora});
  market.add({.gpu = "big", .gpus = 4, .cost = 150, .method = Method::lora});
  const ApiEstimate api{.tuned = ApiCost{.low = Usd{200}, .high = Usd{900}}};
  const auto cells = evaluate_matrix(rules, {&market.set, {}, &api});
  EXPECT_EQ(cell_of(cells, MatrixNeed::larger_model)->reason, MatrixReason::fewer_gpus);
  EXPECT_EQ(cell_of(cells, MatrixNeed::cheapest_adapter)->reason, MatrixReason::cheaper);
  EXPECT_EQ(cell_of(cells, MatrixNeed::several_nodes)->reason, MatrixReason::network_stated);
  EXPECT_EQ(cell_of(cells, MatrixNeed::quick_trial)->verdict, MatrixVerdict::differs);
  const PlanSet nothing;
  for (const MatrixCell& cell : evaluate_matrix(rules, {&nothing, {}, nullptr})) {
    EXPECT_EQ(cell.reason, MatrixReason::nothing_fits);
  }
}

TEST(Matrix, AllSixNeedsStandThereOnce) {
  const std::string header = "need,gpus,provider_kinds,note\n";
  const std::string five = "larger_model,a,,\nproven,a,,\ncheapest_adapter,a,,\nseveral_nodes,,,\nquick_trial,,,\n";
  EXPECT_TRUE(read_matrix(header + five + "procurement,,hyperscaler gpu_cloud,\n", "t"));
  for (const std::string& wrong : {five, five + "proven,a,,\n", five + "haste,,,\n", five + "procurement,,friend,\n"}) {
    EXPECT_FALSE(read_matrix(header + wrong, "t")) << wrong;
  }
}

TEST(Checklist, AnswersCarryTheirEvidenceAndLevels) {
  const std::vector<Baseline> baselines = *read_baselines(
      "system,gpu_id,test,value,unit,source,notes\n"
      "A,card,single-node NCCL all-reduce 8-16 GiB,460,GB/s,S1,\n"
      "B,card,all_reduce busbw 256MiB,436.15,GB/s,S2,\n"
      "C,other,all_reduce busbw 256MiB,100,GB/s,S2,\n"
      "D,card,pairwise 2-node NCCL busbw pass threshold,60,GB/s,S3,\n"
      "E,card,host-device copy / P2P,48 / 44,GB/s,S3,\n",
      "baselines.csv");
  EXPECT_EQ(baselines.size(), 4U) << "two numbers in one field are no level";
  Market market;
  Plan& plan = market.add({.gpus = 16, .nodes = 2});
  Machine& machine = market.machines.back();
  machine.system.rdma = RdmaKind::infiniband;
  machine.system.source = "page";
  const std::vector<ChecklistEntry> entries = checklist_of(plan, baselines);
  const auto entry = [&](std::string_view id) {
    return *std::find_if(entries.begin(), entries.end(), [&](const ChecklistEntry& e) { return e.id == id; });
  };
  EXPECT_EQ(entry("rdma").answer, "infiniband");
  EXPECT_EQ(entry("rdma").evidence, Evidence::claimed);
  EXPECT_EQ(entry("rdma").source, "page");
  EXPECT_TRUE(entry("gpudirect").answer.empty());
  EXPECT_EQ(entry("gpudirect").evidence, Evidence::none);
  ASSERT_EQ(entry("nccl").levels.size(), 2U);
  EXPECT_DOUBLE_EQ(entry("nccl").levels.front()->value, 436.15);
  ASSERT_EQ(entry("cluster_nccl").levels.size(), 1U);
  Plan& single = market.add({});
  for (const ChecklistEntry& e : checklist_of(single, baselines)) {
    EXPECT_NE(e.id, "rdma") << "one node has no network to ask about";
  }
}

}  // namespace
}  // namespace mekiki
