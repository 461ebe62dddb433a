#include "cli/job_source.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "job/job_file.h"
#include "job/job_keys.h"
#include "job/readers/foreign_job.h"

namespace mekiki {
namespace {

constexpr std::string_view kOwnFormat = "mekiki";

/// How names of files end that hold a job and nothing else. What is in them decides the format.
constexpr std::string_view kEndings[] = {
    ".yaml", ".yml", ".toml", ".sh", ".bash", ".slurm", ".sbatch", ".args", ".cmd", ".job"};

struct Asked {
  std::string word;    // the positional
  std::string format;  // by --format; empty: by the keys
};

bool names_job_file(const Asked& asked) {
  return asked.word == "-" || !asked.format.empty() ||
         std::any_of(std::begin(kEndings), std::end(kEndings), [&](std::string_view ending) {
           return asked.word.ends_with(ending);
         });
}

/// A file that a job names: where the program runs, or beside the job file, or in a folder above it, as paths in
/// repositories of examples are meant.
std::optional<std::string> read_referenced(const Files& files, const std::string& job, const std::string& name) {
  const std::size_t limit = SettingsLimits{}.size;
  std::vector<std::string> candidates = {name};
  std::string folder = job;
  constexpr int kFoldersAbove = 6;
  for (int i = 0; i < kFoldersAbove && job != "-" && !name.starts_with('/'); ++i) {
    const std::size_t slash = folder.rfind('/');
    folder = slash == std::string::npos ? "" : folder.substr(0, slash);
    candidates.push_back(folder.empty() ? name : join_path(folder, name));
  }
  for (const std::string& path : candidates) {
    if (files.kind(path) == PathKind::file) {
      Result<std::string> text = files.read(path, limit);
      return text ? std::optional<std::string>(std::move(*text)) : std::nullopt;
    }
  }
  return std::nullopt;
}

/// Reads again while the file names further files: a command names a launcher's config, which names an engine's.
Result<JobRequest> read_foreign(const Files& files, const SettingsFile& file, std::string_view format) {
  References references;
  constexpr int kLongestChain = 4;
  for (int i = 0; i < kLongestChain; ++i) {
    Result<ForeignJob> job = read_foreign_job(file, format, references);
    if (!job) {
      return fail(job.error());
    }
    if (job->wanted.empty()) {
      return std::move(job->request);
    }
    for (const std::string& name : job->wanted) {
      references[name] = read_referenced(files, file.subject, name);
    }
  }
  return fail({ErrorCode::invalid_input, file.subject, "names files that name files without end", "name fewer"});
}

Result<JobRequest> read_own(std::string_view text, const std::string& subject) {
  Result<JobRequest> request = read_job_file(text, subject);
  if (request && !request->format.empty() && request->format != kOwnFormat) {
    return fail({ErrorCode::conflict,
                 subject,
                 "is written with our own keys, and says that its format is " + request->format,
                 "drop the key format"});
  }
  return request;
}

Error unknown_format(const std::string& subject) {
  std::string names;
  for (const std::string_view name : job_file_formats()) {
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  return {
      ErrorCode::unsupported, subject, "none of its keys tells what job file it is", "name it with --format: " + names};
}

Result<JobRequest> from_text(const Context& context, const Asked& asked, std::string_view text) {
  if (asked.format == kOwnFormat) {
    return read_own(text, asked.word);
  }
  const Result<SettingsFile> file = read_settings(text, asked.word);
  if (!file) {
    return asked.format.empty() && syntax_of(text) == Syntax::yaml ? read_own(text, asked.word) : fail(file.error());
  }
  if (!asked.format.empty()) {
    return read_foreign(*context.world->files, *file, asked.format);
  }
  const Result<std::optional<std::string_view>> format = recognised_format(*file);
  if (!format) {
    return fail(format.error());
  }
  if (*format) {
    return read_foreign(*context.world->files, *file, **format);
  }
  return file->syntax == Syntax::yaml ? read_own(text, asked.word) : fail(unknown_format(asked.word));
}

/// A .json file is the config of a model unless its keys are a job's.
Result<JobRequest> from_json(const Context& context, const Asked& asked) {
  const Files& files = *context.world->files;
  const auto as_model = [&] { return with_value({}, "model", asked.word, asked.word); };
  if (files.kind(asked.word) != PathKind::file) {
    return as_model();
  }
  const Result<std::string> text = files.read(asked.word, SettingsLimits{}.size);
  const Result<SettingsFile> file = text ? read_settings(*text, asked.word) : fail(text.error());
  const Result<std::optional<std::string_view>> format = file ? recognised_format(*file) : fail(file.error());
  return format && *format ? read_foreign(files, *file, **format) : as_model();
}

Result<JobRequest> from_positional(const Context& context, const Asked& asked) {
  if (!names_job_file(asked)) {
    return asked.word.ends_with(".json") ? from_json(context, asked) : with_value({}, "model", asked.word, asked.word);
  }
  const JobFileOptions options;
  const Files& files = *context.world->files;
  const Result<std::string> text =
      asked.word == "-" ? files.read_standard_input(options.size_limit) : files.read(asked.word, options.size_limit);
  return text ? from_text(context, asked, *text) : fail(text.error());
}

/// By --format, or by --set format=NAME.
std::string asked_format(const Arguments& arguments) {
  const std::string* flag = arguments.value("format");
  std::string format = flag == nullptr ? "" : *flag;
  const auto settings = arguments.values.find("set");
  if (settings != arguments.values.end()) {
    for (const std::string& setting : settings->second) {
      format = setting.starts_with("format=") ? setting.substr(std::string_view("format=").size()) : format;
    }
  }
  return format;
}

/// Steps and epochs need no remark where the tokens are given.
JobRequest without_settled_notes(JobRequest request) {
  std::erase_if(request.notes, [&](const JobFileNote& note) {
    const bool told = request.job.tokens || request.job.corpus.is_given();
    return told && note.kind == JobFileNoteKind::run_length;
  });
  return request;
}

Result<JobRequest> with_settings(JobRequest request, const std::vector<std::string>& settings) {
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos) {
      return fail({ErrorCode::usage, "--set " + setting, "has no \"=\"", "write it like --set micro_batch_size=2"});
    }
    const std::string key = setting.substr(0, equals);
    Result<JobRequest> changed = with_value(std::move(request), key, setting.substr(equals + 1), "--set " + key);
    if (!changed) {
      return changed;
    }
    request = std::move(*changed);
  }
  return request;
}

}  // namespace

Result<JobRequest> read_request(const Context& context, const Arguments& arguments) {
  Result<JobRequest> request = arguments.positionals.empty()
                                   ? JobRequest{}
                                   : from_positional(context, {arguments.positionals.front(), asked_format(arguments)});
  for (const JobKey& key : job_keys()) {
    const Flag flag = flag_of(key);
    const std::string* value = arguments.value(flag.name);
    if (!request) {
      return request;
    }
    if (value != nullptr) {
      request = with_value(std::move(*request), key.name, *value, "--" + flag.name);
    }
  }
  const auto settings = arguments.values.find("set");
  if (request && settings != arguments.values.end()) {
    request = with_settings(std::move(*request), settings->second);
  }
  return request ? without_settled_notes(std::move(*request)) : request;
}

}  // namespace mekiki
