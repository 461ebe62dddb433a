#include "forecast/wall_time.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace mekiki {
namespace {

/// The process itself, event by event: work until the next interruption, lose the open stretch, restart (which may be
/// interrupted), go on.
double simulated_seconds(const SavedWork& w, double rate, std::mt19937_64& random) {
  std::exponential_distribution<double> next(rate);
  const double stretch = w.stretch().base(), restart = w.restart.base();
  std::int64_t done = 0;
  double now = 0;
  while (true) {
    const double up = next(random);
    const auto passed = static_cast<std::int64_t>(up / stretch);
    if (done + passed >= w.saves) {
      return now + static_cast<double>(w.saves - done) * stretch;
    }
    done += passed;
    now += up;
    for (double down = next(random); down < restart; down = next(random)) {
      now += down;
    }
    now += restart;
  }
}

struct Case {
  SavedWork work;
  double rate;
};

const Case kCases[] = {
    {{Seconds{1e5}, 10, Seconds{60}, Seconds{900}}, 1e-5},
    {{Seconds{1e5}, 1, Seconds{60}, Seconds{900}}, 1e-5},
    {{Seconds{1e6}, 200, Seconds{300}, Seconds{1200}}, 1e-4},
    {{Seconds{1e4}, 20, Seconds{100}, Seconds{600}}, 1e-3},
};

TEST(WallTime, ClosedFormAgreesWithTheSimulation) {
  for (const Case& c : kCases) {
    std::mt19937_64 random(1);
    double sum = 0;
    constexpr int kRuns = 20000;
    for (int i = 0; i < kRuns; ++i) {
      sum += simulated_seconds(c.work, c.rate, random);
    }
    const auto expected = expected_wall_time(c.work, PerSecond{c.rate});
    ASSERT_TRUE(expected);
    EXPECT_NEAR(sum / kRuns / expected->base(), 1.0, 0.01) << c.rate;
  }
}

TEST(WallTime, WithoutInterruptionsItIsWorkAndSaves) {
  const SavedWork w{Seconds{1000}, 4, Seconds{10}, Seconds{100}};
  EXPECT_DOUBLE_EQ(expected_wall_time(w, PerSecond{0})->base(), 1040.0);
  EXPECT_DOUBLE_EQ(expected_interruptions(w, PerSecond{0}), 0.0);
}

TEST(WallTime, FasterInterruptionsNeverHelp) {
  for (const Case& c : kCases) {
    double before = 0;
    for (double rate = c.rate / 64; rate <= c.rate; rate *= 2) {
      const double now = expected_wall_time(c.work, PerSecond{rate})->base();
      EXPECT_GE(now, before);
      before = now;
    }
  }
}

TEST(WallTime, EndlessRunsAreUnset) {
  const SavedWork w{Seconds{1e5}, 10, Seconds{600}, Seconds{3600}};
  EXPECT_FALSE(expected_wall_time(w, PerSecond{1.0 / 600}));
  EXPECT_FALSE(expected_wall_time(w, PerSecond{1e6}));
}

TEST(BestSaves, NoOtherCountIsFaster) {
  for (const Case& c : kCases) {
    SavedWork w = c.work;
    w.saves = best_saves(w, PerSecond{c.rate}, 5000);
    const double best = expected_wall_time(w, PerSecond{c.rate})->base();
    for (std::int64_t n = 1; n <= 5000; ++n) {
      w.saves = n;
      const auto other = expected_wall_time(w, PerSecond{c.rate});
      EXPECT_TRUE(!other || other->base() >= best * (1 - 1e-12)) << n;
    }
  }
}

TEST(BestSaves, AgreesWithTheFirstApproximation) {
  // sqrt(2 w M) - w of data/reference/reliability.csv, good where the save is short against the time between failures.
  const SavedWork w{Seconds{1e7}, 1, Seconds{40}, Seconds{900}};
  const double mean_time = 3.09 * 3600;  // Llama 3 405B
  const double interval = w.work.base() / static_cast<double>(best_saves(w, PerSecond{1 / mean_time}, 1'000'000));
  EXPECT_NEAR(interval / (std::sqrt(2 * 40 * mean_time) - 40), 1.0, 0.05);
}

TEST(BestSaves, StaysWithinItsLimits) {
  EXPECT_EQ(best_saves({Seconds{1e6}, 1, Seconds{0}, Seconds{60}}, PerSecond{1e-3}, 7), 7);
  EXPECT_EQ(best_saves({Seconds{10}, 1, Seconds{60}, Seconds{60}}, PerSecond{1e-6}, 100), 1);
  EXPECT_EQ(best_saves({Seconds{1e6}, 1, Seconds{60}, Seconds{60}}, PerSecond{0}, 100), 1);
}

}  // namespace
}  // namespace mekiki
