// The answer of `fit` as text and as JSON.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cost/gpu_hour.h"
#include "hardware/gpu.h"
#include "hardware/mig.h"
#include "job/text_density.h"
#include "model/config_reader.h"
#include "model/count.h"
#include "report/job_file_report.h"
#include "report/json_parts.h"
#include "report/quick_report.h"
#include "report/voice.h"
#include "search/alternatives.h"
#include "search/fit.h"

namespace mekiki {

struct FitAnswer {
  std::string model;  // as asked
  Arch arch;
  WeightCounts counts;
  FitReport fit;
  const Gpu* gpu = nullptr;                 // null: the user named none
  std::shared_ptr<const Gpu> instance;      // what `gpu` is where a GPU is cut; null: it is one of the catalogue
  std::optional<MigProfile> mig;            // the GPU is an instance of one that is cut
  std::optional<double> whole_gpu_speedup;  // of a step, over the instance
  std::string system;                       // id; empty: none
  std::int64_t gpus = 1;
  std::int64_t gpus_per_node = 1;
  bool network = false;  // more GPUs than one node has
  bool network_assumed = false;
  bool cuda_graphs = false;
  std::string no_step_time;  // id of the message that says why there is no step time; empty: there is one
  bool generic_profile = false;
  std::string framework_asked;  // where the profile stands in for another name
  bool stack_stated = false;    // framework, precision or optimizer was given
  std::optional<Inefficiency> inefficient;
  std::vector<OtherGpu> other_gpus;  // with a GPU: larger ones; without: the smallest that hold the job
  std::vector<GpuHour> gpu_hours;    // as cheapest_gpu_hours has them
  std::vector<ConfigWarning> config_warnings;
  std::optional<CorpusReading> corpus;
  JobFileReading job_file;
};

/// `fit --params`: no config, so only the quick rule.
struct QuickAnswer {
  QuickQuestion question;
  const Gpu* gpu = nullptr;
  Bytes capacity;  // of the GPU
  bool tokens_were_given = false;
};

/// Whether to colour the verdict.
enum class Colour : std::uint8_t { off, on };

std::string fit_text(const FitAnswer& answer, const Voice& say, Colour colour);
Json fit_json(const FitAnswer& answer, const Envelope& envelope, const Voice& say);

std::string quick_text(const QuickAnswer& answer, const Voice& say);
Json quick_json(const QuickAnswer& answer, const Envelope& envelope, const Voice& say);

/// States alone are larger than the memory: sure not to fit, whatever the activations are.
bool states_alone_too_large(const QuickAnswer& answer);

/// The value of a job or layout key in force, as the job file writes it.
Json value_in_force(const FitReport& report, std::string_view key);

}  // namespace mekiki
