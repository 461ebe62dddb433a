#include "base/json.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/text_position.h"

namespace mekiki {
namespace {

using nlohmann::json;

Error bad_json(std::string_view subject, std::string message, std::string hint = {}) {
  return {ErrorCode::invalid_input, std::string(subject), std::move(message), std::move(hint)};
}

// Text with every bare NaN, Infinity and -Infinity replaced by null, and the places where that made it longer.
struct Rewritten {
  std::string text;
  std::vector<std::size_t> grown_at;  // offsets in `text`
};

std::size_t original_offset(const Rewritten& rewritten, std::size_t offset) {
  std::size_t grown = 0;
  for (const std::size_t at : rewritten.grown_at) {
    grown += at < offset ? 1 : 0;
  }
  return offset - grown;
}

// Walks over JSON text token by token far enough to know what is inside a string and how deep it nests. It accepts
// nonsense: the parser proper judges the grammar.
class Scanner {
 public:
  Scanner(std::string_view text, const JsonOptions& options) : text_(text), options_(options) {}

  struct Finding {
    std::size_t offset = 0;
    std::string message;
  };

  std::optional<Finding> scan() {
    for (std::size_t i = 0; i < text_.size(); ++i) {
      if (text_[i] == '\0') {
        return Finding{i, "a NUL byte is no JSON"};
      }
      if (in_string_) {
        step_in_string(text_[i]);
      } else if (!step_outside(i)) {
        return Finding{i, fmt::format("nested deeper than {} levels", options_.depth_limit)};
      }
    }
    return std::nullopt;
  }

  /// Only where something had to be replaced.
  std::optional<Rewritten> take_rewritten() {
    if (!rewritten_) {
      return std::nullopt;
    }
    rewritten_->text += text_.substr(copied_);
    return std::move(rewritten_);
  }

 private:
  void step_in_string(char c) {
    if (escaped_) {
      escaped_ = false;
    } else if (c == '\\') {
      escaped_ = true;
    } else if (c == '"') {
      in_string_ = false;
    }
  }

  bool step_outside(std::size_t i) {
    switch (text_[i]) {
      case '"':
        in_string_ = true;
        return true;
      case '[':
      case '{':
        return ++depth_ <= options_.depth_limit;
      case ']':
      case '}':
        depth_ -= depth_ > 0 ? 1 : 0;
        return true;
      default:
        if (options_.non_finite == NonFiniteNumbers::read_as_null) {
          replace_non_finite(i);
        }
        return true;
    }
  }

  void replace_non_finite(std::size_t i) {
    for (const std::string_view word : {"-Infinity", "Infinity", "NaN"}) {
      if (i >= copied_ && text_.substr(i, word.size()) == word) {
        if (!rewritten_) {
          rewritten_.emplace();
        }
        rewritten_->text += text_.substr(copied_, i - copied_);
        rewritten_->text += "null";
        if (word == "NaN") {
          rewritten_->grown_at.push_back(rewritten_->text.size() - 1);
        } else {
          rewritten_->text.append(word.size() - 4, ' ');  // keeps later columns where they were
        }
        copied_ = i + word.size();
        return;
      }
    }
  }

