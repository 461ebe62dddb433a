#include "report/messages/message_file.h"

#include <gtest/gtest.h>

namespace mekiki {
namespace {

std::vector<MessageText> read(std::string_view text) {
  const auto messages = read_messages(text, "en.json");
  EXPECT_TRUE(messages) << describe(messages.error());
  return messages.value_or(std::vector<MessageText>{});
}

TEST(MessageFile, SortsByIdAndFindsPlaces) {
  const auto messages = read(R"({"b.x": "{n} of {m}, {n}", "a": "A"})");
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_EQ(messages[0].id, "a");
  EXPECT_EQ(places_of(messages[1].text), (std::vector<std::string>{"m", "n"}));
}

TEST(MessageFile, RefusesBadEntries) {
  for (const char* text : {R"([])",
                           R"({"A": "x"})",
                           R"({"a": ""})",
                           R"({"a": 1})",
                           R"({"a": "{n"})",
                           R"({"a": "}"})",
                           R"({"a": "{n{m}}"})",
                           R"({"a": "x", "a": "y"})",
                           R"({"": "x"})"}) {
    EXPECT_FALSE(read_messages(text, "en.json")) << text;
  }
}

TEST(MessageFile, NoticesWhatTheOtherLanguageLacks) {
  const auto english = read(R"({"a": "{n} GPUs", "b": "B"})");
  EXPECT_TRUE(check_same(english, "en", read(R"({"a": "GPU {n} 枚", "b": "び"})"), "ja"));
  EXPECT_EQ(check_same(english, "en", read(R"({"a": "{n}"})"), "ja").error().subject, "ja");
  EXPECT_EQ(check_same(english, "en", read(R"({"a": "{n}", "b": "B", "c": "C"})"), "ja").error().subject, "en");
  EXPECT_FALSE(check_same(english, "en", read(R"({"a": "GPU", "b": "B"})"), "ja"));
  EXPECT_FALSE(check_same(english, "en", read(R"({"a": "{n} {m}", "b": "B"})"), "ja"));
}

}  // namespace
}  // namespace mekiki
