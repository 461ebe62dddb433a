// AuditRules: what an audit allows a claim before it doubts it. Data: data/rules/audit.csv.
#pragma once

#include <string_view>

#include "base/result.h"

namespace mekiki {

struct AuditRules {
  double rounding = 0;               // published figures carry about three digits: share of a limit that is forgiven
  double faster_than_predicted = 0;  // times the upper end of the predicted range, from which a claim is implausible
};

/// Mid values. Errors as read_rules (base/rule_table.h).
Result<AuditRules> read_audit_rules(std::string_view csv, std::string_view subject);

}  // namespace mekiki
