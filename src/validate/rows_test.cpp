#include "validate/rows.h"

#include <gtest/gtest.h>

#include "validate/columns.h"

namespace mekiki {
namespace {

TEST(MemoryRows, ColumnsStandInAnyOrderAndFurtherOnesAreIgnored) {
  const auto rows = read_memory_rows(
      "colour,value_gib,n_gpus,metric,model,id\nred,12.5,8,peak_reserved,some/model,a-1\n", "rows.csv");
  ASSERT_TRUE(rows) << describe(rows.error());
  ASSERT_EQ(rows->size(), 1U);
  const MemoryRow& row = rows->front();
  ASSERT_TRUE(row.known && row.measured);
  EXPECT_EQ(row.label.id, "a-1");
  EXPECT_EQ(row.label.line, 2U);
  EXPECT_EQ(row.known->model, "some/model");
  EXPECT_EQ(row.known->gpus, 8);
  EXPECT_EQ(row.measured->metric, MemoryMetric::peak_reserved);
  EXPECT_EQ(row.measured->value_gib, 12.5);
}

TEST(MemoryRows, TextsAreTrimmedAndUnstatedNumbersStayUnset) {
  const auto rows =
      read_memory_rows("id,model,framework,seq_len,micro_batch,tier\nr, m , trainer ,not stated,,2\n", "rows.csv");
  ASSERT_TRUE(rows);
  ASSERT_TRUE(rows->front().known);
  EXPECT_EQ(rows->front().known->model, "m");
  EXPECT_EQ(rows->front().known->framework, "trainer");
  EXPECT_FALSE(rows->front().known->sequence_length);
  EXPECT_FALSE(rows->front().known->micro_batch_size);
  EXPECT_EQ(rows->front().label.tier, 2);
}

struct BadNumber {
  const char* name;
  const char* column;
  const char* value;
};

class RefusedRow : public testing::TestWithParam<BadNumber> {};

TEST_P(RefusedRow, IsRefusedAloneAndNamesTheColumn) {
  const std::string text =
      std::string("id,model,") + GetParam().column + "\nbad,m," + GetParam().value + "\ngood,m,1\n";
  const auto rows = read_memory_rows(text, "rows.csv");
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->size(), 2U);
  ASSERT_FALSE((*rows)[0].known);
  EXPECT_EQ((*rows)[0].known.error().subject, std::string("rows.csv:2:") + GetParam().column);
  EXPECT_TRUE((*rows)[1].known);
}

INSTANTIATE_TEST_SUITE_P(Values,
                         RefusedRow,
                         testing::Values(BadNumber{"words", "n_gpus", "eight"},
                                         BadNumber{"fraction", "tp", "1.5"},
                                         BadNumber{"negative", "seq_len", "-2048"},
                                         BadNumber{"huge", "micro_batch", "1e300"},
                                         BadNumber{"not_finite", "seq_len", "nan"},
                                         BadNumber{"trailing", "pp", "4x"}),
                         [](const auto& param_info) { return std::string(param_info.param.name); });

TEST(MemoryRows, UnreadableMeasurementLeavesWhatIsKnown) {
  const auto rows = read_memory_rows("id,model,metric,value_gib\na,m,peak_reserved,lots\nb,m,guess,1\n", "rows.csv");
  ASSERT_TRUE(rows);
  EXPECT_TRUE((*rows)[0].known);
  EXPECT_FALSE((*rows)[0].measured);
  EXPECT_TRUE((*rows)[1].known);
  EXPECT_FALSE((*rows)[1].measured);
}

struct BadHeader {
  const char* name;
  const char* text;
  const char* message;
};

class RefusedHeader : public testing::TestWithParam<BadHeader> {};

TEST_P(RefusedHeader, NamesTheColumn) {
  const auto rows = read_memory_rows(GetParam().text, "rows.csv");
  ASSERT_FALSE(rows);
  EXPECT_EQ(rows.error().code, ErrorCode::invalid_input);
  EXPECT_NE((rows.error().message + " " + rows.error().hint).find(GetParam().message), std::string::npos)
      << describe(rows.error());
}

INSTANTIATE_TEST_SUITE_P(Headers,
                         RefusedHeader,
                         testing::Values(BadHeader{"no_model", "id,gpu\na,b\n", "'model'"},
                                         BadHeader{"no_id", "model\na\n", "'id'"},
                                         BadHeader{"slip", "id,model,micro_bach\na,b,1\n", "'micro_batch'"},
                                         BadHeader{"twice", "id,model,model\na,b,c\n", "model"},
                                         BadHeader{"empty_file", "", ""}),
                         [](const auto& param_info) { return std::string(param_info.param.name); });

TEST(ThroughputRows, ReadsEveryColumnIntoAFieldOfItsOwn) {
  KnownThroughputRow known;
  std::string header = "id", line = "t-1";
  int next = 10;
  visit_columns(known, [&](std::string_view column, auto&) {
    header += "," + std::string(column);
    line += "," + std::to_string(next++);
  });
  const auto rows = read_throughput_rows(header + "\n" + line + "\n", "rows.csv");
  ASSERT_TRUE(rows) << describe(rows.error());
  KnownThroughputRow read = *rows->front().known;
  int expected = 10;
  visit_columns(read, [&](std::string_view column, auto& field) {
    std::string text;
    if constexpr (std::is_same_v<std::decay_t<decltype(field)>, std::string>) {
      text = field;
    } else {
      text = field ? std::to_string(*field) : "";
    }
    EXPECT_EQ(text, std::to_string(expected++)) << column;
  });
}

}  // namespace
}  // namespace mekiki
