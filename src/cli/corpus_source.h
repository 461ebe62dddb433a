// From the text that a job names to its tokens.
#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "cli/commands.h"
#include "job/text_density.h"

namespace mekiki {

/// data/reference/bytes_per_token.csv. Errors: those of its reader.
Result<std::vector<TextDensity>> text_densities(const Context& context);

/// The job with the tokens of its corpus, if it names one; `reading` says how they were found.
struct CountedJob {
  Job job;
  std::optional<CorpusReading> reading;
};

/// The size of a path is that of all files below it. Errors: those of read_corpus; not_found and io for the path,
/// unsupported for compressed files, whose plain size nobody knows.
Result<CountedJob> with_corpus_tokens(const Context& context, Job job, const Arch& arch);

}  // namespace mekiki
