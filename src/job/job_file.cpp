#include "job/job_file.h"

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "base/text_position.h"
#include "job/file_text.h"
#include "job/job_keys.h"

namespace mekiki {
namespace {

TextPosition position_of(const YAML::Mark& mark) {
  return mark.is_null()
             ? TextPosition{}
             : TextPosition{static_cast<std::size_t>(mark.line) + 1, static_cast<std::size_t>(mark.column) + 1};
}

struct Entry {
  std::string key;
  std::string value;
  TextPosition position;
};

// Turns parser events into entries. No tree is built and no alias is followed, so a file cannot grow in memory. The
// first problem is kept; what comes after it is ignored.
class EntryCollector final : public YAML::EventHandler {
 public:
  explicit EntryCollector(JobFileOptions options) : options_(options) {}

  struct Problem {
    TextPosition position;
    std::string message;
    std::string hint;
  };
  const std::optional<Problem>& problem() const { return problem_; }
  const std::vector<Entry>& entries() const { return entries_; }
  bool saw_document() const { return documents_ > 0; }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) {
      refuse(mark, "a second document begins", "one file describes one job");
    }
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (!plain(mark, "?", anchor) || (frames_.empty() && entries_.empty())) {
      return;  // an empty document is no error of its own
    }
    refuse(mark, label() + "has no value", "give one, or drop the key");
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    refuse(mark, "aliases (*name) are not read", "write the value out");
  }

  void OnScalar(const YAML::Mark& mark,
                const std::string& tag,
                YAML::anchor_t anchor,
                const std::string& value) override {
    if (!plain(mark, tag, anchor)) {
      return;
    }
    if (frames_.empty()) {
      refuse(mark, "no mapping of keys to values", "write lines like \"model: NAME\"");
    } else if (Frame& frame = frames_.back(); frame.is_list) {
      frame.values.push_back(value);
    } else if (!frame.key) {
      frame.key = value;
      frame.position = position_of(mark);
    } else {
      add(value);
    }
  }

  void OnSequenceStart(const YAML::Mark& mark,
                       const std::string& tag,
                       YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, true);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark,
                  const std::string& tag,
                  YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, false);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Frame {
    bool is_list = false;
    std::optional<std::string> key;   // of a mapping, while its value is awaited
    TextPosition position;            // of the key
    std::vector<std::string> values;  // of a list
  };

  void refuse(const YAML::Mark& mark, std::string message, std::string hint) {
    if (!problem_) {
      problem_ = {position_of(mark), std::move(message), std::move(hint)};
    }
  }

  // Whether the node carries neither tag nor anchor; "?" and "!" are what plain and quoted scalars have.
  bool plain(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    if (anchor != YAML::NullAnchor) {
      refuse(mark, "anchors (&name) are not read", "write the value out");
    } else if (!tag.empty() && tag != "?" && tag != "!") {
      refuse(mark, "tags (!name) are not read", "write the plain value");
    }
    return !problem_;
  }

  std::string label() const { return frames_.empty() || !frames_.back().key ? "" : *frames_.back().key + ": "; }

  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, bool is_list) {
    if (!plain(mark, tag, anchor)) {
      return;
    }
    if (frames_.size() >= options_.depth_limit) {
      return refuse(mark, "is nested too deeply", "a job file is a flat list of keys");
    }
    if (is_list && frames_.empty()) {
      return refuse(mark, "no mapping of keys to values", "write lines like \"model: NAME\"");
    }
    if (!frames_.empty() && frames_.back().is_list) {
      return refuse(mark, "a list holds plain values only", "write one value per item");
    }
    if (!frames_.empty() && !frames_.back().key) {
      return refuse(mark, "a key must be a plain word", "write lines like \"model: NAME\"");
    }
    frames_.push_back({.is_list = is_list});
  }

  void close() {
    if (problem_ || frames_.empty()) {
      return;
    }
    const Frame closed = std::move(frames_.back());
    frames_.pop_back();
    if (frames_.empty()) {
      return;
    }
    if (!closed.is_list) {
      frames_.back().key.reset();
      return;
    }
    std::string joined;
    for (const std::string& value : closed.values) {
      joined += (joined.empty() ? "" : ",") + value;
    }
    add(joined);
  }

  void add(const std::string& value) {
    std::string path;
    for (const Frame& frame : frames_) {
      path += (path.empty() ? "" : ".") + frame.key.value_or("");
    }
    entries_.push_back({std::move(path), value, frames_.back().position});
    frames_.back().key.reset();
  }

  JobFileOptions options_;
  std::vector<Frame> frames_;
  std::vector<Entry> entries_;
  std::optional<Problem> problem_;
  int documents_ = 0;
};

tl::unexpected<Error> refused(std::string_view subject, TextPosition position, std::string message, std::string hint) {
  return fail({ErrorCode::invalid_input, place_in(subject, position), std::move(message), std::move(hint)});
}

Result<std::vector<Entry>> read_entries(std::string_view text, std::string_view subject, JobFileOptions options) {
  EntryCollector collector(options);
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(collector) && !collector.problem()) {
    }
  } catch (const YAML::Exception& error) {
    if (!collector.problem()) {
      return refused(subject, position_of(error.mark), "is no YAML: " + error.msg, "check the line before it too");
    }
  }
  if (const auto& problem = collector.problem()) {
    return refused(subject, problem->position, problem->message, problem->hint);
  }
  if (collector.entries().empty()) {
    return refused(subject, {}, "describes no job", "write at least \"model: NAME\"");
  }
  return collector.entries();
}

}  // namespace

Result<JobRequest> read_job_file(std::string_view text, std::string_view subject, const JobFileOptions& options) {
  text = without_byte_order_mark(text);
  if (const Status status = check_file_text(text, subject, options.size_limit); !status) {
    return fail(status.error());
  }
  const Result<std::vector<Entry>> entries = read_entries(text, subject, options);
  if (!entries) {
    return fail(entries.error());
  }
  JobRequest request;
  for (const Entry& entry : *entries) {
    const JobKey* key = find_job_key(entry.key);
    if (key != nullptr && request.origins.contains(key->name)) {
      return refused(subject,
                     entry.position,
                     std::string(key->name) + " is given twice",
                     "the first stands at " + request.origins.find(key->name)->second);
    }
    Result<JobRequest> changed =
        with_value(std::move(request), entry.key, entry.value, place_in(subject, entry.position));
    if (!changed) {
      return changed;
    }
    request = std::move(*changed);
  }
  return request;
}

}  // namespace mekiki
