// Small configs with one or two keys changed, against counts that the transformers package has for them
// (tests/data/models/variants.csv; tests/transformers/README.md says how it was written). A config may be refused; one
// that is read must count the same.
#include <iomanip>
#include <iostream>
#include <map>

#include <gtest/gtest.h>

#include "model/count.h"
#include "model/family.h"
#include "model/test_files.h"

namespace mekiki {
namespace {

struct Outcomes {
  int exact = 0;
  int refused = 0;  // by this program, transformers builds it
  int refused_by_both = 0;
  int read_here_only = 0;  // transformers raises an error
  int wrong = 0;
};

void judge(const TestTable& rows, std::size_t row, Outcomes& outcomes) {
  const auto parsed = read_config(rows.at(row, "config"), "config.json");
  const bool built = rows.at(row, "error").empty();
  if (!parsed) {
    ++(built ? outcomes.refused : outcomes.refused_by_both);
    return;
  }
  if (!built) {
    ++outcomes.read_here_only;
    return;
  }
  const std::int64_t expected = std::stoll(rows.at(row, "trainable")) + std::stoll(rows.at(row, "fixed"));
  const std::int64_t counted = count_weights(parsed->arch).trainable;
  ++(counted == expected ? outcomes.exact : outcomes.wrong);
  EXPECT_EQ(counted, expected) << rows.at(row, "name") << " (" << counted - expected << ")\n" << rows.at(row, "config");
}

TEST(Variants, AreCountedAsTransformersDoesOrRefused) {
  const TestTable rows("tests/data/models/variants.csv");
  std::map<std::string, Outcomes> families;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    judge(rows, row, families[rows.at(row, "family")]);
  }
  std::cout << std::left << std::setw(20) << "family"
            << "exact refused both_refuse read_here_only wrong\n";
  int exact = 0;
  for (const auto& [family, outcomes] : families) {
    exact += outcomes.exact;
    std::cout << std::setw(20) << family << std::setw(6) << outcomes.exact << std::setw(8) << outcomes.refused
              << std::setw(12) << outcomes.refused_by_both << std::setw(15) << outcomes.read_here_only << outcomes.wrong
              << "\n";
  }
  EXPECT_GE(exact, 3500) << "most rows should be read, not refused";
}

}  // namespace
}  // namespace mekiki
