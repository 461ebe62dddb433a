#include "report/price_history.h"

#include <fmt/format.h>

#include "report/table.h"

namespace mekiki {

std::string change_text(double before, double after) {
  return fmt::format("{:+.1f} %", 100.0 * (after / before - 1.0));
}

std::string history_text(const std::vector<PriceHistory>& histories, const Voice& say) {
  std::string text;
  for (const PriceHistory& history : histories) {
    text += history.name + "\n";
    std::vector<std::vector<std::string>> rows;
    for (std::size_t i = 0; i < history.points.size(); ++i) {
      const HistoryPoint& point = history.points[i];
      const HistoryPoint* before = i > 0 ? &history.points[i - 1] : nullptr;
      const bool comparable = before != nullptr && before->currency == point.currency && before->amount > 0;
      rows.push_back({format_date(point.day),
                      point.amount_text,
                      point.detail,
                      comparable ? change_text(before->amount, point.amount) : "",
                      point.mark});
    }
    text += table({{""}, {"", Align::right}, {"", Align::right}, {"", Align::right}, {""}}, rows, "  ");
  }
  return text + say(Message::history_footer, {{"count", std::to_string(histories.size())}}) + "\n";
}

}  // namespace mekiki
