// What became of the lines of a job file that another tool wrote: sentences and JSON.
#pragma once

#include <string>
#include <vector>

#include "job/job_request.h"
#include "report/json_parts.h"
#include "report/voice.h"

namespace mekiki {

/// What an answer says of the file that it was asked with. No format: our own file, or none.
struct JobFileReading {
  std::string format;
  std::vector<JobFileNote> notes;
};

/// One sentence per kind of note, each with its keys and where they stand.
std::vector<std::string> job_file_warnings(const JobFileReading& reading, const Voice& say);

/// `job_file {format, notes [{kind, key, value, place}]}`; nothing where there is no format.
void add_job_file(Json& json, const JobFileReading& reading);

}  // namespace mekiki
