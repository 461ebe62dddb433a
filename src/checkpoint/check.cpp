#include "checkpoint/check.h"

#include <algorithm>
#include <utility>

#include "model/count.h"
#include "model/tensors.h"

namespace mekiki {
namespace {

std::vector<ExpectedTensor> expected_tensors(std::vector<StoredTensor> tensors) {
  std::vector<ExpectedTensor> expected;
  expected.reserve(tensors.size());
  for (StoredTensor& tensor : tensors) {
    expected.push_back({std::move(tensor.name), std::move(tensor.shape)});
  }
  return expected;
}

/// Takes the second copy of a tied head out of the unexpected tensors and returns its elements.
std::int64_t take_head_copy(CheckpointComparison& comparison, const Arch& arch) {
  const std::string head = std::string(arch.names.head) + ".weight";
  const std::int64_t width = arch.embedding_size > 0 ? arch.embedding_size : arch.hidden_size;
  const auto copy =
      std::find_if(comparison.unexpected.begin(), comparison.unexpected.end(), [&](const LogicalTensor& tensor) {
        return (tensor.name == head || tensor.name.ends_with("." + head)) && tensor.elements == arch.vocab_size * width;
      });
  if (!arch.tie_word_embeddings || copy == comparison.unexpected.end()) {
    return 0;
  }
  const std::int64_t elements = copy->elements;
  comparison.unexpected.erase(copy);
  return elements;
}

/// Elements of parts whose tensor names are not known; a checkpoint holds each of them or leaves it out.
std::vector<std::int64_t> optional_parts(const Arch& arch) {
  std::vector<std::int64_t> parts;
  if (arch.vision) {
    parts.push_back(arch.vision->weights);
  }
  if (arch.mtp_weights > 0) {
    parts.push_back(arch.mtp_weights);
  }
  for (const StoredDifference& difference : arch.stored_differences) {
    if (difference.kind == StoredDifferenceKind::mtp_vocabulary_copies) {
      parts.push_back(difference.elements);
    }
  }
  return parts;
}

bool is_sum_of_some(std::int64_t elements, std::span<const std::int64_t> parts) {
  if (elements == 0) {
    return true;
  }
  return !parts.empty() && (is_sum_of_some(elements, parts.subspan(1)) ||
                            (elements >= parts.front() && is_sum_of_some(elements - parts.front(), parts.subspan(1))));
}

CheckpointVerdict verdict_of(const CheckpointCheck& check, const CheckpointQuestion& question, std::int64_t beyond) {
  const bool is_damaged = std::any_of(
      check.findings.begin(), check.findings.end(), [](const CheckpointFinding& f) { return is_damage(f.kind); });
  if (is_damaged) {
    return CheckpointVerdict::damaged;
  }
  if (!check.contents.unrecognized.empty()) {
    return CheckpointVerdict::unknown;
  }
  const bool all_found =
      !check.comparison || (check.comparison->missing.empty() && check.comparison->other_shape.empty());
  const bool nothing_else = !question.tower_counted || is_sum_of_some(beyond, optional_parts(*question.arch));
  return all_found && nothing_else ? CheckpointVerdict::agrees : CheckpointVerdict::differs;
}

}  // namespace

CheckpointCheck check_checkpoint(const CheckpointQuestion& question) {
  const Arch& arch = *question.arch;
  CheckpointCheck check{.findings = check_shards(question.index, question.files),
                        .contents = contents_of(question.files, question.quantization)};
  const WeightCounts counts = count_weights(arch);
  check.expected_weights = counts.trainable + counts.mtp;
  Result<std::vector<StoredTensor>> tensors = tensors_of(arch);
  const std::vector<ExpectedTensor> expected =
      expected_tensors(tensors ? std::move(*tensors) : std::vector<StoredTensor>{});
  CheckpointComparison comparison = compare(expected, check.contents.weights);
  check.head_copy = take_head_copy(comparison, arch);
  // Without names every tensor is unexpected: what is beyond the text model is left when its weights are taken away.
  const std::int64_t text = tensors ? 0 : counts.trainable - counts.vision;
  const std::int64_t beyond = comparison.unexpected_elements() - text;
  if (tensors) {
    check.comparison = std::move(comparison);
  }
  check.verdict = verdict_of(check, question, beyond);
  return check;
}

}  // namespace mekiki
