#include "explain/live_tensors.h"

#include <algorithm>
#include <tuple>

#include "explain/peak_position.h"
#include "explain/resident_shares.h"
#include "memory/memory.h"

namespace mekiki {
namespace {

LivePlace place_of(const Tensor& tensor) {
  switch (tensor.lifetime) {
    case Lifetime::kept:
    case Lifetime::released:
      return LivePlace::kept_for_backward;
    case Lifetime::until_optimizer:
      return LivePlace::waiting_gradient;
    case Lifetime::within:
      break;
  }
  return LivePlace::running;
}

StagePart part_of(SegmentKind kind) {
  switch (kind) {
    case SegmentKind::embedding_forward:
    case SegmentKind::embedding_backward:
      return StagePart::embedding;
    case SegmentKind::layer_forward:
    case SegmentKind::layer_backward:
    case SegmentKind::layer_evaluation:
      return StagePart::layer;
    case SegmentKind::head:
    case SegmentKind::head_evaluation:
      return StagePart::head;
    case SegmentKind::optimizer:
    case SegmentKind::save:
      break;
  }
  return StagePart::whole;
}

/// Tensors of the same make: what a forward keeps and its backward releases is one item.
bool same_make(const LiveItem& a, const LiveItem& b) {
  return a.category == b.category && a.name == b.name && a.place == b.place && a.part == b.part &&
         a.layer_kind == b.layer_kind && a.bytes == b.bytes && a.size == b.size;
}

class Collection {
 public:
  explicit Collection(const Subject& subject) : subject_(subject) {}

  void add(const LiveItem& item) {
    const auto known =
        std::find_if(items_.begin(), items_.end(), [&](const LiveItem& other) { return same_make(item, other); });
    if (known == items_.end()) {
      items_.push_back(item);
    } else {
      known->count += item.count;
    }
  }

  /// `weight_of` says how many of a tensor live: its bytes at the moment over its own.
  template <class LiveBytes>
  void add_segment(std::int32_t id, double times, LiveBytes live_bytes) {
    const StepProgram& program = subject_.program;
    const Segment& segment = program.segments[static_cast<std::size_t>(id)];
    const auto tensors = program.tensors_of(segment);
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      const Tensor& tensor = tensors[i];
      const Bytes live = live_bytes(tensor);
      if (tensor.bytes > Bytes{} && live != Bytes{}) {
        add({.category = tensor.category,
             .name = tensor.name,
             .place = place_of(tensor),
             .part = part_of(segment.kind),
             .layer_kind = segment.layer_kind,
             .bytes = tensor.bytes,
             .count = times * (live / tensor.bytes),
             .size = size_of(id, i)});
      }
    }
  }

  std::vector<LiveItem> finish() && {
    std::erase_if(items_, [](const LiveItem& item) { return item.count == 0; });
    std::stable_sort(items_.begin(), items_.end(), [](const LiveItem& a, const LiveItem& b) {
      return a.total() != b.total() ? a.total() > b.total() : a.name < b.name;
    });
    return std::move(items_);
  }

 private:
  SizeRule size_of(std::int32_t segment, std::size_t tensor) const {
    const auto bytes_in = [&](const StepProgram& program) {
      const auto id = static_cast<std::size_t>(segment);
      const bool there = program.segments.size() == subject_.program.segments.size() &&
                         tensor < program.tensors_of(program.segments[id]).size();
      return there ? program.tensors_of(program.segments[id])[tensor].bytes : Bytes{};
    };
    return size_rule(
        bytes_in(subject_.program), bytes_in(subject_.twice_micro_batch), bytes_in(subject_.twice_sequence));
  }

  const Subject& subject_;
  std::vector<LiveItem> items_;
};

const StageProgram* stage_of(const StepProgram& program, std::int64_t number) {
  for (const StageProgram& stage : program.stages) {
    if (stage.role.stage == number) {
      return &stage;
    }
  }
  return nullptr;
}

}  // namespace

Bytes LiveSet::total(Category category) const {
  Bytes sum;
  for (const LiveItem& item : items) {
    sum += item.category == category ? item.total() : Bytes{};
  }
  return sum;
}

LiveSet live_at_peak(const Subject& subject, const PeakMoment& peak) {
  const StepProgram& program = subject.program;
  LiveSet set{.stage = stage_of(program, peak.stage)};
  if (set.stage == nullptr) {
    return set;
  }
  Collection collection(subject);
  for (const Resident& resident : program.residents_of(*set.stage)) {
    if (resident.place == MemoryPlace::device && (resident.phases & phase_bit(peak.phase))) {
      for (const LiveItem& share : resident_shares(subject, *set.stage, resident)) {
        collection.add(share);
      }
    }
  }
  const GradientMode mode = gradient_mode(program, peak.phase);
  const PeakPosition position = peak_position(program, *set.stage, peak.phase);
  for (std::size_t id = 0; id < position.completed.size(); ++id) {
    if (position.completed[id] > 0) {
      collection.add_segment(static_cast<std::int32_t>(id), position.completed[id], [&](const Tensor& tensor) {
        return left_behind(tensor, mode);
      });
    }
  }
  if (position.segment >= 0) {
    collection.add_segment(
        position.segment, 1.0, [&](const Tensor& tensor) { return live_at(tensor, mode, position.op); });
  }
  set.items = std::move(collection).finish();
  return set;
}

std::vector<LiveItem> host_items(const Subject& subject) {
  std::vector<LiveItem> most;
  Bytes most_bytes;
  for (const StageProgram& stage : subject.program.stages) {
    Collection collection(subject);
    Bytes bytes;
    for (const Resident& resident : subject.program.residents_of(stage)) {
      if (resident.place == MemoryPlace::host) {
        bytes += resident.bytes;
        for (const LiveItem& share : resident_shares(subject, stage, resident)) {
          collection.add(share);
        }
      }
    }
    if (bytes > most_bytes) {
      most_bytes = bytes;
      most = std::move(collection).finish();
    }
  }
  return most;
}

}  // namespace mekiki
