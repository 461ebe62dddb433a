#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "job/readers/foreign_job.h"

namespace {

// Each file that a job names is the job itself: chains of names must end too.
mekiki::References same_text(const std::vector<std::string>& names, std::string_view text) {
  mekiki::References references;
  for (const std::string& name : names) {
    references[name] = std::string(text);
  }
  return references;
}

}  // namespace

// Every door and every reader: the syntax and the format are told from the text, and where they are not, each format
// is tried.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const mekiki::Result<mekiki::SettingsFile> file = mekiki::read_settings(text, "job");
  if (!file) {
    MEKIKI_CHECK(!file.error().message.empty(), "every refusal has a reason");
    MEKIKI_CHECK(file.error().subject.starts_with("job"), "every refusal names the file");
    return 0;
  }
  for (const std::string_view format : mekiki::job_file_formats()) {
    mekiki::References references;
    const mekiki::Result<mekiki::ForeignJob> job = mekiki::read_foreign_job(*file, format, references);
    if (!job) {
      MEKIKI_CHECK(format == "mekiki", "a reader turns what it does not understand into notes");
      continue;
    }
    const mekiki::Result<mekiki::ForeignJob> again =
        mekiki::read_foreign_job(*file, format, same_text(job->wanted, text));
    MEKIKI_CHECK(again.has_value(), "a named file makes no reading fail");
    MEKIKI_CHECK(!job->request.job.framework.empty(), "a format decides the profile");
  }
  return 0;
}
