#include "checkpoint/safetensors.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "checkpoint/files_for_tests.h"

namespace mekiki {
namespace {

struct Refusal {
  std::string file;
  std::string subject;  // behind the name of the file
  std::string reason;
};

// Source of every reason: the rule that the file's name says it breaks.
const std::vector<Refusal>& refusals() {
  static const std::vector<Refusal> all = {
      {"bad_duplicate_key", ":/a", "given twice"},
      {"bad_header_len_huge", "", "the format allows 100000000"},
      {"bad_header_past_eof", "", "header of 500 bytes, but the file has only 10"},
      {"bad_header_too_short", "", "too short"},
      {"bad_hole", ":/b", "leaves a hole before it: it begins at byte 8, the tensor before ends at 4"},
      {"bad_invalid_utf8", "", "not UTF-8"},
      {"bad_metadata_not_string", ":/__metadata__/n", "is no text"},
      {"bad_negative_offset", ":/a", "data_offsets"},
      {"bad_not_brace", "", "does not begin with \"{\""},
      {"bad_overlap", ":/b", "overlaps the tensor before it"},
      {"bad_shape_overflow", ":/a", "too large to count"},
      {"bad_size_mismatch", ":/a", "8 bytes by its offsets and 12 by its shape"},
      {"bad_trailing_bytes", "", "4 bytes after the last tensor"},
      {"bad_truncated_buffer", ":/model.norm.weight", "ends at byte 36 of data that is 34 long"},
      {"bad_unknown_dtype", ":/a", "unknown dtype \"F33\""},
  };
  return all;
}

TEST(Safetensors, RefusesEveryBadFileWithItsReason) {
  for (const Refusal& refusal : refusals()) {
    const std::string name = refusal.file + ".safetensors";
    const std::string bytes = test_bytes(name);
    const auto header = parse_safetensors(bytes, bytes.size(), name);
    ASSERT_FALSE(header) << name;
    EXPECT_EQ(header.error().subject, name + refusal.subject);
    EXPECT_NE(header.error().message.find(refusal.reason), std::string::npos) << name << ": " << header.error().message;
    EXPECT_FALSE(header.error().hint.empty()) << name;
    EXPECT_EQ(header.error().code, ErrorCode::invalid_input);
  }
}

TEST(Safetensors, TheTableOfRefusalsHasEveryBadFile) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(MEKIKI_SOURCE_DIR "/tests/data/safetensors")) {
    count += entry.path().filename().string().starts_with("bad_") ? 1 : 0;
  }
  EXPECT_EQ(count, refusals().size());
}

TEST(Safetensors, ReadsTensorsInTheOrderOfTheirData) {
  const std::string bytes = test_bytes("ok_small.safetensors");
  const auto header = parse_safetensors(bytes, bytes.size(), "ok");
  ASSERT_TRUE(header) << describe(header.error());
  EXPECT_EQ(header->metadata.at("format"), "pt");
  EXPECT_EQ(header->data_begin, 376U);
  ASSERT_EQ(header->tensors.size(), 5U);
  EXPECT_EQ(header->tensors[0], (CheckpointTensor{"empty", StoredDtype::f32, {0, 4}, 0, 0, 0}));
  EXPECT_EQ(header->tensors[1], (CheckpointTensor{"model.embed_tokens.weight", StoredDtype::f32, {2, 3}, 6, 0, 24}));
  EXPECT_EQ(header->tensors[2], (CheckpointTensor{"scalar", StoredDtype::f32, {}, 1, 24, 28}));
  EXPECT_EQ(header->tensors[3], (CheckpointTensor{"model.norm.weight", StoredDtype::bf16, {4}, 4, 28, 36}));
  EXPECT_EQ(header->tensors[4], (CheckpointTensor{"flag", StoredDtype::boolean, {1}, 1, 36, 37}));
}

