// Every bundled config against counts that come from elsewhere: totals of published checkpoints, counts printed by
// benchmark tables, formulas worked out apart from this program (tests/data/models/params.csv says which).
#include <iostream>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "base/json.h"
#include "model/count.h"
#include "model/family.h"
#include "model/model_index.h"
#include "model/tensors.h"
#include "model/test_files.h"

namespace mekiki {
namespace {

constexpr std::string_view kConfigs = "data/models/";

std::int64_t number(const TestTable& table, std::size_t row, std::string_view column) {
  return std::stoll(table.at(row, column));
}

/// File to repository, from the index.
std::map<std::string, std::string> repositories() {
  const TestTable index("data/models/index.csv");
  std::map<std::string, std::string> by_file;
  for (std::size_t i = 0; i < index.size(); ++i) {
    by_file[index.at(i, "file")] = index.at(i, "repository");
  }
  return by_file;
}

void expect_refused(const std::string& file, std::string_view subject, std::string_view named, std::string_view text) {
  const auto parsed = read_config(text, "config.json");
  ASSERT_FALSE(parsed) << file;
  EXPECT_EQ(parsed.error().code, ErrorCode::unsupported) << file << ": " << describe(parsed.error());
  EXPECT_EQ(parsed.error().subject, subject) << file;
  EXPECT_NE(parsed.error().message.find(named), std::string::npos) << file << ": " << parsed.error().message;
}

TEST(Golden, EveryBundledConfigIsExactOrRefusedByName) {
  const TestTable expected("tests/data/models/params.csv");
  const auto by_file = repositories();
  const auto stored = parse_stored_differences(test_file("data/models/stored.csv"), "stored.csv");
  ASSERT_TRUE(stored) << describe(stored.error());
  std::map<std::string, int> outcomes;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const std::string& file = expected.at(i, "file");
    const std::string& status = expected.at(i, "status");
    const std::string text = test_file(std::string(kConfigs) + file);
    ++outcomes[status];
    if (status == "refused") {
      const auto root = parse_json(text, file, {.non_finite = NonFiniteNumbers::read_as_null});
      ASSERT_TRUE(root) << describe(root.error());
      const std::string type = root->value("model_type", "");
      const std::string& key = expected.at(i, "refused_key");
      expect_refused(file, "config.json:/" + key, key == "model_type" ? '"' + type + '"' : "", text);
      continue;
    }
    const auto parsed = read_config(text, "config.json");
    ASSERT_TRUE(parsed) << file << ": " << describe(parsed.error());
    const WeightCounts counts = count_weights(with_stored_differences(parsed->arch, by_file.at(file), *stored));
    EXPECT_EQ(counts.trainable, number(expected, i, "trainable")) << file;
    EXPECT_EQ(counts.active_per_token, number(expected, i, "active")) << file;
    EXPECT_EQ(counts.matmul_per_token, number(expected, i, "matmul")) << file;
    EXPECT_EQ(counts.vision, number(expected, i, "vision")) << file;
    EXPECT_EQ(counts.mtp, number(expected, i, "mtp")) << file;
    if (!expected.at(i, "published").empty()) {
      EXPECT_EQ(counts.stored, number(expected, i, "published")) << file;
      ++outcomes["stored as published"];
    }
  }
  for (const auto& [outcome, count] : outcomes) {
    std::cout << outcome << ": " << count << "\n";
  }
  EXPECT_GE(outcomes["verified"], 170);
}

TEST(Golden, TensorListsHoldAsManyElements) {
  int listed = 0;
  for (const std::string& file : test_file_names(kConfigs, ".json")) {
    const auto parsed = read_config(test_file(std::string(kConfigs) + file), "config.json");
    ASSERT_TRUE(parsed) << file << ": " << describe(parsed.error());
    if (parsed->arch.names.known) {
      const WeightCounts counts = count_weights(parsed->arch);
      EXPECT_EQ(elements_of(*tensors_of(parsed->arch)), counts.trainable - counts.vision) << file;
      ++listed;
    }
  }
  EXPECT_GT(listed, 250);
}

TEST(Golden, EveryFileIsInTheTableAndInTheIndex) {
  const TestTable expected("tests/data/models/params.csv");
  const auto by_file = repositories();
  std::set<std::string> tabled;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_TRUE(tabled.insert(expected.at(i, "file")).second) << expected.at(i, "file") << " twice";
  }
  const auto files = test_file_names(kConfigs, ".json");
  EXPECT_EQ(files.size(), tabled.size());
  EXPECT_EQ(files.size(), by_file.size());
  for (const std::string& file : files) {
    EXPECT_TRUE(tabled.contains(file)) << file;
    EXPECT_TRUE(by_file.contains(file)) << file;
  }
}

TEST(Golden, OtherTypesAreRefusedByName) {
  const TestTable expected("tests/data/models/refused.csv");
  ASSERT_EQ(expected.size(), test_file_names("tests/data/models/refused", ".json").size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const std::string& file = expected.at(i, "file");
    expect_refused(file,
                   "config.json:/" + expected.at(i, "key"),
                   expected.at(i, "named"),
                   test_file("tests/data/models/refused/" + file));
  }
}

TEST(Golden, EveryStoredDifferenceBelongsToABundledModel) {
  const auto stored = parse_stored_differences(test_file("data/models/stored.csv"), "stored.csv");
  ASSERT_TRUE(stored);
  std::set<std::string> known;
  for (const auto& [file, repository] : repositories()) {
    known.insert(repository);
  }
  for (const StoredDifferenceRow& row : *stored) {
    EXPECT_TRUE(known.contains(row.repository)) << row.repository;
    EXPECT_GT(row.difference.elements, 0) << row.repository;
  }
}

TEST(Golden, EveryModelOfAMeasuredRowIsBundled) {
  const auto rows = parse_row_models(test_file("data/models/row_models.csv"), "row_models.csv");
  ASSERT_TRUE(rows) << describe(rows.error());
  EXPECT_EQ(rows->size(), 213U);
  std::set<std::string> known;
  for (const auto& [file, repository] : repositories()) {
    known.insert(repository);
  }
  for (const RowModel& row : *rows) {
    if (row.config_id.empty()) {
      EXPECT_EQ(row.basis, "unknown") << row.model_text;
      EXPECT_FALSE(row.note.empty()) << row.model_text;
    } else {
      EXPECT_TRUE(known.contains(row.config_id)) << row.model_text;
    }
  }
}

TEST(Golden, PublishedConfigsHoldNoUnknownKey) {
  for (const std::string& file : test_file_names(kConfigs, ".json")) {
    const auto parsed = read_config(test_file(std::string(kConfigs) + file), "config.json");
    if (!parsed) {
      continue;
    }
    for (const ConfigWarning& warning : parsed->warnings) {
      EXPECT_NE(warning.kind, ConfigWarningKind::unread_key) << file << " " << warning.subject;
    }
  }
}

}  // namespace
}  // namespace mekiki
