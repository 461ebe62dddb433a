// Real files of other tools, and the job that each becomes. With MEKIKI_WRITE_GOLDEN set the expected jobs are written
// anew (tools/regenerate_golden).
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "base/enum_names.h"
#include "job/readers/foreign_job.h"

namespace mekiki {
namespace {

const std::filesystem::path kFiles = std::filesystem::path(MEKIKI_SOURCE_DIR) / "tests/data/job_files";
const std::filesystem::path kGolden = std::filesystem::path(MEKIKI_SOURCE_DIR) / "tests/golden/jobs";

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

struct Source {
  std::string file;
  std::string format;
};

std::vector<Source> sources() {
  std::vector<Source> all;
  std::istringstream lines(text_of(kFiles / "sources.csv"));
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    const std::size_t first = line.find(',');
    const std::size_t second = line.find(',', first + 1);
    if (second > first + 1) {  // files without a format are named by others
      all.push_back({line.substr(0, first), line.substr(first + 1, second - first - 1)});
    }
  }
  return all;
}

// "key: value" for all that is set. Values are compared as the keys read them, so the words of the file do not matter.
class Lines {
 public:
  template <class T>
  void add(std::string_view key, const std::optional<T>& value) {
    if (value) {
      text_ << key << ": " << written(*value) << "\n";
    }
  }
  void add(std::string_view key, const std::string& value) {
    if (!value.empty()) {
      text_ << key << ": " << value << "\n";
    }
  }
  std::string take() const { return text_.str(); }

 private:
  static std::string written(bool value) { return value ? "yes" : "no"; }
  static std::string written(std::int64_t value) { return std::to_string(value); }
  template <class E>
  requires std::is_enum_v<E>
  static std::string written(E value) { return std::string(enum_name(value)); }

  std::ostringstream text_;
};

std::string job_text(const JobRequest& request) {
  Lines lines;
  const Job& job = request.job;
  lines.add("format", request.format);
  lines.add("model", request.model);
  lines.add("method", job.method);
  lines.add("framework", job.framework);
  lines.add("precision", job.precision);
  lines.add("optimizer", job.optimizer);
  lines.add("optimizer_implementation", job.optimizer_implementation);
  lines.add("sequence_length", job.sequence_length);
  lines.add("micro_batch_size", job.micro_batch_size);
  lines.add("gradient_accumulation_steps", job.gradient_accumulation_steps);
  lines.add("global_batch_size", job.global_batch_size);
  lines.add("lengths", job.lengths);
  lines.add("activation_recompute", job.activation_recompute);
  lines.add("attention", job.attention);
  lines.add("loss", job.loss);
  lines.add("quantization", job.quantization);
  lines.add("offload", job.offload);
  lines.add("compile", job.compile);
  if (job.lora) {
    std::string targets;
    for (const std::string& target : job.lora->targets) {
      targets += (targets.empty() ? "" : ",") + target;
    }
    lines.add("lora_rank", std::optional(job.lora->rank));
    lines.add("lora_targets", targets);
  }
  const LayoutRequest& layout = request.layout;
  lines.add("zero_stage", layout.zero_stage);
  lines.add("reshard_after_forward", layout.reshard_after_forward);
  lines.add("dp_replicate", layout.dp_replicate);
  lines.add("dp_shard", layout.dp_shard);
  lines.add("tensor_parallel", layout.tensor_parallel);
  lines.add("pipeline_parallel", layout.pipeline_parallel);
  lines.add("context_parallel", layout.context_parallel);
  lines.add("expert_parallel", layout.expert_parallel);
  lines.add("gpus", request.target.gpus);
  std::string text = lines.take();
  for (const JobFileNote& note : request.notes) {
    text += std::string(enum_name(note.kind)) + " " + note.key + " = " + note.value + " @ " + note.place + "\n";
  }
  return text;
}

// Beside the file or in a folder above it, as the program looks.
std::optional<std::string> referenced(const std::string& file, const std::string& name) {
  for (std::filesystem::path folder = (kFiles / file).parent_path(); folder != kFiles; folder = folder.parent_path()) {
    if (std::filesystem::is_regular_file(folder / name)) {
      return text_of(folder / name);
    }
  }
  return std::nullopt;
}

class ReaderGolden : public testing::TestWithParam<Source> {};

TEST_P(ReaderGolden, RealFileBecomesTheExpectedJob) {
  const Source& source = GetParam();
  const std::string text = text_of(kFiles / source.file);
  const Result<SettingsFile> file = read_settings(text, source.file);
  ASSERT_TRUE(file) << describe(file.error());
  const Result<std::optional<std::string_view>> format = recognised_format(*file);
  ASSERT_TRUE(format) << describe(format.error());
  ASSERT_EQ(format->value_or("none"), source.format);
  References references;
  Result<ForeignJob> job = read_foreign_job(*file, source.format, references);
  while (job && !job->wanted.empty()) {
    for (const std::string& name : job->wanted) {
      references[name] = referenced(source.file, name);
    }
    job = read_foreign_job(*file, source.format, references);
  }
  ASSERT_TRUE(job) << describe(job.error());
  std::string name = source.file;
  std::replace(name.begin(), name.end(), '/', '~');
  const std::filesystem::path golden = kGolden / (name + ".txt");
  if (std::getenv("MEKIKI_WRITE_GOLDEN") != nullptr) {
    std::filesystem::create_directories(kGolden);
    std::ofstream(golden, std::ios::binary) << job_text(job->request);
  }
  EXPECT_EQ(job_text(job->request), text_of(golden)) << "tools/regenerate_golden writes it anew";
}

INSTANTIATE_TEST_SUITE_P(Files,
                         ReaderGolden,
                         testing::ValuesIn(sources()),
                         [](const testing::TestParamInfo<Source>& tested) {
                           std::string name = tested.param.file;
                           std::replace_if(
                               name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
                           return name;
                         });

TEST(ReaderGoldenFiles, EveryFormatHasThreeFiles) {
  for (const std::string_view format : job_file_formats()) {
    const std::vector<Source> all = sources();
    const auto count =
        std::count_if(all.begin(), all.end(), [&](const Source& source) { return source.format == format; });
    EXPECT_GE(count, format == "mekiki" ? 0 : 3) << format;
  }
}

}  // namespace
}  // namespace mekiki
