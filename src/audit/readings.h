// Readings: other ways to understand a claim, each with the ratio that it would have.
#pragma once

#include <vector>

#include "audit/audit.h"

namespace mekiki {

/// What a share of the dense peak means: impossible above 1, implausible above the best measured one.
AuditVerdict verdict_of_ratio(double ratio, const std::optional<MeasuredMfu>& measured, const AuditRules& rules);

/// What the machine can honestly do: the predicted range, below the best share of the peak that was measured; without a
/// prediction from a tenth of the measured runs to the best. Unset: neither is known, or nothing holds the job.
struct RateRange {
  TokensPerSecond low, high;
};
std::optional<RateRange> honest_rates(const AuditReport& report);

/// In the order of ReadingKind, those that apply. `report` has ratio, peak, measured and prediction.
/// A reading changes one thing; verdicts are of its ratio alone.
std::vector<Reading> readings_of(const AuditRequest& request, const AuditReport& report);

/// The ways of counting alone, for a claim that needs no other reading.
std::vector<Reading> countings_of(const AuditRequest& request, const AuditReport& report);

}  // namespace mekiki
