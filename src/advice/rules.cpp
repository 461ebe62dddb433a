#include "advice/advice.h"
#include "base/amount.h"
#include "base/csv.h"
#include "base/rule_table.h"

namespace mekiki {

Result<AdviceRules> read_advice_rules(std::string_view csv, std::string_view subject) {
  constexpr RuleKey kKeys[] = {{"long_job", "days"}, {"filled_share", "share"}, {"poor_fertility", "ratio"}};
  const Result<std::vector<Rule>> rules = read_rules(csv, subject, kKeys);
  if (!rules) {
    return fail(rules.error());
  }
  return AdviceRules{.long_job = (*rules)[0].value.mid * kDay,
                     .filled_share = (*rules)[1].value.mid,
                     .poor_fertility = (*rules)[2].value.mid};
}

Result<std::vector<SoftwareMinimum>> read_software_minimums(std::string_view csv, std::string_view subject) {
  const Result<CsvTable> table = parse_csv(csv, subject);
  if (!table) {
    return fail(table.error());
  }
  const auto capability = column_of(*table, "compute_capability");
  const auto cuda = column_of(*table, "cuda"), torch = column_of(*table, "torch");
  if (!capability || !cuda || !torch) {
    return fail({ErrorCode::invalid_input,
                 std::string(subject) + ":1",
                 "has not the columns compute_capability, cuda and torch",
                 ""});
  }
  std::vector<SoftwareMinimum> minimums;
  for (const CsvRow& line : table->rows) {
    const Result<double> number = parse_number(line.fields[*capability]);
    if (!number) {
      return fail_within(std::string(subject) + ":" + std::to_string(line.line), number.error());
    }
    minimums.push_back({*number, line.fields[*cuda], line.fields[*torch]});
  }
  return minimums;
}

}  // namespace mekiki
