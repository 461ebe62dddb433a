// Tensor lists against small models that transformers itself built and saved (tests/transformers/README.md).
#include "model/tensors.h"

#include <algorithm>
#include <iostream>
#include <iterator>
#include <map>

#include <gtest/gtest.h>

#include "base/json.h"
#include "model/count.h"
#include "model/family.h"
#include "model/small_arch_for_tests.h"
#include "model/test_files.h"

namespace mekiki {
namespace {

constexpr std::string_view kLists = "tests/data/models/tensors/";

using Shapes = std::map<std::string, std::vector<std::int64_t>>;

/// Parts of a checkpoint that a tensor list leaves out.
bool is_left_out(const std::string& name) {
  constexpr std::string_view kOthers[] = {"visual.",
                                          "vision_tower.",
                                          "vision_model.",
                                          "multi_modal_projector.",
                                          "mtp.",
                                          "_decay",  // tables that linear attention works out from its shape
                                          "slope_rate",
                                          "act_fn.beta",
                                          "act_fn.eps"};  // constants of xIELU, saved as if they were state
  return std::any_of(std::begin(kOthers), std::end(kOthers), [&](std::string_view other) {
    return name.find(other) != std::string::npos;
  });
}

Shapes saved_shapes(const nlohmann::json& list) {
  Shapes shapes;
  for (const auto& [name, tensor] : list.at("tensors").items()) {
    if (!is_left_out(name)) {
      shapes[name] = tensor.at(1).get<std::vector<std::int64_t>>();
    }
  }
  return shapes;
}

Shapes shapes_of(const std::vector<StoredTensor>& tensors) {
  Shapes shapes;
  for (const StoredTensor& tensor : tensors) {
    EXPECT_TRUE(shapes.emplace(tensor.name, tensor.shape).second) << tensor.name << " twice";
  }
  return shapes;
}

/// The first few names or shapes in which they differ, for the message.
std::string difference(const Shapes& ours, const Shapes& saved) {
  std::string text;
  int shown = 0;
  const auto show = [&](const char* what, const std::string& name) {
    if (++shown <= 6) {
      text += std::string(what) + " " + name + "; ";
    }
  };
  for (const auto& [name, shape] : ours) {
    const auto same = saved.find(name);
    if (same == saved.end()) {
      show("not saved:", name);
    } else if (same->second != shape) {
      show("other shape:", name);
    }
  }
  for (const auto& [name, shape] : saved) {
    if (ours.find(name) == ours.end()) {
      show("missing:", name);
    }
  }
  return text;
}

TEST(TensorsOf, AgreesWithWhatTransformersSaves) {
  int agree = 0, unknown = 0, refused = 0;
  for (const std::string& file : test_file_names(kLists, ".json")) {
    const auto list = nlohmann::json::parse(test_file(std::string(kLists) + file));
    auto parsed = read_config(list.at("config").dump(), file);
    if (!parsed) {
      EXPECT_EQ(parsed.error().code, ErrorCode::unsupported) << file << ": " << describe(parsed.error());
      ++refused;
      continue;
    }
    const bool known = parsed->arch.names.known;
    parsed->arch.names.known = true;
    const std::string differs = difference(shapes_of(*tensors_of(parsed->arch)), saved_shapes(list));
    if (known) {
      EXPECT_EQ(differs, "") << file;
    } else {
      EXPECT_NE(differs, "") << file << " agrees: enter " << parsed->arch.family << " as checked (families/table.cpp)";
      std::cout << file << ": " << differs << "\n";
    }
    ++(known ? agree : unknown);
  }
  std::cout << agree << " lists agree, " << unknown << " families without checked names, " << refused << " refused\n";
  EXPECT_GE(agree, 12);
}

TEST(TensorsOf, ElementsAreTheTrainableCount) {
  for (Arch arch : {for_tests::dense_arch(), for_tests::moe_arch(), for_tests::mixed_arch()}) {
    arch.names.known = true;
    EXPECT_EQ(elements_of(*tensors_of(arch)), count_weights(arch).trainable) << arch.id;
  }
}

TEST(TensorsOf, UncheckedNamesAreRefused) {
  const auto tensors = tensors_of(for_tests::dense_arch());
  ASSERT_FALSE(tensors);
  EXPECT_EQ(tensors.error().code, ErrorCode::unsupported);
}

}  // namespace
}  // namespace mekiki
