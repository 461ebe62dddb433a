#include "cli/job_source.h"

#include <utility>

#include "job/job_file.h"
#include "job/job_keys.h"

namespace mekiki {
namespace {

bool is_job_file(const std::string& word) {
  return word == "-" || word.ends_with(".yaml") || word.ends_with(".yml");
}

Result<JobRequest> from_positional(const Context& context, const std::string& word) {
  if (!is_job_file(word)) {
    return with_value({}, "model", word, word);
  }
  const JobFileOptions options;
  const Files& files = *context.world->files;
  const Result<std::string> text =
      word == "-" ? files.read_standard_input(options.size_limit) : files.read(word, options.size_limit);
  if (!text) {
    return fail(text.error());
  }
  return read_job_file(*text, word, options);
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
  Result<JobRequest> request =
      arguments.positionals.empty() ? JobRequest{} : from_positional(context, arguments.positionals.front());
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
  return request;
}

}  // namespace mekiki
