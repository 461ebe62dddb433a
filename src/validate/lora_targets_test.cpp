#include "validate/lora_targets.h"

#include <gtest/gtest.h>

#include "validate/row_context.h"

namespace mekiki {
namespace {

using Names = std::vector<std::string>;

const RowContext& context() {
  static const RowContext made = [] {
    const std::vector<std::string> texts{"llama-3.1-8b", "EleutherAI/pythia-1b", "mixtral-8x7b"};
    return std::move(*make_row_context(bundled_catalog(), texts, {}));
  }();
  return made;
}

struct TargetCase {
  const char* name;
  const char* model;
  const char* text;
  Names expected;  // sorted
};

class Targets : public testing::TestWithParam<TargetCase> {};

TEST_P(Targets, AreModulesOfTheModel) {
  RowReader reader(context().aliases, {});
  EXPECT_EQ(lora_targets_of(GetParam().text, *context().archs.at(GetParam().model), reader), GetParam().expected);
  EXPECT_FALSE(reader.error());
}

const Names kAttention = {"k_proj", "o_proj", "q_proj", "v_proj"};
const Names kAll = {"down_proj", "gate_proj", "k_proj", "o_proj", "q_proj", "up_proj", "v_proj"};

INSTANTIATE_TEST_SUITE_P(
    Texts,
    Targets,
    testing::Values(
        TargetCase{"short_names", "llama-3.1-8b", "q,v", {"q_proj", "v_proj"}},
        TargetCase{"own_names", "llama-3.1-8b", "q_proj,v_proj", {"q_proj", "v_proj"}},
        TargetCase{"everything", "llama-3.1-8b", "all linear", {"all-linear"}},
        TargetCase{"fused_name_of_others", "llama-3.1-8b", "c_attn", {"k_proj", "q_proj", "v_proj"}},
        TargetCase{"a_part_of_a_fused_projection", "EleutherAI/pythia-1b", "q,v", {"query_key_value"}},
        TargetCase{"whole_block", "llama-3.1-8b", "attention", kAttention},
        TargetCase{"pattern", "llama-3.1-8b", "model.layers.[\\d]+.(mlp|self_attn).(up|down|gate|q|k|v|o)_proj", kAll},
        TargetCase{
            "pattern_of_some", "llama-3.1-8b", "model.layers.[\\d]+.(mlp|self_attn).(q|v)_proj", {"q_proj", "v_proj"}},
        TargetCase{"default_of_the_library",
                   "EleutherAI/pythia-1b",
                   "peft default (q,v or query_key_value)",
                   {"query_key_value"}}),
    [](const auto& param_info) { return std::string(param_info.param.name); });

TEST(LoraTargets, NamesOfNoLayerAreAnError) {
  RowReader reader(context().aliases, {});
  EXPECT_TRUE(lora_targets_of("rotor,stator", *context().archs.at("llama-3.1-8b"), reader).empty());
  ASSERT_TRUE(reader.error());
  EXPECT_EQ(reader.error()->subject, "lora_targets");
}

}  // namespace
}  // namespace mekiki
