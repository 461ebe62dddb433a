#include "report/model_report.h"

#include <algorithm>

#include "report/block_text.h"
#include "report/fit_parts.h"
#include "report/numbers.h"
#include "report/table.h"

namespace mekiki {
namespace {

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

}  // namespace

std::string model_text(const ModelAnswer& answer, const Voice& say) {
  const Arch& arch = answer.model.arch;
  const FlopsPerToken work = flops_per_token(arch, answer.sequence_length);
  const std::string length = std::to_string(answer.sequence_length);
  std::string text = say(Message::model_heading,
                         {{"model", arch.id},
                          {"family", arch.family},
                          {"layers", std::to_string(arch.layer_count())},
                          {"hidden_size", std::to_string(arch.hidden_size)},
                          {"vocab_size", std::to_string(arch.vocab_size)},
                          {"source", answer.source}}) +
                     "\n\n";
  text += counts_text(count_weights(arch), say) + "\n";
  text += wrapped(say(Message::model_flops,
                      {{"sequence_length", length},
                       {"forward", flops(work.forward_causal)},
                       {"training", flops(work.training_causal())},
                       {"training_full", flops(work.training_full())}}),
                  100,
                  "  ") +
          "\n";
  text += say(Message::model_kv_cache,
              {{"sequence_length", length},
               {"cache", gib(kv_cache_bytes(arch, answer.sequence_length, Dtype::bf16))},
               {"weights", gib(Bytes{2.0 * static_cast<double>(count_weights(arch).trainable)})}}) +
          "\n\n";
  text += layers_text(arch, say);
  text += list(stored_texts(arch, say)) + list(warnings(answer, say));
  return text;
}

Json model_json(const ModelAnswer& answer, const Envelope& envelope, const Voice& say) {
  const Arch& arch = answer.model.arch;
  const WeightCounts counts = count_weights(arch);
  const FlopsPerToken work = flops_per_token(arch, answer.sequence_length);
  Json json = json_envelope(envelope);
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
                      {"dtype", enum_name(Dtype::bf16)}};
  json["hidden_size"] = arch.hidden_size;
  json["vocab_size"] = arch.vocab_size;
  json["tie_word_embeddings"] = arch.tie_word_embeddings;
  if (arch.max_position_embeddings > 0) {
    json["max_position_embeddings"] = arch.max_position_embeddings;
  } else {
    add_unknown(json, "max_position_embeddings", "the config does not say");
  }
  json["layers"] = layers_json(arch);
  Json stored = Json::array();
  for (const StoredDifference& difference : arch.stored_differences) {
    stored.push_back({{"kind", enum_name(difference.kind)}, {"elements", difference.elements}});
  }
  json["stored_differences"] = std::move(stored);
  json["warnings"] = warnings(answer, say);
  return json;
}

}  // namespace mekiki
