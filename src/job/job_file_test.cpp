#include "job/job_file.h"

#include <set>

#include <gtest/gtest.h>

#include "job/job_keys.h"

namespace mekiki {
namespace {

JobRequest read(std::string_view text) {
  const Result<JobRequest> request = read_job_file(text, "job.yaml");
  EXPECT_TRUE(request) << describe(request.error());
  return request.value_or(JobRequest{});
}

TEST(JobFile, ReadsWhatAPersonWrites) {
  const JobRequest request = read(R"(
model: llama-3.2-1b        # the base model
method: cpt
tokens: 10B
sequence_length: 4k
lora: {rank: 8, targets: [q_proj, v_proj]}
compile: yes
headroom: 15%
dp_shard: 8
gpu: L40S
held_by_others: 2GiB
deadline: 7d
budget: $5k
providers: [a, b]
)");
  EXPECT_EQ(request.model, "llama-3.2-1b");
  EXPECT_EQ(request.job.method, Method::continued_pretraining);
  EXPECT_EQ(request.job.tokens, 10'000'000'000);
  EXPECT_EQ(request.job.sequence_length, 4096);
  ASSERT_TRUE(request.job.lora);
  EXPECT_EQ(request.job.lora->rank, 8);
  EXPECT_EQ(request.job.lora->targets, (std::vector<std::string>{"q_proj", "v_proj"}));
  EXPECT_EQ(request.job.compile, true);
  EXPECT_EQ(request.job.headroom, 0.15);
  EXPECT_EQ(request.layout.dp_shard, 8);
  EXPECT_FALSE(request.layout.tensor_parallel);
  EXPECT_EQ(request.target.gpu, "L40S");
  EXPECT_EQ(request.target.held_by_others, Bytes{2.0 * kGiB.base()});
  EXPECT_EQ(request.selection.deadline, Seconds{7.0 * kDay.base()});
  EXPECT_EQ(request.selection.budget, Usd{5000.0});
  EXPECT_EQ(request.selection.providers, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(request.origins.at("tokens"), "job.yaml:4:1");
  EXPECT_EQ(request.origins.at("lora_rank"), "job.yaml:6:8");
}

TEST(JobFile, KnowsTheSpellingsOfOthers) {
  EXPECT_EQ(read("method: pretrain").job.method, Method::pretraining);
  EXPECT_EQ(read("precision: bf16").job.precision, Precision::bf16_mixed);
  EXPECT_EQ(read("precision: BF16_MIXED").job.precision, Precision::bf16_mixed);
  EXPECT_EQ(read("optimizer: adamw8bit").job.optimizer, Optimizer::adamw_8bit);
  EXPECT_EQ(read("attention: flash").job.attention, AttentionKernel::flash2);
  EXPECT_EQ(read("micro-batch-size: 2").job.micro_batch_size, 2);
}

struct BadFile {
  const char* name;
  std::string text;
  const char* subject;
  const char* message;  // a part of it
};

class RefusedJobFile : public testing::TestWithParam<BadFile> {};

TEST_P(RefusedJobFile, NamesPlaceAndReason) {
  const Result<JobRequest> request = read_job_file(GetParam().text, "job.yaml");
  ASSERT_FALSE(request);
  EXPECT_EQ(request.error().subject, GetParam().subject) << describe(request.error());
  EXPECT_NE(request.error().message.find(GetParam().message), std::string::npos) << describe(request.error());
  EXPECT_FALSE(request.error().hint.empty());
}

std::string nested(int depth) {
  std::string text;
  for (int i = 0; i < depth; ++i) {
    text += "{a: ";
  }
  return text + "x" + std::string(static_cast<std::size_t>(depth), '}');
}

INSTANTIATE_TEST_SUITE_P(
    JobFile,
    RefusedJobFile,
    testing::Values(
        BadFile{"Empty", "", "job.yaml:1:1", "describes no job"},
        BadFile{"OnlyComments", "# nothing\n", "job.yaml:1:1", "describes no job"},
        BadFile{"Scalar", "hello", "job.yaml:1:1", "no mapping"},
        BadFile{"List", "- a\n- b\n", "job.yaml:1:1", "no mapping"},
        BadFile{"UnknownKey", "model: x\nmicro_batchsize: 2\n", "job.yaml:2:1", "there is no key \"micro_batchsize\""},
        BadFile{"Twice", "tokens: 1B\nmodel: x\ntokens: 2B\n", "job.yaml:3:1", "given twice"},
        BadFile{"TwiceByDash", "dp_shard: 2\ndp-shard: 2\n", "job.yaml:2:1", "given twice"},
        BadFile{"NoValue", "model:\ntokens: 1B\n", "job.yaml:2:1", "has no value"},
        BadFile{"BadWord", "method: finetune\n", "job.yaml:1:1", "method: \"finetune\" is not known"},
        BadFile{"BadUnit", "held_by_others: 2\n", "job.yaml:1:1", "held_by_others: "},
        BadFile{"Negative", "micro_batch_size: -1\n", "job.yaml:1:1", "micro_batch_size: "},
        BadFile{"Zero", "micro_batch_size: 0\n", "job.yaml:1:1", "out of range"},
        BadFile{"Huge", "tokens: 99999999T\n", "job.yaml:1:1", "out of range"},
        BadFile{"Stage", "zero_stage: 4\n", "job.yaml:1:1", "no ZeRO stage"},
        BadFile{"Share", "headroom: 1.5\n", "job.yaml:1:1", "no share"},
        BadFile{"NotANumber", "headroom: nan\n", "job.yaml:1:1", "headroom: "},
        BadFile{"Alias", "model: &a x\ngpu: *a\n", "job.yaml:1:8", "anchors"},
        BadFile{"Tag", "model: !!binary x\n", "job.yaml:1:8", "tags"},
        BadFile{"Deep", nested(20), "job.yaml:1:17", "nested too deeply"},
        BadFile{"VeryDeep", nested(400), "job.yaml:1:17", "nested too deeply"},
        BadFile{"ListOfLists", "providers: [[a]]\n", "job.yaml:1:13", "plain values only"},
        BadFile{"MapAsKey", "? {a: b}\n: c\n", "job.yaml:1:3", "plain word"},
        BadFile{"TwoDocuments", "model: x\n---\nmodel: y\n", "job.yaml:2:1", "second document"},
        BadFile{"BadYaml", "model: \"\\q\"\n", "job.yaml:1:11", "is no YAML"},
        BadFile{"NotUtf8", "model: \xff\n", "job.yaml:1:8", "no UTF-8"},
        BadFile{"Nul", std::string("model: a\0b\n", 11), "job.yaml:1:9", "NUL"},
        BadFile{"Long", std::string((1u << 20) + 1, '#'), "job.yaml", "longer than"}),
    [](const auto& test) { return test.param.name; });

TEST(JobFile, AnchorBombStaysSmall) {
  std::string text = "a: &a [x,x,x,x,x,x,x,x,x]\n";
  for (char c = 'b'; c < 'k'; ++c) {
    const std::string previous(1, static_cast<char>(c - 1));
    std::string list;
    for (int i = 0; i < 9; ++i) {
      list += (i == 0 ? "*" : ",*") + previous;
    }
    text += std::string(1, c) + ": &" + c + " [" + list + "]\n";
  }
  const Result<JobRequest> request = read_job_file(text, "job.yaml");
  ASSERT_FALSE(request);
  EXPECT_EQ(request.error().subject, "job.yaml:1:4");
}

TEST(JobFile, EndlessNestingIsRefused) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) {
    text += "[";
  }
  const Result<JobRequest> request = read_job_file(text, "job.yaml");
  ASSERT_FALSE(request);
  EXPECT_EQ(request.error().code, ErrorCode::invalid_input);
}

TEST(JobFile, EveryTruncationIsReadOrRefused) {
  const std::string text = "model: llama-3.2-1b\nlora: {rank: 8, targets: [q_proj, v_proj]}\ntokens: \"10B\"\n";
  for (std::size_t length = 0; length <= text.size(); ++length) {
    const Result<JobRequest> request = read_job_file(std::string_view(text).substr(0, length), "job.yaml");
    EXPECT_TRUE(request || !request.error().message.empty()) << length;
  }
}

TEST(JobKeys, NamesAreUniqueAndSpelledAlike) {
  std::set<std::string_view> names;
  for (const JobKey& key : job_keys()) {
    EXPECT_TRUE(names.insert(key.name).second) << key.name;
    EXPECT_EQ(key.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string_view::npos) << key.name;
    EXPECT_EQ(key.kind == JobValueKind::word, !key.words.empty()) << key.name;
    EXPECT_NE(key.set, nullptr) << key.name;
  }
}

// A value of each kind must reach its key: a table row that stores nowhere would lose what the user said.
TEST(JobKeys, EveryWordOfEveryKeyIsRead) {
  for (const JobKey& key : job_keys()) {
    for (std::string_view word : key.words) {
      EXPECT_TRUE(with_value({}, key.name, word, "--x")) << key.name << " " << word;
    }
  }
}

TEST(JobKeys, ACorpusIsASizeOrAPath) {
  const auto corpus = [](std::string_view value) {
    return with_value({}, "corpus", value, "--corpus").map([](JobRequest request) { return request.job.corpus; });
  };
  EXPECT_EQ(corpus("40 GB")->size, 40.0 * kGB);
  EXPECT_EQ(corpus("12GiB")->size, 12.0 * kGiB);
  EXPECT_EQ(corpus("texts/part.txt")->path, "texts/part.txt");
  EXPECT_FALSE(corpus("texts")->size);
  for (const std::string_view wrong : {"40", "40 GG", "0GB", "0", "", " "}) {
    EXPECT_FALSE(corpus(wrong)) << wrong;
  }
  EXPECT_EQ(with_value({}, "epochs", "1.5", "--epochs")->job.corpus.epochs, 1.5);
  EXPECT_FALSE(with_value({}, "epochs", "0", "--epochs"));
  EXPECT_FALSE(with_value({}, "epochs", "nan", "--epochs"));
}

TEST(JobKeys, LaterValueWins) {
  JobRequest request = read("tokens: 1B");
  request = with_value(request, "tokens", "2B", "--tokens").value();
  EXPECT_EQ(request.job.tokens, 2'000'000'000);
  const Error error = at_origin(request, {ErrorCode::invalid_input, "tokens", "too many", ""});
  EXPECT_EQ(error.subject, "--tokens");
  EXPECT_EQ(error.message, "tokens: too many");
  EXPECT_EQ(at_origin(request, {ErrorCode::invalid_input, "gpu", "none", ""}).subject, "gpu");
}

TEST(JobKeys, UnknownKeyGetsASuggestion) {
  const auto refused = with_value({}, "sequence-lenght", "4k", "--set");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::not_found);
  EXPECT_NE(refused.error().hint.find("sequence_length"), std::string::npos);
}

}  // namespace
}  // namespace mekiki
