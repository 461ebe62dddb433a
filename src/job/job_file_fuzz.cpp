#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "job/job_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const mekiki::Result<mekiki::JobRequest> request = mekiki::read_job_file(text, "job.yaml");
  if (request) {
    MEKIKI_CHECK(!request->origins.empty(), "a job file that says nothing is refused");
  } else {
    MEKIKI_CHECK(!request.error().message.empty(), "every refusal has a reason");
    MEKIKI_CHECK(request.error().subject.starts_with("job.yaml"), "every refusal names the file");
  }
  return 0;
}
