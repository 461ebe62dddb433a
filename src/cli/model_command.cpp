#include <algorithm>

#include "cli/commands.h"
#include "cli/job_source.h"
#include "cli/model_source.h"
#include "job/job_keys.h"
#include "report/model_report.h"

namespace mekiki {
namespace {

constexpr std::int64_t kUsualLength = 4096;

std::int64_t length_for(const JobRequest& request, const Arch& arch) {
  const std::int64_t longest = arch.max_position_embeddings > 0 ? arch.max_position_embeddings : kUsualLength;
  return request.job.sequence_length.value_or(std::min(kUsualLength, longest));
}

}  // namespace

Result<Outcome> run_model(const Context& context, const Arguments& arguments) {
  const Result<JobRequest> request = read_request(context, arguments);
  if (!request) {
    return fail(request.error());
  }
  if (request->model.empty() && request->params) {
    const QuickAnswer quick{.question = {static_cast<double>(*request->params), usual_quick_rule()}};
    return answer_with(
        context,
        ExitCode::ok,
        [&] { return quick_text(quick, context.say); },
        [&] { return quick_json(quick, context.envelope, context.say); });
  }
  if (request->model.empty()) {
    return fail({ErrorCode::usage, "model", "no model is named", "mekiki model --help"});
  }
  Result<NamedModel> model = read_model(context, request->model);
  if (!model) {
    return fail(model.error());
  }
  ModelAnswer answer{.model = std::move(model->model), .source = model->source, .status = model->status};
  answer.sequence_length = length_for(*request, answer.model.arch);
  return answer_with(
      context,
      ExitCode::ok,
      [&] { return model_text(answer, context.say); },
      [&] { return model_json(answer, context.envelope, context.say); });
}

}  // namespace mekiki
