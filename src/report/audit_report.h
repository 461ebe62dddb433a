// The answer of `audit` as text and as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "audit/audit.h"
#include "job/text_density.h"
#include "report/job_file_report.h"
#include "report/json_parts.h"
#include "report/voice.h"

namespace mekiki {

struct AuditAnswer {
  std::string model;  // id, or the count as it was understood
  double weights = 0;
  const Gpu* gpu = nullptr;
  std::int64_t gpus = 1;
  Claim claim;
  AuditReport report;
  std::optional<CorpusReading> corpus;
  JobFileReading job_file;
};

std::string audit_text(const AuditAnswer& answer, const Voice& say);
Json audit_json(const AuditAnswer& answer, const Envelope& envelope, const Voice& say);

/// "more than the dense peak: ...", with the numbers of the report.
std::string reason_text(const AuditAnswer& answer, AuditReason reason, const Voice& say);

/// What the reading changes, in words.
std::string reading_text(const Reading& reading, const Voice& say);

/// How often a limit: "11.5 x".
std::string times_text(double ratio, const Voice& say);

}  // namespace mekiki
