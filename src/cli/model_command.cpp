#include <algorithm>

#include "cli/checkpoint_source.h"
#include "cli/commands.h"
#include "cli/job_source.h"
#include "cli/model_source.h"
#include "job/job_keys.h"
#include "report/model_report.h"

namespace mekiki {
namespace {

constexpr std::int64_t kUsualLength = 4096;

std::int64_t usual_length(const Arch& arch) {
  return arch.max_position_embeddings > 0 ? std::min(kUsualLength, arch.max_position_embeddings) : kUsualLength;
}

/// All that is said of a model, but for its checkpoint.
Result<ModelAnswer> answer_of(NamedModel named, std::optional<std::int64_t> sequence_length) {
  ModelAnswer answer{.model = std::move(named.model), .source = named.source, .status = named.status};
  answer.sequence_length = sequence_length.value_or(usual_length(answer.model.arch));
  Result<ConfigNotes> notes = read_config_notes(named.config_text, named.source);
  if (!notes) {
    return fail(notes.error());
  }
  answer.notes = std::move(*notes);
  return answer;
}

/// The model with the checkpoint and the model card that lie beside it.
Result<ModelAnswer> read_answer(const Context& context,
                                const std::string& name,
                                std::optional<std::int64_t> sequence_length) {
  Result<NamedModel> named = read_model(context, name);
  if (!named) {
    return fail(named.error());
  }
  const Files& files = *context.world->files;
  std::optional<CheckpointAnswer> checkpoint;
  std::optional<std::string> license;
  if (!named->folder.empty()) {
    auto read = read_checkpoint(files, named->folder, named->model, named->config_text);
    if (!read) {
      return fail(read.error());
    }
    checkpoint = std::move(*read);
    license = read_license(files, named->folder);
  }
  Result<ModelAnswer> answer = answer_of(std::move(*named), sequence_length);
  if (answer) {
    answer->checkpoint = std::move(checkpoint);
    answer->license = std::move(license);
  }
  return answer;
}

ExitCode exit_code_of(const ModelAnswer& answer) {
  const bool is_wrong = answer.checkpoint && (answer.checkpoint->check.verdict == CheckpointVerdict::damaged ||
                                              answer.checkpoint->check.verdict == CheckpointVerdict::differs);
  return is_wrong ? ExitCode::negative : ExitCode::ok;
}

Result<Outcome> run_one(const Context& context, const JobRequest& request) {
  const Result<ModelAnswer> answer = read_answer(context, request.model, request.job.sequence_length);
  if (!answer) {
    return fail(answer.error());
  }
  return answer_with(
      context,
      exit_code_of(*answer),
      [&] { return model_text(*answer, context.say); },
      [&] { return model_json(*answer, context.envelope, context.say); });
}

Result<Outcome> run_tensors(const Context& context, const JobRequest& request) {
  const Result<ModelAnswer> answer = read_answer(context, request.model, request.job.sequence_length);
  if (!answer) {
    return fail(answer.error());
  }
  const Result<std::vector<StoredTensor>> tensors = tensors_of(answer->model.arch);
  if (!tensors) {
    return fail(tensors.error());
  }
  return answer_with(
      context,
      ExitCode::ok,
      [&] { return tensors_text(*answer, *tensors, context.say); },
      [&] { return tensors_json(*answer, *tensors, context.envelope); });
}

// Work and cache are compared at one length, which both models know.
Result<Outcome> run_pair(const Context& context, const JobRequest& request, const std::string& second_name) {
  Result<ModelAnswer> first = read_answer(context, request.model, request.job.sequence_length);
  Result<ModelAnswer> second = read_answer(context, second_name, request.job.sequence_length);
  if (!first || !second) {
    return fail(first ? second.error() : first.error());
  }
  first->sequence_length = second->sequence_length = std::min(first->sequence_length, second->sequence_length);
  return answer_with(
      context,
      std::max(exit_code_of(*first), exit_code_of(*second)),
      [&] { return model_pair_text(*first, *second, context.say); },
      [&] { return model_pair_json(*first, *second, context.envelope, context.say); });
}

Result<Outcome> run_all(const Context& context, const JobRequest& request) {
  const auto index = read_model_index(context);
  const auto stored = read_stored_differences(context);
  if (!index || !stored) {
    return fail(index ? stored.error() : index.error());
  }
  std::vector<ModelAnswer> models;
  std::vector<RefusedModel> refused;
  for (const ModelIndexRow& row : *index) {
    Result<NamedModel> named = read_bundled(context, row, *stored);
    Result<ModelAnswer> answer =
        named ? answer_of(std::move(*named), request.job.sequence_length) : fail(named.error());
    if (answer) {
      models.push_back(std::move(*answer));
    } else {
      refused.push_back({row.id, answer.error()});
    }
  }
  return answer_with(
      context,
      ExitCode::ok,
      [&] { return model_list_text(models, refused, context.say); },
      [&] { return model_list_json(models, refused, context.envelope, context.say); });
}

Outcome run_quick(const Context& context, const JobRequest& request) {
  const QuickAnswer quick{.question = {static_cast<double>(*request.params), usual_quick_rule()}};
  return answer_with(
      context,
      ExitCode::ok,
      [&] { return quick_text(quick, context.say); },
      [&] { return quick_json(quick, context.envelope, context.say); });
}

}  // namespace

Result<Outcome> run_model(const Context& context, const Arguments& arguments) {
  const Result<JobRequest> request = read_request(context, arguments);
  if (!request) {
    return fail(request.error());
  }
  if (arguments.has("all")) {
    return arguments.positionals.empty()
               ? run_all(context, *request)
               : fail({ErrorCode::usage, "--all", "is for all models, and one is named", "leave one of them out"});
  }
  if (request->model.empty() && request->params) {
    return run_quick(context, *request);
  }
  if (request->model.empty()) {
    return fail({ErrorCode::usage, "model", "no model is named", "mekiki model --help"});
  }
  if (arguments.has("tensors")) {
    return arguments.positionals.size() < 2
               ? run_tensors(context, *request)
               : fail({ErrorCode::usage, "--tensors", "is for one model, and two are named", "name one of them"});
  }
  return arguments.positionals.size() == 2 ? run_pair(context, *request, arguments.positionals[1])
                                           : run_one(context, *request);
}

}  // namespace mekiki
