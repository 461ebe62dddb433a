#include "report/formula_table.h"

#include <gtest/gtest.h>

#include "catalog/catalog.h"

namespace mekiki {
namespace {

std::vector<FormulaRow> bundled() {
  const std::string_view path = "data/formulas.csv";
  return read_formulas(find_document(bundled_catalog(), path).value(), path).value();
}

TEST(Formulas, EveryTermHasOne) {
  const std::vector<FormulaRow> rows = bundled();
  for (std::size_t term = 0; term < kTerms; ++term) {
    EXPECT_FALSE(formulas_of(rows, static_cast<Term>(term)).empty()) << EnumNames<Term>::value[term];
  }
}

TEST(Formulas, TheTextsDifferByLanguage) {
  for (const FormulaRow& row : bundled()) {
    EXPECT_NE(formula_text(row, Voice(Language::english)), formula_text(row, Voice(Language::japanese))) << row.id;
  }
}

TEST(Formulas, ErrorsNameTheLine) {
  constexpr std::string_view kHeader = "section,id,where,terms,source,not_modelled\n";
  const std::string_view rows[] = {
      "memory,no_such_formula,a,,,\n", "memory,memory,a,no_such_term,,\n", "memory,memory,a,,,no_such_limit\n"};
  for (const std::string_view row : rows) {
    const auto read = read_formulas(std::string(kHeader) + std::string(row), "f.csv");
    ASSERT_FALSE(read) << row;
    EXPECT_EQ(read.error().subject, "f.csv:2") << row;
  }
  EXPECT_FALSE(read_formulas("id,section\n", "f.csv"));
}

}  // namespace
}  // namespace mekiki
