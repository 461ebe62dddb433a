#include "model/config_notes.h"

#include <gtest/gtest.h>

#include "model/test_files.h"

namespace mekiki {
namespace {

struct NotesCase {
  std::string config;
  std::optional<RopeScaling> scaling;
};

TEST(ConfigNotes, ReadHowPositionsAreStretched) {
  const std::vector<NotesCase> cases = {
      {"{}", {}},
      {R"({"rope_scaling": null})", {}},
      {R"({"rope_scaling": {"type": "linear", "factor": 4.0}})", RopeScaling{"linear", 4.0, {}}},
      {R"({"rope_scaling": {"rope_type": "yarn", "factor": 4, "original_max_position_embeddings": 32768}})",
       RopeScaling{"yarn", 4.0, 32768}},
      {R"({"rope_scaling": {"rope_type": "default", "mrope_section": [1]}})", {}},
      {R"({"rope_scaling": {"type": "longrope", "factor": "x", "original_max_position_embeddings": -4}})",
       RopeScaling{"longrope", {}, {}}},
      {R"({"rope_parameters": {"rope_type": "default", "rope_theta": 10000.0}})", {}},
      {R"({"rope_parameters": {"sliding_attention": {"rope_type": "default"},
          "full_attention": {"rope_type": "linear", "factor": 8.0}}})",
       RopeScaling{"linear", 8.0, {}}},
      {R"({"text_config": {"rope_scaling": {"type": "dynamic", "factor": 2.0}}})", RopeScaling{"dynamic", 2.0, {}}},
      {R"({"rope_scaling": 3, "text_config": []})", {}},
  };
  for (const NotesCase& one : cases) {
    const auto notes = read_config_notes(one.config, "c");
    ASSERT_TRUE(notes) << one.config;
    EXPECT_EQ(notes->rope_scaling, one.scaling) << one.config;
  }
  EXPECT_FALSE(read_config_notes("[]", "c"));
  EXPECT_FALSE(read_config_notes("", "c"));
}

// Source: the config itself; the model card gives 128K tokens.
TEST(ConfigNotes, OfAPublishedModel) {
  const auto notes = read_config_notes(test_file("data/models/meta-llama__Meta-Llama-3.1-8B.json"), "c");
  EXPECT_EQ(notes.value().rope_scaling, (RopeScaling{"llama3", 8.0, 8192}));
  EXPECT_EQ(longest_sequence(131'072, *notes), 131'072);
}

TEST(ConfigNotes, TheLongestSequenceIsTheStretchedOne) {
  const ConfigNotes stretched{RopeScaling{"yarn", 4.0, 32768}};
  EXPECT_EQ(longest_sequence(32768, stretched), 131'072);
  EXPECT_EQ(longest_sequence(131'072, {RopeScaling{"llama3", 32.0, 8192}}), 131'072);  // stated as stretched
  EXPECT_EQ(longest_sequence(32768, {RopeScaling{"linear", 4.0, {}}}), 32768);
  EXPECT_EQ(longest_sequence(0, {}), std::nullopt);
  EXPECT_EQ(longest_sequence(0, {RopeScaling{"yarn", 1e300, 32768}}), 1'000'000'000);
}

}  // namespace
}  // namespace mekiki
