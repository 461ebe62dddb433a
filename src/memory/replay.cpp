#include "memory/replay.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "memory/footprint.h"

namespace mekiki {
namespace {

using BlockId = CachingAllocator::BlockId;

/// Matrices, norms and biases of a usual decoder layer.
constexpr double kParametersPerLayer = 12.0;

class Replay {
 public:
  Replay(const StepProgram& program,
         const StageProgram& stage,
         CachingAllocator allocator,
         const Profile& profile,
         bool graphs)
      : program_(program),
        stage_(stage),
        allocator_(std::move(allocator)),
        stream_pools_(profile.memory.sharding.stream_pools),
        style_(profile.memory.sharding.style),
        graphs_(graphs),
        schedules_(program.segments.size()) {
    for (const TimelinePart& part : program.parts_of(stage.forward)) {
      for (const SegmentRun& run : program.runs_of(part)) {
        layers_ += run.repeat;
      }
    }
  }

  ReplayedBytes run() {
    enter(PhaseKind::load);
    enter(PhaseKind::first_step);
    step(PhaseKind::first_step);
    enter(PhaseKind::later_micro_batches);
    step(PhaseKind::later_micro_batches);
    enter(PhaseKind::evaluation);
    timeline(PhaseKind::evaluation, GradientMode::stay);
    enter(PhaseKind::save);
    return {allocator_.peak_allocated(), allocator_.peak_reserved(), allocator_.out_of_memory()};
  }

 private:
  /// Micro-batches, then the update. Gradients that stay are those of the first micro-batch.
  void step(PhaseKind kind) {
    timeline(kind, GradientMode::stay);
    if (program_.micro_batches > 1) {
      timeline(PhaseKind::later_micro_batches, GradientMode::accumulate);
    }
    enter(PhaseKind::optimizer);
    timeline(PhaseKind::optimizer, GradientMode::stay);
    free_all(gradients_);
  }

  void free_all(std::vector<BlockId>& blocks) {
    for (const BlockId id : blocks) {
      allocator_.free(id);
    }
    blocks.clear();
  }

  /// Residents of the phase that are missing come, those that do not belong to it go. A gradient buffer stands for the
  /// gradients that backward leaves behind where there are such.
  void enter(PhaseKind kind) {
    const std::span<const Resident> residents = program_.residents_of(stage_);
    residents_.resize(residents.size());
    for (std::size_t i = 0; i < residents.size(); ++i) {
      const Resident& resident = residents[i];
      if (resident.place != MemoryPlace::device) {
        continue;
      }
      std::vector<BlockId>& blocks = residents_[i];
      const bool stays = (resident.phases & phase_bit(kind)) != 0;
      const bool made_by_backward =
          resident.name == "gradients" && (resident.phases & phase_bit(PhaseKind::first_step)) == 0;
      if (stays && blocks.empty() && !made_by_backward) {
        allocate_pieces(resident.bytes, pieces_of(resident), blocks);
      } else if (!stays) {
        free_all(blocks);
      }
    }
  }

  /// Blocks that a resident of all layers consists of: one for each parameter, for each flat unit, or one in all.
  double pieces_of(const Resident& resident) const {
    const double layers = std::max(1.0, std::floor(layers_));
    switch (style_) {
      case DataParallelStyle::ddp:
      case DataParallelStyle::fsdp2:
        return kParametersPerLayer * layers;
      case DataParallelStyle::fsdp1:
        return layers;
      case DataParallelStyle::zero:
      case DataParallelStyle::distributed_optimizer:
        return resident.category == Category::weights ? kParametersPerLayer * layers : 1.0;
    }
    return 1.0;
  }

  void allocate_pieces(Bytes bytes, double pieces, std::vector<BlockId>& blocks) {
    for (double piece = 0; piece < pieces; ++piece) {
      blocks.push_back(allocator_.allocate(bytes / pieces, 0));
    }
  }

  void timeline(PhaseKind kind, GradientMode mode) {
    for (const TimelinePart& part : program_.parts_of(stage_.phases[static_cast<std::size_t>(kind)])) {
      for (double i = 0; i < std::round(part.repeat); ++i) {
        for (const SegmentRun& run : program_.runs_of(part)) {
          for (double j = 0; j < std::round(run.repeat); ++j) {
            segment(run.segment, mode);
          }
        }
      }
    }
    // Of several micro-batches in flight the timeline shows the backward of one.
    for (auto& [kind_of_layer, blocks] : kept_) {
      free_all(blocks);
    }
  }

  /// What a captured graph allocates comes from its own pool; gradients stand in buffers outside.
  std::size_t stream_of(const Tensor& tensor) const {
    if (graphs_ && in_layer_ && tensor.category != Category::gradients && tensor.pool == Pool::compute) {
      return CachingAllocator::kGraphs;
    }
    return stream_pools_ && tensor.pool == Pool::communication ? 1 : 0;
  }

