#include "os/process.h"

#include <gtest/gtest.h>

namespace mekiki {
namespace {

TEST(SystemProcess, GivesBothStreamsAndTheExitCode) {
  const auto done = SystemProcess().run({"sh", "-c", "echo out; echo talk >&2; exit 3"}, 10 * kSecond);
  ASSERT_TRUE(done) << describe(done.error());
  EXPECT_EQ(done->output, "out\n");
  EXPECT_EQ(done->talk, "talk\n");
  EXPECT_EQ(done->exit_code, 3);
}

TEST(SystemProcess, HasNoShellAndNoInput) {
  const auto echo = SystemProcess().run({"echo", "$HOME; false"}, 10 * kSecond);
  ASSERT_TRUE(echo);
  EXPECT_EQ(echo->output, "$HOME; false\n");
  const auto cat = SystemProcess().run({"cat"}, 10 * kSecond);
  ASSERT_TRUE(cat);
  EXPECT_EQ(cat->output, "");
}

TEST(SystemProcess, AMissingProgramIsNotFound) {
  const auto done = SystemProcess().run({"no-such-program-here"}, 10 * kSecond);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::not_found);
}

TEST(SystemProcess, EndsWhatRunsTooLongWithItsChildren) {
  const auto done = SystemProcess().run({"sh", "-c", "sleep 60 & sleep 60"}, 0.05 * kSecond);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::environment);
}

TEST(SystemProcess, ReadsMoreThanAPipeHolds) {
  const auto done =
      SystemProcess().run({"sh", "-c", "head -c 300000 /dev/zero; head -c 300000 /dev/zero >&2"}, 10 * kSecond);
  ASSERT_TRUE(done);
  EXPECT_EQ(done->output.size(), 300000u);
  EXPECT_EQ(done->talk.size(), 300000u);
}

}  // namespace
}  // namespace mekiki
