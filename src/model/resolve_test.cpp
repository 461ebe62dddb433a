#include "model/resolve.h"

#include <map>

#include <gtest/gtest.h>

#include "model/family.h"
#include "model/test_files.h"

namespace mekiki {
namespace {

std::vector<ModelIndexRow> bundled_index() {
  auto rows = parse_model_index(test_file("data/models/index.csv"), "index.csv");
  if (!rows) {
    throw std::runtime_error(describe(rows.error()));
  }
  return *rows;
}

struct NameCase {
  const char* name;
  const char* file;
};

constexpr NameCase kNames[] = {
    {"llama-3.2-1b", "meta-llama__Llama-3.2-1B.json"},
    {"meta-llama/Llama-3.2-1B", "meta-llama__Llama-3.2-1B.json"},
    {"LLAMA-3.2-3B", "meta-llama__Llama-3.2-3B-Instruct.json"},
    {"Llama-3.2-1B-Instruct", "meta-llama__Llama-3.2-1B.json"},
    {"llama-3.1-8b", "meta-llama__Meta-Llama-3.1-8B.json"},
    {"meta-llama/Llama-3.1-8B-Instruct", "meta-llama__Meta-Llama-3.1-8B.json"},
    {"NousResearch/Meta-Llama-3.1-8B", "meta-llama__Meta-Llama-3.1-8B.json"},
    {"llama-3.1-70b", "meta-llama__Meta-Llama-3.1-70B.json"},
    {"llama-3.1-405b", "meta-llama__Meta-Llama-3.1-405B.json"},
    {"Llama-3.1-405B-Instruct-FP8", "meta-llama__Meta-Llama-3.1-405B.json"},
    {"Llama-2-7b-hf", "meta-llama__Llama-2-7b-hf.json"},
    {"llama-2-7b", "meta-llama__Llama-2-7b-hf.json"},
    {"qwen3-8b", "Qwen__Qwen3-8B.json"},
    {"Qwen/Qwen3-8B-Base", "Qwen__Qwen3-8B.json"},
    {"qwen3-30b-a3b", "Qwen__Qwen3-30B-A3B.json"},
    {"Qwen/Qwen3-30B-A3B-FP8", "Qwen__Qwen3-30B-A3B-FP8.json"},
    {"mixtral-8x7b", "mistralai__Mixtral-8x7B-v0.1.json"},
    {"mistralai/Mixtral-8x7B-Instruct-v0.1", "mistralai__Mixtral-8x7B-v0.1.json"},
    {"gpt-oss-20b", "openai__gpt-oss-20b.json"},
    {"gemma-2-9b", "google__gemma-2-9b-it.json"},
};

TEST(ResolveModel, NamesAsPeopleWriteThem) {
  const auto index = bundled_index();
  for (const NameCase& c : kNames) {
    const auto row = resolve_model(c.name, index);
    ASSERT_TRUE(row) << c.name << ": " << describe(row.error());
    EXPECT_EQ((*row)->file, c.file) << c.name;
  }
}

TEST(ResolveModel, EveryIdRepositoryAndAliasFindsItsOwnShape) {
  const auto index = bundled_index();
  for (const ModelIndexRow& row : index) {
    std::vector<std::string> names = row.aliases;
    names.push_back(row.id);
    names.push_back(row.repository);
    for (const std::string& name : names) {
      const auto found = resolve_model(name, index);
      ASSERT_TRUE(found) << name << ": " << describe(found.error());
      EXPECT_EQ((*found)->shape, row.shape) << name;
    }
  }
}

TEST(ResolveModel, AnAmbiguousNameIsRefusedWithTheCandidates) {
  const auto index = bundled_index();
  for (const char* name : {"llama-3.1", "mistral-7b", "Qwen3", "gpt-oss", "pythia"}) {
    const auto found = resolve_model(name, index);
    ASSERT_FALSE(found) << name << " " << (*found)->id;
    EXPECT_EQ(found.error().code, ErrorCode::conflict) << name;
    EXPECT_NE(found.error().hint.find(plain_model_name(name)), std::string::npos) << found.error().hint;
  }
}

TEST(ResolveModel, AnUnknownNameIsNotFoundWithSimilarOnes) {
  const auto index = bundled_index();
  const auto slip = resolve_model("lama-3.1-8b", index);
  ASSERT_FALSE(slip);
  EXPECT_EQ(slip.error().code, ErrorCode::not_found);
  EXPECT_NE(slip.error().hint.find("llama-3.1-8b"), std::string::npos) << slip.error().hint;
  for (const char* name : {"", "-", "/", "meta-", "llama-3.1-9b", "qwen3-8", "8b"}) {
    const auto found = resolve_model(name, index);
    ASSERT_FALSE(found) << name;
    EXPECT_EQ(found.error().code, ErrorCode::not_found) << name;
  }
}

TEST(PlainModelName, DropsWhatChangesNoShape) {
  EXPECT_EQ(plain_model_name("meta-llama/Meta-Llama-3.1-8B-Instruct"), "llama-3.1-8b");
  EXPECT_EQ(plain_model_name("mistralai/Mixtral-8x7B-Instruct-v0.1"), "mixtral-8x7b-v0.1");
  EXPECT_EQ(plain_model_name("google/gemma-2-9b-it"), "gemma-2-9b");
  EXPECT_EQ(plain_model_name("a/b/Base"), "");
}

TEST(ModelIndex, ShapesAreThoseOfTheConfigs) {
  const auto index = bundled_index();
  std::map<std::string, Arch> by_id;
  for (const ModelIndexRow& row : index) {
    const auto parsed = read_config(test_file("data/models/" + row.file), "config.json");
    if (parsed) {
      by_id[row.id] = parsed->arch;
    } else {
      EXPECT_EQ(row.shape, row.id);
    }
  }
  for (const ModelIndexRow& a : index) {
    for (const ModelIndexRow& b : index) {
      if (by_id.contains(a.id) && by_id.contains(b.id)) {
        EXPECT_EQ(same_shape(by_id[a.id], by_id[b.id]), a.shape == b.shape) << a.id << " " << b.id;
      }
    }
  }
}

TEST(ModelIndex, SaysWhereEachConfigComesFrom) {
  for (const ModelIndexRow& row : bundled_index()) {
    EXPECT_FALSE(row.source.empty()) << row.id;
    EXPECT_TRUE(row.status == "verified" || row.status == "verified-subset" || row.status == "reconstructed" ||
                row.status == "from_row_dimensions")
        << row.id << " " << row.status;
  }
}

TEST(ModelIndex, BrokenTablesAreRefused) {
  constexpr std::string_view kHeader = "id,repository,aliases,file,shape,status,source,note\n";
  const auto parse = [&](std::string_view rows) {
    return parse_model_index(std::string(kHeader) + std::string(rows), "i.csv");
  };
  EXPECT_TRUE(parse("a,b,c d,e,a,verified,s,\n"));
  EXPECT_EQ(parse("a,b,c d,e,a,verified,s,\n")->front().aliases, (std::vector<std::string>{"c", "d"}));
  EXPECT_EQ(parse("a,b,,,a,verified,s,\n").error().subject, "i.csv:2");
  EXPECT_EQ(parse("a,b,,e,a,v,s,\na,c,,f,a,v,s,\n").error().subject, "i.csv:3");
  EXPECT_FALSE(parse_model_index("id,file\na,b\n", "i.csv"));
  EXPECT_FALSE(parse_stored_differences("repository,kind,elements\na,odd,1\n", "s.csv"));
  EXPECT_FALSE(parse_stored_differences("repository,kind,elements\na,tied_head_copy,-1\n", "s.csv"));
  EXPECT_FALSE(parse_row_models("model_text,config_id,truncated_layers,basis,note,file\nm,c,0,exact,,f\n", "r.csv"));
  EXPECT_FALSE(
      parse_row_models("model_text,config_id,truncated_layers,basis,note,file\nm,c,,e,,f\nm,c,,e,,f\n", "r.csv"));
}

}  // namespace
}  // namespace mekiki
