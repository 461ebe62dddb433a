// The answer of `plan` as text and as JSON.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "advice/advice.h"
#include "advice/checklist.h"
#include "advice/matrix.h"
#include "cost/api_price.h"
#include "job/text_density.h"
#include "model/count.h"
#include "report/job_file_report.h"
#include "report/json_parts.h"
#include "report/voice.h"
#include "search/plan.h"
#include "search/sensitivity.h"
#include "search/tokens_curve.h"

namespace mekiki {

struct PlanAnswer {
  const Arch* arch = nullptr;
  WeightCounts counts;
  PlanSet set;
  std::optional<std::int64_t> tokens;
  PlanFilters filters;
  ApiEstimate api;  // the same tokens through an API
  std::vector<MatrixCell> matrix;
  std::span<const Provider> providers;
  std::vector<Advice> advice;
  std::optional<CorpusReading> corpus;
  JobFileReading job_file;
  std::vector<Sensitivity> sensitivity;   // of the cheapest plan
  std::vector<TokensPoint> curve;         // of the cheapest plan
  std::vector<ChecklistEntry> checklist;  // of the cheapest plan, where there is one
  Seconds elapsed;                        // of the search; not part of what is the same every time
  unsigned threads = 1;
};

std::string plan_text(const PlanAnswer& answer, Date as_of, const Voice& say);
Json plan_json(const PlanAnswer& answer, const Envelope& envelope, const Voice& say);

}  // namespace mekiki
