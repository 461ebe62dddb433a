#include "catalog/rows/schema.h"

#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "base/json.h"

namespace mekiki {
namespace {

TEST(SchemaFiles, AreThoseInTheRepository) {
  for (const SchemaFile& file : schema_files()) {
    std::ifstream stream(std::string(MEKIKI_SOURCE_DIR) + "/data/schema/" + std::string(file.name));
    const std::string text(std::istreambuf_iterator<char>(stream), {});
    EXPECT_EQ(text, file.text) << "write them anew: embed_catalog --schema data/schema";
  }
}

TEST(SchemaFiles, NameEveryKeyOnceAndRequireIt) {
  for (const SchemaFile& file : schema_files()) {
    const auto schema = parse_json(file.text, file.name);  // a key named twice would be refused here
    ASSERT_TRUE(schema) << describe(schema.error());
    const auto& items = (*schema)["items"];
    EXPECT_EQ(items["required"].size(), items["properties"].size()) << file.name;
    EXPECT_EQ(items["additionalProperties"], false);
    EXPECT_GE(items["properties"].size(), 5u);
  }
}

}  // namespace
}  // namespace mekiki
