#include "os/process.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/check.h"

extern char** environ;

namespace mekiki {
namespace {

// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    close();
    number_ = std::exchange(other.number_, -1);
    return *this;
  }
  ~Descriptor() { close(); }

  int number() const { return number_; }
  void close() {
    if (number_ >= 0) {
      ::close(std::exchange(number_, -1));
    }
  }

 private:
  int number_;
};

struct Pipe {
  Descriptor read, write;
};

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    return fail({ErrorCode::environment, "pipe", std::strerror(errno), ""});
  }
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

// Starts the program in a process group of its own, so that it can be ended with its children.
Result<pid_t> start(const std::vector<std::string>& words, const Pipe& output, const Pipe& talk) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  MEKIKI_CHECK(posix_spawn_file_actions_init(&actions) == 0 && posix_spawnattr_init(&attributes) == 0,
               "memory is left");
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output.write.number(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, talk.write.number(), STDERR_FILENO);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::vector<char*> arguments;
  for (const std::string& word : words) {
    arguments.push_back(const_cast<char*>(word.c_str()));  // NOLINT: the C interface changes none of them
  }
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int failure = ::posix_spawnp(&child, arguments.front(), &actions, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (failure != 0) {
    const ErrorCode code = failure == ENOENT ? ErrorCode::not_found : ErrorCode::environment;
    return fail({code, words.front(), failure == ENOENT ? "is not installed" : std::strerror(failure), ""});
  }
  return child;
}

// Appends what is there; closes the pipe at its end.
void drain(Descriptor& pipe, std::string& text) {
  std::array<char, 65536> buffer{};
  const ssize_t count = ::read(pipe.number(), buffer.data(), buffer.size());
  if (count > 0) {
    text.append(buffer.data(), static_cast<std::size_t>(count));
  } else if (count == 0 || errno != EINTR) {
    pipe.close();
  }
}

using Clock = std::chrono::steady_clock;

// Reads both pipes to their ends. False: time or room ran out.
bool collect(Descriptor& output, Descriptor& talk, ProcessOutput& result, Clock::time_point end) {
  while (output.number() >= 0 || talk.number() >= 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    if (left <= 0 || result.output.size() + result.talk.size() > Process::size_limit) {
      return false;
    }
    std::array<pollfd, 2> waiting = {{{output.number(), POLLIN, 0}, {talk.number(), POLLIN, 0}}};
    ::poll(waiting.data(), waiting.size(), static_cast<int>(left));
    if (waiting[0].revents != 0) {
      drain(output, result.output);
    }
    if (waiting[1].revents != 0) {
      drain(talk, result.talk);
    }
  }
  return true;
}

int exit_code_of(int status) {
  constexpr int kSignalBase = 128;
  return WIFEXITED(status) ? WEXITSTATUS(status) : kSignalBase + WTERMSIG(status);
}

}  // namespace

Result<ProcessOutput> SystemProcess::run(const std::vector<std::string>& words, Seconds limit) const {
  MEKIKI_CHECK(!words.empty(), "a program has a name");
  Result<Pipe> output = make_pipe(), talk = make_pipe();
  if (!output || !talk) {
    return fail(!output ? output.error() : talk.error());
  }
  const Clock::time_point end =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limit / kSecond));
  const Result<pid_t> child = start(words, *output, *talk);
  if (!child) {
    return fail(child.error());
  }
  output->write.close();
  talk->write.close();
  ProcessOutput result;
  const bool complete = collect(output->read, talk->read, result, end);
  if (!complete) {
    ::kill(-*child, SIGKILL);
  }
  int status = 0;
  while (::waitpid(*child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!complete) {
    return fail({ErrorCode::environment, words.front(), "did not end in time, or wrote without end", ""});
  }
  result.exit_code = exit_code_of(status);
  return result;
}

Result<ProcessOutput> FakeProcess::run(const std::vector<std::string>& words, Seconds) const {
  const auto answer = answers.find(words.front());
  return answer == answers.end()
             ? Result<ProcessOutput>(fail({ErrorCode::not_found, words.front(), "is not installed", ""}))
             : answer->second;
}

}  // namespace mekiki
