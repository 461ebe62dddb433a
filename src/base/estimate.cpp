#include "base/estimate.h"

namespace mekiki {

std::string_view name(Basis basis) {
  switch (basis) {
    case Basis::assumed:
      return "assumed";
    case Basis::fitted:
      return "fitted";
    case Basis::datasheet:
      return "datasheet";
    case Basis::measured:
      return "measured";
  }
  return "assumed";
}

std::optional<Basis> basis_named(std::string_view text) {
  for (const Basis basis : {Basis::assumed, Basis::fitted, Basis::datasheet, Basis::measured}) {
    if (name(basis) == text) {
      return basis;
    }
  }
  return std::nullopt;
}

}  // namespace mekiki
