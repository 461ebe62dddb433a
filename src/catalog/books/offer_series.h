// What belongs to one offer, in the order of its days, and what changed of each offer between two books; for whatever
// has a key of its offer and a day.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace mekiki {

/// Points of one offer each, oldest first; never empty. In the order of the first point of each offer.
template <class Point, class ToKey, class ToDay>
std::vector<std::vector<Point>> grouped_by_offer(const std::vector<Point>& points, ToKey to_key, ToDay to_day) {
  std::map<decltype(to_key(points.front())), std::size_t> places;
  std::vector<std::vector<Point>> series;
  for (const Point& point : points) {
    const auto [place, is_new] = places.emplace(to_key(point), series.size());
    if (is_new) {
      series.emplace_back();
    }
    series[place->second].push_back(point);
  }
  for (std::vector<Point>& one : series) {
    std::stable_sort(one.begin(), one.end(), [&](const Point& a, const Point& b) { return to_day(a) < to_day(b); });
  }
  return series;
}

/// An offer that two books price differently, or that only one has.
template <class Point>
struct OfferChange {
  std::optional<Point> before;
  std::optional<Point> after;
};

/// Of each offer the last point of either book; offers of the same price are left out, removed ones last.
template <class Point, class ToKey, class IsSamePrice>
std::vector<OfferChange<Point>> changes_of_offers(const std::vector<std::vector<Point>>& before,
                                                  const std::vector<std::vector<Point>>& after,
                                                  ToKey to_key,
                                                  IsSamePrice is_same_price) {
  std::map<decltype(to_key(before.front().front())), Point> old;
  for (const std::vector<Point>& series : before) {
    old.emplace(to_key(series.back()), series.back());
  }
  std::vector<OfferChange<Point>> changes;
  for (const std::vector<Point>& series : after) {
    const Point& now = series.back();
    const auto known = old.find(to_key(now));
    if (known == old.end()) {
      changes.push_back({std::nullopt, now});
      continue;
    }
    if (!is_same_price(known->second, now)) {
      changes.push_back({known->second, now});
    }
    old.erase(known);
  }
  for (const std::vector<Point>& series : before) {
    if (old.contains(to_key(series.back()))) {
      changes.push_back({series.back(), std::nullopt});
    }
  }
  return changes;
}

}  // namespace mekiki
