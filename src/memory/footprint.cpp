#include "memory/footprint.h"

#include <algorithm>

#include "base/check.h"

namespace mekiki {
namespace {

constexpr std::size_t kMostOps = 512;

bool stays(const Tensor& tensor, GradientMode mode) {
  return tensor.lifetime == Lifetime::kept ||
         (tensor.lifetime == Lifetime::until_optimizer && mode == GradientMode::stay);
}

/// Change of one pool (or of all memory) at each op: what is born with it, what is freed after it.
struct Deltas {
  std::array<double, kMostOps> born, freed;

  explicit Deltas(std::size_t ops) {
    std::fill_n(born.begin(), ops, 0.0);
    std::fill_n(freed.begin(), ops, 0.0);
  }
};

struct Rise {
  double peak = 0, net = 0;
  std::size_t op = 0;
};

Rise rise(const Deltas& deltas, std::size_t ops) {
  Rise r;
  double now = 0;
  for (std::size_t op = 0; op < ops; ++op) {
    now += deltas.born[op];
    if (now > r.peak) {
      r.peak = now;
      r.op = op;
    }
    now -= deltas.freed[op];
  }
  r.net = now;
  return r;
}

void put(Deltas& deltas, const Tensor& tensor, GradientMode mode) {
  const double bytes = tensor.bytes / kByte;
  if (tensor.lifetime != Lifetime::released) {
    deltas.born[static_cast<std::size_t>(tensor.born)] += bytes;
  }
  if (!stays(tensor, mode)) {
    deltas.freed[static_cast<std::size_t>(tensor.freed)] += bytes;
  }
}

}  // namespace

Bytes live_at(const Tensor& tensor, GradientMode mode, std::int16_t op) {
  if (tensor.lifetime == Lifetime::released) {
    return op > tensor.freed ? -tensor.bytes : Bytes{};
  }
  const bool alive = op >= tensor.born && (stays(tensor, mode) || op <= tensor.freed);
  return alive ? tensor.bytes : Bytes{};
}

Bytes left_behind(const Tensor& tensor, GradientMode mode) {
  if (tensor.lifetime == Lifetime::released) {
    return -tensor.bytes;
  }
  return stays(tensor, mode) ? tensor.bytes : Bytes{};
}

Bytes total(const CategoryBytes& bytes) {
  Bytes sum;
  for (const Bytes b : bytes) {
    sum += b;
  }
  return sum;
}

Footprint footprint(const StepProgram& program, const Segment& segment, GradientMode mode) {
  const std::span<const Tensor> tensors = program.tensors_of(segment);
  const auto ops = static_cast<std::size_t>(std::max(segment.op_count, 1));
  MEKIKI_CHECK(ops <= kMostOps, "a segment is one layer at most");
  Deltas all(ops), compute(ops), communication(ops);
  for (const Tensor& tensor : tensors) {
    put(all, tensor, mode);
    put(tensor.pool == Pool::communication ? communication : compute, tensor, mode);
  }
  const Rise whole = rise(all, ops), main = rise(compute, ops), side = rise(communication, ops);
  Footprint f;
  f.peak_total = Bytes{whole.peak};
  f.net_total = Bytes{whole.net};
  f.peak_op = static_cast<std::int16_t>(whole.op);
  f.compute_pool_peak = Bytes{main.peak};
  f.compute_pool_net = Bytes{main.net};
  f.communication_pool_peak = Bytes{side.peak};
  f.communication_pool_net = Bytes{side.net};
  for (const Tensor& tensor : tensors) {
    const auto category = static_cast<std::size_t>(tensor.category);
    f.at_peak[category] += live_at(tensor, mode, f.peak_op);
    f.net[category] += left_behind(tensor, mode);
  }
  return f;
}

}  // namespace mekiki
