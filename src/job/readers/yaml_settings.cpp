#include <optional>
#include <utility>

#include "job/readers/setting.h"
#include "job/yaml_events.h"

namespace mekiki {
namespace {

// Turns parser events into settings.
class SettingCollector final : public YamlEvents {
 public:
  explicit SettingCollector(std::size_t depth_limit) : depth_limit_(depth_limit) {}

  std::vector<Setting> take() { return std::move(settings_); }

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

  void null(const YAML::Mark& mark) override {
    if (!frames_.empty()) {
      put(mark, std::nullopt);
    }
  }

  void scalar(const YAML::Mark& mark, const std::string& value) override {
    if (frames_.empty()) {
      refuse(mark, "no mapping of keys to values", "write lines like \"key: value\"");
    } else {
      put(mark, value);
    }
  }

  // Path of what comes next in a frame.
  static std::string child_path(const Frame& frame) {
    if (frame.is_list) {
      return frame.path + "[" + std::to_string(frame.items) + "]";
    }
    return frame.path.empty() ? frame.key.value_or("") : frame.path + "." + frame.key.value_or("");
  }

  void put(const YAML::Mark& mark, std::optional<std::string> value) {
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

  void open(const YAML::Mark& mark, bool is_list) override {
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

  void close() override {
    if (problem() || frames_.empty()) {
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
};

}  // namespace

Result<std::vector<Setting>> read_yaml_settings(std::string_view text,
                                                std::string_view subject,
                                                const SettingsLimits& limits) {
  SettingCollector collector(limits.depth);
  if (const Status status = parse_yaml(text, subject, collector); !status) {
    return fail(status.error());
  }
  return collector.take();
}

}  // namespace mekiki