  std::string_view text_;
  const JsonOptions& options_;
  bool in_string_ = false;
  bool escaped_ = false;
  std::size_t depth_ = 0;
  std::size_t copied_ = 0;
  std::optional<Rewritten> rewritten_;
};

// Builds the value from parser events. Needed because nlohmann::json::parse keeps the last of two equal keys in
// silence.
class Builder : public json::json_sax_t {
 public:
  json root;
  std::optional<std::pair<std::size_t, std::string>> syntax_error;  // offset, reason
  std::optional<std::string> duplicate_path;

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(json::number_integer_t value) override { return add(value); }
  bool number_unsigned(json::number_unsigned_t value) override { return add(value); }
  bool number_float(json::number_float_t value, const std::string&) override { return add(value); }
  bool string(std::string& value) override { return add(std::move(value)); }
  bool binary(json::binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(json::object()); }
  bool start_array(std::size_t) override { return open(json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(std::string& key) override {
    if (open_.back().value->contains(key)) {
      duplicate_path = json_path(path(), key);
      return false;
    }
    open_.back().key = key;
    return true;
  }

  bool parse_error(std::size_t offset, const std::string&, const json::exception& error) override {
    // "[json.exception...] parse error at line 1, column 2: the reason": we say the place ourselves. Overflow of a
    // number comes without a place.
    const std::string_view what = error.what();
    const std::size_t place = what.find(", column ");
    const std::size_t reason =
        what.find(place == std::string_view::npos ? "] " : ": ", place == std::string_view::npos ? 0 : place);
    syntax_error.emplace(offset, std::string(reason == std::string_view::npos ? what : what.substr(reason + 2)));
    return false;
  }

 private:
  struct Open {
    json* value = nullptr;
    std::string key;
  };

  json* place(json value) {
    if (open_.empty()) {
      root = std::move(value);
      return &root;
    }
    Open& parent = open_.back();
    if (parent.value->is_array()) {
      parent.value->push_back(std::move(value));
      return &parent.value->back();
    }
    return &((*parent.value)[parent.key] = std::move(value));
  }

  bool add(json value) {
    place(std::move(value));
    return true;
  }

  bool open(json value) {
    open_.push_back({place(std::move(value)), {}});
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  std::string path() const {
    std::string text;
    for (std::size_t i = 0; i + 1 < open_.size(); ++i) {
      const json& value = *open_[i].value;
      text = value.is_array() ? json_path(text, value.size() - 1) : json_path(text, open_[i].key);
    }
    return text;
  }

  std::vector<Open> open_;
};

}  // namespace

std::string json_path(std::string_view parent, std::string_view key) {
  std::string path(parent);
  path += '/';
  for (const char c : key) {
    if (c == '~') {
      path += "~0";
    } else if (c == '/') {
      path += "~1";
    } else {
      path += c;
    }
  }
  return path;
}

std::string json_path(std::string_view parent, std::size_t index) {
  return fmt::format("{}/{}", parent, index);
}

Result<json> parse_json(std::string_view text, std::string_view subject, const JsonOptions& options) {
  if (text.size() > options.size_limit) {
    return fail(
        bad_json(subject, fmt::format("{} bytes are more than the limit of {}", text.size(), options.size_limit)));
  }
  text = without_byte_order_mark(text);
  const auto at = [&](std::size_t offset) { return describe(position_at(text, offset)); };
  if (const auto offset = find_invalid_utf8(text)) {
    return fail(bad_json(subject, fmt::format("{}: not UTF-8", at(*offset)), "save the file as UTF-8"));
  }
  Scanner scanner(text, options);
  if (const auto finding = scanner.scan()) {
    return fail(bad_json(subject, fmt::format("{}: {}", at(finding->offset), finding->message)));
  }
  const std::optional<Rewritten> rewritten = scanner.take_rewritten();
  const std::string_view parsed = rewritten ? std::string_view(rewritten->text) : text;
  Builder builder;
  if (json::sax_parse(parsed.begin(), parsed.end(), &builder)) {
    return std::move(builder.root);
  }
  if (builder.duplicate_path) {
    return fail(bad_json(fmt::format("{}:{}", subject, *builder.duplicate_path), "this key is given twice"));
  }
  const auto [end, reason] =
      builder.syntax_error.value_or(std::pair<std::size_t, std::string>{parsed.size(), "not JSON"});
  const std::size_t last = end == 0 ? 0 : end - 1;  // the parser counts the bytes it has read
  const std::size_t offset = rewritten ? original_offset(*rewritten, last) : last;
  return fail(bad_json(subject, fmt::format("{}: not valid JSON: {}", at(offset), reason)));
}

}  // namespace mekiki
