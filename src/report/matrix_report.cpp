#include "report/matrix_report.h"

#include "report/fit_parts.h"
#include "report/numbers.h"
#include "report/plan_parts.h"
#include "report/table.h"

namespace mekiki {
namespace {

constexpr std::size_t kLineWidth = 110;

std::string reason_text(const MatrixCell& cell, const Voice& say) {
  return filled("matrix_reason." + std::string(enum_name(cell.reason)), cell.values, say);
}

}  // namespace

std::string matrix_text(const PlanAnswer& answer, const Voice& say) {
  if (!answer.set.cheapest) {
    return "";
  }
  std::string text = "\n" + std::string(say(Message::plan_matrix)) + "\n";
  for (const MatrixCell& cell : answer.matrix) {
    const std::string item = say(Message::plan_matrix_cell,
                                 {{"need", spoken("matrix_need", cell.rule.need, say)},
                                  {"verdict", spoken("matrix_verdict", cell.verdict, say)},
                                  {"reason", reason_text(cell, say)}});
    text += "- " + wrapped(item, kLineWidth - 2, "  ") + "\n";
  }
  return text;
}

Json matrix_json(const PlanAnswer& answer, const Voice& say) {
  Json cells = Json::array();
  for (const MatrixCell& cell : answer.matrix) {
    Json kinds = Json::array();
    for (const ProviderClass kind : cell.rule.provider_kinds) {
      kinds.push_back(enum_name(kind));
    }
    cells.push_back({{"need", enum_name(cell.rule.need)},
                     {"usual", spoken("matrix_need", cell.rule.need, say)},
                     {"gpus", cell.rule.gpus},
                     {"provider_kinds", std::move(kinds)},
                     {"verdict", enum_name(cell.verdict)},
                     {"reason", enum_name(cell.reason)},
                     {"text", reason_text(cell, say)},
                     {"rank", cell.rank},
                     {"values", values_json(cell.values)}});
  }
  return cells;
}

std::string provider_kind_text(const PlanAnswer& answer, const Voice& say) {
  if (!answer.set.cheapest) {
    return "";
  }
  const Name provider = plan_of_rank(answer.set, *answer.set.cheapest).machine->system.provider;
  const std::optional<ProviderClass> kind = provider_kind(answer.providers, provider);
  return kind ? say(message_of("provider_for." + std::string(enum_name(*kind))), {{"provider", std::string(provider)}})
              : std::string();
}

}  // namespace mekiki
