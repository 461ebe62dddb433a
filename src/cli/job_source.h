// From JOB, MODEL and flags to one JobRequest.
#pragma once

#include "base/result.h"
#include "cli/commands.h"
#include "job/job_request.h"

namespace mekiki {

/// The positional is a job file (ours or another tool's; "-" for standard input) or else a model, which a job file names
/// under `model`. Files that a job file names are read beside it. Flags override the file, --set comes last. Errors: as
/// of read_job_file, read_settings, read_foreign_job, of Files and of with_value.
Result<JobRequest> read_request(const Context& context, const Arguments& arguments);

}  // namespace mekiki
