#include "job/yaml_events.h"

#include <sstream>
#include <utility>

#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "job/file_text.h"

namespace mekiki {

TextPosition position_of(const YAML::Mark& mark) {
  return mark.is_null()
             ? TextPosition{}
             : TextPosition{static_cast<std::size_t>(mark.line) + 1, static_cast<std::size_t>(mark.column) + 1};
}

void YamlEvents::refuse(const YAML::Mark& mark, std::string message, std::string hint) {
  if (!problem_) {
    problem_ = {position_of(mark), std::move(message), std::move(hint)};
  }
}

bool YamlEvents::plain(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
  if (anchor != YAML::NullAnchor) {
    refuse(mark, "anchors (&name) are not read", "write the value out");
  } else if (!tag.empty() && tag != "?" && tag != "!") {  // what plain and quoted scalars have
    refuse(mark, "tags (!name) are not read", "write the plain value");
  }
  return !problem_;
}

void YamlEvents::OnDocumentStart(const YAML::Mark& mark) {
  if (++documents_ > 1) {
    refuse(mark, "a second document begins", "one file describes one job");
  }
}

void YamlEvents::OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) {
  if (plain(mark, "?", anchor)) {
    null(mark);
  }
}

void YamlEvents::OnAlias(const YAML::Mark& mark, YAML::anchor_t) {
  refuse(mark, "aliases (*name) are not read", "write the value out");
}

void YamlEvents::OnScalar(const YAML::Mark& mark,
                          const std::string& tag,
                          YAML::anchor_t anchor,
                          const std::string& value) {
  if (plain(mark, tag, anchor)) {
    scalar(mark, value);
  }
}

void YamlEvents::OnSequenceStart(const YAML::Mark& mark,
                                 const std::string& tag,
                                 YAML::anchor_t anchor,
                                 YAML::EmitterStyle::value) {
  if (plain(mark, tag, anchor)) {
    open(mark, true);
  }
}

void YamlEvents::OnMapStart(const YAML::Mark& mark,
                            const std::string& tag,
                            YAML::anchor_t anchor,
                            YAML::EmitterStyle::value) {
  if (plain(mark, tag, anchor)) {
    open(mark, false);
  }
}

Status parse_yaml(std::string_view text, std::string_view subject, YamlEvents& events) {
  const auto refused = [&](TextPosition position, std::string message, std::string hint) {
    return fail({ErrorCode::invalid_input, place_in(subject, position), std::move(message), std::move(hint)});
  };
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(events) && !events.problem()) {
    }
  } catch (const YAML::Exception& error) {
    if (!events.problem()) {
      return refused(position_of(error.mark), "is no YAML: " + error.msg, "check the line before it too");
    }
  }
  if (const auto& problem = events.problem()) {
    return refused(problem->position, problem->message, problem->hint);
  }
  return {};
}

}  // namespace mekiki
