#include "audit/audit.h"

#include <gtest/gtest.h>

namespace mekiki {
namespace {

const Gpu& card() {
  static const Gpu gpu{
      .id = "card",
      .compute_capability = 8.9,
      .memory_reported = 45.0 * kGiB,
      .memory_bandwidth = BytesPerSecond{864e9},
      .peaks = {.tf32 = FlopsPerSecond{181e12}, .bf16 = FlopsPerSecond{362.05e12}, .fp8 = FlopsPerSecond{733e12}}};
  return gpu;
}

const std::vector<MeasuredMfu>& measured() {
  static const std::vector<MeasuredMfu> rows{
      {.gpu_id = "card", .runs = 10, .low = 0.2, .median = 0.4, .best = 0.5, .best_run = "run-1"}};
  return rows;
}

/// A count of weights on one card.
AuditRequest of_count(double weights) {
  AuditRequest request{.weights = weights, .gpu = &card(), .measured = measured()};
  request.rules = {.rounding = 0.005, .faster_than_predicted = 3};
  return request;
}

const Reading* find(const AuditReport& report, ReadingKind kind) {
  for (const Reading& reading : report.readings) {
    if (reading.kind == kind) {
      return &reading;
    }
  }
  return nullptr;
}

TEST(Audit, ThirtyThreeMinutesNeedEightTimesThePeak) {
  AuditRequest request = of_count(1e9);
  request.claim = {.tokens = Tokens{1e9}, .time = Seconds{33 * 60.0}};
  const AuditReport report = *audit(request);
  EXPECT_EQ(report.verdict, AuditVerdict::impossible);
  EXPECT_NEAR(*report.ratio, 8.37, 0.01);  // 6e18 FLOP / 1980 s / 362.05e12 FLOP/s
  ASSERT_NE(find(report, ReadingKind::longer_time), nullptr);
  EXPECT_NEAR(find(report, ReadingKind::longer_time)->ratio, 8.37 / 60, 0.001);
  EXPECT_EQ(find(report, ReadingKind::longer_time)->verdict, AuditVerdict::plausible);
  EXPECT_EQ(find(report, ReadingKind::sparse_peak)->verdict, AuditVerdict::impossible);
  EXPECT_NEAR(find(report, ReadingKind::adapters)->ratio, *report.ratio * 4.0 / 6.0, 1e-9);
  EXPECT_EQ(find(report, ReadingKind::weights_only), nullptr) << "a count has no attention to leave out";
}

/// With the count alone the shares of measured runs give range and tokens.
TEST(Audit, RangeOfACountFollowsMeasuredShares) {
  AuditRequest request = of_count(1e9);
  request.claim = {.tokens = Tokens{1e9}, .time = Seconds{33 * 60.0}};
  const AuditReport report = *audit(request);
  EXPECT_TRUE(report.time_by_measured);
  EXPECT_NEAR(*report.time_low / kHour, 6e18 / 362.05e12 / 0.5 / 3600, 1e-6);
  EXPECT_NEAR(*report.time_high / kHour, 6e18 / 362.05e12 / 0.2 / 3600, 1e-6);
  for (const ReadingKind kind : {ReadingKind::fewest_tokens, ReadingKind::most_tokens}) {
    ASSERT_NE(find(report, kind), nullptr);
    EXPECT_EQ(find(report, kind)->verdict, AuditVerdict::plausible);
  }
  // 1980 s x 362.05e12 FLOP/s x 0.2 / 6e9 FLOP, two digits down
  EXPECT_EQ(std::get<std::int64_t>(find(report, ReadingKind::fewest_tokens)->changes.front().value), 23'000'000);
}

TEST(Audit, VerdictFollowsTheShareOfThePeak) {
  const struct {
    double mfu;
    AuditVerdict verdict;
    AuditReason reason;
  } cases[] = {{0.49, AuditVerdict::plausible, AuditReason::under_best_measured},
               {0.501, AuditVerdict::plausible, AuditReason::under_best_measured},  // published digits
               {0.51, AuditVerdict::implausible, AuditReason::over_best_measured},
               {1.0, AuditVerdict::implausible, AuditReason::over_best_measured},
               {1.001, AuditVerdict::impossible, AuditReason::over_peak}};
  for (const auto& c : cases) {
    AuditRequest request = of_count(7e9);
    request.claim.mfu = c.mfu;
    const AuditReport report = *audit(request);
    EXPECT_EQ(report.verdict, c.verdict) << c.mfu;
    EXPECT_EQ(report.reasons.front(), c.reason) << c.mfu;
    EXPECT_NEAR(*report.ratio, c.mfu, 1e-12);
  }
}

TEST(Audit, AllWaysToClaimAreTheSameClaim) {
  AuditRequest by_time = of_count(7e9), by_rate = of_count(7e9);
  by_time.claim = {.tokens = Tokens{1e9}, .time = Seconds{1e5}};
  by_rate.claim.rate = TokensPerSecond{1e4};
  const AuditReport time = *audit(by_time), rate = *audit(by_rate);
  EXPECT_DOUBLE_EQ(*time.ratio, *rate.ratio);
  AuditRequest by_mfu = of_count(7e9);
  by_mfu.claim.mfu = *time.ratio;
  EXPECT_NEAR(audit(by_mfu)->rate->base(), 1e4, 1e-6);
}

/// 7e9 weights of 2 bytes read twice for each pass of 16 tokens: 1.75e9 bytes a token; 864e9 bytes/s give 494 tokens/s.
TEST(Audit, BandwidthLimitsSmallPasses) {
  AuditRequest request = of_count(7e9);
  request.plan.job.micro_batch_size = 1;
  request.plan.job.sequence_length = 16;
  request.claim.rate = TokensPerSecond{600};
  const AuditReport report = *audit(request);
  EXPECT_NEAR(*report.bandwidth_share, 600 * 1.75e9 / 864e9, 1e-9);
  EXPECT_EQ(report.verdict, AuditVerdict::impossible);
  EXPECT_EQ(report.reasons.front(), AuditReason::over_bandwidth);
  EXPECT_LT(*report.ratio, 0.1) << "arithmetic alone would let it pass";
}

TEST(Audit, UnknownWithoutALimit) {
  AuditRequest request = of_count(7e9);
  request.claim.mfu = 0.4;
  request.gpu = nullptr;
  EXPECT_EQ(audit(request)->verdict, AuditVerdict::unknown);
  EXPECT_EQ(audit(request)->reasons.front(), AuditReason::no_gpu);
  Gpu old = card();
  old.peaks = {};
  request.gpu = &old;
  EXPECT_EQ(audit(request)->verdict, AuditVerdict::unknown);
  EXPECT_EQ(audit(request)->reasons.front(), AuditReason::no_peak);
}

TEST(Audit, MeasuredElsewhereServesWhereNothingElseDoes) {
  Gpu other = card();
  other.id = "other";
  AuditRequest request = of_count(7e9);
  request.gpu = &other;
  request.claim.mfu = 0.6;
  const AuditReport report = *audit(request);
  EXPECT_EQ(report.verdict, AuditVerdict::implausible);
  EXPECT_TRUE(report.measured->gpu_id.empty());
  request.plan.job.precision = Precision::fp8;
  EXPECT_EQ(audit(request)->reasons.front(), AuditReason::no_measurement);
}

TEST(Audit, ClaimsThatSayTooLittleOrTooMuchAreRefused) {
  const Claim cases[] = {{},
                         {.tokens = Tokens{1e9}},
                         {.time = Seconds{100}},
                         {.tokens = Tokens{1e9}, .time = Seconds{100}, .mfu = 0.4},
                         {.mfu = 0.4, .rate = TokensPerSecond{100}}};
  for (const Claim& claim : cases) {
    AuditRequest request = of_count(1e9);
    request.claim = claim;
    const Result<AuditReport> report = audit(request);
    ASSERT_FALSE(report);
    EXPECT_EQ(report.error().code, ErrorCode::invalid_input);
    EXPECT_FALSE(report.error().hint.empty());
  }
}

TEST(MeasuredMfu, BadTablesAreRefusedWithTheirLine) {
  constexpr std::string_view kHeader = "gpu_id,format,runs,mfu_low,mfu_median,mfu_best,best_run\n";
  const char* rows[] = {"a,bf16,10,0.5,0.3,0.47,x\n",
                        "a,bf17,10,0.1,0.3,0.47,x\n",
                        "a,bf16,0,0.1,0.3,0.47,x\n",
                        "a,bf16,10,0.1,0.3,1.2,x\n",
                        "a,bf16,10,0.1,?,0.4,x\n"};
  for (const char* row : rows) {
    const auto read = read_measured_mfu(std::string(kHeader) + row, "t.csv");
    ASSERT_FALSE(read) << row;
    EXPECT_EQ(read.error().subject, "t.csv:2") << row;
  }
  const auto twice =
      read_measured_mfu(std::string(kHeader) + "a,bf16,1,0.1,0.1,0.1,x\na,bf16,1,0.1,0.1,0.1,y\n", "t.csv");
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().subject, "t.csv:3");
  EXPECT_FALSE(read_measured_mfu("gpu,format\n", "t.csv"));
}

}  // namespace
}  // namespace mekiki
