// YamlEvents: what every reader of a user's YAML refuses, whatever it makes of the rest. No tree is built and no alias
// is followed, so a file cannot grow in memory.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <yaml-cpp/eventhandler.h>

#include "base/result.h"
#include "base/text_position.h"

namespace mekiki {

TextPosition position_of(const YAML::Mark& mark);

/// Hands plain nodes on to a reader. Refused: a second document, aliases, anchors, tags. The first problem is kept;
/// what comes after it is ignored.
class YamlEvents : public YAML::EventHandler {
 public:
  struct Problem {
    TextPosition position;
    std::string message;
    std::string hint;
  };
  const std::optional<Problem>& problem() const { return problem_; }

  void OnDocumentStart(const YAML::Mark& mark) final;
  void OnDocumentEnd() final {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) final;
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) final;
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, const std::string& value) final;
  void OnSequenceStart(const YAML::Mark& mark,
                       const std::string& tag,
                       YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) final;
  void OnSequenceEnd() final { close(); }
  void OnMapStart(const YAML::Mark& mark,
                  const std::string& tag,
                  YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) final;
  void OnMapEnd() final { close(); }

 protected:
  void refuse(const YAML::Mark& mark, std::string message, std::string hint);

 private:
  virtual void null(const YAML::Mark& mark) = 0;
  virtual void scalar(const YAML::Mark& mark, const std::string& value) = 0;
  virtual void open(const YAML::Mark& mark, bool is_list) = 0;
  virtual void close() = 0;

  // Whether the node carries neither tag nor anchor, and no problem came before it.
  bool plain(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor);

  std::optional<Problem> problem_;
  int documents_ = 0;
};

/// Sends the events of `text` to `events`. Errors: invalid_input with the place, for what is no YAML or what `events`
/// refused.
Status parse_yaml(std::string_view text, std::string_view subject, YamlEvents& events);

}  // namespace mekiki
