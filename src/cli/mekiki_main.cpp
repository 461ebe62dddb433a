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

// Set by a command that looks at `stop_wanted` and ends by itself.
volatile std::sig_atomic_t somebody_listens = 0;
volatile std::sig_atomic_t stop_wanted = 0;

// The first Ctrl-C asks a command that listens to come to an end; every other one ends the program.
extern "C" void on_interrupt(int) {
  if (somebody_listens == 0 || stop_wanted != 0) {
    std::_Exit(static_cast<int>(ExitCode::interrupted));
  }
  stop_wanted = 1;
}

bool interrupted() {
  somebody_listens = 1;
  return stop_wanted != 0;
}

bool write(std::FILE* stream, const std::string& text) {
  return std::fwrite(text.data(), 1, text.size(), stream) == text.size() && std::fflush(stream) == 0;
}

Outcome run(const std::vector<std::string>& words) {
  const mekiki::DiskFiles files;
  mekiki::DiskWriter writer;
  const mekiki::CurlHttp http;
  const mekiki::SystemProcess process;
  const mekiki::SystemClock clock;
  const mekiki::ProcessEnvironment environment;
  const mekiki::World world{.files = &files,
                            .writer = &writer,
                            .http = &http,
                            .process = &process,
                            .clock = &clock,
                            .environment = &environment,
                            .output_is_terminal = mekiki::is_terminal(mekiki::StandardStream::output),
                            .cores = mekiki::core_count(),
                            .interrupted = interrupted};
  try {
    return mekiki::run_program(words, world);
  } catch (const std::exception& error) {
    return mekiki::internal_failure(words, error.what());
  }
}

}  // namespace

int main(int argc, char** argv) {
  static_cast<void>(std::signal(SIGINT, on_interrupt));
  const Outcome outcome = run(std::vector<std::string>(argv + 1, argv + argc));
  write(stderr, outcome.talk);
  if (!write(stdout, outcome.output)) {
    write(stderr, "mekiki: the output could not be written\n");
    return static_cast<int>(ExitCode::environment);
  }
  return static_cast<int>(outcome.code);
}
