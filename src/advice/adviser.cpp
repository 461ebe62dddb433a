#include "advice/adviser.h"

#include <iterator>

#include "advice/mistakes.h"
#include "advice/steps.h"
#include "model/count.h"

namespace mekiki {
namespace {

void append(std::vector<Advice>& all, std::vector<Advice> more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

std::vector<Advice> advise_all(const PlanSet& set, const PlanRequest& request, const AdviceBook& book) {
  const auto weights = static_cast<double>(count_weights(*request.arch).trainable);
  std::vector<Advice> all;
  if (book.goal) {
    append(all, advise_goal(*book.goal, request.job.method.value_or(Method::full)));
  }
  append(all, advise_base_model(book.base, request.job.method.value_or(Method::full), book.rules));
  append(all, advise(set, request, book.rules));
  append(all, advise_steps(set, request.filters));
  append(all, advise_workload(set, book.workloads, weights));
  append(all, advise_purchase(set));
  append(all, advise_mistakes(set, weights));
  return all;
}

}  // namespace mekiki
