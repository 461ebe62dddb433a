// What a lowered layer keeps for backward, byte by byte against what the modules of the training stacks keep
// (tests/data/saved_tensors; tests/saved_tensors/README.md says how that was measured).
#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <stdexcept>

#include <gtest/gtest.h>

#include "base/enum_names.h"
#include "catalog/profile_reader.h"
#include "memory/footprint.h"
#include "model/family.h"
#include "model/test_files.h"
#include "program/lower.h"

namespace mekiki {
namespace {

template <class T>
T checked(Result<T> result) {
  if (!result) {
    throw std::runtime_error(describe(result.error()));
  }
  return std::move(*result);
}

template <class E>
E named(const std::string& word) {
  return enum_from_name<E>(word).value();
}

TestTable table_of(const std::string& framework, const std::string& name) {
  return TestTable("tests/data/saved_tensors/" + framework + "/" + name + ".csv");
}

std::map<std::string, std::string> configs(const std::string& framework) {
  const TestTable table = table_of(framework, "configs");
  std::map<std::string, std::string> by_name;
  for (std::size_t row = 0; row < table.size(); ++row) {
    by_name[table.at(row, "name")] = table.at(row, "json");
  }
  return by_name;
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  std::istringstream stream(list);
  for (std::string part; std::getline(stream, part, ';');) {
    parts.push_back(part);
  }
  return parts;
}

Job job_of(const std::string& framework, const TestTable& rows, std::size_t row) {
  Job job{.method = named<Method>(rows.at(row, "method")),
          .framework = framework,
          .precision = named<Precision>(rows.at(row, "precision")),
          .sequence_length = std::stoll(rows.at(row, "length")),
          .micro_batch_size = std::stoll(rows.at(row, "micro_batch_size")),
          .activation_recompute = named<ActivationRecompute>(rows.at(row, "recompute")),
          .attention = named<AttentionKernel>(rows.at(row, "attention"))};
  if (job.method == Method::lora) {
    job.lora =
        Lora{std::stoll(rows.at(row, "rank")), std::stod(rows.at(row, "dropout")), split(rows.at(row, "targets"))};
  }
  return job;
}

StepProgram lowered(const std::string& config, const Job& job, const Profile& profile, PreparedModel& model) {
  const Arch arch = checked(read_config(config, "config.json")).arch;
  const ResolvedJob resolved = checked(with_defaults(job, profile, {}));
  model = checked(prepare_model(arch, resolved));
  return checked(lower(model, resolved, {}, profile));
}

/// What the last layer of the model keeps.
std::vector<Tensor> kept_tensors(const StepProgram& program, const PreparedModel& model) {
  std::vector<Tensor> kept;
  for (const Segment& segment : program.segments) {
    if (segment.kind != SegmentKind::layer_forward || segment.layer_kind != model.order.back().kind) {
      continue;
    }
    for (const Tensor& tensor : program.tensors_of(segment)) {
      if (tensor.lifetime == Lifetime::kept) {
        kept.push_back(tensor);
      }
    }
    return kept;
  }
  return kept;
}

std::int64_t sum(const std::vector<Tensor>& tensors) {
  Bytes bytes;
  for (const Tensor& tensor : tensors) {
    bytes += tensor.bytes;
  }
  return std::llround(bytes / kByte);
}

std::string listed(const std::vector<Tensor>& tensors) {
  std::ostringstream text;
  for (const Tensor& tensor : tensors) {
    text << "\n  " << tensor.name << " " << std::llround(tensor.bytes / kByte);
  }
  return text.str();
}

struct Known {
  std::int64_t lowered = 0;
  bool used = false;
};

/// Rows where this program is known to differ, each with its cause.
std::map<std::string, Known> known_differences(const std::string& framework) {
  const TestTable table = table_of(framework, "known_differences");
  std::map<std::string, Known> known;
  for (std::size_t row = 0; row < table.size(); ++row) {
    EXPECT_FALSE(table.at(row, "cause").empty()) << table.at(row, "id");
    known[table.at(row, "id")] = {std::stoll(table.at(row, "lowered_bytes"))};
  }
  return known;
}

class SavedTensors : public testing::TestWithParam<const char*> {
 protected:
  const std::string framework_ = GetParam();
  const Profile profile_ = checked(find_profile(bundled_catalog(), framework_));
  const std::map<std::string, std::string> config_of_ = configs(framework_);
};

TEST_P(SavedTensors, OfALayerAreThoseOfTheModuleOrAKnownDifference) {
  const TestTable rows = table_of(framework_, "layers");
  std::map<std::string, Known> known = known_differences(framework_);
  int equal = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (!rows.at(row, "error").empty()) {
      continue;  // the library refuses it
    }
    const std::string& id = rows.at(row, "id");
    PreparedModel model;
    const StepProgram program =
        lowered(config_of_.at(rows.at(row, "config")), job_of(framework_, rows, row), profile_, model);
    const std::vector<Tensor> kept = kept_tensors(program, model);
    const std::int64_t measured = std::stoll(rows.at(row, "bytes"));
    const auto difference = known.find(id);
    if (difference == known.end()) {
      EXPECT_EQ(sum(kept), measured) << id << "," << sum(kept) << " (" << sum(kept) - measured << ")" << listed(kept);
      equal += sum(kept) == measured ? 1 : 0;
      continue;
    }
    difference->second.used = true;
    EXPECT_NE(sum(kept), measured) << id << " agrees now: remove it from known_differences.csv";
    EXPECT_EQ(sum(kept), difference->second.lowered) << id << "," << sum(kept) << listed(kept);
  }
  for (const auto& [id, difference] : known) {
    EXPECT_TRUE(difference.used) << id << " is no row of layers.csv";
  }
  std::cout << equal << " rows agree, " << known.size() << " differ and are known\n";
}

/// The highest moment of head and loss.
double head_peak(
    const std::string& config, Job job, const Profile& profile, std::int64_t vocabulary, std::int64_t batch) {
  Arch arch = checked(read_config(config, "config.json")).arch;
  arch.vocab_size = vocabulary;
  job.micro_batch_size = batch;
  const ResolvedJob resolved = checked(with_defaults(job, profile, {}));
  const PreparedModel model = checked(prepare_model(arch, resolved));
  const StepProgram program = checked(lower(model, resolved, {}, profile));
  for (const Segment& segment : program.segments) {
    if (segment.kind == SegmentKind::head) {
      return footprint(program, segment, GradientMode::stay).peak_total / kByte;
    }
  }
  throw std::runtime_error("no head");
}

class BytesPerLogit : public SavedTensors {};

TEST_P(BytesPerLogit, AreThoseOfTheModule) {
  const TestTable rows = table_of(framework_, "logits");
  int checked_rows = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    // Gemma 2 keeps the tanh of its soft cap beside the logits: not modelled.
    if (!rows.at(row, "error").empty() || rows.at(row, "config").starts_with("gemma2-")) {
      continue;
    }
    constexpr std::int64_t kNarrow = 20000, kWide = 30000, kFew = 2, kMany = 4, kLength = 256;
    const std::string& config = config_of_.at(rows.at(row, "config"));
    const Job job{.method = named<Method>(rows.at(row, "method")),
                  .framework = framework_,
                  .precision = named<Precision>(rows.at(row, "precision")),
                  .sequence_length = kLength};
    const double difference =
        head_peak(config, job, profile_, kWide, kMany) - head_peak(config, job, profile_, kWide, kFew) -
        head_peak(config, job, profile_, kNarrow, kMany) + head_peak(config, job, profile_, kNarrow, kFew);
    const auto logits = static_cast<double>((kWide - kNarrow) * (kMany - kFew) * kLength);
    EXPECT_NEAR(difference / logits, std::stod(rows.at(row, "bytes_per_logit")), 1e-9) << rows.at(row, "config");
    ++checked_rows;
  }
  EXPECT_GT(checked_rows, 0);
}

std::string name_of(const testing::TestParamInfo<const char*>& stack) {
  std::string name = stack.param;
  name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
  return name;
}

INSTANTIATE_TEST_SUITE_P(Stacks,
                         SavedTensors,
                         testing::Values("hf-trainer", "torchtune", "litgpt", "torchtitan"),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Stacks, BytesPerLogit, testing::Values("hf-trainer", "torchtune", "torchtitan"), name_of);

}  // namespace
}  // namespace mekiki
