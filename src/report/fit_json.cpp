#include <array>
#include <functional>

#include "report/corpus_report.h"
#include "report/fit_money.h"
#include "report/fit_parts.h"
#include "report/run_json.h"

namespace mekiki {
namespace {

Json categories_json(const MemoryReport& memory) {
  Json categories;
  for (std::size_t i = 0; i < kCategories; ++i) {
    categories[std::string(EnumNames<Category>::value[i])] = json_gib(memory.categories[i]);
  }
  categories["allocator"] = json_gib(memory.allocator);
  categories["context"] = json_gib(memory.context);
  return categories;
}

Json moment_json(const PeakMoment& peak, const Voice& say) {
  Json moment = {{"phase", enum_name(peak.phase)}, {"stage", peak.stage}};
  if (peak.op.empty()) {
    add_unknown(moment, "op", "nothing but what lives through the whole phase");
  } else {
    moment["segment"] = enum_name(peak.segment);
    moment["op"] = peak.op;
    moment["pass"] = enum_name(peak.pass);
  }
  moment["text"] = moment_text(peak, say);
  return moment;
}

Json phases_json(const MemoryReport& memory) {
  Json phases = Json::object();
  for (std::size_t i = 0; i < kPhases; ++i) {
    if (memory.phase_peaks[i] > Bytes{}) {
      phases[std::string(EnumNames<PhaseKind>::value[i])] = json_gib(memory.phase_peaks[i]);
    }
  }
  return phases;
}

Json inference_json(const InferenceMemory& inference) {
  return {{"weights_gib", json_gib(inference.weights)},
          {"kv_cache_gib_per_sequence", json_gib(inference.cache)},
          {"total_gib", json_gib(inference.weights + inference.cache)}};
}

Json ranks_json(const MemoryReport& memory) {
  Json ranks = Json::array();
  for (const StageMemory& stage : memory.stages) {
    ranks.push_back({{"stage", stage.stage},
                     {"allocated_gib", json_gib(stage.allocated)},
                     {"reserved_gib", json_gib(stage.reserved)},
                     {"device_gib", json_gib(stage.reserved + memory.context)},
                     {"worst_phase", enum_name(stage.worst_phase)}});
  }
  return ranks;
}

void add_cost(Json& json, const std::optional<Usd>& cost, const Voice& say) {
  if (cost) {
    json["usd_per_billion_tokens"] = rounded(*cost / kUsd);
  } else {
    add_unknown(json, "usd_per_billion_tokens", say(Message::fit_no_price));
  }
}

Json way_json(const WayOut& way, const Voice& say) {
  Json json = {
      {"change", way.change}, {"verdict", enum_name(way.verdict)}, {"device_gib", json_estimate(way.device, kGiB)}};
  if (way.step_time) {
    json["step_time_s"] = json_estimate(*way.step_time, kSecond);
  } else {
    add_unknown(json, "step_time_s", say(Message::fit_no_step_time));
  }
  json["note"] = say(message_of("verdict." + std::string(enum_name(way.verdict))));
  return json;
}

Json other_gpu_json(const OtherGpu& other, const Estimate<Bytes>& device, const Voice& say) {
  WayOut way{.change = "gpu=" + std::string(other.gpu->id),
             .verdict = other.verdict,
             .device = device,
             .step_time = other.step_time};
  Json json = way_json(way, say);
  json["capacity_gib"] = json_gib(other.gpu->memory_reported);
  return json;
}

Json defaults_json(const FitReport& report) {
  Json defaults = Json::object();
  for (std::string_view key : report.job.defaults_used) {
    defaults[std::string(key)] = value_in_force(report, key);
  }
  return defaults;
}

void add_target(Json& json, const FitAnswer& answer, const Voice& say) {
  const FitReport& fit = answer.fit;
  if (fit.verdict) {
    json["verdict"] = enum_name(*fit.verdict);
    json["oom_probability"] = rounded(fit.oom_probability.value_or(0.0));
  } else {
    add_unknown(json, "verdict", no_verdict_reason(say));
    add_unknown(json, "oom_probability", no_verdict_reason(say));
  }
  json["inefficient"] = answer.inefficient.has_value();
  if (answer.inefficient) {
    json["inefficient_by"] = answer.inefficient->without;
    if (answer.inefficient->slowdown) {
      json["slowdown"] = rounded(*answer.inefficient->slowdown);
    } else {
      add_unknown(json, "slowdown", say(Message::fit_no_step_time));
    }
  }
  json["worst_phase"] = enum_name(fit.memory.peak.phase);
  json["defaults_used"] = defaults_json(fit);
  if (answer.gpu != nullptr) {
    json["gpu"] = answer.gpu->id;
    if (answer.mig) {
      Json mig = {{"profile", enum_name(*answer.mig)}};
      if (answer.whole_gpu_speedup) {
        mig["whole_gpu_speedup"] = rounded(*answer.whole_gpu_speedup);
      } else {
        add_unknown(mig, "whole_gpu_speedup", say(Message::fit_no_step_time));
      }
      json["mig"] = std::move(mig);
    }
    json["capacity_gib"] = json_gib(*fit.capacity);
  } else {
    add_unknown(json, "gpu", no_verdict_reason(say));
    add_unknown(json, "capacity_gib", no_verdict_reason(say));
  }
  json["gpus"] = answer.gpus;
  if (!answer.system.empty()) {
    json["system"] = answer.system;
  }
}

void add_ways(Json& json, const FitAnswer& answer, const Voice& say) {
  if (answer.fit.largest) {
    json["largest"] = {{"micro_batch_size", answer.fit.largest->micro_batch_size},
                       {"sequence_length", answer.fit.largest->sequence_length}};
  } else {
    add_unknown(json, "largest", no_verdict_reason(say));
  }
  Json ways = Json::array();
  for (const WayOut& way : answer.fit.ways_out) {
    Json json_way = way_json(way, say);
    json_way["saves_gib"] = json_gib(answer.fit.memory.device.mid - way.device.mid);
    if (way.communication) {
      json_way["communication_s"] = rounded(*way.communication / kSecond);
    }
    add_cost(json_way, cost_per_billion(answer, *answer.gpu, way.step_time), say);
    ways.push_back(std::move(json_way));
  }
  Json gpus = Json::array();
  for (const OtherGpu& other : answer.other_gpus) {
    gpus.push_back(other_gpu_json(other, answer.fit.memory.device, say));
    add_cost(gpus.back(), cost_per_billion(answer, *other.gpu, other.step_time), say);
  }
  if (answer.gpu != nullptr) {
    ways.insert(ways.end(), gpus.begin(), gpus.end());
  } else {
    json["smallest_gpus"] = std::move(gpus);
  }
  json["ways_out"] = std::move(ways);
}

using Reader = Json (*)(const FitReport&);

struct KeyReader {
  std::string_view key;
  Reader read;
};

constexpr KeyReader kKeyReaders[] = {
    {"framework", [](const FitReport& r) { return Json(r.job.framework); }},
    {"method", [](const FitReport& r) { return Json(enum_name(r.job.method)); }},
    {"precision", [](const FitReport& r) { return Json(enum_name(r.job.precision)); }},
    {"optimizer", [](const FitReport& r) { return Json(enum_name(r.job.optimizer)); }},
    {"sequence_length", [](const FitReport& r) { return Json(r.job.sequence_length); }},
    {"micro_batch_size", [](const FitReport& r) { return Json(r.job.micro_batch_size); }},
    {"gradient_accumulation_steps", [](const FitReport& r) { return Json(r.job.gradient_accumulation_steps); }},
    {"activation_recompute", [](const FitReport& r) { return Json(enum_name(r.job.activation_recompute)); }},
    {"attention", [](const FitReport& r) { return Json(enum_name(r.job.attention)); }},
    {"headroom", [](const FitReport& r) { return Json(rounded(r.job.headroom)); }},
    {"quantization", [](const FitReport& r) { return Json(enum_name(r.job.quantization)); }},
    {"offload", [](const FitReport& r) { return Json(enum_name(r.job.offload)); }},
    {"tokens", [](const FitReport& r) { return r.job.tokens ? Json(*r.job.tokens) : Json(nullptr); }},
    {"layout", [](const FitReport& r) { return Json(describe(r.layout)); }},
};

// The job as it was understood.
Json job_json(const FitReport& report) {
  Json job = Json::object();
  for (const KeyReader& reader : kKeyReaders) {
    Json value = reader.read(report);
    if (!value.is_null() && reader.key != "layout") {
      job[std::string(reader.key)] = std::move(value);
    }
  }
  return job;
}

}  // namespace

Json value_in_force(const FitReport& report, std::string_view key) {
  for (const KeyReader& reader : kKeyReaders) {
    if (reader.key == key) {
      return reader.read(report);
    }
  }
  return Json(nullptr);
}

Json fit_json(const FitAnswer& answer, const Envelope& envelope, const Voice& say) {
  Json json = json_envelope(envelope);
  const MemoryReport& memory = answer.fit.memory;
  json["model"] = answer.arch.id;
  add_target(json, answer, say);
  json["job"] = job_json(answer.fit);
  json["layout"] = layout_json(answer.fit.layout);
  json["memory"] = memory_json(memory);
  json["categories_gib"] = categories_json(memory);
  json["peak_moment"] = moment_json(memory.peak, say);
  json["phase_peaks_gib"] = phases_json(memory);
  if (memory.stages.size() > 1) {
    json["ranks"] = ranks_json(memory);
  }
  if (answer.fit.memory.host > Bytes{}) {
    json["host_memory_gib"] = json_gib(answer.fit.memory.host);
  } else {
    add_unknown(json, "host_memory_gib", say(Message::not_modelled_host_memory));
  }
  add_ways(json, answer, say);
  if (answer.fit.time) {
    json["step"] = step_json(*answer.fit.time, answer.gpus, answer.fit.job.tokens);
  } else {
    add_unknown(json, "step", say(message_of(answer.no_step_time)));
  }
  add_money(json, answer, say);
  add_quick_rules(json, quick_question(answer));
  add_job_file(json, answer.job_file);
  add_corpus(json, answer.corpus, say);
  json["inference"] = inference_json(inference_memory(answer));
  json["not_modelled"] = not_modelled(answer, say);
  json["warnings"] = warnings_of(answer, say);
  return json;
}

}  // namespace mekiki
