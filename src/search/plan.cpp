#include "search/plan.h"

#include <algorithm>
#include <array>
#include <utility>

#include "search/engine.h"
#include "search/finalist.h"
#include "search/offer_filter.h"
#include "search/parallel.h"
#include "search/place.h"
#include "search/rank.h"

namespace mekiki {
namespace {

/// A machine that is really asked for, with one of its prices (null: none) and the place that answers for it.
struct Quote {
  const Machine* machine = nullptr;
  std::size_t place = 0;
  const PriceChoice* price = nullptr;
};

class Planner {
 public:
  Planner(const PlanRequest& request, OpenedRequest open) : request_(request), engines_(std::move(open.engines.able)) {
    set_.excluded = std::move(open.engines.excluded);
    set_.defaults = std::move(open.choices.defaults);
    context_ = {.request = &request,
                .engines = engines_,
                .space = std::move(open.choices.space),
                .model_weights = open.model_weights,
                .draws = common_draws()};
  }

  PlanSet run() {
    precision_ = engines_.front().job.precision;
    places_ = places_of(request_.market.machines, request_.filters, set_.defaults.max_gpus, precision_);
    explore_places(places_, context_, request_.threads);
    add_up();
    reject_without_asking();
    count_offers();
    quote();
    rank_plans(set_, request_.objective);
    prove_smallest();
    count_rejections();
    return std::move(set_);
  }

 private:
  void add_up() {
    for (const Place& place : places_) {
      for (const Exploration& e : place.by_engine) {
        set_.stats.left += e.left ? 1 : 0;
        set_.stats.considered += e.considered;
        set_.stats.evaluated += e.evaluated;
        set_.stats.pruned += e.pruned;
        set_.stats.over_memory += e.over_memory;
        set_.stats.uneven_batch += e.uneven_batch;
      }
    }
  }

  /// Machines that no exploration speaks of.
  void reject_without_asking() {
    for (const Machine& machine : request_.market.machines) {
      if (!is_asked(machine, request_.filters)) {
        continue;
      }
      if (!machine.rates) {
        reject({RejectionKind::no_rates, &machine, 1, nullptr});
      } else if (!has_format(*machine.gpu, precision_)) {
        reject({RejectionKind::no_format, &machine, 1, nullptr});
      } else if (!joins_nodes(machine.system) && 2 * machine.system.gpus <= set_.defaults.max_gpus) {
        reject({RejectionKind::no_network, &machine, 2, nullptr});
      }
    }
  }

  void quote() {
    std::vector<Quote> quotes;
    for (std::size_t p = 0; p < places_.size(); ++p) {
      for (const Machine* machine : places_[p].machines) {
        if (!places_[p].pick) {
          reject({why_nothing(places_[p]), machine, places_[p].nodes, nullptr});
          continue;
        }
        const std::vector<const PriceChoice*> prices = prices_of(*machine);
        if (prices.empty()) {
          reject({RejectionKind::no_offer, machine, places_[p].nodes, nullptr});
        }
        for (const PriceChoice* price : prices) {
          quotes.push_back({machine, p, price});
        }
      }
    }
    std::vector<PlanResult> results(quotes.size());
    for_each_index(quotes.size(), request_.threads, [&](std::size_t i) {
      const Place& place = places_[quotes[i].place];
      Plan plan = finalist(context_, *quotes[i].machine, place.nodes, *place.pick);
      plan.runnable_by = place.runnable_by;
      results[i] = priced(context_, std::move(plan), quotes[i].price);
    });
    for (PlanResult& result : results) {
      if (auto* plan = std::get_if<Plan>(&result)) {
        (plan->price != nullptr ? set_.plans : set_.unpriced_plans).push_back(std::move(*plan));
      } else {
        reject(std::get<Rejection>(result));
      }
    }
  }

  /// One null where there is none; nothing where region or tenancy are asked for and no offer is known to keep them.
  std::vector<const PriceChoice*> prices_of(const Machine& machine) const {
    SortedOffers offers = offers_of(machine, request_.market.prices, set_.defaults.price_kinds, request_.filters);
    if (offers.taken.empty() && may_be_unpriced()) {
      offers.taken.push_back(nullptr);
    }
    return std::move(offers.taken);
  }

  bool may_be_unpriced() const {
    const PlanFilters& filters = request_.filters;
    return (filters.regions.empty() && filters.tenancies.empty()) || filters.unknown_offers == UnknownOffers::keep;
  }

