#include "job/job_file.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/text_position.h"
#include "job/file_text.h"
#include "job/job_keys.h"
#include "job/yaml_events.h"

namespace mekiki {
namespace {

struct Entry {
  std::string key;
  std::string value;
  TextPosition position;
};

// Turns parser events into entries.
class EntryCollector final : public YamlEvents {
 public:
  explicit EntryCollector(JobFileOptions options) : options_(options) {}

  const std::vector<Entry>& entries() const { return entries_; }

 private:
  struct Frame {
    bool is_list = false;
    std::optional<std::string> key;   // of a mapping, while its value is awaited
    TextPosition position;            // of the key
    std::vector<std::string> values;  // of a list
  };

  void null(const YAML::Mark& mark) override {
    if (!frames_.empty() || !entries_.empty()) {  // an empty document is no error of its own
      refuse(mark, label() + "has no value", "give one, or drop the key");
    }
  }

  void scalar(const YAML::Mark& mark, const std::string& value) override {
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

  std::string label() const { return frames_.empty() || !frames_.back().key ? "" : *frames_.back().key + ": "; }

  void open(const YAML::Mark& mark, bool is_list) override {
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

  void close() override {
    if (problem() || frames_.empty()) {
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
};

tl::unexpected<Error> refused(std::string_view subject, TextPosition position, std::string message, std::string hint) {
  return fail({ErrorCode::invalid_input, place_in(subject, position), std::move(message), std::move(hint)});
}

Result<std::vector<Entry>> read_entries(std::string_view text, std::string_view subject, JobFileOptions options) {
  EntryCollector collector(options);
  if (const Status status = parse_yaml(text, subject, collector); !status) {
    return fail(status.error());
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
