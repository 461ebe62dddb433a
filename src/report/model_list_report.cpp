// All bundled models.
#include "report/model_report.h"
#include "report/numbers.h"
#include "report/table.h"

namespace mekiki {

std::string model_list_text(std::span<const ModelAnswer> models,
                            std::span<const RefusedModel> refused,
                            const Voice& say) {
  std::vector<std::vector<std::string>> rows;
  for (const ModelAnswer& answer : models) {
    const Arch& arch = answer.model.arch;
    const WeightCounts counts = count_weights(arch);
    rows.push_back({arch.id,
                    arch.family,
                    std::to_string(arch.layer_count()),
                    whole(counts.trainable),
                    whole(counts.active_per_token),
                    answer.status});
  }
  std::string text = table({{std::string(say(Message::column_name))},
                            {std::string(say(Message::model_family))},
                            {std::string(say(Message::model_layers)), Align::right},
                            {std::string(say(Message::model_trainable)), Align::right},
                            {std::string(say(Message::model_active)), Align::right},
                            {std::string(say(Message::column_status))}},
                           rows);
  for (const RefusedModel& model : refused) {
    text += say(Message::model_refused, {{"model", model.id}, {"reason", model.error.message}}) + "\n";
  }
  return text;
}

Json model_list_json(std::span<const ModelAnswer> models,
                     std::span<const RefusedModel> refused,
                     const Envelope& envelope,
                     const Voice& say) {
  Json json = json_envelope(envelope);
  json["models"] = Json::array();
  for (const ModelAnswer& answer : models) {
    json["models"].push_back(model_object(answer, say));
  }
  json["refused"] = Json::array();
  for (const RefusedModel& model : refused) {
    json["refused"].push_back({{"model", model.id},
                               {"code", name(model.error.code)},
                               {"subject", model.error.subject},
                               {"message", model.error.message}});
  }
  return json;
}

}  // namespace mekiki