  RejectionKind why_nothing(const Place& place) const {
    const bool any = std::any_of(engines_.begin(), engines_.end(), [&](const Engine& engine) {
      return runs_on(engine.limits, *place.machine->gpu, place.nodes);
    });
    if (!any) {
      return RejectionKind::no_framework;
    }
    std::int64_t considered = 0, uneven = 0;
    for (const Exploration& e : place.by_engine) {
      if (e.left) {
        return RejectionKind::not_reached;
      }
      considered += e.considered;
      uneven += e.uneven_batch;
    }
    if (considered == 0) {
      return RejectionKind::no_layout;
    }
    return uneven == considered ? RejectionKind::uneven_batch : RejectionKind::does_not_fit;
  }

  void reject(const Rejection& rejection) { rejections_.push_back(rejection); }

  bool has_price(const Machine& machine) const {
    const std::vector<const PriceChoice*> prices = prices_of(machine);
    return !prices.empty() && prices.front() != nullptr;
  }

  /// Each offer once, however many nodes of its machine are asked for.
  void count_offers() {
    for (const Machine& machine : request_.market.machines) {
      if (is_asked(machine, request_.filters)) {
        const OfferCounts counts =
            offers_of(machine, request_.market.prices, set_.defaults.price_kinds, request_.filters).counts;
        set_.offers.elsewhere += counts.elsewhere;
        set_.offers.unknown_left_out += counts.unknown_left_out;
        set_.offers.unknown_kept += counts.unknown_kept;
      }
    }
  }

  /// The largest choice below the smallest plan: one that was rejected, or one that is tight.
  void prove_smallest() {
    if (!set_.smallest) {
      return;
    }
    const Plan& smallest = set_.plans[static_cast<std::size_t>(set_.smallest->rank - 1)];
    Bytes largest;
    const auto nearer = [&](const Machine& machine, std::int64_t nodes) {
      const Bytes memory = machine.gpu->memory_reported * static_cast<double>(nodes * machine.system.gpus);
      if (!(memory < smallest.total_memory()) || !(memory > largest)) {
        return false;
      }
      largest = memory;
      return true;
    };
    SmallestProof& proof = *set_.smallest;
    for (const Rejection& rejection : rejections_) {
      const bool comparable = rejection.kind != RejectionKind::no_network && has_price(*rejection.machine);
      if (comparable && nearer(*rejection.machine, rejection.nodes)) {
        proof.next_smaller = rejection;
        proof.miss.reset();
      }
    }
    for (const Plan& plan : set_.plans) {
      if (plan.verdict == Verdict::tight && smallest.verdict == Verdict::fits && nearer(*plan.machine, plan.nodes)) {
        proof.next_smaller = Rejection{RejectionKind::does_not_fit, plan.machine, plan.nodes, plan.price};
        proof.miss = headroom_miss(plan);
      }
    }
    if (proof.next_smaller && proof.next_smaller->kind == RejectionKind::does_not_fit && !proof.miss) {
      proof.miss = memory_miss(context_, *proof.next_smaller->machine, proof.next_smaller->nodes);
    }
  }

  void count_rejections() {
    std::array<std::int64_t, EnumNames<RejectionKind>::value.size()> counts{};
    for (const Rejection& rejection : rejections_) {
      ++counts[static_cast<std::size_t>(rejection.kind)];
    }
    for (std::size_t kind = 0; kind < counts.size(); ++kind) {
      if (counts[kind] > 0) {
        set_.rejected.push_back({static_cast<RejectionKind>(kind), counts[kind]});
      }
    }
  }

  const PlanRequest& request_;
  std::vector<Engine> engines_;
  Precision precision_ = Precision::bf16_mixed;  // the same for all of them
  PlanContext context_;
  std::vector<Place> places_;
  std::vector<Rejection> rejections_;
  PlanSet set_;
};

Status check_request(const PlanRequest& request) {
  if (!request.job.tokens || *request.job.tokens < 1) {
    return fail({ErrorCode::invalid_input,
                 "tokens",
                 "a plan needs the number of training tokens",
                 "give --tokens, for example --tokens 10B"});
  }
  const bool any = std::any_of(request.market.machines.begin(),
                               request.market.machines.end(),
                               [&](const Machine& machine) { return is_asked(machine, request.filters); });
  if (!any) {
    return fail(
        {ErrorCode::not_found, "systems", "the filters leave no system", "see mekiki systems and mekiki providers"});
  }
  return {};
}

}  // namespace

Result<PlanSet> plan(const PlanRequest& request) {
  if (Status status = check_request(request); !status) {
    return fail(status.error());
  }
  Result<OpenedRequest> open = opened(request);
  if (!open) {
    return fail(open.error());
  }
  return Planner(request, std::move(*open)).run();
}

}  // namespace mekiki