TEST(Safetensors, NeedsTheHeaderOnlyAndTheLengthOfTheFile) {
  const std::string header = R"({"w":{"dtype":"BF16","shape":[1000000,1000000],"data_offsets":[0,2000000000000]}})";
  const std::string bytes = safetensors_bytes(header, 0);
  const std::uint64_t length = bytes.size() + 2'000'000'000'000;
  EXPECT_EQ(safetensors_header_end(bytes.substr(0, 8), length, "w").value(), bytes.size());
  EXPECT_EQ(parse_safetensors(bytes, length, "w").value().tensors[0].elements, 1'000'000'000'000);
  EXPECT_FALSE(parse_safetensors(bytes, length - 1, "w"));
  EXPECT_FALSE(parse_safetensors(bytes, length + 1, "w"));
}

TEST(Safetensors, EveryCutIsRefused) {
  const std::string bytes = test_bytes("ok_small.safetensors");
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_FALSE(parse_safetensors(bytes.substr(0, length), length, "cut")) << length;
  }
}

struct HeaderCase {
  std::string header;
  std::size_t data_length;
  bool is_good;
};

TEST(Safetensors, JudgesHeaders) {
  const std::vector<HeaderCase> cases = {
      {R"({})", 0, true},
      {R"({}        )", 0, true},  // writers pad with blanks
      {R"({})", 1, false},
      {R"({"a":{"dtype":"F4","shape":[3,2],"data_offsets":[0,3]}})", 3, true},
      {R"({"a":{"dtype":"F4","shape":[3],"data_offsets":[0,2]}})", 2, false},  // 12 bits
      {R"({"a":{"dtype":"F6_E2M3","shape":[4],"data_offsets":[0,3]}})", 3, true},
      {R"({"a":{"dtype":"F8_E8M0","shape":[2],"data_offsets":[0,2],"more":1}})", 2, true},
      {R"({"a":{"dtype":"F32","shape":[1.0],"data_offsets":[0,4]}})", 4, false},
      {R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", 4, false},
      {R"({"a":{"dtype":"F32","shape":[true],"data_offsets":[0,4]}})", 4, false},
      {R"({"a":{"dtype":"F32","shape":"1","data_offsets":[0,4]}})", 4, false},
      {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})", 4, false},
      {R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4,8]}})", 4, false},
      {R"({"a":{"dtype":"F32","shape":[1]}})", 4, false},
      {R"({"a":{"shape":[1],"data_offsets":[0,4]}})", 4, false},
      {R"({"a":{"dtype":"F32","shape":[18446744073709551615],"data_offsets":[0,4]}})", 4, false},
      {R"({"a":{"dtype":"U8","shape":[4611686018427387904,2,0],"data_offsets":[0,0]}})", 0, false},
      {R"({"a":[1]})", 0, false},
      {R"({"__metadata__":[]})", 0, false},
      {R"({"__metadata__":{"a":"b"}})", 0, true},
      {R"({"__metadata__":{"a":"b","a":"c"}})", 0, false},
  };
  for (const HeaderCase& one : cases) {
    const std::string bytes = safetensors_bytes(one.header, one.data_length);
    EXPECT_EQ(parse_safetensors(bytes, bytes.size(), "t").has_value(), one.is_good) << one.header;
  }
}

TEST(Safetensors, KnowsEveryDtypeByItsNameAndSize) {
  for (const std::string_view name : EnumNames<StoredDtype>::value) {
    const std::int64_t bits = bits_per_element(*enum_from_name<StoredDtype>(name));
    const std::string length = std::to_string(bits);  // 8 elements take as many bytes as one takes bits
    const std::string header =
        R"({"a":{"dtype":")" + std::string(name) + R"(","shape":[8],"data_offsets":[0,)" + length + "]}}";
    const std::string bytes = safetensors_bytes(header, static_cast<std::size_t>(bits));
    EXPECT_TRUE(parse_safetensors(bytes, bytes.size(), "t")) << name;
  }
}

}  // namespace
}  // namespace mekiki