  /// Tensors of a segment in the order in which they come and go.
  struct Event {
    std::int32_t tensor = 0;
    bool born = false;
  };
  struct Schedule {
    bool made = false;
    std::int32_t released = 0;  // tensors that an earlier segment left
    std::vector<Event> events;
  };

  const Schedule& schedule_of(std::int32_t id) {
    Schedule& schedule = schedules_[static_cast<std::size_t>(id)];
    if (schedule.made) {
      return schedule;
    }
    schedule.made = true;
    const Segment& segment = program_.segments[static_cast<std::size_t>(id)];
    const std::span<const Tensor> tensors = program_.tensors_of(segment);
    const auto each = [&](bool born, std::int16_t op) {
      for (std::size_t i = 0; i < tensors.size(); ++i) {
        const Tensor& tensor = tensors[i];
        const bool happens = born ? tensor.born == op && tensor.lifetime != Lifetime::released
                                  : tensor.freed == op && tensor.lifetime != Lifetime::kept;
        if (happens && tensor.bytes > Bytes{}) {
          schedule.events.push_back({static_cast<std::int32_t>(i), born});
        }
      }
    };
    for (std::int16_t op = 0; op < std::max(segment.op_count, 1); ++op) {
      each(true, op);
      each(false, op);
    }
    for (const Tensor& tensor : tensors) {
      schedule.released += tensor.lifetime == Lifetime::released && tensor.bytes > Bytes{} ? 1 : 0;
    }
    return schedule;
  }

  void segment(std::int32_t id, GradientMode mode) {
    const Segment& segment = program_.segments[static_cast<std::size_t>(id)];
    const std::span<const Tensor> tensors = program_.tensors_of(segment);
    in_layer_ = segment.kind == SegmentKind::layer_forward || segment.kind == SegmentKind::layer_backward;
    if (segment.kind == SegmentKind::optimizer) {
      return update(tensors);
    }
    const Schedule& schedule = schedule_of(id);
    std::vector<BlockId>& kept = kept_[segment.layer_kind];
    now_.assign(tensors.size(), kNoBlock);
    take_over(tensors, schedule, kept);
    for (const Event& event : schedule.events) {
      const auto i = static_cast<std::size_t>(event.tensor);
      if (event.born) {
        now_[i] = allocator_.allocate(tensors[i].bytes, stream_of(tensors[i]));
      } else {
        leave(tensors[i], now_[i], mode);
      }
    }
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      if (tensors[i].lifetime == Lifetime::kept && now_[i] != kNoBlock) {
        kept.push_back(now_[i]);
      }
    }
  }

  /// What the forward of this layer left, in the order in which it left it.
  void take_over(std::span<const Tensor> tensors, const Schedule& schedule, std::vector<BlockId>& kept) {
    const auto released = std::min(static_cast<std::size_t>(schedule.released), kept.size());
    const std::size_t base = kept.size() - released;
    std::size_t next = base;
    for (std::size_t i = 0; i < tensors.size() && next < kept.size(); ++i) {
      if (tensors[i].lifetime == Lifetime::released && tensors[i].bytes > Bytes{}) {
        now_[i] = kept[next++];
      }
    }
    kept.resize(base);
  }

  void leave(const Tensor& tensor, BlockId block, GradientMode mode) {
    if (block == kNoBlock) {
      return;
    }
    if (tensor.lifetime == Lifetime::until_optimizer && mode == GradientMode::stay) {
      gradients_.push_back(block);
    } else {
      allocator_.free(block);
    }
  }

  /// What an update needs besides is a tensor for each parameter, or one flat buffer.
  void update(std::span<const Tensor> tensors) {
    std::vector<BlockId> temporaries;
    for (const Tensor& tensor : tensors) {
      if (tensor.pool == Pool::communication) {
        temporaries.push_back(allocator_.allocate(tensor.bytes, stream_of(tensor)));
      } else {
        allocate_pieces(tensor.bytes, kParametersPerLayer * std::max(1.0, std::floor(layers_)), temporaries);
      }
    }
    free_all(temporaries);
  }

  static constexpr BlockId kNoBlock = -1;
  const StepProgram& program_;
  const StageProgram& stage_;
  CachingAllocator allocator_;
  bool stream_pools_;
  DataParallelStyle style_;
  bool graphs_;  // layers run as captured graphs
  bool in_layer_ = false;
  double layers_ = 0;  // and other units of the stage
  std::vector<std::vector<BlockId>> residents_;
  std::map<std::int16_t, std::vector<BlockId>> kept_;  // by kind of layer, last one on top
  std::vector<BlockId> gradients_;
  std::vector<Schedule> schedules_;
  std::vector<BlockId> now_;  // block of each tensor of the segment that runs
};

}  // namespace

ReplayedBytes replay(const StepProgram& program,
                     const StageProgram& stage,
                     const ResolvedJob& job,
                     const Profile& profile,
                     std::optional<Bytes> limit) {
  return Replay(program, stage, CachingAllocator(job.allocator, limit), profile, job.cuda_graphs).run();
}

}  // namespace mekiki
