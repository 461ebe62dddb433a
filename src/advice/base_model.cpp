#include "advice/base_model.h"

namespace mekiki {

std::vector<Advice> advise_base_model(const BaseModel& base, Method method, const AdviceRules& rules) {
  std::vector<Advice> advice;
  if (base.language && base.fertility && base.fertility->factor >= rules.poor_fertility) {
    advice.push_back({AdviceId::fertility,
                      AdviceLevel::warning,
                      0,
                      {{"language", Phrase{"language." + std::string(enum_name(*base.language))}},
                       {"tokenizer", base.fertility->density.tokenizer},
                       {"factor", Count{base.fertility->factor}},
                       {"best_tokenizer", base.fertility->best.tokenizer}}});
  }
  if (method == Method::pretraining) {
    return advice;
  }
  if (method == Method::continued_pretraining) {
    advice.push_back(
        {AdviceId::forgetting, AdviceLevel::note, 0, {{"method", Phrase{"method." + std::string(enum_name(method))}}}});
  }
  if (base.licence) {
    advice.push_back({AdviceId::licence_known, AdviceLevel::note, 0, {{"licence", *base.licence}}});
  } else {
    advice.push_back({AdviceId::licence_unknown, AdviceLevel::warning, 0, {}});
  }
  return advice;
}

}  // namespace mekiki
