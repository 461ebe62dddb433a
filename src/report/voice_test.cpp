#include "report/voice.h"

#include <set>

#include <gtest/gtest.h>

#include "advice/advice.h"
#include "advice/checklist.h"
#include "base/check.h"
#include "cost/offer.h"
#include "memory/report.h"
#include "model/config_reader.h"
#include "program/step_program.h"
#include "report/message_table.h"
#include "report/plan_parts.h"
#include "report/quick_report.h"

namespace mekiki {
namespace {

TEST(Voice, FillsPlacesWithoutReadingWhatItFilled) {
  const Voice say(Language::english);
  EXPECT_EQ(say(Message::error_hint, {{"hint", "{x}"}}), "hint: {x}");
  EXPECT_THROW(say(Message::error_hint, {{"other", "x"}}), InternalError);
}

TEST(Voice, RowsAreSortedAndSpokenInBothLanguages) {
  std::string_view before;
  for (const MessageRow& row : message_rows()) {
    EXPECT_LT(before, row.id);
    before = row.id;
    EXPECT_FALSE(row.english.empty() || row.japanese.empty()) << row.id;
    EXPECT_EQ(find_message(row.id), static_cast<Message>(&row - message_rows().data()));
  }
  EXPECT_FALSE(find_message("nonesuch"));
  EXPECT_FALSE(find_message(""));
}

// An id that is built from an enumerator is not checked by the compiler.
template <class E>
void expect_spoken(std::string_view prefix) {
  for (std::string_view name : EnumNames<E>::value) {
    EXPECT_TRUE(find_message(std::string(prefix) + "." + std::string(name))) << prefix << "." << name;
  }
}

TEST(Voice, EveryEnumeratorThatReportsNameIsSpoken) {
  expect_spoken<Verdict>("verdict");
  expect_spoken<Category>("category");
  expect_spoken<TimeCause>("cause");
  expect_spoken<PhaseKind>("phase");
  expect_spoken<SegmentKind>("segment");
  expect_spoken<Method>("method");
  expect_spoken<FactStatus>("status");
  expect_spoken<Staleness>("staleness");
  expect_spoken<StoredDifferenceKind>("stored");
  expect_spoken<ConfigWarningKind>("config_warning");
  expect_spoken<CostTermKind>("cost_term");
  expect_spoken<CostReason>("cost_reason");
  expect_spoken<RejectionKind>("rejected");
  expect_spoken<AdviceId>("advice");
  for (const Basis basis : {Basis::assumed, Basis::fitted, Basis::datasheet, Basis::measured}) {
    EXPECT_TRUE(find_message("basis." + std::string(name(basis))));
  }
  for (const ChecklistEntry& entry : checklist_without_plan()) {
    EXPECT_TRUE(find_message("checklist." + std::string(entry.id))) << entry.id;
  }
}

TEST(Voice, EveryStackOfTheQuickRuleIsSpoken) {
  const Voice say(Language::english);
  EXPECT_NE(quick_rules_text({.parameters = 1e9, .first = usual_quick_rule()}, say).find("11.2"), std::string::npos);
}

}  // namespace
}  // namespace mekiki
