#include "explain/resident_shares.h"

#include <algorithm>
#include <optional>

#include "program/layer_graph.h"
#include "program/sharding.h"
#include "program/stage_weights.h"

namespace mekiki {
namespace {

struct Share {
  Bytes bytes;
  double elements = 0;
};

/// What one unit adds to a resident of this name; unset: the resident is no sum over units.
std::optional<Share> share_of(const Subject& subject, Name resident, const ElementSplit& e) {
  const ResolvedJob& job = subject.job();
  const ShardCounts& shards = subject.sharding.shards;
  if (resident == "weights") {
    return Share{on_one_rank(stored_weights_of(e, job), shards), e.total()};
  }
  if (resident == "adapters") {
    return Share{e.adapter * bytes_per_element(job.dtypes.adapter) / shards.weights, e.adapter};
  }
  const double whole = trains_adapters_only(job.method) ? e.adapter : e.total();
  const double trained = trained_on_one_rank(e, subject.model, job, shards);
  if (resident == "master_weights") {
    return Share{trained * bytes_per_element(Dtype::fp32), whole};
  }
  if (resident == "optimizer_states") {
    return Share{Bytes{trained * subject.model.optimizer.bytes_per_element}, whole};
  }
  if (resident == "gradients" || resident == "gradient_buckets") {
    const bool block_wise = subject.model.optimizer.block_wise();
    return Share{
        block_wise ? trained * bytes_per_element(job.dtypes.gradients) : kept_gradients(e, job, subject.sharding),
        whole};
  }
  if (resident == "unsharded_gradients") {
    return Share{unsharded_gradients(e, job, subject.sharding), whole};
  }
  return std::nullopt;
}

SizeRule size_of(const Subject& subject, const Resident& resident) {
  const auto place = static_cast<std::size_t>(&resident - subject.program.residents.data());
  const auto in = [&](const StepProgram& program) {
    const bool same =
        program.residents.size() == subject.program.residents.size() && program.residents[place].name == resident.name;
    return same ? program.residents[place].bytes : Bytes{};
  };
  return size_rule(resident.bytes, in(subject.twice_micro_batch), in(subject.twice_sequence));
}

}  // namespace

std::vector<StageUnit> stage_units(const Subject& subject, const StageProgram& stage) {
  const ParallelLayout& layout = subject.report->layout;
  const StepProgram& program = subject.program;
  const GraphContext context{.model = &subject.model,
                             .job = &subject.job(),
                             .profile = &subject.profile(),
                             .layout = layout,
                             .micro_batch_size = static_cast<double>(subject.job().micro_batch_size)};
  const double rows = vocabulary_rows(context);
  std::vector<StageUnit> units;
  if (stage.role.has_embedding) {
    units.push_back({.part = StagePart::embedding, .elements = embedding_elements(subject.model, rows)});
  }
  for (const TimelinePart& part : program.parts_of(stage.forward)) {
    for (const SegmentRun& run : program.runs_of(part)) {
      const Segment& segment = program.segments[static_cast<std::size_t>(run.segment)];
      if (segment.kind != SegmentKind::layer_forward) {
        continue;
      }
      const auto known = std::find_if(units.begin(), units.end(), [&](const StageUnit& unit) {
        return unit.part == StagePart::layer && unit.layer_kind == segment.layer_kind;
      });
      if (known != units.end()) {
        known->count += run.repeat;
        continue;
      }
      const PreparedLayer& layer = subject.model.layers[static_cast<std::size_t>(segment.layer_kind)];
      units.push_back({StagePart::layer, segment.layer_kind, run.repeat, layer_elements(layer, layout)});
    }
  }
  if (stage.role.has_head) {
    const bool shares = subject.model.tied && layout.pipeline_parallel == 1;
    units.push_back({.part = StagePart::head, .elements = head_elements(subject.model, rows, shares)});
  }
  return units;
}

std::vector<LiveItem> resident_shares(const Subject& subject, const StageProgram& stage, const Resident& resident) {
  std::vector<LiveItem> shares;
  const LiveItem whole{.category = resident.category,
                       .name = resident.name,
                       .bytes = resident.bytes,
                       .size = size_of(subject, resident)};
  for (const StageUnit& unit : stage_units(subject, stage)) {
    const std::optional<Share> share = share_of(subject, resident.name, unit.elements);
    if (!share) {
      return {whole};
    }
    if (share->bytes > Bytes{}) {
      LiveItem item = whole;
      item.part = unit.part;
      item.layer_kind = unit.layer_kind;
      item.bytes = share->bytes;
      item.count = unit.count;
      item.elements = share->elements;
      shares.push_back(item);
    }
  }
  return shares;
}

}  // namespace mekiki
