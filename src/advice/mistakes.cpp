#include "advice/mistakes.h"

#include "advice/ranked.h"

namespace mekiki {
namespace {

UsdPerSecond per_gpu(const Plan& plan) {
  return plan.price->offer.per_node() / static_cast<double>(plan.machine->system.gpus);
}

bool has_fast_link(const Plan& plan) {
  const LinkKind link = plan.machine->cluster.link;
  return link != LinkKind::pcie && link != LinkKind::none;
}

std::string gpu_of(const Plan& plan) {
  return std::string(plan.machine->gpu->id);
}

class MistakeAdviser {
 public:
  MistakeAdviser(const PlanSet& set, double weights, const Plan& best) : set_(set), weights_(weights), best_(best) {}

  std::vector<Advice> run() {
    dearest_gpu();
    rate_is_not_cost();
    form_factor();
    weights_alone();
    links();
    one_node();
    return std::move(advice_);
  }

 private:
  void add(AdviceId id, std::int64_t rank, std::vector<AdviceValue> values) {
    advice_.push_back({id, AdviceLevel::note, rank, std::move(values)});
  }

  void dearest_gpu() {
    UsdPerSecond highest;
    const Gpu* dearest = nullptr;
    for (const Plan& plan : set_.plans) {
      if (plan.verdict == Verdict::fits && per_gpu(plan) > highest) {
        highest = per_gpu(plan);
        dearest = plan.machine->gpu;
      }
    }
    if (dearest == nullptr || dearest == best_.machine->gpu) {
      return;
    }
    const Plan& dear = *cheapest_fitting(set_, [&](const Plan& plan) { return plan.machine->gpu == dearest; });
    const Usd saving = dear.cost->per_checkpoint() - best_.cost->per_checkpoint();
    add(AdviceId::dearest_gpu,
        dear.rank,
        {{"gpu", gpu_of(dear)},
         {"cost", dear.cost->per_checkpoint()},
         {"best_gpu", gpu_of(best_)},
         {"best_cost", best_.cost->per_checkpoint()},
         {"saving", saving},
         {"further_runs", Count{saving / best_.cost->per_checkpoint()}}});
  }

  void rate_is_not_cost() {
    const Plan* lowest = nullptr;
    for (const Plan& plan : set_.plans) {
      if (plan.verdict == Verdict::fits && (lowest == nullptr || per_gpu(plan) < per_gpu(*lowest))) {
        lowest = &plan;
      }
    }
    if (lowest->machine->gpu == best_.machine->gpu) {
      return;
    }
    const Plan& cheap = *cheapest_fitting(set_, [&](const Plan& p) { return p.machine->gpu == lowest->machine->gpu; });
    add(AdviceId::rate_is_not_cost,
        cheap.rank,
        {{"gpu", gpu_of(cheap)},
         {"rate", per_gpu(*lowest) * kHour},
         {"cost", cheap.cost->per_checkpoint()},
         {"best_gpu", gpu_of(best_)},
         {"best_rate", per_gpu(best_) * kHour},
         {"best_cost", best_.cost->per_checkpoint()}});
  }

  /// The pair of forms whose times differ most at one number of GPUs.
  void form_factor() {
    const Plan* fast = nullptr;
    const Plan* slow = nullptr;
    for (const Plan& a : set_.plans) {
      for (const Plan& b : set_.plans) {
        const Gpu& x = *a.machine->gpu;
        const Gpu& y = *b.machine->gpu;
        const bool pair = x.vendor == y.vendor && x.architecture == y.architecture &&
                          x.memory_marketed == y.memory_marketed && x.form != y.form &&
                          (x.form == FormFactor::sxm || y.form == FormFactor::sxm) && a.gpus() == b.gpus();
        const bool farther = fast == nullptr || b.run.work / a.run.work > slow->run.work / fast->run.work;
        if (pair && a.verdict == Verdict::fits && b.verdict == Verdict::fits && b.run.work > a.run.work && farther) {
          fast = &a;
          slow = &b;
        }
      }
    }
    if (fast != nullptr) {
      add(AdviceId::form_factor,
          slow->rank,
          {{"gpu", gpu_of(*slow)},
           {"other_gpu", gpu_of(*fast)},
           {"gpus", slow->gpus()},
           {"slower", Count{slow->run.work / fast->run.work}}});
    }
  }

  /// The smallest memory that holds the 16-bit weights, where the smallest plan needs more than that.
  void weights_alone() {
    const Plan* smallest = plan_ranked(set_, set_.smallest ? std::optional(set_.smallest->rank) : std::nullopt);
    const Bytes alone{2.0 * weights_};
    if (smallest == nullptr || smallest->verdict != Verdict::fits) {
      return;
    }
    const double gpus = static_cast<double>(smallest->gpus());
    add(AdviceId::weights_alone,
        smallest->rank,
        {{"weights", alone}, {"device", smallest->memory.device.mid * gpus}, {"gpus", smallest->gpus()}});
  }

  void links() {
    if (best_.gpus() > 1 && !has_fast_link(best_) && !best_.waits_for_communication) {
      add(AdviceId::pcie_does,
          best_.rank,
          {{"system", std::string(best_.machine->system.id)}, {"gpus", best_.gpus()}, {"share", best_.share_waiting}});
    }
  }

  void one_node() {
    const bool by_name = best_.job.method == Method::continued_pretraining || best_.job.method == Method::pretraining;
    if (by_name && best_.nodes == 1) {
      add(AdviceId::one_node_does,
          best_.rank,
          {{"gpus", best_.gpus()}, {"gpu", gpu_of(best_)}, {"hours", best_.run.p50}});
    }
  }

  const PlanSet& set_;
  double weights_;
  const Plan& best_;
  std::vector<Advice> advice_;
};

}  // namespace

std::vector<Advice> advise_mistakes(const PlanSet& set, double weights) {
  const Plan* best = cheapest_fitting(set);
  return best == nullptr ? std::vector<Advice>{} : MistakeAdviser(set, weights, *best).run();
}

}  // namespace mekiki
