#include "time/pipeline_walk.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/check.h"

namespace mekiki {
namespace {

enum class Direction : std::uint8_t { forward, backward };

struct PipelinePass {
  Direction direction = Direction::forward;
  std::int64_t chunk = 0;
  std::int64_t micro_batch = 0;
};

/// All passes of one direction in the order in which every stage has them: groups of as many micro-batches as there are
/// stages go through one chunk after the other.
std::vector<PipelinePass> passes_in_order(const PipelineWork& work, Direction direction) {
  std::vector<PipelinePass> passes;
  passes.reserve(static_cast<std::size_t>(work.micro_batches * work.chunks));
  const std::int64_t group = work.chunks > 1 ? work.stages : work.micro_batches;
  for (std::int64_t first = 0; first < work.micro_batches; first += group) {
    for (std::int64_t c = 0; c < work.chunks; ++c) {
      for (std::int64_t m = first; m < std::min(first + group, work.micro_batches); ++m) {
        passes.push_back({direction, direction == Direction::forward ? c : work.chunks - 1 - c, m});
      }
    }
  }
  return passes;
}

/// Forward passes of a stage before its first backward pass, the one right before it not counted.
std::int64_t warm_up(const PipelineWork& work, std::int64_t stage) {
  const std::int64_t behind = work.stages - 1 - stage;
  const std::int64_t all = work.micro_batches * work.chunks;
  if (work.schedule == PipelineSchedule::gpipe) {
    return all;
  }
  return std::min(all, work.chunks > 1 ? 2 * behind + (work.chunks - 1) * work.stages : behind);
}

/// A stage on its way through its passes.
struct WalkedStage {
  std::int64_t number = 0;
  std::size_t ahead = 0;     // forward passes before the pairs of one forward, one backward
  std::size_t next = 0;      // of its passes, both directions
  Seconds free, ended;       // when it can start something; when the last thing ended
  std::int64_t held = 0;     // micro-batches whose activations it still has
  std::int64_t put_off = 0;  // products for weight gradients that wait
};

class Walk {
 public:
  explicit Walk(const PipelineWork& work)
      : work_(work),
        puts_off_(work.schedule == PipelineSchedule::zero_bubble && work.chunks == 1),
        forward_(passes_in_order(work, Direction::forward)),
        backward_(passes_in_order(work, Direction::backward)) {
    for (std::vector<Seconds>& arrivals : arrivals_) {
      arrivals.assign(static_cast<std::size_t>(work.stages * work.chunks * work.micro_batches), kNever);
    }
    for (std::int64_t m = 0; m < work.micro_batches; ++m) {
      arrival({Direction::forward, 0, m}, 0) = Seconds{};
    }
    for (std::int64_t stage = 0; stage < work.stages; ++stage) {
      stages_.push_back({.number = stage, .ahead = static_cast<std::size_t>(warm_up(work, stage))});
    }
  }

  Seconds run() {
    for (bool moved = true; moved;) {
      moved = false;
      for (WalkedStage& stage : stages_) {
        moved = advance(stage) || moved;
      }
    }
    Seconds end;
    for (WalkedStage& stage : stages_) {
      MEKIKI_CHECK(stage.next == forward_.size() + backward_.size(), "an order of passes never waits for itself");
      while (stage.put_off > 0) {
        run_products(stage);
      }
      end = std::max(end, stage.ended);
    }
    return end;
  }

 private:
  static constexpr Seconds kNever{-1.0};

  Seconds& arrival(const PipelinePass& pass, std::int64_t stage) {
    return arrivals_[static_cast<std::size_t>(pass.direction)][static_cast<std::size_t>(
        (stage * work_.chunks + pass.chunk) * work_.micro_batches + pass.micro_batch)];
  }

  /// Forward passes ahead, then pairs, then what is left of the backward ones.
  const PipelinePass& pass_of(const WalkedStage& stage) const {
    if (stage.next < stage.ahead) {
      return forward_[stage.next];
    }
    const std::size_t paired = stage.next - stage.ahead, pairs = forward_.size() - stage.ahead;
    if (paired >= 2 * pairs) {
      return backward_[stage.next - forward_.size()];
    }
    return paired % 2 == 0 ? forward_[stage.ahead + paired / 2] : backward_[paired / 2];
  }

  /// Everything that the stage can do with what has arrived so far.
  bool advance(WalkedStage& stage) {
    const std::size_t before = stage.next;
    while (stage.next < forward_.size() + backward_.size()) {
      const PipelinePass& pass = pass_of(stage);
      const Seconds arrives = arrival(pass, stage.number);
      if (arrives == kNever) {
        break;
      }
      const auto must_wait = [&] {
        return stage.free < arrives || (pass.direction == Direction::forward && stage.held >= work_.stages);
      };
      while (stage.put_off > 0 && must_wait()) {
        run_products(stage);
      }
      run_pass(stage, pass, std::max(stage.free, arrives));
      ++stage.next;
    }
    return stage.next > before;
  }

  void run_products(WalkedStage& stage) {
    stage.ended = stage.free += work_.time(stage.number, 0).weight_gradients;
    --stage.put_off;
    --stage.held;
  }

  void run_pass(WalkedStage& stage, const PipelinePass& pass, Seconds start) {
    const ChunkTime& time = work_.time(stage.number, pass.chunk);
    if (pass.direction == Direction::forward) {
      stage.ended = start + time.forward;
      ++stage.held;
    } else {
      stage.ended = start + time.backward + (puts_off_ ? Seconds{} : time.weight_gradients);
      stage.put_off += puts_off_ ? 1 : 0;
      stage.held -= puts_off_ ? 0 : 1;
    }
    stage.free = stage.ended + work_.send_blocks;
    hand_over(stage.number, pass, stage.ended + work_.send);
  }

  /// To the stage that has the micro-batch next; the last chunk of the last stage turns it round without a send.
  void hand_over(std::int64_t stage, PipelinePass pass, Seconds arrives) {
    const bool down = pass.direction == Direction::forward;
    const std::int64_t last = work_.stages - 1;
    std::int64_t next = down ? stage + 1 : stage - 1;
    if (next > last) {
      next = 0;
      ++pass.chunk;
    } else if (next < 0) {
      next = last;
      --pass.chunk;
    }
    if (pass.chunk == work_.chunks) {
      arrival({Direction::backward, work_.chunks - 1, pass.micro_batch}, last) = arrives - work_.send;
    } else if (pass.chunk >= 0) {
      arrival(pass, next) = arrives;
    }
  }

  const PipelineWork& work_;
  const bool puts_off_;
  const std::vector<PipelinePass> forward_, backward_;
  std::vector<WalkedStage> stages_;
  std::array<std::vector<Seconds>, 2> arrivals_;  // by Direction
};

}  // namespace

Seconds walk_pipeline(const PipelineWork& work) {
  const bool full_groups = work.chunks == 1 || work.micro_batches % work.stages == 0;
  if (work.schedule == PipelineSchedule::zero_bubble_v || !full_groups) {
    return pipeline_floor(work);
  }
  return Walk(work).run();
}

}  // namespace mekiki
