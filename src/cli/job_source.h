// From JOB, MODEL and flags to one JobRequest.
#pragma once

#include "base/result.h"
#include "cli/commands.h"
#include "job/job_request.h"

namespace mekiki {

/// The positional is a job file (.yaml, .yml or "-" for standard input) or else a model, which a job file names under
/// `model`. Flags override the file, --set comes last. Errors: as of read_job_file, of Files and of with_value.
Result<JobRequest> read_request(const Context& context, const Arguments& arguments);

}  // namespace mekiki
