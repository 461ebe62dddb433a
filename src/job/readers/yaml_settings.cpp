#include <optional>
#include <sstream>
#include <utility>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "job/file_text.h"
#include "job/readers/setting.h"

namespace mekiki {
namespace {

TextPosition position_of(const YAML::Mark& mark) {
  return mark.is_null()
             ? TextPosition{}
             : TextPosition{static_cast<std::size_t>(mark.line) + 1, static_cast<std::size_t>(mark.column) + 1};
}

// Turns parser events into settings. No tree is built and no alias is followed, so a file cannot grow in memory. The
// first problem is kept; what comes after it is ignored.
class SettingCollector final : public YAML::EventHandler {
 public:
  explicit SettingCollector(std::size_t depth_limit) : depth_limit_(depth_limit) {}

  struct Problem {
    TextPosition position;
    std::string message;
    std::string hint;
  };
  const std::optional<Problem>& problem() const { return problem_; }
  std::vector<Setting> take() { return std::move(settings_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) {
      refuse(mark, "a second document begins", "one file describes one job");
    }
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (plain(mark, "?", anchor) && !frames_.empty()) {
      scalar(mark, std::nullopt);
    }
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
      refuse(mark, "no mapping of keys to values", "write lines like \"key: value\"");
    } else {
      scalar(mark, value);
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
    std::string path;                // of the mapping or list itself
    TextPosition position;           // of the key that it belongs to
    std::optional<std::string> key;  // of a mapping, while its value is awaited
    std::size_t items = 0;           // of a list
    bool nested = false;             // a list that holds more than plain values
    std::string joined;              // plain values of a list
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

  // Path of what comes next in a frame.
  static std::string child_path(const Frame& frame) {
    if (frame.is_list) {
      return frame.path + "[" + std::to_string(frame.items) + "]";
    }
    return frame.path.empty() ? frame.key.value_or("") : frame.path + "." + frame.key.value_or("");
  }

  void scalar(const YAML::Mark& mark, std::optional<std::string> value) {
    Frame& frame = frames_.back();
    if (frame.is_list) {
      frame.joined += (frame.items == 0 ? "" : ",") + value.value_or("");
      ++frame.items;
    } else if (!frame.key) {
      frame.key = value.value_or("");
      frame.position = position_of(mark);
    } else {
      settings_.push_back({child_path(frame), std::move(value), frame.position});
      frame.key.reset();
    }
  }

  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, bool is_list) {
    if (!plain(mark, tag, anchor)) {
      return;
    }
    if (frames_.size() >= depth_limit_) {
      return refuse(mark, "is nested deeper than " + std::to_string(depth_limit_) + " levels", "flatten the file");
    }
    if (frames_.empty()) {
      if (is_list) {
        return refuse(mark, "no mapping of keys to values", "write lines like \"key: value\"");
      }
      frames_.push_back({});
      return;
    }
    Frame& parent = frames_.back();
    if (!parent.is_list && !parent.key) {
      return refuse(mark, "a key must be a plain word", "write lines like \"key: value\"");
    }
    parent.nested = true;
    frames_.push_back({.is_list = is_list,
                       .path = child_path(parent),
                       .position = parent.is_list ? position_of(mark) : parent.position});
  }

  void close() {
    if (problem_ || frames_.empty()) {
      return;
    }
    const Frame closed = std::move(frames_.back());
    frames_.pop_back();
    if (closed.is_list && !closed.nested) {
      settings_.push_back({closed.path,
                           closed.joined.empty() ? std::nullopt : std::optional<std::string>(closed.joined),
                           closed.position});
    }
    if (frames_.empty()) {
      return;
    }
    frames_.back().key.reset();
    frames_.back().items += frames_.back().is_list ? 1 : 0;
  }

  std::size_t depth_limit_;
  std::vector<Frame> frames_;
  std::vector<Setting> settings_;
  std::optional<Problem> problem_;
  int documents_ = 0;
};

}  // namespace

Result<std::vector<Setting>> read_yaml_settings(std::string_view text,
                                                std::string_view subject,
                                                const SettingsLimits& limits) {
  const auto refused = [&](TextPosition position, std::string message, std::string hint) {
    return fail({ErrorCode::invalid_input, place_in(subject, position), std::move(message), std::move(hint)});
  };
  SettingCollector collector(limits.depth);
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(collector) && !collector.problem()) {
    }
  } catch (const YAML::Exception& error) {
    if (!collector.problem()) {
      return refused(position_of(error.mark), "is no YAML: " + error.msg, "check the line before it too");
    }
  }
  if (const auto& problem = collector.problem()) {
    return refused(problem->position, problem->message, problem->hint);
  }
  return collector.take();
}

}  // namespace mekiki
