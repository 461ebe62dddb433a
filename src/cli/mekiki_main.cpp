#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "cli/program.h"
#include "os/curl_http.h"

namespace {

using mekiki::ExitCode;
using mekiki::Outcome;

extern "C" void leave_interrupted(int) {
  std::_Exit(static_cast<int>(ExitCode::interrupted));
}

bool write(std::FILE* stream, const std::string& text) {
  return std::fwrite(text.data(), 1, text.size(), stream) == text.size() && std::fflush(stream) == 0;
}

Outcome run(const std::vector<std::string>& words) {
  const mekiki::DiskFiles files;
  mekiki::DiskWriter writer;
  const mekiki::CurlHttp http;
  const mekiki::SystemClock clock;
  const mekiki::ProcessEnvironment environment;
  const mekiki::World world{.files = &files,
                            .writer = &writer,
                            .http = &http,
                            .clock = &clock,
                            .environment = &environment,
                            .output_is_terminal = mekiki::is_terminal(mekiki::StandardStream::output),
                            .cores = mekiki::core_count()};
  try {
    return mekiki::run_program(words, world);
  } catch (const std::exception& error) {
    return mekiki::internal_failure(words, error.what());
  }
}

}  // namespace

int main(int argc, char** argv) {
  static_cast<void>(std::signal(SIGINT, leave_interrupted));
  const Outcome outcome = run(std::vector<std::string>(argv + 1, argv + argc));
  write(stderr, outcome.talk);
  if (!write(stdout, outcome.output)) {
    write(stderr, "mekiki: the output could not be written\n");
    return static_cast<int>(ExitCode::environment);
  }
  return static_cast<int>(outcome.code);
}
