#include "model/config_reader.h"

#include <gtest/gtest.h>

#include "model/family.h"
#include "model/test_files.h"

namespace mekiki {
namespace {

struct Reading {
  explicit Reading(const char* text) : root(nlohmann::json::parse(text)), config(root, "config.json:", log) {}
  nlohmann::json root;
  ReadLog log;
  ConfigReader config;

  std::string subject() const { return log.first_error ? log.first_error->subject : ""; }
};

TEST(ConfigReader, ReadsWhatIsThere) {
  Reading r(R"({"a": 5, "b": true, "c": "text", "d": 0.25, "e": ["x", "y"], "f": [0, 2], "g": null})");
  EXPECT_EQ(r.config.required("a"), 5);
  EXPECT_EQ(r.config.any_of({"z", "a"}), 5);
  EXPECT_TRUE(r.config.flag("b", false));
  EXPECT_EQ(r.config.text("c", ""), "text");
  EXPECT_DOUBLE_EQ(r.config.rate("d", 0.0), 0.25);
  EXPECT_EQ(r.config.texts("e"), (std::vector<std::string_view>{"x", "y"}));
  EXPECT_EQ(r.config.integers("f", kLayersOrNone), (std::vector<std::int64_t>{0, 2}));
  EXPECT_EQ(r.config.optional("g"), std::nullopt);
  EXPECT_EQ(r.config.or_default("h", 7), 7);
  EXPECT_FALSE(r.config.failed());
  EXPECT_TRUE(r.log.warnings.empty());
}

TEST(ConfigReader, NullIsAbsentButPresent) {
  Reading r(R"({"a": null})");
  EXPECT_FALSE(r.config.has("a"));
  EXPECT_TRUE(r.config.present("a"));
  EXPECT_FALSE(r.config.present("b"));
}

TEST(ConfigReader, TheFirstProblemIsKept) {
  Reading r(R"({"a": -1, "b": "x"})");
  EXPECT_EQ(r.config.required("a"), 1) << "a harmless value";
  r.config.required("b");
  r.config.refuse("c", "later");
  EXPECT_EQ(r.subject(), "config.json:/a");
  const Result<int> finished = r.config.finish(3);
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error(), *r.log.first_error);
}

TEST(ConfigReader, AMissingChoiceNamesAllSpellings) {
  Reading r("{}");
  r.config.any_of({"n_routed_experts", "num_experts"});
  EXPECT_EQ(r.subject(), "config.json:/n_routed_experts");
  EXPECT_NE(r.log.first_error->hint.find("num_experts"), std::string::npos);
}

TEST(ConfigReader, BoundsAreIncluded) {
  for (const auto& [text, refused] :
       {std::pair{R"({"a": 0})", true}, {R"({"a": 1})", false}, {R"({"a": 9})", false}, {R"({"a": 10})", true}}) {
    Reading r(text);
    r.config.required("a", {1, 9});
    EXPECT_EQ(r.config.failed(), refused) << text;
  }
}

TEST(ConfigReader, SectionsCarryTheirPath) {
  Reading r(R"({"text_config": {"heads": 0}})");
  ConfigReader text = r.config.section("text_config");
  text.required("heads");
  EXPECT_EQ(r.subject(), "config.json:/text_config/heads");
}

TEST(ConfigReader, AnAbsentSectionReportsItsRequiredKeys) {
  Reading r("{}");
  r.config.section("text_config").required("heads");
  EXPECT_EQ(r.subject(), "config.json:/text_config/heads");
}

TEST(ConfigReader, UnreadKeysOfEnteredObjectsAreSeen) {
  Reading r(R"({"read": 1, "odd": 2, "rope_theta": 3, "in": {"strange": [1]}, "out": {"hidden": 1}, "known": 1})");
  r.config.required("read");
  r.config.section("in");
  r.config.ignore({"known"});
  const auto unread = unread_keys(r.log);
  ASSERT_EQ(unread.size(), 3U);
  EXPECT_EQ(unread[0].subject, "config.json:/odd");
  EXPECT_EQ(unread[0].value, "2");
  EXPECT_EQ(unread[1].subject, "config.json:/out");
  EXPECT_EQ(unread[2].subject, "config.json:/in/strange");
}

TEST(ConfigReader, LongValuesAreCut) {
  Reading r(("{\"odd\": \"" + std::string(500, 'x') + "\"}").c_str());
  EXPECT_LT(unread_keys(r.log).at(0).value.size(), 80U);
}

TEST(Families, TypesAndClassesAreUnambiguous) {
  std::set<std::string_view> seen;
  for (const Family& family : families()) {
    EXPECT_FALSE(family.model_types.empty()) << family.id;
    for (const auto& names : {family.model_types, family.architectures}) {
      for (const std::string_view name : names) {
        EXPECT_TRUE(seen.insert(name).second) << name;
      }
    }
  }
  EXPECT_EQ(families().size(), 106U);
}

TEST(Families, TheWorkedExampleIsTheRealFile) {
  const std::string page = test_file("docs/models/adding-a-family.md");
  EXPECT_NE(page.find(test_file("src/model/families/stablelm.cpp")), std::string::npos);
  EXPECT_NE(page.find("Family{\"stablelm\", kStablelmTypes, kStablelmClasses, read_stablelm},"), std::string::npos);
}

}  // namespace
}  // namespace mekiki
