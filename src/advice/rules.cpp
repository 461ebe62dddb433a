#include "advice/advice.h"
#include "base/rule_table.h"

namespace mekiki {

Result<AdviceRules> read_advice_rules(std::string_view csv, std::string_view subject) {
  constexpr RuleKey kKeys[] = {{"long_job", "days"}, {"filled_share", "share"}};
  const Result<std::vector<Rule>> rules = read_rules(csv, subject, kKeys);
  if (!rules) {
    return fail(rules.error());
  }
  return AdviceRules{.long_job = (*rules)[0].value.mid * kDay, .filled_share = (*rules)[1].value.mid};
}

}  // namespace mekiki
