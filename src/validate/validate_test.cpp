#include "validate/validate.h"

#include <fstream>
#include <iterator>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/csv.h"

namespace mekiki {
namespace {

using nlohmann::json;

std::string rows_file(const std::string& name) {
  std::ifstream file(std::string(MEKIKI_SOURCE_DIR) + "/data/validation/rows/" + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

constexpr AnswerHeader kHeader{"0.0.0", "2026-11-30"};

json memory_answer(const std::string& text) {
  const auto answer = validate_memory_json({text, "memory.csv", {}}, bundled_catalog(), kHeader);
  return answer ? json::parse(*answer) : json(describe(answer.error()));
}

json throughput_answer(const std::string& text) {
  const auto answer = validate_throughput_json({text, "throughput.csv", {}}, bundled_catalog(), kHeader);
  return answer ? json::parse(*answer) : json(describe(answer.error()));
}

/// The file with some columns rewritten: `edit` gets column, old value and row number.
template <class Edit>
std::string edited(const std::string& text, Edit edit) {
  const CsvTable table = *parse_csv(text, "rows.csv");
  std::string result;
  const auto add_line = [&](const std::vector<std::string>& fields) {
    for (std::size_t i = 0; i < fields.size(); ++i) {
      result += (i == 0 ? "" : ",") + csv_field(fields[i]);
    }
    result += "\n";
  };
  add_line(table.header);
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    std::vector<std::string> fields = table.rows[r].fields;
    for (std::size_t c = 0; c < fields.size(); ++c) {
      fields[c] = edit(table.header[c], fields[c], r);
    }
    add_line(fields);
  }
  return result;
}

// What a prediction must not depend on: who published the row, what was measured, and what was written beside it.
const std::set<std::string> kHiddenColumns = {"group",
                                              "source",
                                              "notes",
                                              "unit_note",
                                              "confidence",
                                              "value_kind",
                                              "tier",
                                              "value_gib",
                                              "mfu_pct",
                                              "hfu_pct",
                                              "metric",
                                              "memory_gib",
                                              "tokens_per_s_total",
                                              "tokens_per_s_per_gpu",
                                              "tflops_per_gpu",
                                              "step_time_s",
                                              "params_b"};

std::string blanked(const std::string& text) {
  return edited(text, [](const std::string& column, const std::string& value, std::size_t row) {
    return column == "id" ? "row" + std::to_string(row) : kHiddenColumns.count(column) > 0 ? std::string() : value;
  });
}

/// Everything of a row's answer that is a prediction; refusals without the line number's file, which stays.
json predictions(const json& answer, bool with_tflops) {
  json list = json::array();
  for (const json& row : answer.at("rows")) {
    json predicted = row.value("predicted", json(row.value("refused", "")));
    if (!with_tflops && predicted.is_object()) {
      predicted.erase("tflops_per_gpu");
    }
    list.push_back(predicted);
  }
  return list;
}

TEST(NoPeeking, MemoryPredictionsStayWhenEverythingMeasuredIsBlanked) {
  const std::string text = rows_file("memory.csv");
  const json with = memory_answer(text), without = memory_answer(blanked(text));
  ASSERT_TRUE(with.is_object() && without.is_object()) << with << without;
  ASSERT_GT(with.at("rows").size(), 500U);
  EXPECT_EQ(predictions(with, true), predictions(without, true));
  EXPECT_EQ(without.at("scorable_rows"), 0);
}

TEST(NoPeeking, AskingForAVerdictTellsNothing) {
  const std::string text = rows_file("memory.csv");
  const std::string asked = edited(text, [](const std::string& column, const std::string& value, std::size_t) {
    return column == "metric" && (value == "fits" || value == "oom") ? std::string("verdict") : value;
  });
  ASSERT_NE(asked, edited(text, [](const std::string&, const std::string& value, std::size_t) { return value; }));
  EXPECT_EQ(predictions(memory_answer(text), true), predictions(memory_answer(asked), true));
}

TEST(NoPeeking, ThroughputPredictionsStayWhenEverythingMeasuredIsBlanked) {
  const std::string text = rows_file("throughput.csv");
  const json with = throughput_answer(text), without = throughput_answer(blanked(text));
  ASSERT_TRUE(with.is_object() && without.is_object()) << with << without;
  ASSERT_GT(with.at("rows").size(), 900U);
  EXPECT_EQ(predictions(with, true), predictions(without, true));
}

TEST(NoPeeking, TheFlopsConventionChoosesAFormulaAndNothingElse) {
  const std::string text = rows_file("throughput.csv");
  const std::string other = edited(text, [](const std::string& column, const std::string& value, std::size_t) {
    return column == "flops_convention" ? std::string("hardware FLOPs") : value;
  });
  const json with = throughput_answer(text), without = throughput_answer(other);
  EXPECT_EQ(predictions(with, false), predictions(without, false));
  EXPECT_NE(predictions(with, true), predictions(without, true));
}

TEST(NoPeeking, OrderOfColumnsDoesNotMatter) {
  const std::string text = rows_file("memory.csv");
  const CsvTable table = *parse_csv(text, "memory.csv");
  std::string reversed;
  const auto add_line = [&](const std::vector<std::string>& fields) {
    for (std::size_t i = fields.size(); i-- > 0;) {
      reversed += csv_field(fields[i]) + (i == 0 ? "\n" : ",");
    }
  };
  add_line(table.header);
  for (const CsvRow& row : table.rows) {
    add_line(row.fields);
  }
  EXPECT_EQ(memory_answer(text).at("rows"), memory_answer(reversed).at("rows"));
}

TEST(Answer, HasTheKeysThatScriptsRelyOn) {
  const json memory = memory_answer(rows_file("memory.csv"));
  for (const char* key : {"schema_version",
                          "command",
                          "mekiki_version",
                          "data_digest",
                          "as_of",
                          "rows",
                          "groups",
                          "mean_over_groups",
                          "coverage_pct",
                          "verdicts"}) {
    EXPECT_TRUE(memory.contains(key)) << key;
  }
  EXPECT_TRUE(memory.at("verdicts").at("oom").contains("does_not_fit"));
  for (const json& row : memory.at("rows")) {
    ASSERT_TRUE(row.contains("id"));
    if (row.contains("refused")) {
      EXPECT_FALSE(row.at("refused").get<std::string>().empty());
      continue;
    }
    const json& p = row.at("predicted");
    EXPECT_GT(p.at("allocated_gib"), 0.0);
    EXPECT_LE(p.at("allocated_gib"), p.at("reserved_gib")) << row;
    EXPECT_LE(p.at("reserved_gib"), p.at("device_gib")) << row;
    EXPECT_LE(row.at("band").at("low"), row.at("band").at("high"));
    EXPECT_EQ(row.at("signed_error_pct").is_null(), row.at("measured_gib").is_null());
  }
}

TEST(Answer, IsTheSameEveryTime) {
  const std::string text = rows_file("memory.csv");
  EXPECT_EQ(validate_memory_json({text, "memory.csv", {}}, bundled_catalog(), kHeader).value_or("a"),
            validate_memory_json({text, "memory.csv", {}}, bundled_catalog(), kHeader).value_or("b"));
}

TEST(Answer, ErrorsAreOfTheRate) {
  const std::string rows =
      "id,model,method,framework,precision,gpu,n_gpus,seq_len,micro_batch,tp,pp,step_time_s\n"
      "fast,llama-3.2-1b,full,transformers,bf16,H100-SXM,1,2048,1,1,1,1000\n";
  const json answer = throughput_answer(rows);
  const json& row = answer.at("rows").at(0);
  ASSERT_TRUE(row.contains("predicted")) << row;
  EXPECT_EQ(row.at("compared"), "step_time_s");
  // A step that takes a thousand seconds where we predict less: the predicted rate is far above the measured one.
  const double predicted = row.at("predicted").at("step_time_s");
  EXPECT_NEAR(row.at("signed_error_pct").get<double>(), 100 * (1000 / predicted - 1), 0.1 * 1000 / predicted);
}

TEST(Answer, OwnModelsComeFromTheFolder) {
  const std::string config =
      R"({"model_type":"llama","hidden_size":512,"intermediate_size":1024,"num_hidden_layers":4,)"
      R"("num_attention_heads":8,"vocab_size":1000})";
  const std::vector<DataFile> folder{
      {"row_models.csv",
       "model_text,config_id,truncated_layers,basis,note,file\nmine,me/mine,,exact,,deep/c.json\n"
       "mine short,me/mine,2,exact,,deep/c.json\nnobody,,,unknown,nothing is known of it,\n"},
      {"deep/c.json", config},
      {"me__other.json", config}};
  const std::string rows =
      "id,model,method,framework,seq_len,micro_batch,n_gpus,precision\n"
      "a,mine,full,transformers,512,1,1,bf16-mixed\nb,mine short,full,transformers,512,1,1,bf16-mixed\n"
      "c,me/other,full,transformers,512,1,1,bf16-mixed\nd,nobody,full,transformers,512,1,1,bf16-mixed\n";
  const auto text = validate_memory_json({rows, "rows.csv", folder}, bundled_catalog(), kHeader);
  ASSERT_TRUE(text) << describe(text.error());
  const json answer = json::parse(*text);
  const auto allocated = [&](std::size_t i) {
    return answer.at("rows").at(i).at("predicted").at("allocated_gib").get<double>();
  };
  EXPECT_LT(allocated(1), allocated(0));
  EXPECT_EQ(allocated(2), allocated(0));
  EXPECT_NE(answer.at("rows").at(3).at("refused").get<std::string>().find("nothing is known"), std::string::npos);
}

TEST(Answer, TextHoldsTheSameScores) {
  const std::string text = rows_file("memory.csv");
  const auto table = validate_memory_text({text, "memory.csv", {}}, bundled_catalog());
  ASSERT_TRUE(table);
  EXPECT_NE(table->find("mean_over_groups_of_three"), std::string::npos);
  EXPECT_NE(table->find("does_not_fit"), std::string::npos);
  EXPECT_FALSE(validate_memory_text({"no,header", "memory.csv", {}}, bundled_catalog()));
}

}  // namespace
}  // namespace mekiki
