#include "checkpoint/model_card.h"

#include <gtest/gtest.h>

namespace mekiki {
namespace {

TEST(ModelCard, NamesTheLicenceOfTheFrontMatter) {
  const std::vector<std::pair<std::string, std::optional<std::string>>> cases = {
      {"---\nlicense: apache-2.0\n---\n# x\n", "apache-2.0"},
      {"---\r\nlanguage: en\r\nlicense: \"mit\"\r\n---\r\n", "mit"},
      {"---\nlicense: other\nlicense_name: own-licence\n---\n", "own-licence"},
      {"---\nlicense: other\n---\n", "other"},
      {"---\nextra:\n  license: mit\n---\n", {}},
      {"---\nlicense:\n---\n", {}},
      {"---\nlicense: mit\n", {}},
      {"# x\nlicense: mit\n", {}},
      {"", {}},
      {"---\nlicense: \xff\n---\n", {}},
  };
  for (const auto& [readme, license] : cases) {
    EXPECT_EQ(license_of(readme), license) << readme;
  }
}

}  // namespace
}  // namespace mekiki
