// Inputs of an explanation, each with where it comes from.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "explain/explanation.h"

namespace mekiki {

class Inputs {
 public:
  explicit Inputs(const Subject& subject) : subject_(subject) {}

  /// A key of job or layout: said by the user, or a default.
  void job(std::string_view key, double value, Unit unit = Unit::none);
  void job(std::string_view key, std::string_view word);

  /// A key of the config of the model.
  void model(std::string_view key, double value);

  /// A key of the framework's profile.
  void profile(std::string_view key, double value, Unit unit = Unit::none);
  void profile(std::string_view key, std::string_view word);

  /// A figure of the GPU's row; nothing without a GPU.
  void gpu(std::string_view key, double value, Unit unit);

  /// A share or factor of the GPU's row of kernel rates.
  void kernel(std::string_view key, double value);

  /// A number of the step rules, the same for all GPUs.
  void rule(std::string_view key, double value, Unit unit = Unit::none);

  /// The table of `kind` (gemm, attention, collectives) that serves this GPU, measured on `gpu_id`; empty: none.
  void table(std::string_view kind, std::string_view gpu_id);

  void computed(std::string_view name, double value, Unit unit = Unit::none);
  void computed(std::string_view name, std::string_view word);

  /// The axes of the layout above 1, and zero_stage where something is sharded.
  void layout();

  std::vector<Input> finish() && { return std::move(inputs_); }

 private:
  Input of_job(std::string_view key) const;

  const Subject& subject_;
  std::vector<Input> inputs_;
};

}  // namespace mekiki
