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

}  // namespace mekiki
