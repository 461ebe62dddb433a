// PriceHistory: how one price moved, the same for whatever has a price, as every form of an answer shows it.
#pragma once

#include <string>
#include <vector>

#include "base/date.h"
#include "report/voice.h"

namespace mekiki {

struct HistoryPoint {
  Date day;
  double amount = 0;        // of one unit, in the currency of the point
  std::string currency;     // points of another currency are not compared
  std::string amount_text;  // with its currency
  std::string detail;       // "$2.10 per GPU"; empty: nothing to add
  std::string mark;         // "(doubted)", or empty
};

struct PriceHistory {
  std::string name;
  std::vector<HistoryPoint> points;  // oldest first
};

/// Every history with its points and the change from one to the next.
std::string history_text(const std::vector<PriceHistory>& histories, const Voice& say);

/// "+3.5 %".
std::string change_text(double before, double after);

}  // namespace mekiki
