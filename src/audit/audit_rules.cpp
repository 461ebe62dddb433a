#include "audit/audit_rules.h"

#include "base/rule_table.h"

namespace mekiki {

Result<AuditRules> read_audit_rules(std::string_view csv, std::string_view subject) {
  constexpr RuleKey kKeys[] = {{"rounding", "share"}, {"faster_than_predicted", "times"}};
  const Result<std::vector<Rule>> rules = read_rules(csv, subject, kKeys);
  if (!rules) {
    return fail(rules.error());
  }
  return AuditRules{.rounding = (*rules)[0].value.mid, .faster_than_predicted = (*rules)[1].value.mid};
}

}  // namespace mekiki
