#include "memory/quick_rule.h"

namespace mekiki {
namespace {

// weights, gradients, Adam m and v, fp32 master weights; bytes per parameter.
constexpr QuickRule kRules[] = {
    {"bf16-fp32-moments", 2, 2, 8, 0},       // bf16 weights and gradients, fp32 moments
    {"bf16-pure", 2, 2, 4, 0},               // moments in bf16 too
    {"mixed-precision", 4, 4, 8, 0},         // fp32 weights, bf16 autocast
    {"bf16-master-weights", 2, 2, 8, 4},     // bf16 working copy of fp32 master weights
    {"bf16-fp32-accumulation", 2, 4, 8, 4},  // fp32 gradient accumulation buffer as well
    {"bf16-8bit-states", 2, 2, 2.03125, 0},
};

}  // namespace

std::span<const QuickRule> quick_rules() {
  return kRules;
}

}  // namespace mekiki
