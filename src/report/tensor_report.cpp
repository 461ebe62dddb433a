// The tensors of a checkpoint.
#include "report/model_report.h"
#include "report/numbers.h"
#include "report/table.h"

namespace mekiki {
namespace {

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text = "[";
  for (const std::int64_t length : shape) {
    text += (text.size() > 1 ? ", " : "") + std::to_string(length);
  }
  return text + "]";
}

}  // namespace

std::string tensors_text(const ModelAnswer& answer, std::span<const StoredTensor> tensors, const Voice& say) {
  std::vector<std::vector<std::string>> rows;
  rows.reserve(tensors.size());
  for (const StoredTensor& tensor : tensors) {
    rows.push_back({tensor.name, shape_text(tensor.shape)});
  }
  std::string text = table({{std::string(say(Message::model_tensor))}, {std::string(say(Message::model_shape))}}, rows);
  text +=
      say(Message::model_tensors_sum,
          {{"tensors", whole(static_cast<std::int64_t>(tensors.size()))}, {"elements", whole(elements_of(tensors))}}) +
      "\n";
  const WeightCounts counts = count_weights(answer.model.arch);
  if (counts.vision > 0 || counts.mtp > 0) {
    text += say(Message::model_tensors_left_out, {{"vision", whole(counts.vision)}, {"mtp", whole(counts.mtp)}}) + "\n";
  }
  return text;
}

Json tensors_json(const ModelAnswer& answer, std::span<const StoredTensor> tensors, const Envelope& envelope) {
  const WeightCounts counts = count_weights(answer.model.arch);
  Json json = json_envelope(envelope);
  json["model"] = answer.model.arch.id;
  json["family"] = answer.model.arch.family;
  json["elements"] = elements_of(tensors);
  json["left_out"] = {{"vision", counts.vision}, {"mtp", counts.mtp}};
  json["tensors"] = Json::array();
  for (const StoredTensor& tensor : tensors) {
    json["tensors"].push_back({{"name", tensor.name}, {"shape", tensor.shape}});
  }
  return json;
}

}  // namespace mekiki
