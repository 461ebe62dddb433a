// The quick rule as text and JSON: parameters x bytes per parameter, with the stack named and both units.
#pragma once

#include <string>

#include "job/defaults.h"
#include "memory/quick_rule.h"
#include "report/json_parts.h"
#include "report/voice.h"

namespace mekiki {

/// What the quick rule is asked of.
struct QuickQuestion {
  double parameters = 0;
  QuickRule first;  // the stack that the job asks for
};

/// The rule of the job's own dtypes and optimizer; for adapters the frozen weights alone. Its stack is the name of a
/// rule with the same bytes, else "as_stated".
QuickRule quick_rule_of(const ResolvedJob& job);

/// The 12-byte stack, which stands first unless the user names framework, precision or optimizer.
QuickRule usual_quick_rule();

/// "quick_rule" and "quick_rules" of the contract.
void add_quick_rules(Json& object, const QuickQuestion& question);

/// A table of the rules, the asked one first.
std::string quick_rules_text(const QuickQuestion& question, const Voice& say);

}  // namespace mekiki
