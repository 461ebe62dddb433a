// LineChart: how figures moved over days, as SVG. Names stand at the ends of their lines, so that no legend has to be
// matched by colour alone.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/date.h"

namespace mekiki {

/// All figures of one day: one, or from low to high.
struct ChartPoint {
  Date day;
  double low = 0;
  double mid = 0;
  double high = 0;
};

struct ChartLine {
  std::string name;
  std::vector<ChartPoint> points;  // oldest first, each day once; not empty
  bool is_range = false;           // drawn as an area from low to high
  std::optional<Date> old_from;    // dashed from this day to the end of the chart: nobody has looked since
};

struct LineChart {
  std::string title;  // read by screen readers
  std::string unit;   // above the figures
  Date last;          // the chart ends here; points lie no later
  std::vector<ChartLine> lines;
};

/// An <svg> that scales with the page. Texts are escaped. Precondition: there is a line.
std::string line_chart_svg(const LineChart& chart);

/// Positions that keep their order and lie at least `gap` apart within [low, high], each as near as that allows to
/// where it wants to be; squeezed evenly where they do not fit.
std::vector<double> spread_apart(std::vector<double> wanted, double gap, double low, double high);

}  // namespace mekiki
