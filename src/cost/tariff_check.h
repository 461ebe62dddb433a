// Checks over the tariffs of a whole book: what no single row can show.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "cost/tariff.h"

namespace mekiki {

/// What makes two figures those of one offer: the day apart.
using TariffKey = std::tuple<Service, std::string, std::string, std::string, std::string, TariffUse, TariffUnit>;

/// One figure of one tariff.
struct TariffPoint {
  const Tariff* tariff = nullptr;
  const TariffFigure* figure = nullptr;

  TariffKey offer() const;
};

/// All figures, in the order of the tariffs.
std::vector<TariffPoint> points_of(std::span<const Tariff> tariffs);

/// Duplicates and conflicts; figures that are a hundred times off what the same costs elsewhere (median over `known`,
/// of at least three), or twenty times for storage and traffic; cached and batched calls above the plain ones. The book
/// with these findings added, and without what is no price.
TariffBook checked(TariffBook book, std::span<const Tariff> known);

}  // namespace mekiki
