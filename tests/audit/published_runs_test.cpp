// Audits of runs that were really measured: what was reached is plausible, what goes beyond it is not.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "audit/audit.h"
#include "base/quantile.h"
#include "catalog/profile_reader.h"
#include "search/plan_rules.h"
#include "validate/outcome.h"

namespace mekiki {
namespace {

constexpr std::string_view kMeasuredPath = "data/reference/measured_mfu.csv";

template <class T>
T checked(Result<T> result) {
  if (!result) {
    throw std::runtime_error(describe(result.error()));
  }
  return std::move(*result);
}

std::string text_of_file(const std::string& path) {
  std::ifstream stream(std::filesystem::path(MEKIKI_SOURCE_DIR) / path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string_view document(std::string_view path) {
  return find_document(bundled_catalog(), path).value();
}

/// A measured row as its publisher could have claimed it.
struct PublishedRun {
  std::string id, group;
  ThroughputRowJob job;
  TokensPerSecond rate;  // over all GPUs
};

bool is_trusted(const RowLabel& label) {
  return label.confidence == Confidence::high || label.confidence == Confidence::medium;
}

struct World {
  RowContext context;
  std::vector<PublishedRun> runs;
  PlanRules rules;
  AuditRules audit_rules;
  std::vector<MeasuredMfu> measured;
  std::vector<Profile> profiles;

  World() {
    const std::string csv = text_of_file("data/validation/rows/throughput.csv");
    const std::vector<ThroughputRow> rows = checked(read_throughput_rows(csv, "throughput.csv"));
    std::vector<std::string> texts;
    for (const ThroughputRow& row : rows) {
      texts.push_back(row.known ? row.known->model : "");
    }
    context = checked(make_row_context(bundled_catalog(), texts, {}));
    read_runs(rows);
    rules = checked(read_plan_rules([](std::string_view path) { return find_document(bundled_catalog(), path); }));
    audit_rules = checked(read_audit_rules(document("data/rules/audit.csv"), "audit.csv"));
    measured = checked(read_measured_mfu(document(kMeasuredPath), kMeasuredPath));
    for (const std::string& id : planned_frameworks(rules)) {
      profiles.push_back(checked(find_profile(bundled_catalog(), id)));
    }
  }

  void read_runs(const std::vector<ThroughputRow>& rows) {
    const std::vector<ThroughputOutcome> outcomes = predict_rows(std::span<const ThroughputRow>(rows), context);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::optional<double> error = signed_error_pct(outcomes[i]);
      if (!error || !is_trusted(rows[i].label)) {
        continue;
      }
      const double measured_over_predicted = 1.0 / (1.0 + *error / 100.0);
      runs.push_back({rows[i].label.id,
                      rows[i].label.group,
                      checked(job_of(*rows[i].known, context)),
                      outcomes[i].prediction->report.tokens_per_s * measured_over_predicted});
    }
  }

  /// The claim: model, method, precision, length and rate on so many of a GPU; no word of framework and layout.
  AuditReport audited(const PublishedRun& run, double exaggeration = 1.0) const {
    const RowJob& row = run.job.row;
    const std::int64_t per_node = std::min(run.job.machine.cluster.gpus_per_node, row.gpus);
    const Machine machine{.system = {.gpu_id = row.gpu->id, .gpus = per_node},
                          .gpu = row.gpu,
                          .rates = run.job.machine.rates,
                          .cluster = run.job.machine.cluster};
    AuditRequest request{.gpu = row.gpu, .gpus = row.gpus, .all_gpus = bundled_catalog().gpus, .measured = measured};
    request.plan.arch = row.arch;
    request.plan.job = {.method = row.job.method,
                        .precision = row.job.precision,
                        .sequence_length = row.job.sequence_length,
                        .quantization = row.job.quantization,
                        .lora = row.job.lora};
    request.plan.profiles = profiles;
    request.plan.rules = &rules;
    request.rules = audit_rules;
    request.machine = ClaimedMachine{&machine, row.gpus / per_node};
    request.claim.rate = run.rate * exaggeration;
    return checked(audit(request));
  }

  double implied_mfu(const PublishedRun& run) const {
    const RowJob& row = run.job.row;
    AuditRequest request{.gpu = row.gpu, .gpus = row.gpus};
    request.plan.arch = row.arch;
    request.plan.job = {
        .method = row.job.method, .precision = row.job.precision, .sequence_length = row.job.sequence_length};
    request.claim.rate = run.rate;
    return checked(audit(request)).ratio.value();
  }
};

const World& world() {
  static const World made;
  return made;
}

/// The data file as the rows have it.
std::string measured_csv() {
  struct Runs {
    std::vector<double> mfu;
    double best = 0;
    std::string best_run;
  };
  std::map<std::pair<std::string, std::string>, Runs> found;
  for (const PublishedRun& run : world().runs) {
    const double mfu = world().implied_mfu(run);
    const RowJob& row = run.job.row;
    AuditRequest request{.gpu = row.gpu};
    request.plan.arch = row.arch;
    request.plan.job.precision = row.job.precision;
    request.claim.mfu = 0.1;
    const Dtype format = checked(audit(request)).format;
    Runs& runs = found[{std::string(row.gpu->id), std::string(enum_name(format))}];
    runs.mfu.push_back(mfu);
    if (mfu > runs.best) {
      runs.best = mfu;
      runs.best_run = run.id;
    }
  }
  std::string csv = "gpu_id,format,runs,mfu_low,mfu_median,mfu_best,best_run\n";
  for (const auto& [key, runs] : found) {
    csv += fmt::format("{},{},{},{:.4f},{:.4f},{:.4f},{}\n",
                       key.first,
                       key.second,
                       runs.mfu.size(),
                       quantile(runs.mfu, 0.1),
                       quantile(runs.mfu, 0.5),
                       runs.best,
                       runs.best_run);
  }
  return csv;
}

TEST(PublishedRuns, TableOfSharesIsThatOfTheRows) {
  EXPECT_EQ(std::string(document(kMeasuredPath)), measured_csv()) << "put this text into " << kMeasuredPath;
}

std::string reasons_of(const AuditReport& report) {
  std::string text;
  for (const AuditReason reason : report.reasons) {
    text += std::string(enum_name(reason)) + " ";
  }
  return text;
}

bool gives(const AuditReport& report, AuditReason reason) {
  return std::find(report.reasons.begin(), report.reasons.end(), reason) != report.reasons.end();
}

/// One run of each publisher and GPU in turn, so that a few runs stand for all kinds.
std::vector<const PublishedRun*> chosen(std::size_t count) {
  std::map<std::pair<std::string, Name>, std::vector<const PublishedRun*>> by_kind;
  for (const PublishedRun& run : world().runs) {
    by_kind[{run.group, run.job.row.gpu->id}].push_back(&run);
  }
  std::vector<const PublishedRun*> runs;
  for (std::size_t turn = 0; runs.size() < count && turn < world().runs.size(); ++turn) {
    for (const auto& [kind, of_kind] : by_kind) {
      if (turn < of_kind.size() && runs.size() < count) {
        runs.push_back(of_kind[turn]);
      }
    }
  }
  return runs;
}

TEST(PublishedRuns, ThirtyOfAllKindsArePlausible) {
  const std::vector<const PublishedRun*> runs = chosen(30);
  ASSERT_EQ(runs.size(), 30U);
  for (const PublishedRun* run : runs) {
    const AuditReport report = world().audited(*run);
    EXPECT_EQ(report.verdict, AuditVerdict::plausible) << run->id << ": " << reasons_of(report);
  }
}

/// The MFU table comes from these rows, so this asks the other limits: memory, bandwidth, prediction. A band of eight
/// in ten leaves some runs outside; a claim needs to be well beyond it, so hardly any are.
TEST(PublishedRuns, HardlyAnyIsCondemnedByAnotherLimit) {
  const std::vector<const PublishedRun*> runs = chosen(120);
  std::size_t condemned = 0;
  for (const PublishedRun* run : runs) {
    const AuditReport report = world().audited(*run);
    EXPECT_NE(report.verdict, AuditVerdict::impossible) << run->id << ": " << reasons_of(report);
    condemned += gives(report, AuditReason::over_prediction) || gives(report, AuditReason::over_bandwidth) ? 1 : 0;
  }
  EXPECT_LE(condemned, runs.size() / 40);
}

/// Each at 2 % above the best of its GPU and format, and at 5 % above the peak.
TEST(PublishedRuns, TenExaggerationsAreCaught) {
  for (const PublishedRun* run : chosen(10)) {
    const double honest = world().implied_mfu(*run);
    const AuditReport said = world().audited(*run);
    ASSERT_TRUE(said.measured);
    const AuditReport over_best = world().audited(*run, 1.02 * said.measured->best / honest);
    EXPECT_EQ(over_best.verdict, AuditVerdict::implausible) << run->id;
    EXPECT_TRUE(gives(over_best, AuditReason::over_best_measured)) << run->id << ": " << reasons_of(over_best);
    EXPECT_FALSE(over_best.readings.empty());
    const AuditReport over_peak = world().audited(*run, 1.05 / honest);
    EXPECT_EQ(over_peak.verdict, AuditVerdict::impossible) << run->id;
  }
}

/// Each run judged by what everybody else measured, as a new run would be. The figure is the price of a limit that
/// rests on few publishers; it may only fall.
TEST(PublishedRuns, JudgedByOthersMostStayPlausible) {
  std::int64_t judged = 0, doubted = 0;
  for (const PublishedRun& run : world().runs) {
    std::optional<double> best_of_others;
    for (const PublishedRun& other : world().runs) {
      const bool same_kind =
          other.job.row.gpu == run.job.row.gpu && other.job.row.job.precision.value_or(Precision::bf16_mixed) ==
                                                      run.job.row.job.precision.value_or(Precision::bf16_mixed);
      if (same_kind && other.group != run.group) {
        best_of_others = std::max(best_of_others.value_or(0), world().implied_mfu(other));
      }
    }
    if (best_of_others) {
      ++judged;
      doubted += world().implied_mfu(run) > *best_of_others * (1.0 + world().audit_rules.rounding) ? 1 : 0;
    }
  }
  ASSERT_GT(judged, 500);
  EXPECT_LE(static_cast<double>(doubted) / static_cast<double>(judged), 0.20) << doubted << " of " << judged;
  RecordProperty("doubted", static_cast<int>(doubted));
}

}  // namespace
}  // namespace mekiki
