#include "job/job_keys.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/amount.h"
#include "base/did_you_mean.h"
#include "job/job_values.h"

namespace mekiki {
namespace {

std::string quoted(std::string_view text) {
  constexpr std::size_t kLongestQuote = 64;
  return "\"" + std::string(text.substr(0, kLongestQuote)) + (text.size() > kLongestQuote ? "...\"" : "\"");
}

// Puts a value that was read into a field of one part of the request.
template <class Part, class Field, class Value>
Result<JobRequest> put(JobRequest request, Part JobRequest::*part, Field Part::*field, Result<Value> value) {
  if (!value) {
    return fail(value.error());
  }
  (request.*part).*field = std::move(*value);
  return request;
}

// Setters, one per field.
template <auto Read, auto Field>
Result<JobRequest> in_job(JobRequest request, std::string_view text) {
  return put(std::move(request), &JobRequest::job, Field, Read(text));
}

template <auto Read, auto Field>
Result<JobRequest> in_layout(JobRequest request, std::string_view text) {
  return put(std::move(request), &JobRequest::layout, Field, Read(text));
}

template <auto Read, auto Field>
Result<JobRequest> in_target(JobRequest request, std::string_view text) {
  return put(std::move(request), &JobRequest::target, Field, Read(text));
}

template <auto Read, auto Field>
Result<JobRequest> in_selection(JobRequest request, std::string_view text) {
  return put(std::move(request), &JobRequest::selection, Field, Read(text));
}

template <auto Read, auto Field>
Result<JobRequest> in_dtypes(JobRequest request, std::string_view text) {
  auto value = Read(text);
  if (!value) {
    return fail(value.error());
  }
  request.job.dtypes.*Field = *value;
  return request;
}

template <auto Read, auto Field>
Result<JobRequest> in_allocator(JobRequest request, std::string_view text) {
  auto value = Read(text);
  if (!value) {
    return fail(value.error());
  }
  request.job.allocator.*Field = *value;
  return request;
}

/// Settings of the variable take the place of those said before; what it leaves out stays.
Result<JobRequest> allocator_settings(JobRequest request, std::string_view text) {
  const Result<AllocatorOverrides> said = parse_allocator_settings(text);
  if (!said) {
    return fail(said.error());
  }
  AllocatorOverrides& settings = request.job.allocator;
  const AllocatorOverrides before = settings;
  settings = *said;
  if (!settings.expandable_segments) {
    settings.expandable_segments = before.expandable_segments;
  }
  return request;
}

template <auto Read, auto Field>
Result<JobRequest> in_corpus(JobRequest request, std::string_view text) {
  auto value = Read(text);
  if (!value) {
    return fail(value.error());
  }
  request.job.corpus.*Field = *value;
  return request;
}

/// What begins with a digit is a size, everything else a path.
Result<JobRequest> corpus_size_or_path(JobRequest request, std::string_view text) {
  const Result<std::string> word = read_text(text);
  if (!word) {
    return fail(word.error());
  }
  Corpus& corpus = request.job.corpus;
  if (word->front() < '0' || word->front() > '9') {
    corpus.path = *word;
    corpus.size.reset();
    return request;
  }
  const Result<Bytes> size = parse_bytes(*word);
  if (!size || !(*size > Bytes{})) {
    return fail(size ? Error{ErrorCode::invalid_input, "", "holds no text", "give its size, like 40GB"} : size.error());
  }
  corpus.path.clear();
  corpus.size = *size;
  return request;
}

Lora& lora_of(JobRequest& request) {
  return request.job.lora ? *request.job.lora : request.job.lora.emplace();
}

template <auto Read, auto Field>
Result<JobRequest> in_lora(JobRequest request, std::string_view text) {
  auto value = Read(text);
  if (!value) {
    return fail(value.error());
  }
  lora_of(request).*Field = std::move(*value);
  return request;
}

template <auto Read, auto Field>
Result<JobRequest> in_request(JobRequest request, std::string_view text) {
  auto value = Read(text);
  if (!value) {
    return fail(value.error());
  }
  request.*Field = std::move(*value);
  return request;
}

template <class E>
constexpr std::span<const std::string_view> words() {
  return EnumNames<E>::value;
}

using Category = JobKeyCategory;
using Kind = JobValueKind;

constexpr JobKey kKeys[] = {
    {"model", Category::model, Kind::text, {}, in_request<read_text, &JobRequest::model>},
    {"params", Category::model, Kind::count, {}, in_request<read_count, &JobRequest::params>},
    {"format", Category::model, Kind::text, {}, in_request<read_text, &JobRequest::format>},

    {"method", Category::method, Kind::word, words<Method>(), in_job<read_method, &Job::method>},
    {"framework", Category::method, Kind::text, {}, in_job<read_text, &Job::framework>},
    {"era", Category::method, Kind::text, {}, in_job<read_month, &Job::era>},
    {"lora_rank", Category::method, Kind::count, {}, in_lora<read_count, &Lora::rank>},
    {"lora_dropout", Category::method, Kind::share, {}, in_lora<read_share, &Lora::dropout>},
    {"lora_targets", Category::method, Kind::texts, {}, in_lora<read_texts, &Lora::targets>},
    {"dora", Category::method, Kind::yes_or_no, {}, in_lora<read_yes_or_no, &Lora::dora>},
    {"quantization",
     Category::method,
     Kind::word,
     words<Quantization>(),
     in_job<read_word<Quantization>, &Job::quantization>},

    {"double_quantization", Category::method, Kind::yes_or_no, {}, in_job<read_yes_or_no, &Job::double_quantization>},
    {"quantize_experts", Category::method, Kind::yes_or_no, {}, in_job<read_yes_or_no, &Job::quantize_experts>},

    {"precision", Category::numbers, Kind::word, words<Precision>(), in_job<read_word<Precision>, &Job::precision>},
    {"weights_dtype",
     Category::numbers,
     Kind::word,
     words<Dtype>(),
     in_dtypes<read_word<Dtype>, &DtypeOverrides::weights>},
    {"gradients_dtype",
     Category::numbers,
     Kind::word,
     words<Dtype>(),
     in_dtypes<read_word<Dtype>, &DtypeOverrides::gradients>},
    {"optimizer_states_dtype",
     Category::numbers,
     Kind::word,
     words<Dtype>(),
     in_dtypes<read_word<Dtype>, &DtypeOverrides::optimizer_states>},
    {"master_weights",
     Category::numbers,
     Kind::yes_or_no,
     {},
     in_dtypes<read_yes_or_no, &DtypeOverrides::master_weights>},
    {"optimizer", Category::numbers, Kind::word, words<Optimizer>(), in_job<read_word<Optimizer>, &Job::optimizer>},
    {"optimizer_implementation",
     Category::numbers,
     Kind::word,
     words<OptimizerImplementation>(),
     in_job<read_word<OptimizerImplementation>, &Job::optimizer_implementation>},

    {"stochastic_rounding", Category::numbers, Kind::yes_or_no, {}, in_job<read_yes_or_no, &Job::stochastic_rounding>},

    {"tokens", Category::batch, Kind::count, {}, in_job<read_count, &Job::tokens>},
    {"corpus", Category::batch, Kind::bytes_or_path, {}, corpus_size_or_path},
    {"corpus_language",
     Category::batch,
     Kind::word,
     words<TextLanguage>(),
     in_corpus<read_word<TextLanguage>, &Corpus::language>},
    {"epochs", Category::batch, Kind::number, {}, in_corpus<read_positive_number, &Corpus::epochs>},
    {"sequence_length", Category::batch, Kind::sequence_length, {}, in_job<read_length, &Job::sequence_length>},
    {"micro_batch_size", Category::batch, Kind::count, {}, in_job<read_count, &Job::micro_batch_size>},
    {"gradient_accumulation_steps",
     Category::batch,
     Kind::count,
     {},
     in_job<read_count, &Job::gradient_accumulation_steps>},
    {"global_batch_size", Category::batch, Kind::count, {}, in_job<read_count, &Job::global_batch_size>},
    {"data_loader_tokens_per_s", Category::batch, Kind::count, {}, in_job<read_count, &Job::data_loader_tokens_per_s>},
    {"lengths", Category::batch, Kind::word, words<Lengths>(), in_job<read_word<Lengths>, &Job::lengths>},
    {"length_quantiles", Category::batch, Kind::texts, {}, in_job<parse_length_quantiles, &Job::length_quantiles>},

    {"activation_recompute",
     Category::saving,
     Kind::word,
     words<ActivationRecompute>(),
     in_job<read_word<ActivationRecompute>, &Job::activation_recompute>},
    {"optimizer_rank", Category::numbers, Kind::count, {}, in_job<read_count, &Job::optimizer_rank>},
    {"active_layers", Category::numbers, Kind::count, {}, in_job<read_count, &Job::active_layers>},
    {"recompute_every", Category::saving, Kind::count, {}, in_job<read_count, &Job::recompute_every>},
    {"recompute_layers", Category::saving, Kind::count, {}, in_job<read_count, &Job::recompute_layers>},
    {"attention",
     Category::saving,
     Kind::word,
     words<AttentionKernel>(),
     in_job<read_word<AttentionKernel>, &Job::attention>},
    {"loss", Category::saving, Kind::word, words<LossKind>(), in_job<read_word<LossKind>, &Job::loss>},
    {"virtual_tokens", Category::method, Kind::count, {}, in_job<read_count, &Job::virtual_tokens>},
    {"offload", Category::saving, Kind::word, words<Offload>(), in_job<read_word<Offload>, &Job::offload>},
    {"offload_to",
     Category::saving,
     Kind::word,
     words<OffloadTarget>(),
     in_job<read_word<OffloadTarget>, &Job::offload_to>},
    {"cuda_graphs", Category::saving, Kind::yes_or_no, {}, in_job<read_yes_or_no, &Job::cuda_graphs>},
    {"compile", Category::saving, Kind::yes_or_no, {}, in_job<read_yes_or_no, &Job::compile>},
    {"expandable_segments",
     Category::saving,
     Kind::yes_or_no,
     {},
     in_allocator<read_yes_or_no, &AllocatorOverrides::expandable_segments>},
    {"pytorch_cuda_alloc_conf", Category::saving, Kind::text, {}, allocator_settings},
    {"headroom", Category::saving, Kind::share, {}, in_job<read_share, &Job::headroom>},

    {"dp_replicate", Category::layout, Kind::count, {}, in_layout<read_count, &LayoutRequest::dp_replicate>},
    {"dp_shard", Category::layout, Kind::count, {}, in_layout<read_count, &LayoutRequest::dp_shard>},
    {"zero_stage", Category::layout, Kind::count, {}, in_layout<read_zero_stage, &LayoutRequest::zero_stage>},
    {"reshard_after_forward",
     Category::layout,
     Kind::yes_or_no,
     {},
     in_layout<read_yes_or_no, &LayoutRequest::reshard_after_forward>},
    {"tensor_parallel", Category::layout, Kind::count, {}, in_layout<read_count, &LayoutRequest::tensor_parallel>},
    {"sequence_parallel",
     Category::layout,
     Kind::yes_or_no,
     {},
     in_layout<read_yes_or_no, &LayoutRequest::sequence_parallel>},
    {"pipeline_parallel", Category::layout, Kind::count, {}, in_layout<read_count, &LayoutRequest::pipeline_parallel>},
    {"virtual_pipeline", Category::layout, Kind::count, {}, in_layout<read_count, &LayoutRequest::virtual_pipeline>},
    {"pipeline_schedule",
     Category::layout,
     Kind::word,
     words<PipelineSchedule>(),
     in_job<read_word<PipelineSchedule>, &Job::pipeline_schedule>},
    {"context_exchange",
     Category::layout,
     Kind::word,
     words<ContextExchange>(),
     in_job<read_word<ContextExchange>, &Job::context_exchange>},
    {"expert_dispatch",
     Category::layout,
     Kind::word,
     words<ExpertDispatch>(),
     in_job<read_word<ExpertDispatch>, &Job::expert_dispatch>},
    {"expert_imbalance", Category::layout, Kind::text, {}, in_job<read_ratio, &Job::expert_imbalance>},
    {"context_parallel", Category::layout, Kind::count, {}, in_layout<read_count, &LayoutRequest::context_parallel>},
    {"expert_parallel", Category::layout, Kind::count, {}, in_layout<read_count, &LayoutRequest::expert_parallel>},
    {"expert_tensor_parallel",
     Category::layout,
     Kind::count,
     {},
     in_layout<read_count, &LayoutRequest::expert_tensor_parallel>},

    {"gpu", Category::target, Kind::text, {}, in_target<read_text, &TargetRequest::gpu>},
    {"gpus", Category::target, Kind::count, {}, in_target<read_count, &TargetRequest::gpus>},
    {"system", Category::target, Kind::text, {}, in_target<read_text, &TargetRequest::system>},
    {"nodes", Category::target, Kind::count, {}, in_target<read_count, &TargetRequest::nodes>},
    {"mig", Category::target, Kind::word, words<MigProfile>(), in_target<read_word<MigProfile>, &TargetRequest::mig>},
    {"held_by_others", Category::target, Kind::bytes, {}, in_target<parse_bytes, &TargetRequest::held_by_others>},

    {"deadline", Category::selection, Kind::duration, {}, in_selection<read_duration, &SelectionRequest::deadline>},
    {"budget", Category::selection, Kind::money, {}, in_selection<read_money, &SelectionRequest::budget>},
    {"waiting", Category::selection, Kind::duration, {}, in_selection<read_duration, &SelectionRequest::waiting>},
    {"utilisation", Category::selection, Kind::share, {}, in_selection<read_share, &SelectionRequest::utilisation>},
    {"require", Category::selection, Kind::texts, {}, in_selection<read_texts, &SelectionRequest::require>},
    {"objective", Category::selection, Kind::text, {}, in_selection<read_text, &SelectionRequest::objective>},
    {"save_interval",
     Category::selection,
     Kind::duration,
     {},
     in_selection<read_duration, &SelectionRequest::save_interval>},
    {"deliveries", Category::selection, Kind::count, {}, in_selection<read_count, &SelectionRequest::deliveries>},
    {"reuse", Category::selection, Kind::money, {}, in_selection<read_money, &SelectionRequest::reuse>},
    {"engineer_usd_per_hour",
     Category::selection,
     Kind::money,
     {},
     in_selection<read_money, &SelectionRequest::engineer_usd_per_hour>},
    {"goal", Category::selection, Kind::text, {}, in_selection<read_text, &SelectionRequest::goal>},
    {"max_gpus", Category::selection, Kind::count, {}, in_selection<read_count, &SelectionRequest::max_gpus>},
    {"systems", Category::selection, Kind::texts, {}, in_selection<read_texts, &SelectionRequest::systems>},
    {"providers", Category::selection, Kind::texts, {}, in_selection<read_texts, &SelectionRequest::providers>},
    {"gpu_families", Category::selection, Kind::texts, {}, in_selection<read_texts, &SelectionRequest::gpu_families>},
    {"regions", Category::selection, Kind::texts, {}, in_selection<read_texts, &SelectionRequest::regions>},
    {"tenancy", Category::selection, Kind::texts, {}, in_selection<read_texts, &SelectionRequest::tenancy>},
    {"unknown_offers", Category::selection, Kind::text, {}, in_selection<read_text, &SelectionRequest::unknown_offers>},
    {"price_kinds", Category::selection, Kind::texts, {}, in_selection<read_texts, &SelectionRequest::price_kinds>},
};

std::string canonical(std::string_view name) {
  std::string text(name);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '-' || c == '.'; }, '_');
  return text;
}

