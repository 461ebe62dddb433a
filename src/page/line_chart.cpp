#include "page/line_chart.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "base/check.h"
#include "page/axis.h"
#include "page/markup.h"

namespace mekiki {
namespace {

constexpr double kWidth = 1040, kTop = 34, kLeft = 56, kBottom = 30;
constexpr double kFont = 12, kLine = 15, kLeast = 260, kLabelGap = 34, kWidestLabel = 300;
constexpr std::size_t kColours = 8;

struct Position {
  double x = 0, y = 0;
};

// Where days and figures lie on the sheet.
struct Frame {
  Date first, last;
  double largest = 1;
  double right = 0, bottom = 0;

  double x(Date day) const {
    const double span = std::max(1.0, static_cast<double>(last.days - first.days));
    return kLeft + (right - kLeft) * static_cast<double>(day.days - first.days) / span;
  }
  double y(double figure) const { return bottom - (bottom - kTop) * figure / largest; }
  Position place(const ChartPoint& point) const { return {x(point.day), y(point.mid)}; }
};

double widest_name(const LineChart& chart) {
  double width = 0;
  for (const ChartLine& line : chart.lines) {
    width = std::max(width, drawn_width(line.name) * kFont);
  }
  return std::min(width, kWidestLabel);
}

Frame frame_of(const LineChart& chart) {
  Frame frame{.first = chart.last, .last = chart.last};
  double largest = 0;
  for (const ChartLine& line : chart.lines) {
    frame.first = std::min(frame.first, line.points.front().day);
    for (const ChartPoint& point : line.points) {
      largest = std::max(largest, point.high);
    }
  }
  frame.largest = value_ticks(largest, 5).back().position;
  frame.right = kWidth - kLabelGap - widest_name(chart);
  frame.bottom = kTop + std::max(kLeast, kLine * static_cast<double>(chart.lines.size()));
  return frame;
}

std::string line_svg(Position from, Position to, std::string_view classes) {
  return fmt::format("<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
                     classes,
                     from.x,
                     from.y,
                     to.x,
                     to.y);
}

std::string text_svg(Position at, std::string_view classes, std::string_view anchor, std::string_view text) {
  return fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n",
                     classes,
                     at.x,
                     at.y,
                     anchor,
                     escaped(text));
}

std::string axes_svg(const LineChart& chart, const Frame& frame) {
  constexpr double kHalfLetter = 4;
  std::string svg = text_svg({0, kFont + 2}, "quiet", "start", chart.unit);
  for (const Tick& tick : value_ticks(frame.largest, 5)) {
    const double y = frame.y(tick.position);
    svg += line_svg({kLeft, y}, {frame.right, y}, "rule") +
           text_svg({kLeft - 8, y + kHalfLetter}, "quiet", "end", tick.text);
  }
  for (const Tick& tick : date_ticks(frame.first, frame.last, 9)) {
    const double x = frame.x({static_cast<std::int32_t>(tick.position)});
    svg += line_svg({x, frame.bottom}, {x, frame.bottom + 5}, "rule") +
           text_svg({x, frame.bottom + kLine + 4}, "quiet", "middle", tick.text);
  }
  return svg;
}

// Shapes repeat after another number than colours, so that 40 lines differ.
std::string marker_svg(Position at, std::size_t index) {
  const std::string fill = fmt::format("fill-{}", index % kColours);
  const double x = at.x, y = at.y;
  switch (index % 5) {
    case 0:
      return fmt::format("<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.6\"/>\n", fill, x, y);
    case 1:
      return fmt::format(
          "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"6.6\" height=\"6.6\"/>\n", fill, x - 3.3, y - 3.3);
    case 2:
      return fmt::format("<path class=\"{}\" d=\"M{:.1f} {:.1f} l 4.4 7.6 h -8.8 z\"/>\n", fill, x, y - 4.8);
    case 3:
      return fmt::format("<path class=\"{}\" d=\"M{:.1f} {:.1f} l 4.6 4.6 l -4.6 4.6 l -4.6 -4.6 z\"/>\n", fill, x, y - 4.6);
    default:
      return fmt::format("<path class=\"{}\" d=\"M{:.1f} {:.1f} h 8.8 l -4.4 7.6 z\"/>\n", fill, x - 4.4, y - 3.2);
  }
}

std::string area_svg(const ChartLine& line, const Frame& frame, std::size_t index) {
  std::string path;
  for (const ChartPoint& point : line.points) {
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", frame.x(point.day), frame.y(point.high));
  }
  for (auto point = line.points.rbegin(); point != line.points.rend(); ++point) {
    path += fmt::format("L{:.1f} {:.1f}", frame.x(point->day), frame.y(point->low));
  }
  const std::size_t colour = index % kColours;
  return fmt::format("<path class=\"area line-{0} fill-{0}\" d=\"{1}z\"/>\n", colour, path);
}

std::string path_svg(const ChartLine& line, const Frame& frame, std::size_t index) {
  std::string path;
  for (const ChartPoint& point : line.points) {
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", frame.x(point.day), frame.y(point.mid));
  }
  return fmt::format("<path class=\"path line-{}\" d=\"{}\"/>\n", index % kColours, path);
}

std::string old_part_svg(const ChartLine& line, const Frame& frame, std::size_t index) {
  const ChartPoint& last = line.points.back();
  const Date end_of_current = std::clamp(line.old_from.value_or(frame.last), last.day, frame.last);
  const double y = frame.y(last.mid);
  const std::string colour = fmt::format("path line-{}", index % kColours);
  std::string svg;
  if (last.day < end_of_current) {
    svg += line_svg({frame.x(last.day), y}, {frame.x(end_of_current), y}, colour);
  }
  if (end_of_current < frame.last) {
    svg += line_svg({frame.x(end_of_current), y}, {frame.right, y}, colour + " old");
  }
  return svg;
}

std::string one_line_svg(const ChartLine& line, const Frame& frame, std::size_t index) {
  std::string svg = "<g><title>" + escaped(line.name) + "</title>\n";
  if (line.is_range) {
    svg += area_svg(line, frame, index);
  }
  svg += path_svg(line, frame, index) + old_part_svg(line, frame, index);
  for (const ChartPoint& point : line.points) {
    const double x = frame.x(point.day);
    if (point.low < point.high) {
      svg += line_svg({x, frame.y(point.high)}, {x, frame.y(point.low)}, fmt::format("path line-{}", index % kColours));
    }
    svg += marker_svg(frame.place(point), index);
  }
  return svg + "</g>\n";
}

std::string names_svg(const LineChart& chart, const Frame& frame) {
  std::vector<std::size_t> order(chart.lines.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto end_of = [&](std::size_t i) { return frame.y(chart.lines[i].points.back().mid); };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return end_of(a) < end_of(b); });
  std::vector<double> wanted;
  for (const std::size_t i : order) {
    wanted.push_back(end_of(i));
  }
  const std::vector<double> places = spread_apart(wanted, kLine, kTop, frame.bottom);
  std::string svg;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t index = order[i];
    const double x = frame.right + kLabelGap - 10;
    svg += line_svg({frame.right + 2, wanted[i]}, {x - 8, places[i]}, "lead") + marker_svg({x - 3, places[i]}, index) +
           text_svg({x + 6, places[i] + 4}, "name", "start", shortened(chart.lines[index].name, kWidestLabel / kFont));
  }
  return svg;
}

}  // namespace

