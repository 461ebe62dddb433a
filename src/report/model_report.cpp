#include "report/model_report.h"

#include <algorithm>

#include "model/cache_rule.h"
#include "model/traits.h"
#include "report/block_text.h"
#include "report/checkpoint_report.h"
#include "report/fit_parts.h"
#include "report/numbers.h"
#include "report/table.h"

namespace mekiki {
namespace {

constexpr std::size_t kLineWidth = 100;

struct NamedCount {
  Message label;
  std::string_view key;
  std::int64_t WeightCounts::*count;
};

constexpr NamedCount kCounts[] = {
    {Message::model_trainable, "trainable", &WeightCounts::trainable},
    {Message::model_stored, "stored", &WeightCounts::stored},
    {Message::model_mtp, "mtp", &WeightCounts::mtp},
    {Message::model_vision, "vision", &WeightCounts::vision},
    {Message::model_active, "active_per_token", &WeightCounts::active_per_token},
    {Message::model_matmul, "matmul_per_token", &WeightCounts::matmul_per_token},
};

std::string counts_text(const WeightCounts& counts, const Voice& say) {
  std::vector<std::vector<std::string>> rows;
  for (const NamedCount& named : kCounts) {
    const std::int64_t count = counts.*named.count;
    rows.push_back({std::string(say(named.label)), whole(count), short_count(static_cast<double>(count))});
  }
  return table({{""}, {"", Align::right}, {"", Align::right}}, rows, "  ");
}

// Alternating layers would fill a page: equal ones are shown once, with how many there are.
std::vector<LayerGroup> distinct_layers(const Arch& arch) {
  std::vector<LayerGroup> distinct;
  for (const LayerGroup& group : arch.layer_groups) {
    const auto same = std::find_if(
        distinct.begin(), distinct.end(), [&](const LayerGroup& other) { return other.layer == group.layer; });
    if (same == distinct.end()) {
      distinct.push_back(group);
    } else {
      same->count += group.count;
    }
  }
  return distinct;
}

std::string layers_text(const Arch& arch, const Voice& say) {
  std::vector<std::vector<std::string>> rows;
  for (const LayerGroup& group : distinct_layers(arch)) {
    std::string count = std::to_string(group.count) + " x";
    const std::string weights = whole(layer_weights(group.layer, arch.hidden_size));
    for (const SubLayer& sub : group.layer.sub_layers) {
      rows.push_back({count, block_text(sub.block), count.empty() ? "" : weights});
      count.clear();
    }
  }
  return table({{std::string(say(Message::model_layers)), Align::right},
                {std::string(say(Message::model_blocks))},
                {std::string(say(Message::model_weights_per_layer)), Align::right}},
               rows,
               "  ");
}

// What `stored` holds beyond the weights, each by name.
std::vector<std::string> stored_texts(const Arch& arch, const Voice& say) {
  std::vector<std::string> texts;
  for (const StoredDifference& difference : arch.stored_differences) {
    texts.push_back(say(message_of("stored." + std::string(enum_name(difference.kind))),
                        {{"elements", whole(difference.elements)}}));
  }
  return texts;
}

std::vector<std::string> warnings(const ModelAnswer& answer, const Voice& say) {
  std::vector<std::string> texts;
  for (const ConfigWarning& warning : answer.model.warnings) {
    texts.push_back(config_warning_text(warning, say));
  }
  if (!answer.status.empty() && answer.status != "verified") {
    texts.push_back(say(Message::model_status, {{"status", answer.status}}));
  }
  return texts;
}

std::string paragraph(std::string_view text) {
  return wrapped(text, kLineWidth, "  ") + "\n";
}

/// One line on how long a sequence may be, and how positions are stretched.
std::string length_text(const ModelAnswer& answer, const Voice& say) {
  const std::optional<std::int64_t> longest = longest_sequence(answer.model.arch.max_position_embeddings, answer.notes);
  std::string text = longest ? say(Message::model_longest, {{"tokens", whole(*longest)}})
                             : std::string(say(Message::model_longest_unknown));
  if (const std::optional<RopeScaling>& scaling = answer.notes.rope_scaling) {
    std::vector<std::string> parts = {scaling->kind};
    if (scaling->factor) {
      parts.push_back(say(Message::model_rope_factor, {{"factor", figure(*scaling->factor)}}));
    }
    if (scaling->original_length) {
      parts.push_back(say(Message::model_rope_original, {{"tokens", whole(*scaling->original_length)}}));
    }
    std::string joined;
    for (const std::string& part : parts) {
      joined += (joined.empty() ? "" : separator(say)) + part;
    }
    text += say(Message::model_rope_scaling, {{"scaling", joined}});
  }
  return text;
}

std::string bytes_text(Bytes bytes) {
  return whole(static_cast<std::int64_t>(bytes / kByte));
}

std::vector<std::string> cache_texts(const Arch& arch, const Voice& say) {
  std::vector<std::string> texts;
  for (const CacheRule& rule : cache_rules(arch, Dtype::bf16)) {
    const std::string layers = std::to_string(rule.layers);
    if (rule.per_token > Bytes{}) {
      const Message message = rule.tokens_kept ? Message::model_cache_window : Message::model_cache_all;
      texts.push_back(say(message,
                          {{"layers", layers},
                           {"bytes", bytes_text(rule.per_token)},
                           {"tokens", whole(rule.tokens_kept.value_or(0))}}));
    }
    if (rule.state > Bytes{}) {
      texts.push_back(say(Message::model_cache_state, {{"layers", layers}, {"bytes", bytes_text(rule.state)}}));
    }
  }
  return texts;
}

std::vector<std::string> trait_texts(const Arch& arch, const Voice& say) {
  std::vector<std::string> texts;
  for (const ModelTrait trait : traits_of(arch)) {
    texts.push_back(spoken("trait", trait, say));
  }
  return texts;
}

std::string license_text(const ModelAnswer& answer, const Voice& say) {
  return answer.license ? say(Message::model_license, {{"license", *answer.license}})
                        : std::string(say(Message::model_license_unknown));
}

Json cache_json(const Arch& arch) {
  Json rules = Json::array();
  for (const CacheRule& rule : cache_rules(arch, Dtype::bf16)) {
    Json json = {{"layers", rule.layers},
                 {"bytes_per_token", rounded(rule.per_token / kByte)},
                 {"state_bytes", rounded(rule.state / kByte)}};
    json["tokens_kept"] = rule.tokens_kept ? Json(*rule.tokens_kept) : Json("all");
    rules.push_back(std::move(json));
  }
  return rules;
}

void add_lengths(Json& json, const ModelAnswer& answer) {
  const std::int64_t stated = answer.model.arch.max_position_embeddings;
  if (stated > 0) {
    json["max_position_embeddings"] = stated;
  } else {
    add_unknown(json, "max_position_embeddings", "the config does not say");
  }
  if (const auto longest = longest_sequence(stated, answer.notes)) {
    json["longest_sequence"] = *longest;
  } else {
    add_unknown(json, "longest_sequence", "the config does not say");
  }
  const std::optional<RopeScaling>& scaling = answer.notes.rope_scaling;
  if (!scaling) {
    json["rope_scaling"] = "none";
    return;
  }
  json["rope_scaling"] = {{"kind", scaling->kind}};
  if (scaling->factor) {
    json["rope_scaling"]["factor"] = rounded(*scaling->factor);
  }
  if (scaling->original_length) {
    json["rope_scaling"]["original_max_position_embeddings"] = *scaling->original_length;
  }
}

std::string list(const std::vector<std::string>& texts) {
  std::string text;
  for (const std::string& one : texts) {
    text += "- " + wrapped(one, 98, "  ") + "\n";
  }
  return text;
}

Json layers_json(const Arch& arch) {
  Json layers = Json::array();
  for (const LayerGroup& group : arch.layer_groups) {
    Json blocks = Json::array();
    for (const SubLayer& sub : group.layer.sub_layers) {
      blocks.push_back(block_json(sub.block));
    }
    layers.push_back({{"count", group.count},
                      {"weights", layer_weights(group.layer, arch.hidden_size)},
                      {"norm", enum_name(group.layer.norm)},
                      {"blocks", std::move(blocks)}});
  }
  return layers;
}

std::string heading_text(const ModelAnswer& answer, const Voice& say) {
  const Arch& arch = answer.model.arch;
  return say(Message::model_heading,
             {{"model", arch.id},
              {"family", arch.family},
              {"layers", std::to_string(arch.layer_count())},
              {"hidden_size", std::to_string(arch.hidden_size)},
              {"vocab_size", std::to_string(arch.vocab_size)},
              {"source", answer.source}}) +
         "\n\n";
}

std::string work_text(const ModelAnswer& answer, const Voice& say) {
  const FlopsPerToken work = flops_per_token(answer.model.arch, answer.sequence_length);
  return paragraph(say(Message::model_flops,
                       {{"sequence_length", std::to_string(answer.sequence_length)},
                        {"forward", flops(work.forward_causal)},
                        {"training", flops(work.training_causal())},
                        {"training_full", flops(work.training_full())}}));
}

std::string inference_text(const ModelAnswer& answer, const Voice& say) {
  const Arch& arch = answer.model.arch;
  return paragraph(say(Message::model_kv_cache,
                       {{"sequence_length", std::to_string(answer.sequence_length)},
                        {"cache", gib(kv_cache_bytes(arch, answer.sequence_length, Dtype::bf16))},
                        {"per_token", bytes_text(kv_cache_bytes_per_token(arch, Dtype::bf16))},
                        {"weights", gib(Bytes{2.0 * static_cast<double>(count_weights(arch).trainable)})}})) +
         list(cache_texts(arch, say));
}

std::string traits_text(const Arch& arch, const Voice& say) {
  const std::vector<std::string> traits = trait_texts(arch, say);
  return paragraph(std::string(say(traits.empty() ? Message::model_no_traits : Message::model_traits))) + list(traits);
}

}  // namespace

std::string model_text(const ModelAnswer& answer, const Voice& say) {
  const Arch& arch = answer.model.arch;
  std::string text = heading_text(answer, say) + counts_text(count_weights(arch), say) + "\n";
  text += work_text(answer, say) + inference_text(answer, say);
  text += paragraph(length_text(answer, say)) + paragraph(license_text(answer, say)) + "\n";
  text += layers_text(arch, say) + "\n" + traits_text(arch, say);
  const std::string notes = list(stored_texts(arch, say)) + list(warnings(answer, say));
  text += notes.empty() ? "" : "\n" + notes;
  if (answer.checkpoint) {
    text += "\n" + checkpoint_text(*answer.checkpoint, say);
  }
  return text;
}

Json model_object(const ModelAnswer& answer, const Voice& say) {
  const Arch& arch = answer.model.arch;
  const WeightCounts counts = count_weights(arch);
  const FlopsPerToken work = flops_per_token(arch, answer.sequence_length);
  Json json;
  json["model"] = arch.id;
  json["family"] = arch.family;
  json["source"] = answer.source;
  for (const NamedCount& named : kCounts) {
    json["counts"][std::string(named.key)] = counts.*named.count;
  }
  json["sequence_length"] = answer.sequence_length;
  json["flops_per_token"] = {{"forward", rounded(work.forward_causal / kFlop)},
                             {"training", rounded(work.training_causal() / kFlop)},
                             {"forward_full_attention", rounded(work.forward_full / kFlop)},
                             {"training_full_attention", rounded(work.training_full() / kFlop)}};
  json["kv_cache"] = {{"gib", json_gib(kv_cache_bytes(arch, answer.sequence_length, Dtype::bf16))},
                      {"bytes_per_token", rounded(kv_cache_bytes_per_token(arch, Dtype::bf16) / kByte)},
                      {"dtype", enum_name(Dtype::bf16)},
                      {"rules", cache_json(arch)}};
  json["hidden_size"] = arch.hidden_size;
  json["vocab_size"] = arch.vocab_size;
  json["tie_word_embeddings"] = arch.tie_word_embeddings;
  add_lengths(json, answer);
  json["layers"] = layers_json(arch);
  Json stored = Json::array();
  for (const StoredDifference& difference : arch.stored_differences) {
    stored.push_back({{"kind", enum_name(difference.kind)}, {"elements", difference.elements}});
  }
  json["stored_differences"] = std::move(stored);
  json["unusual"] = Json::array();
  for (const ModelTrait trait : traits_of(arch)) {
    json["unusual"].push_back(enum_name(trait));
  }
  if (answer.license) {
    json["license"] = *answer.license;
  } else {
    add_unknown(json, "license", "no model card beside the config says it");
  }
  if (answer.checkpoint) {
    json["checkpoint"] = checkpoint_json(*answer.checkpoint);
  }
  json["warnings"] = warnings(answer, say);
  return json;
}

Json model_json(const ModelAnswer& answer, const Envelope& envelope, const Voice& say) {
  Json json = json_envelope(envelope);
  json.update(model_object(answer, say));
  return json;
}

}  // namespace mekiki
