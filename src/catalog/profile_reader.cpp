#include "catalog/profile_reader.h"

#include "base/did_you_mean.h"
#include "base/json.h"
#include "catalog/object_reader.h"

namespace mekiki {
namespace {

constexpr int kLongestChain = 8;

/// data/profiles/bands.json: {"memory": {KIND: {"low", "high", ...}}, "time": {...}}.
void read_bands(ObjectReader& parent, std::string_view part, Bands& bands) {
  std::optional<ObjectReader> kinds = parent.object(part);
  if (!kinds) {
    return;
  }
  for (std::size_t i = 0; i < EnumNames<BandKind>::value.size(); ++i) {
    if (std::optional<ObjectReader> reader = kinds->object(EnumNames<BandKind>::value[i])) {
      Band& band = bands[static_cast<BandKind>(i)];
      reader->number("low", band.low, 0.01, 1.0);
      reader->number("high", band.high, 1.0, 100.0);
      for (const std::string_view key : {"rows", "groups"}) {
        reader->find(key);
      }
      kinds->adopt(*reader);
    }
  }
  parent.adopt(*kinds);
}

void read_source(ObjectReader& source) {
  std::string text;
  for (const std::string_view key : {"about", "source", "status"}) {
    text.clear();
    source.text(key, text);
    if (text.empty()) {
      source.fail_at(key, "missing", "say what is stated, where it is written, and how sure it is");
    }
  }
}

void read_sources(ObjectReader& reader, std::string_view id) {
  std::string own_id = std::string(id), about, extends;
  reader.text("id", own_id);
  reader.text("about", about);
  reader.text("extends", extends);
  if (own_id != id) {
    reader.fail_at("id", "differs from the folder's name " + std::string(id));
  }
  const nlohmann::json* sources = reader.find("sources");
  if (sources == nullptr || !sources->is_array()) {
    reader.fail_at("sources", "a list of {about, source, status} is expected");
    return;
  }
  for (std::size_t i = 0; i < sources->size(); ++i) {
    ObjectReader source((*sources)[i], json_path(json_path(reader.subject(), "sources"), i));
    read_source(source);
    reader.adopt(source);
  }
}

void read_dtypes(ObjectReader& parent, MemoryProfile& memory) {
  std::optional<ObjectReader> reader = parent.object("dtypes");
  if (!reader) {
    return;
  }
  memory.dtypes = {};
  for (std::size_t i = 0; i < memory.dtypes.size(); ++i) {
    std::optional<ObjectReader> rule = reader->object(EnumNames<Precision>::value[i]);
    if (!rule) {
      continue;
    }
    DtypeRule& r = memory.dtypes[i];
    r.supported = true;
    rule->choice("weights", r.weights);
    rule->choice("compute", r.compute);
    rule->choice("gradients", r.gradients);
    rule->choice("reduction", r.reduction);
    rule->choice("optimizer_states", r.optimizer_states);
    rule->boolean("master_weights", r.master_weights);
    rule->boolean("autocast", r.autocast);
    reader->adopt(*rule);
  }
  parent.adopt(*reader);
}

void read_loss(ObjectReader& parent, LossRule& loss) {
  if (std::optional<ObjectReader> reader = parent.object("loss")) {
    loss = {};
    reader->choice("kind", loss.kind);
    reader->number("bytes_per_logit", loss.bytes_per_logit, 0.0, 64.0);
    reader->number("narrow_bytes_per_logit", loss.narrow_bytes_per_logit, 0.0, 64.0);
    reader->number("compiled_bytes_per_logit", loss.compiled_bytes_per_logit, 0.0, 64.0);
    reader->number("tensor_parallel_bytes_per_logit", loss.tensor_parallel_bytes_per_logit, 0.0, 64.0);
    reader->boolean("gathers_logits", loss.gathers_logits);
    reader->integer("chunks", loss.chunks, 1, 1 << 20);
    parent.adopt(*reader);
  }
}

void read_allocator(ObjectReader& parent, AllocatorRule& rule) {
  if (std::optional<ObjectReader> reader = parent.object("allocator")) {
    rule = {};
    reader->boolean("caching", rule.caching);
    reader->boolean("expandable_by_default", rule.expandable_by_default);
    reader->number("closed_form_factor", rule.closed_form_factor, 1.0, 10.0);
    parent.adopt(*reader);
  }
}

void read_device(ObjectReader& parent, DeviceOverheads& device) {
  if (std::optional<ObjectReader> reader = parent.object("device")) {
    device = {};
    reader->quantity("context_gib", device.context, kGiB.base(), 0.0, 16.0);
    reader->quantity("first_communicator_gib", device.first_communicator, kGiB.base(), 0.0, 16.0);
    reader->quantity("further_communicator_gib", device.further_communicator, kGiB.base(), 0.0, 16.0);
    parent.adopt(*reader);
  }
}

void read_support(ObjectReader& parent, EngineSupport& supports) {
  if (std::optional<ObjectReader> reader = parent.object("supports")) {
    supports = {};
    reader->boolean("tensor_parallel", supports.tensor_parallel);
    reader->boolean("pipeline_parallel", supports.pipeline_parallel);
    reader->boolean("context_parallel", supports.context_parallel);
    reader->boolean("expert_parallel", supports.expert_parallel);
    reader->boolean("sharding", supports.sharding);
    reader->boolean("adapters", supports.adapters);
    reader->boolean("offload_optimizer", supports.offload_optimizer);
    reader->boolean("offload_optimizer_and_weights", supports.offload_optimizer_and_weights);
    reader->boolean("offload_activations", supports.offload_activations);
    parent.adopt(*reader);
  }
}

void read_memory(ObjectReader& r, Profile& profile) {
  MemoryProfile& m = profile.memory;
  read_dtypes(r, m);
  r.choice("data_parallel", m.sharding.style);
  r.choice("fsdp", m.fsdp);
  r.boolean("gradient_bucket_copy", m.sharding.gradient_bucket_copy);
  r.number("reduce_bucket_elements", m.sharding.reduce_bucket_elements, 0, 1e12);
  r.number("max_live_parameters", m.sharding.max_live_parameters, 0, 1e12);
  r.boolean("resident_gradients", m.sharding.resident_gradients);
  r.boolean("unsharded_gradients", m.sharding.unsharded_gradients);
  r.choice("accumulates_unsharded", m.sharding.accumulates_unsharded);
  r.choice("pipeline_accumulates_unsharded", m.sharding.pipeline_accumulates_unsharded);
  r.boolean("pipeline_stays_gathered", m.sharding.pipeline_stays_gathered);
  r.boolean("reduction_copies_accumulator", m.sharding.reduction_copies_accumulator);
  r.number("update_group_elements", m.sharding.update_group_elements, 0, 1e12);
  r.number("partition_copy_bytes", m.sharding.partition_copy_bytes, 0.0, 16.0);
  r.number("nvme_weight_elements", m.sharding.nvme_weight_elements, 0, 1e12);
  r.number("nvme_update_buffers", m.sharding.nvme_update_buffers, 0, 64);
  r.boolean("loads_quantized_whole", m.sharding.loads_quantized_whole);
  r.boolean("quantized_input_kept", m.quantized_input_kept);
  r.boolean("quantized_output_as_input", m.quantized_output_as_input);
  r.boolean("adapter_output_kept", m.adapter_output_kept);
  r.boolean("frozen_as_trained", m.frozen_as_trained);
  r.boolean("root_stays_gathered", m.sharding.root_stays_gathered);
  r.boolean("embedding_apart", m.sharding.embedding_apart);
  r.choice("norm", m.norm);
  r.boolean("norm_weight_copied", m.norm_weight_copied);
  r.choice("projections", m.projections);
  r.boolean("joins_rotary", m.joins_rotary);
  r.boolean("repeats_kv", m.repeats_kv);
  r.boolean("combines_experts_wide", m.combines_experts_wide);
  r.number("eager_score_bytes", m.eager_score_bytes, 0, 64);
  r.boolean("keeps_activated_gate", m.keeps_activated_gate);
  read_loss(r, m.loss);
  r.choice("recompute_full_training", m.recompute_full_training);
  r.choice("recompute_adapters", m.recompute_adapters);
  r.boolean("partial_recompute", m.partial_recompute);
  r.text("selective_policy", m.selective_policy);
  r.choice("optimizer", m.optimizer);
  r.boolean("sequence_parallel_with_tensor_parallel", m.sequence_parallel_with_tensor_parallel);
  r.integer("vocabulary_multiple", m.vocabulary_multiple, 1, 1 << 20);
  r.choice("adapter", m.adapter);
  r.number("lora_dropout", m.lora_dropout, 0.0, 1.0);
  r.number("bytes_per_4bit_weight", m.bytes_per_4bit_weight, 0.5, 1.0);
  r.choice("unquantized", m.unquantized);
  r.boolean("checkpoint_inputs_offloaded", m.checkpoint_inputs_offloaded);
  read_allocator(r, m.allocator);
  r.boolean("stream_pools", m.sharding.stream_pools);
  read_device(r, m.device);
  read_support(r, profile.supports);
}

void read_time(ObjectReader& r, Profile& profile) {
  TimeProfile& t = profile.time;
  r.quantity("launch_forward_us", t.launch_forward_per_layer, kMicrosecond.base(), 0, 1e6);
  r.quantity("launch_backward_us", t.launch_backward_per_layer, kMicrosecond.base(), 0, 1e6);
  r.number("launch_compiled_factor", t.launch_compiled_factor, 0, 1);
  r.boolean("cuda_graphs", t.cuda_graphs);
  r.number("elementwise_traffic", t.elementwise_traffic, 0.5, 10);
  r.number("elementwise_traffic_compiled", t.elementwise_traffic_compiled, 0.5, 10);
  r.number("loss_bytes_per_logit", t.loss_traffic_per_logit, 0, 100);
  r.choice("attention", t.attention);
  r.number("tensor_parallel_overlap", t.tensor_parallel_overlap, 0, 1);
  r.number("data_parallel_overlap", t.data_parallel_overlap, 0, 1);
  r.quantity("step_overhead_us", t.step_overhead, kMicrosecond.base(), 0, 1e8);
  r.number("kernels_per_expert", t.kernels_per_expert, 0, 100);
  r.number("lora_traffic", t.lora_traffic, 0, 10);
}

using Reader = void (*)(ObjectReader&, Profile&);

/// "before": what held until a month, each with its source. Every entry is checked, whether it applies or not.
void read_earlier(ObjectReader& reader, std::optional<Month> era, Reader read, Profile& profile) {
  const nlohmann::json* earlier = reader.find("before");
  if (earlier == nullptr) {
    return;
  }
  if (!earlier->is_array()) {
    reader.fail_at("before", "a list of {era, set, about, source, status} is expected");
    return;
  }
  for (std::size_t i = 0; i < earlier->size(); ++i) {
    ObjectReader entry((*earlier)[i], json_path(json_path(reader.subject(), "before"), i));
    std::string text;
    entry.text("era", text);
    read_source(entry);
    const Result<Month> month = parse_month(text);
    if (!month) {
      entry.fail_at("era", month.error().message, month.error().hint);
    }
    std::optional<ObjectReader> set = entry.object("set");
    if (!set) {
      entry.fail_at("set", "missing", "say what differed");
    } else {
      Profile unused = profile;
      read(*set, month && era && *era < *month ? profile : unused);
      entry.adopt(*set);
    }
    reader.adopt(entry);
  }
}

struct ChainReading {
  std::string_view part;
  const DocumentLookup& documents;
  std::optional<Month> era;
  Reader read;
};

/// Reads one file and, before it, what it extends.
Status read_chain(std::string_view id, const ChainReading& reading, Profile& profile, int depth) {
  const auto& [part, documents, era, read] = reading;
  const std::string path = "data/profiles/" + std::string(id) + "/" + std::string(part) + ".json";
  if (depth > kLongestChain) {
    return fail(
        {ErrorCode::conflict, path + ":/extends", "the chain of extended profiles does not end", "break the circle"});
  }
  const std::optional<std::string_view> text = documents(path);
  if (!text) {
    return fail({ErrorCode::not_found, path, "no such profile", ""});
  }
  Result<nlohmann::json> value = parse_json(*text, path);
  if (!value) {
    return fail(value.error());
  }
  if (const auto base = value->find("extends"); base != value->end() && base->is_string()) {
    if (Status status = read_chain(base->get_ref<const std::string&>(), reading, profile, depth + 1); !status) {
      return status;
    }
  }
  ObjectReader reader(*value, path + ":");
  read_sources(reader, id);
  read(reader, profile);
  read_earlier(reader, era, read, profile);
  return reader.finish();
}

}  // namespace

namespace {

constexpr std::string_view kBandsFile = "data/profiles/bands.json";

Status read_bands_file(const DocumentLookup& documents, Profile& profile) {
  const std::optional<std::string_view> text = documents(kBandsFile);
  if (!text) {
    return {};
  }
  const Result<nlohmann::json> value = parse_json(*text, std::string(kBandsFile));
  if (!value) {
    return fail(value.error());
  }
  ObjectReader reader(*value, std::string(kBandsFile) + ":");
  for (const std::string_view key : {"about", "status", "date"}) {
    reader.find(key);
  }
  read_bands(reader, "memory", profile.memory.bands);
  read_bands(reader, "time", profile.time.bands);
  return reader.finish();
}

}  // namespace

Result<Profile> read_profile(std::string_view id,
                             const DocumentLookup& documents,
                             std::span<const std::string_view> known,
                             std::optional<Month> era) {
  if (!documents("data/profiles/" + std::string(id) + "/memory.json")) {
    return fail({ErrorCode::not_found,
                 "framework",
                 "no profile of a framework called " + std::string(id.substr(0, 80)),
                 did_you_mean(id, known)});
  }
  Profile profile{.id = std::string(id), .generic = id == "generic"};
  if (Status status = read_bands_file(documents, profile); !status) {
    return fail(status.error());
  }
  if (Status status = read_chain(id, {"memory", documents, era, read_memory}, profile, 0); !status) {
    return fail(status.error());
  }
  if (Status status = read_chain(id, {"time", documents, era, read_time}, profile, 0); !status) {
    return fail(status.error());
  }
  return profile;
}

std::vector<std::string_view> profile_ids(const Catalog& catalog) {
  constexpr std::string_view kPrefix = "data/profiles/", kEnd = "/memory.json";
  std::vector<std::string_view> ids;
  for (const Document& document : documents_under(catalog, kPrefix)) {
    if (document.path.ends_with(kEnd)) {
      ids.push_back(document.path.substr(kPrefix.size(), document.path.size() - kPrefix.size() - kEnd.size()));
    }
  }
  return ids;
}

Result<Profile> find_profile(const Catalog& catalog, std::string_view id, std::optional<Month> era) {
  const std::vector<std::string_view> ids = profile_ids(catalog);
  return read_profile(
      id, [&](std::string_view path) { return find_document(catalog, path); }, ids, era);
}

}  // namespace mekiki
