// What stands behind the terms of an answer of `fit`, as text and as JSON.
#pragma once

#include <string>
#include <vector>

#include "catalog/profile_statements.h"
#include "explain/explanation.h"
#include "report/fit_report.h"
#include "report/formula_table.h"

namespace mekiki {

struct ExplainAnswer {
  std::vector<Explanation> explanations;
  std::vector<FormulaRow> formulas;
  std::string profile;  // id
  std::vector<ProfileStatement> statements;
};

std::string explain_text(const FitAnswer& fit, const ExplainAnswer& answer, const Voice& say);

/// The keys "explanations" and "profile_statements", beside those of the answer itself.
Json with_explanations(Json fit_answer, const ExplainAnswer& answer, const FitAnswer& fit, const Voice& say);

}  // namespace mekiki
