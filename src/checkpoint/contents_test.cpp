#include "checkpoint/contents.h"

#include <gtest/gtest.h>

#include "checkpoint/files_for_tests.h"

namespace mekiki {
namespace {

using Shape = std::vector<std::int64_t>;
using enum StoredDtype;

struct PackedCase {
  std::string name;
  CheckpointFile file;
  std::optional<std::int64_t> bits;  // as config.json says
  Packing packing;
  std::string weight;
  std::optional<Shape> shape;
  std::int64_t elements;
  std::size_t scales;  // tensors beside the weight
  double bits_per_weight;
};

// A linear layer with 256 inputs and 512 outputs (131,072 weights), groups of 128, as each form writes it; by hand from
// the forms in contents.h.
std::vector<PackedCase> packed_cases() {
  const std::int64_t all = 131'072;
  const Shape shape{512, 256};
  return {
      {"gptq with g_idx",
       file_of("f",
               {{"p.qweight", i32, {32, 512}},
                {"p.qzeros", i32, {2, 64}},
                {"p.scales", f16, {2, 512}},
                {"p.g_idx", i32, {256}}}),
       {},
       Packing::gptq,
       "p.weight",
       shape,
       all,
       3,
       (65536.0 + 512 + 2048 + 1024) * 8 / 131072},
      {"gptq without g_idx, 8 bits",
       file_of("f", {{"p.qweight", i32, {64, 512}}, {"p.qzeros", i32, {2, 128}}, {"p.scales", f16, {2, 512}}}),
       {},
       Packing::gptq,
       "p.weight",
       shape,
       all,
       2,
       (131072.0 + 1024 + 2048) * 8 / 131072},
      {"gptq, 3 bits",
       file_of("f", {{"p.qweight", i32, {24, 512}}, {"p.scales", f16, {2, 512}}, {"p.g_idx", i32, {256}}}),
       {},
       Packing::gptq,
       "p.weight",
       shape,
       all,
       2,
       (49152.0 + 2048 + 1024) * 8 / 131072},
      {"awq",
       file_of("f", {{"p.qweight", i32, {256, 64}}, {"p.qzeros", i32, {2, 64}}, {"p.scales", f16, {2, 512}}}),
       {},
       Packing::awq,
       "p.weight",
       shape,
       all,
       2,
       (65536.0 + 512 + 2048) * 8 / 131072},
      {"fp8 with blocks",
       file_of("f", {{"p.weight", f8_e4m3, {512, 256}}, {"p.weight_scale_inv", f32, {4, 2}}}),
       {},
       Packing::fp8,
       "p.weight",
       shape,
       all,
       1,
       (131072.0 + 32) * 8 / 131072},
      {"fp8 with one scale for all and one for the inputs",
       file_of("f", {{"p.weight", f8_e5m2, {512, 256}}, {"p.weight_scale", f32, {}}, {"p.input_scale", f32, {}}}),
       {},
       Packing::fp8,
       "p.weight",
       shape,
       all,
       2,
       (131072.0 + 8) * 8 / 131072},
      {"fp8 of fused experts",
       file_of("f", {{"e.down_proj", f8_e4m3, {2, 256, 256}}, {"e.down_proj_scale", f32, {2, 1, 256}}}),
       {},
       Packing::fp8,
       "e.down_proj",
       Shape{2, 256, 256},
       all,
       1,
       (131072.0 + 2048) * 8 / 131072},
      {"mxfp4 of experts",
       file_of("f", {{"e.up_proj_blocks", u8, {4, 128, 8, 16}}, {"e.up_proj_scales", u8, {4, 128, 8}}}),
       {},
       Packing::mxfp4,
       "e.up_proj",
       Shape{4, 256, 128},
       all,
       1,
       4.25},
      {"mxfp4 of a layer",
       file_of("f", {{"p.weight_packed", u8, {512, 128}}, {"p.weight_scale", u8, {512, 8}}}),
       {},
       Packing::mxfp4,
       "p.weight",
       shape,
       all,
       1,
       4.25},
      {"nvfp4 with two scales",
       file_of("f",
               {{"p.weight", u8, {512, 128}},
                {"p.weight_scale", f8_e4m3, {512, 16}},
                {"p.weight_scale_2", f32, {}},
                {"p.input_scale", f32, {}}}),
       {},
       Packing::nvfp4,
       "p.weight",
       shape,
       all,
       3,
       (65536.0 + 8192 + 8) * 8 / 131072},
      {"nvfp4 packed",
       file_of("f",
               {{"p.weight_packed", u8, {512, 128}},
                {"p.weight_scale", f8_e4m3, {512, 16}},
                {"p.weight_global_scale", f32, {1}},
                {"p.input_global_scale", f32, {1}}}),
       {},
       Packing::nvfp4,
       "p.weight",
       shape,
       all,
       3,
       (65536.0 + 8192 + 8) * 8 / 131072},
      {"packed integers",
       file_of("f",
               {{"p.weight_packed", i32, {512, 32}}, {"p.weight_scale", bf16, {512, 2}}, {"p.weight_shape", i64, {2}}}),
       4,
       Packing::packed_int,
       "p.weight",
       shape,
       all,
       2,
       (65536.0 + 2048 + 16) * 8 / 131072},
      {"int8 with row constants",
       file_of("f", {{"p.weight", i8, {512, 256}}, {"p.SCB", f32, {512}}, {"p.weight_format", u8, {}}}),
       {},
       Packing::int8,
       "p.weight",
       shape,
       all,
       2,
       (131072.0 + 2048 + 1) * 8 / 131072},
      {"4-bit blocks",
       file_of("f",
               {{"p.weight", u8, {65536, 1}},
                {"p.weight.absmax", f32, {2048}},
                {"p.weight.quant_map", f32, {16}},
                {"p.weight.quant_state.bitsandbytes__nf4", u8, {80}}}),
       {},
       Packing::bnb_4bit,
       "p.weight",
       std::nullopt,
       all,
       3,
       (65536.0 + 8192 + 64 + 80) * 8 / 131072},
  };
}

TEST(Contents, RecoversTheWeightsOfEveryForm) {
  for (const PackedCase& one : packed_cases()) {
    const CheckpointContents contents =
        contents_of(std::span(&one.file, 1), {.method = "", .format = "", .bits = one.bits});
    ASSERT_EQ(contents.weights.size(), 1U) << one.name;
    const LogicalTensor& weight = contents.weights[0];
    EXPECT_EQ(weight.name, one.weight) << one.name;
    EXPECT_EQ(weight.packing, one.packing) << one.name;
    EXPECT_EQ(weight.shape, one.shape) << one.name;
    EXPECT_EQ(weight.elements, one.elements) << one.name;
    EXPECT_EQ(contents.weight_count, one.elements) << one.name;
    EXPECT_EQ(contents.scales.size(), one.scales) << one.name;
    EXPECT_TRUE(contents.unrecognized.empty()) << one.name;
    ASSERT_EQ(contents.by_packing.size(), 1U) << one.name;
    EXPECT_DOUBLE_EQ(contents.by_packing[0].bits_per_weight(), one.bits_per_weight) << one.name;
    EXPECT_EQ(contents.bytes, weight.bytes) << one.name;
  }
}

// Source: the shape [4, 96] that quant_state in these files states (tests/data/safetensors/README.md).
TEST(Contents, CountsTheSampleFiles) {
  for (const char* name : {"packed/nf4_single.safetensors", "packed/nf4_double_quant.safetensors"}) {
    const std::string bytes = test_bytes(name);
    const CheckpointFile file{name, parse_safetensors(bytes, bytes.size(), name).value()};
    const auto settings = read_quantization_settings(test_bytes("packed/nf4_config.json"), "config.json");
    EXPECT_EQ(settings.value().method, "bitsandbytes");
    const CheckpointContents contents = contents_of(std::span(&file, 1), *settings);
    EXPECT_EQ(contents.weight_count, 4 * 96) << name;
    EXPECT_EQ(contents.weights[0].packing, Packing::bnb_4bit) << name;
    EXPECT_EQ(contents.scales.size() + 1, file.header.tensors.size()) << name;
  }
}

TEST(Contents, SumsWhatIsStoredByDtype) {
  const std::vector<CheckpointFile> files = {file_of("1", {{"a.weight", bf16, {4, 4}}, {"b.weight", f32, {4}}}),
                                             file_of("2", {{"c.weight", bf16, {2}}, {"a.weight", bf16, {4, 4}}})};
  const CheckpointContents contents = contents_of(files, {});
  EXPECT_EQ(contents.stored_elements, 22);  // a.weight once
  EXPECT_EQ(contents.weight_count, 22);
  EXPECT_EQ(contents.bytes, 52U);
  ASSERT_EQ(contents.by_dtype.size(), 2U);
  EXPECT_EQ(contents.by_dtype[0].dtype, bf16);
  EXPECT_EQ(contents.by_dtype[0].elements, 18);
  EXPECT_EQ(contents.by_dtype[1].bytes, 16U);
}

TEST(Contents, NamesPackedTensorsThatItCannotCount) {
  const CheckpointFile file = file_of("f",
                                      {{"p.weight_packed", i32, {512, 32}},  // nobody says how many bits
                                       {"p.weight_scale", bf16, {512, 2}},
                                       {"q.weight", u32, {512, 32}},
                                       {"r.qweight", i32, {7, 3}},
                                       {"s.weight", i8, {4, 4}},
                                       {"position_ids", i64, {1, 8}},
                                       {"attn.k_scale", f32, {}}});
  const CheckpointContents contents = contents_of(std::span(&file, 1), {});
  EXPECT_EQ(contents.unrecognized, (std::vector<std::string>{"p.weight_packed", "q.weight", "r.qweight", "s.weight"}));
  EXPECT_EQ(contents.scales, (std::vector<std::string>{"attn.k_scale"}));
  EXPECT_EQ(contents.stored_elements, 512 * 32 * 2 + 1024 + 21 + 16 + 8 + 1);
}

TEST(QuantizationSettings, ReadsWhatTheConfigSays) {
  const auto read = [](const char* text) { return read_quantization_settings(text, "c").value(); };
  EXPECT_EQ(read(R"({"quantization_config": {"quant_method": "gptq", "bits": 4}})").bits, 4);
  EXPECT_EQ(read(R"({"text_config": {"quantization_config": {"quant_algo": "FP8"}}})").method, "FP8");
  EXPECT_EQ(read(R"({"quantization_config": {"format": "pack-quantized", "config_groups": {
      "group_0": {"weights": {"num_bits": 4}}, "group_1": {"weights": {"num_bits": 4}}}}})")
                .bits,
            4);
  EXPECT_FALSE(read(R"({"quantization_config": {"config_groups": {
      "group_0": {"weights": {"num_bits": 4}}, "group_1": {"weights": {"num_bits": 8}}}}})")
                   .bits);
  EXPECT_FALSE(read(R"({"quantization_config": {"bits": -4}})").bits);
  EXPECT_EQ(read(R"({"quantization_config": 3})").method, "");
  EXPECT_EQ(read("{}").method, "");
  EXPECT_FALSE(read_quantization_settings("[]", "c"));
}

}  // namespace
}  // namespace mekiki