// Keys that a slip of the pen or a key cut short may mean.
std::string near_keys(std::string_view key) {
  const std::string word = canonical(key);
  std::vector<std::string_view> names;
  for (const JobKey& known : kKeys) {
    names.push_back(known.name);
  }
  std::string hint = did_you_mean(word, names);
  for (std::size_t i = 0; hint.empty() && word.size() > 2 && i < names.size(); ++i) {
    hint = names[i].starts_with(word) ? "did you mean " + std::string(names[i]) + "?" : "";
  }
  return hint.empty() ? "docs/flags.md lists the keys" : hint;
}

}  // namespace

std::span<const JobKey> job_keys() {
  return kKeys;
}

const JobKey* find_job_key(std::string_view name) {
  const std::string wanted = canonical(name);
  const auto found =
      std::find_if(std::begin(kKeys), std::end(kKeys), [&](const JobKey& key) { return key.name == wanted; });
  return found == std::end(kKeys) ? nullptr : found;
}

Result<JobRequest> with_value(JobRequest request, std::string_view key, std::string_view value, std::string origin) {
  const JobKey* known = find_job_key(key);
  if (known == nullptr) {
    return fail({ErrorCode::not_found, std::move(origin), "there is no key " + quoted(key), near_keys(key)});
  }
  Result<JobRequest> changed = known->set(std::move(request), value);
  if (!changed) {
    Error error = changed.error();
    error.subject = std::move(origin);
    error.message = std::string(known->name) + ": " + error.message;
    return fail(std::move(error));
  }
  changed->origins[std::string(known->name)] = std::move(origin);
  return changed;
}

Error at_origin(const JobRequest& request, Error error) {
  const auto model = request.origins.find("model");
  if (model != request.origins.end() && error.subject == request.model && model->second != request.model) {
    error.message = "\"" + request.model + "\" " + error.message;
    error.subject = model->second;
    error.hint = error.hint.empty() ? "name another one with --model" : error.hint;
    return error;
  }
  const auto origin = request.origins.find(error.subject);
  if (origin != request.origins.end()) {
    error.message = error.subject + ": " + error.message;
    error.subject = origin->second;
  }
  return error;
}

}  // namespace mekiki
