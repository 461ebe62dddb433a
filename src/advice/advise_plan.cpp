#include "advice/advice.h"

namespace mekiki {
namespace {

std::string text(std::string_view word) {
  return std::string(word);
}

class PlanAdviser {
 public:
  PlanAdviser(const Plan& plan, const AdviceRules& rules) : plan_(plan), rules_(rules), gpu_(*plan.machine->gpu) {}

  std::vector<Advice> run() {
    communication();
    spot();
    mig();
    consumer_card();
    price();
    rates();
    network();
    cost();
    commitment();
    software();
    return std::move(advice_);
  }

 private:
  void add(AdviceId id, AdviceLevel level, std::vector<AdviceValue> values) {
    advice_.push_back({id, level, plan_.rank, std::move(values)});
  }

  void communication() {
    if (plan_.waits_for_communication) {
      add(AdviceId::waits_for_communication,
          AdviceLevel::warning,
          {{"system", text(plan_.machine->system.id)}, {"gpus", plan_.gpus()}, {"share", plan_.share_waiting}});
    }
  }

  void spot() {
    if (plan_.price != nullptr && plan_.price->offer.price.kind == PriceKind::spot) {
      add(AdviceId::spot_needs_checkpoints,
          AdviceLevel::warning,
          {{"system", text(plan_.machine->system.id)},
           {"interruptions", plan_.run.interruptions},
           {"save_interval", plan_.run.save_interval},
           {"save_time", plan_.run.save_time},
           {"restart", plan_.run.restart_time}});
    }
  }

  void mig() {
    const std::int64_t instances = gpu_.mig_max_instances.value_or(0);
    if (plan_.gpus() > 1 || instances < 2) {
      return;
    }
    const Bytes wanted = plan_.memory.device.mid * (1.0 + plan_.job.headroom);
    const double share = wanted / plan_.capacity;
    if (share > rules_.filled_share) {
      add(AdviceId::mig_no_gain,
          AdviceLevel::note,
          {{"gpu", text(gpu_.id)}, {"instances", instances}, {"share", share}});
    } else if (wanted <= plan_.capacity / static_cast<double>(instances)) {
      add(AdviceId::mig_slice_would_do,
          AdviceLevel::note,
          {{"gpu", text(gpu_.id)}, {"instances", instances}, {"device", plan_.memory.device.mid}});
    }
  }

  void consumer_card() {
    if (gpu_.gpu_class == GpuClass::consumer && plan_.run.p50 >= rules_.long_job) {
      add(AdviceId::consumer_card_long_job,
          AdviceLevel::warning,
          {{"gpu", text(gpu_.id)}, {"hours", plan_.run.p50}, {"ecc", text(enum_name(gpu_.ecc))}});
    }
  }

  void price() {
    if (plan_.price == nullptr) {
      return;
    }
    const Price& row = plan_.price->offer.price;
    if (plan_.price->staleness != Staleness::fresh) {
      const bool mild = plan_.price->staleness == Staleness::ageing;
      add(AdviceId::stale_price,
          mild ? AdviceLevel::note : AdviceLevel::warning,
          {{"provider", text(row.provider)},
           {"date", row.as_of},
           {"age_days", plan_.price->age_days},
           {"staleness", text(enum_name(plan_.price->staleness))}});
    }
    if (plan_.price->offer.quality != JoinQuality::exact) {
      add(AdviceId::similar_price, AdviceLevel::warning, {{"provider", text(row.provider)}, {"price", text(row.id)}});
    }
  }

  void commitment() {
    if (!plan_.commitment) {
      return;
    }
    const Commitment& bound = *plan_.commitment;
    if (bound.idle_cost && *bound.idle_cost > Usd{}) {
      add(AdviceId::idle_commitment,
          AdviceLevel::warning,
          {{"system", text(plan_.machine->system.id)}, {"hours", *bound.idle}, {"cost", *bound.idle_cost}});
    }
    if (bound.break_even_utilisation) {
      add(AdviceId::break_even,
          AdviceLevel::note,
          {{"system", text(plan_.machine->system.id)}, {"share", *bound.break_even_utilisation}});
    }
  }

  // Parts of other vendors have no compute capability, and no table of this kind.
  void software() {
    if (!gpu_.compute_capability) {
      return;
    }
    for (const SoftwareMinimum& minimum : rules_.software) {
      if (minimum.compute_capability == *gpu_.compute_capability) {
        return add(AdviceId::software_minimum,
                   AdviceLevel::note,
                   {{"gpu", text(gpu_.id)}, {"cuda", minimum.cuda}, {"torch", minimum.torch}});
      }
    }
    add(AdviceId::software_unknown, AdviceLevel::warning, {{"gpu", text(gpu_.id)}});
  }

  void rates() {
    if (!plan_.machine->rates || plan_.machine->rates->kernels.own_surface) {
      return;
    }
    const std::string& other = plan_.machine->rates->kernels.gemm_surface_of;
    add(AdviceId::borrowed_rates,
        AdviceLevel::warning,
        {{"gpu", text(gpu_.id)}, {"measured_on", other.empty() ? text("-") : other}});
  }

  void network() {
    if (plan_.nodes > 1 && plan_.machine->cluster.network_assumed) {
      add(AdviceId::assumed_network,
          AdviceLevel::warning,
          {{"system", text(plan_.machine->system.id)}, {"nodes", plan_.nodes}});
    }
  }

  void cost() {
    if (!plan_.cost || plan_.cost->complete) {
      return;
    }
    std::string terms;
    for (std::size_t i = 0; i < kCostTerms; ++i) {
      if (!plan_.cost->terms[i].amount) {
        terms += (terms.empty() ? "" : ", ") + text(enum_name(static_cast<CostTermKind>(i)));
      }
    }
    add(AdviceId::incomplete_cost, AdviceLevel::note, {{"terms", terms}});
  }

  const Plan& plan_;
  const AdviceRules& rules_;
  const Gpu& gpu_;
  std::vector<Advice> advice_;
};

}  // namespace

std::vector<Advice> advise_plan(const Plan& plan, const AdviceRules& rules) {
  return PlanAdviser(plan, rules).run();
}

}  // namespace mekiki
