#include "cli/program.h"

#include <set>

#include <gtest/gtest.h>

#include "cli/commands.h"
#include "cli/help.h"
#include "os/fake_files.h"
#include "report/message_ids.h"

namespace mekiki {
namespace {

/// The program on files, a day and an environment of the test.
class ProgramOnFakes : public testing::Test {
 protected:
  Outcome run(const std::vector<std::string>& words) const {
    const World world{.files = &files_, .clock = &clock_, .environment = &environment_};
    return run_program(words, world);
  }

  FakeFiles files_;
  FakeClock clock_{*parse_date("2026-11-20")};
  FakeEnvironment environment_;
};

TEST_F(ProgramOnFakes, AnswersFromAConfigInMemory) {
  files_.texts["m/config.json"] = R"({"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2,
      "num_attention_heads": 4, "intermediate_size": 128, "vocab_size": 100, "tie_word_embeddings": true})";
  const Outcome by_folder = run({"model", "m", "--json"});
  EXPECT_EQ(by_folder.code, ExitCode::ok) << by_folder.output;
  EXPECT_NE(by_folder.output.find("\"as_of\": \"2026-11-20\""), std::string::npos);
  // 100 x 64 + 2 x (4 x 64 x 64 + 3 x 64 x 128 + 2 x 64) + 64
  EXPECT_NE(by_folder.output.find("\"trainable\": 88640"), std::string::npos) << by_folder.output;
  EXPECT_EQ(run({"model", "m/config.json"}).code, ExitCode::ok);
}

TEST_F(ProgramOnFakes, ReadsAJobFromStandardInput) {
  files_.standard_input = "model: llama-3.2-1b\ngpu: L40S\n";
  EXPECT_EQ(run({"fit", "-"}).code, ExitCode::ok);
  files_.standard_input = "model: llama-3.2-1b\nmodel: x\n";
  const Outcome refused = run({"fit", "-"});
  EXPECT_EQ(refused.code, ExitCode::bad_input);
  EXPECT_EQ(refused.output, "");
  EXPECT_EQ(refused.talk.substr(0, 16), "mekiki: -:2:1: m");
}

TEST_F(ProgramOnFakes, GlobalFlagsMayStandAnywhere) {
  for (const auto& words : {std::vector<std::string>{"--json", "gpus", "l40s"},
                            std::vector<std::string>{"gpus", "--json", "l40s"},
                            std::vector<std::string>{"gpus", "l40s", "--json"}}) {
    EXPECT_EQ(run(words).output.front(), '{');
  }
  EXPECT_EQ(run({"gpus", "--as-of=2026-01-02", "l40s", "--json"}).output.find("2026-11-20"), std::string::npos);
}

TEST_F(ProgramOnFakes, QuietAndLocale) {
  environment_.variables["LANG"] = "ja_JP.UTF-8";
  EXPECT_NE(run({"--help"}).output.find("使い方"), std::string::npos);
  environment_.variables["LC_ALL"] = "C";
  EXPECT_EQ(run({"--help"}).output.find("使い方"), std::string::npos);
  EXPECT_EQ(run({"gpus", "--quiet"}).talk, "");
}

TEST_F(ProgramOnFakes, NoCommandIsUsage) {
  const Outcome nothing = run({});
  EXPECT_EQ(nothing.code, ExitCode::usage);
  EXPECT_EQ(nothing.output, "");
  EXPECT_NE(nothing.talk.find("fit"), std::string::npos);
  EXPECT_EQ(run({"prices"}).code, ExitCode::usage);
  EXPECT_EQ(run({"prices", "--help"}).code, ExitCode::ok);
}

TEST(InternalFailure, IsAnErrorLikeOthers) {
  const std::vector<std::string> words = {"fit", "--json"};
  EXPECT_EQ(internal_failure(words, "x").code, ExitCode::internal);
  EXPECT_NE(internal_failure(words, "x").output.find("\"code\": \"internal\""), std::string::npos);
  EXPECT_EQ(internal_failure({}, "x").output, "");
  EXPECT_NE(internal_failure({}, "x").talk.find("internal error: x"), std::string::npos);
}

TEST(Tables, EveryFlagAndCommandIsExplained) {
  for (const Command& command : commands()) {
    EXPECT_TRUE(find_message(command_message(command.name, "summary"))) << command.name;
    EXPECT_TRUE(find_message(command_message(command.name, "example"))) << command.name;
    std::set<std::string> names;
    for (const Flag& flag : flags_of(command)) {
      EXPECT_TRUE(names.insert(flag.name).second) << command.name << " --" << flag.name;
      EXPECT_TRUE(find_message(flag.help)) << flag.name;
      EXPECT_TRUE(find_message(group_message(flag.group))) << flag.name;
    }
  }
}

TEST(Tables, EveryJobKeyIsAFlagOfPlan) {
  std::set<std::string> flags;
  for (const Flag& flag : job_flags(JobFlags::all)) {
    flags.insert(flag.name);
  }
  for (const JobKey& key : job_keys()) {
    EXPECT_TRUE(flags.contains(flag_of(key).name)) << key.name;
  }
}

TEST(ExitCodes, FollowTheKindOfError) {
  EXPECT_EQ(exit_code_of(ErrorCode::usage), ExitCode::usage);
  EXPECT_EQ(exit_code_of(ErrorCode::not_found), ExitCode::bad_input);
  EXPECT_EQ(exit_code_of(ErrorCode::environment), ExitCode::environment);
  EXPECT_EQ(exit_code_of(ErrorCode::internal), ExitCode::internal);
}

}  // namespace
}  // namespace mekiki
