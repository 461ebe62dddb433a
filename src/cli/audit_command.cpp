#include <numeric>

#include "audit/audit.h"
#include "base/amount.h"
#include "catalog/catalog.h"
#include "catalog/profile_reader.h"
#include "cli/commands.h"
#include "cli/corpus_source.h"
#include "cli/fit_target.h"
#include "cli/job_source.h"
#include "cli/model_source.h"
#include "cli/profile_source.h"
#include "job/job_keys.h"
#include "job/job_values.h"
#include "report/audit_report.h"
#include "search/plan_rules.h"

namespace mekiki {
namespace {

/// Everything that an AuditRequest points to.
struct AuditInputs {
  JobRequest request;
  std::optional<CorpusReading> corpus;
  std::optional<NamedModel> model;  // unset: a count alone
  std::vector<Profile> profiles;
  NamedTarget target;
  std::optional<Machine> machine;
  PlanRules rules;
  AuditRules audit_rules;
  std::vector<MeasuredMfu> measured;
  Claim claim;
};

template <class T, class Read>
Status read_flag(std::optional<T>& field, const Arguments& arguments, std::string_view flag, const Read& read) {
  const std::string* text = arguments.value(flag);
  if (text == nullptr) {
    return {};
  }
  const auto value = read(*text);
  if (!value) {
    return fail_within("--" + std::string(flag), value.error());
  }
  field = T{*value};
  return {};
}

Result<double> read_rate(std::string_view text) {
  const Result<double> number = parse_number(text);
  if (number && *number > 0) {
    return number;
  }
  const Result<std::int64_t> count = read_count(text);
  return count ? Result<double>(static_cast<double>(*count)) : fail(count.error());
}

/// A share of the peak that somebody claims; above 1 it is a claim all the same.
Result<double> read_mfu(std::string_view text) {
  const bool is_percent = text.ends_with('%');
  const Result<double> number = parse_number(is_percent ? text.substr(0, text.size() - 1) : text);
  if (!number || !(*number > 0)) {
    return fail({ErrorCode::invalid_input, "", "\"" + std::string(text) + "\" is no MFU", "write it like 0.4 or 40%"});
  }
  return is_percent ? *number / 100.0 : *number;
}

Result<Claim> claim_of(const JobRequest& request, const Arguments& arguments) {
  Claim claim;
  if (request.job.tokens) {
    claim.tokens = Tokens{static_cast<double>(*request.job.tokens)};
  }
  for (const Status& status : {read_flag(claim.time, arguments, "time", read_duration),
                               read_flag(claim.mfu, arguments, "mfu", read_mfu),
                               read_flag(claim.rate, arguments, "tokens-per-s", read_rate),
                               read_flag(claim.gpu_utilization, arguments, "gpu-utilization", read_share)}) {
    if (!status) {
      return fail(status.error());
    }
  }
  return claim;
}

Status read_rules_into(AuditInputs& inputs, const Context& context) {
  const auto document = [&](std::string_view path) { return find_document(*context.catalog, path); };
  constexpr std::string_view kRulesPath = "data/rules/audit.csv";
  constexpr std::string_view kMeasuredPath = "data/reference/measured_mfu.csv";
  Result<PlanRules> rules = read_plan_rules(document);
  if (!rules) {
    return fail(rules.error());
  }
  const Result<AuditRules> audit_rules = read_audit_rules(document(kRulesPath).value_or(""), kRulesPath);
  if (!audit_rules) {
    return fail(audit_rules.error());
  }
  Result<std::vector<MeasuredMfu>> measured = read_measured_mfu(document(kMeasuredPath).value_or(""), kMeasuredPath);
  if (!measured) {
    return fail(measured.error());
  }
  inputs.rules = std::move(*rules);
  inputs.audit_rules = *audit_rules;
  inputs.measured = std::move(*measured);
  return {};
}

/// The GPUs as equal nodes: of the named system, else as such machines usually are.
std::optional<Machine> machine_of(const Context& context, const NamedTarget& named) {
  const FitTarget& target = named.target;
  if (target.gpu == nullptr || !target.rates) {
    return std::nullopt;
  }
  Machine machine{.gpu = target.gpu, .rates = target.rates, .cluster = target.cluster};
  if (named.pod) {
    machine.system = *named.pod;
  } else if (!named.system.empty()) {
    machine.system = **find_system(*context.catalog, named.system);
  }
  machine.system.gpu_id = target.gpu->id;
  machine.system.gpus = std::gcd(named.gpus, target.cluster.gpus_per_node);
  return machine;
}

Status read_inputs(AuditInputs& inputs, const Context& context, const Arguments& arguments) {
  if (!inputs.request.model.empty()) {
    Result<NamedModel> model = read_model(context, inputs.request.model);
    if (!model) {
      return fail(model.error());
    }
    inputs.model = std::move(*model);
    Result<CountedJob> counted = with_corpus_tokens(context, inputs.request.job, inputs.model->model.arch);
    if (!counted) {
      return fail(counted.error());
    }
    inputs.request.job = std::move(counted->job);
    inputs.corpus = std::move(counted->reading);
  }
  Result<Claim> claim = claim_of(inputs.request, arguments);
  if (!claim) {
    return fail(claim.error());
  }
  inputs.claim = *claim;
  if (Status status = read_rules_into(inputs, context); !status) {
    return status;
  }
  Result<NamedTarget> target = read_target(context, inputs.request);
  if (!target) {
    return fail(target.error());
  }
  inputs.target = std::move(*target);
  inputs.machine = machine_of(context, inputs.target);
  Result<std::vector<Profile>> profiles = profiles_of(context, inputs.request.job, inputs.rules);
  if (!profiles) {
    return fail(profiles.error());
  }
  inputs.profiles = std::move(*profiles);
  return {};
}

AuditRequest audit_request(const Context& context, const AuditInputs& inputs) {
  AuditRequest asked{.gpu = inputs.target.target.gpu,
                     .gpus = inputs.target.gpus,
                     .all_gpus = context.catalog->gpus,
                     .measured = inputs.measured,
                     .rules = inputs.audit_rules,
                     .claim = inputs.claim};
  asked.plan.job = inputs.request.job;
  asked.plan.layout = inputs.request.layout;
  asked.plan.profiles = inputs.profiles;
  asked.plan.rules = &inputs.rules;
  asked.plan.threads = context.world->cores;
  if (inputs.model) {
    asked.plan.arch = &inputs.model->model.arch;
  } else {
    asked.weights = static_cast<double>(*inputs.request.params);
  }
  if (inputs.machine) {
    asked.machine = ClaimedMachine{&*inputs.machine, inputs.target.gpus / inputs.machine->system.gpus};
  }
  return asked;
}

AuditAnswer answer_of(const AuditInputs& inputs, AuditReport report) {
  AuditAnswer answer{.gpu = inputs.target.target.gpu, .gpus = inputs.target.gpus, .claim = inputs.claim};
  if (inputs.model) {
    answer.model = inputs.model->model.arch.id;
    answer.weights = static_cast<double>(count_weights(inputs.model->model.arch).trainable);
  } else {
    answer.model = "--params " + std::to_string(*inputs.request.params);
    answer.weights = static_cast<double>(*inputs.request.params);
  }
  answer.report = std::move(report);
  answer.corpus = inputs.corpus;
  answer.job_file = {inputs.request.format, inputs.request.notes};
  return answer;
}

}  // namespace

Result<Outcome> run_audit(const Context& context, const Arguments& arguments) {
  Result<JobRequest> request = read_request(context, arguments);
  if (!request) {
    return fail(request.error());
  }
  if (request->model.empty() && !request->params) {
    return fail({ErrorCode::usage, "model", "no model is named", "mekiki audit --help"});
  }
  AuditInputs inputs{.request = std::move(*request)};
  if (const Status status = read_inputs(inputs, context, arguments); !status) {
    return fail(at_origin(inputs.request, status.error()));
  }
  Result<AuditReport> report = audit(audit_request(context, inputs));
  if (!report) {
    return fail(at_origin(inputs.request, report.error()));
  }
  const AuditAnswer answer = answer_of(inputs, std::move(*report));
  return answer_with(
      context,
      answer.report.verdict == AuditVerdict::impossible ? ExitCode::negative : ExitCode::ok,
      [&] { return audit_text(answer, context.say); },
      [&] { return audit_json(answer, context.envelope, context.say); });
}

}  // namespace mekiki
