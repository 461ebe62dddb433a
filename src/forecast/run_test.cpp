#include "forecast/run.h"

#include <cmath>

#include <gtest/gtest.h>

#include "forecast/wall_time.h"

namespace mekiki {
namespace {

template <class Q>
Estimate<Q> exactly(double value) {
  return {Q{value}, Q{value}, Q{value}, Basis::assumed};
}

ForecastRules certain_rules() {
  return {.node_failures = exactly<PerSecond>(4.0 / 1000 / 86400),
          .job_failures = exactly<PerSecond>(0.5 / 86400),
          .spot_losses = exactly<PerSecond>(0.44 / 3600),
          .restart = exactly<Seconds>(900),
          .checkpoint_write_per_node = exactly<BytesPerSecond>(1e9),
          .checkpoint_read_per_node = exactly<BytesPerSecond>(1e9)};
}

ForecastRules uncertain_rules() {
  ForecastRules rules = certain_rules();
  rules.node_failures = {rules.node_failures.mid * 0.5, rules.node_failures.mid, rules.node_failures.mid * 4.0};
  rules.job_failures = {rules.job_failures.mid * 0.2, rules.job_failures.mid, rules.job_failures.mid * 4.4};
  return rules;
}

RunInputs eight_gpus() {
  return {.tokens = 1e10,
          .tokens_per_step = 4e6,
          .step_time = {Seconds{90}, Seconds{100}, Seconds{130}, Basis::fitted},
          .gpus = 8,
          .nodes = 1,
          .checkpoint = Bytes{96e9}};
}

TEST(Run, StepsAndWorkFollowTheTokens) {
  const auto run = forecast_run(eight_gpus(), certain_rules(), common_draws());
  ASSERT_TRUE(run);
  EXPECT_EQ(run->steps, 2500);
  EXPECT_DOUBLE_EQ(run->work.base(), 250000.0);
  EXPECT_DOUBLE_EQ(run->save_time.base(), 96.0);
  EXPECT_DOUBLE_EQ(run->restart_time.base(), 996.0);
  EXPECT_GT(run->expected, run->work);
}

TEST(Run, RateIsHardwareByGpusAndSoftwareByJob) {
  RunInputs inputs = eight_gpus();
  inputs.gpus = 16384;
  const double per_day = interruption_rate(inputs, certain_rules()).mid.base() * 86400;
  EXPECT_NEAR(per_day, 2048 * 0.004 + 0.5, 1e-9);
  inputs.interruptible = true;
  inputs.nodes = 2;
  EXPECT_NEAR(interruption_rate(inputs, certain_rules()).mid.base() * 3600, per_day / 24 + 0.88, 1e-9);
}

TEST(Run, DrawsAgreeWithTheClosedForm) {
  // Without bands the mean over the draws is the closed form; quantiles come from the same draws.
  RunInputs inputs = eight_gpus();
  inputs.step_time = exactly<Seconds>(100);
  for (const std::int64_t gpus : {8, 1024, 16384}) {
    inputs.gpus = gpus;
    inputs.nodes = gpus / 8;
    const auto run = forecast_run(inputs, certain_rules(), common_draws(4096));
    ASSERT_TRUE(run);
    // The distribution is narrow against its mean, so its median is near it.
    EXPECT_NEAR(run->p50 / run->expected, 1.0, 0.02) << gpus;
    EXPECT_GE(run->p90, run->p50);
  }
}

TEST(Run, HalfOfTheRunsEndBeforeP50) {
  // Against the distribution of the number of interruptions, worked out here: one stretch, few interruptions.
  RunInputs inputs = eight_gpus();
  inputs.step_time = exactly<Seconds>(100);
  inputs.save_interval = Seconds{1e9};
  const auto run = forecast_run(inputs, certain_rules(), common_draws(4096));
  ASSERT_TRUE(run);
  ASSERT_EQ(run->saves, 1);
  const double stretch = run->work.base() + run->save_time.base();
  const double none = std::exp(-run->interruption_rate.mid.base() * stretch);  // chance of no interruption
  EXPECT_LT(none, 0.5);
  EXPECT_GT(none, 0.1);
  EXPECT_GT(run->p50.base(), stretch);
  EXPECT_LT(run->p50.base(), 2 * (stretch + 1100));
}

TEST(Run, BandsWidenTheDistance) {
  const auto narrow = forecast_run(eight_gpus(), certain_rules(), common_draws());
  RunInputs wide = eight_gpus();
  wide.step_time.high = Seconds{200};
  const auto wider = forecast_run(wide, certain_rules(), common_draws());
  ASSERT_TRUE(narrow && wider);
  EXPECT_GT(wider->p90, narrow->p90);
  EXPECT_NEAR(wider->p50 / narrow->p50, 1.0, 0.01);
}

TEST(Run, TokensThatAreNotCountedWidenTheDistance) {
  const auto counted = forecast_run(eight_gpus(), certain_rules(), common_draws());
  RunInputs inputs = eight_gpus();
  inputs.tokens_band = {.low = 0.8, .high = 1.25};
  const auto guessed = forecast_run(inputs, certain_rules(), common_draws());
  ASSERT_TRUE(counted && guessed);
  EXPECT_GT(guessed->p90, counted->p90);
  EXPECT_NEAR(guessed->p50 / counted->p50, 1.0, 0.05);
  // By the tokens alone, the 90 % point is their own.
  inputs.tokens_band.high = 1.5;
  inputs.step_time = exactly<Seconds>(100);
  ForecastRules calm = certain_rules();
  calm.node_failures = calm.job_failures = exactly<PerSecond>(1e-12);
  const auto alone = forecast_run(inputs, calm, common_draws(4096));
  ASSERT_TRUE(alone);
  EXPECT_NEAR(alone->p90 / alone->work, 1.5, 0.01);
}

struct Scale {
  std::int64_t gpus;
  bool spot;
};

TEST(Run, HalfTheFailureRateIsNeverSlower) {
  const auto draws = common_draws();
  for (const Scale s :
       {Scale{1, false}, {8, false}, {64, false}, {1024, false}, {16384, false}, {8, true}, {16, true}}) {
    RunInputs inputs = eight_gpus();
    inputs.gpus = s.gpus;
    inputs.nodes = std::max<std::int64_t>(1, s.gpus / 8);
    inputs.interruptible = s.spot;
    for (const bool fixed_interval : {false, true}) {
      inputs.save_interval = fixed_interval ? std::optional(Seconds{3600}) : std::nullopt;
      ForecastRules rules = uncertain_rules();
      std::optional<mekiki::Run> before = forecast_run(inputs, rules, draws);
      for (int i = 0; i < 6; ++i) {
        for (Estimate<PerSecond>* rate : {&rules.node_failures, &rules.job_failures, &rules.spot_losses}) {
          *rate = *rate * 0.5;
        }
        const auto now = forecast_run(inputs, rules, draws);
        ASSERT_TRUE(now || !before);
        if (before) {
          EXPECT_LE(now->expected, before->expected);
          // With the interval held, no draw ends later. The best interval is best for the mean, so a quantile may move
          // by the last save that is or is not worth it.
          const double slack = fixed_interval ? 1.0 : 1.005;
          EXPECT_LE(now->p50.base(), before->p50.base() * slack) << s.gpus;
          EXPECT_LE(now->p90.base(), before->p90.base() * slack) << s.gpus;
        }
        before = now;
      }
    }
  }
}

TEST(Run, MoreTokensAreNeverFaster) {
  const auto draws = common_draws();
  RunInputs inputs = eight_gpus();
  Seconds before_p50, before_p90;
  for (double tokens = 1e8; tokens < 1e13; tokens *= 3) {
    inputs.tokens = tokens;
    const auto run = forecast_run(inputs, uncertain_rules(), draws);
    ASSERT_TRUE(run);
    EXPECT_GE(run->p50, before_p50);
    EXPECT_GE(run->p90, before_p90);
    EXPECT_LE(run->p50, run->p90);
    before_p50 = run->p50;
    before_p90 = run->p90;
  }
}

TEST(Run, EndlessSpotRunsAreUnset) {
  RunInputs inputs = eight_gpus();
  inputs.gpus = 8192;
  inputs.nodes = 1024;
  inputs.interruptible = true;
  EXPECT_FALSE(forecast_run(inputs, certain_rules(), common_draws()));
}

TEST(Draws, FillTheirSpaceEvenly) {
  const auto draws = common_draws(512);
  double step = 0, rate = 0, square = 0, uniform = 0;
  for (const Draw& d : draws) {
    step += d.step_time / 512;
    rate += d.rate / 512;
    square += d.step_time * d.step_time / 512;
    uniform += d.interruptions / 512;
    EXPECT_GT(d.interruptions, 0);
    EXPECT_LT(d.interruptions, 1);
  }
  // Independent numbers would stray by 1 / sqrt(512).
  EXPECT_NEAR(step, 0, 0.044);
  EXPECT_NEAR(rate, 0, 0.044);
  EXPECT_NEAR(square, 1, 0.05);
  EXPECT_NEAR(uniform, 0.5, 0.01);
}

TEST(Draws, BandsAreTheTenAndNinetyPercentPoints) {
  EXPECT_NEAR(normal_quantile(0.9), 1.2815515655446004, 1e-9);
  EXPECT_NEAR(normal_quantile(0.5), 0, 1e-9);
  EXPECT_NEAR(scaled_by_band(2, 4, 16, normal_quantile(0.1)), 2, 1e-9);
  EXPECT_NEAR(scaled_by_band(2, 4, 16, normal_quantile(0.9)), 16, 1e-9);
  EXPECT_NEAR(scaled_by_band(2, 4, 16, 0), 4, 1e-12);
}

}  // namespace
}  // namespace mekiki