std::vector<double> spread_apart(std::vector<double> wanted, double gap, double low, double high) {
  const auto count = static_cast<double>(wanted.size());
  if (wanted.empty()) {
    return wanted;
  }
  const double fitting = std::min(gap, wanted.size() > 1 ? (high - low) / (count - 1) : gap);
  double floor = low;
  for (double& place : wanted) {
    place = std::max(place, floor);
    floor = place + fitting;
  }
  double ceiling = high;
  for (auto place = wanted.rbegin(); place != wanted.rend(); ++place) {
    *place = std::min(*place, ceiling);
    ceiling = *place - fitting;
  }
  return wanted;
}

std::string line_chart_svg(const LineChart& chart) {
  MEKIKI_CHECK(!chart.lines.empty(), "a chart has a line");
  const Frame frame = frame_of(chart);
  std::string svg =
      fmt::format("<div class=\"wide\"><svg viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\">\n",
                  kWidth,
                  frame.bottom + kBottom,
                  escaped(chart.title));
  svg += axes_svg(chart, frame);
  for (std::size_t i = 0; i < chart.lines.size(); ++i) {
    svg += one_line_svg(chart.lines[i], frame, i);
  }
  return svg + names_svg(chart, frame) + "</svg></div>\n";
}

}  // namespace mekiki
