#include "base/check.h"

namespace mekiki {

void check_failed(const char* condition, const char* why, const char* file, int line) {
  throw InternalError(std::string(file) + ":" + std::to_string(line) + ": " + condition + " does not hold: " + why);
}

}  // namespace mekiki
