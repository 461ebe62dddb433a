#include "job/readers/shell_words.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <utility>

#include "job/file_text.h"

namespace mekiki {
namespace {

bool is_name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool is_name(std::string_view text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0 &&
         std::all_of(text.begin(), text.end(), is_name_character);
}

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

class Reader {
 public:
  Reader(std::string_view text, std::size_t size_limit) : text_(text), size_limit_(size_limit) {}

  /// Unset: all was read.
  std::optional<std::size_t> run() {
    while (at_ < text_.size()) {
      step();
      if (grown_ > size_limit_) {
        return at_;
      }
    }
    end_command();
    return std::nullopt;
  }

  ShellScript take() { return std::move(script_); }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void step() {
    const char c = peek();
    if (c == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'))) {
      at_ += peek(1) == '\n' ? 2 : 3;
    } else if (is_blank(c)) {
      end_word();
      ++at_;
    } else if (c == '\n' || std::string_view(";|&<>").find(c) != std::string_view::npos) {
      end_command();
      ++at_;
    } else if (c == '#' && !in_word_) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else {
      word_part();
    }
  }

  void word_part() {
    const char c = peek();
    if (!in_word_) {
      word_.position = place();
      in_word_ = true;
    }
    if (c == '\\') {
      add(peek(1));
      at_ += 2;
    } else if (c == '\'') {
      single_quoted();
    } else if (c == '"') {
      double_quoted();
    } else if (c == '$') {
      variable(false);
    } else if (c == '(' && word_.text.ends_with('=') && is_name(assigned_name())) {
      list();
    } else {
      add(c);
      ++at_;
    }
  }

  void add(char c) {
    if (c != '\0') {
      word_.text += c;
      ++grown_;
    }
  }

  void single_quoted() {
    const std::size_t end = std::min(text_.find('\'', at_ + 1), text_.size());
    for (const char c : text_.substr(at_ + 1, end - at_ - 1)) {
      add(c);
    }
    at_ = end + 1;
  }

  void double_quoted() {
    ++at_;
    while (at_ < text_.size() && peek() != '"' && grown_ <= size_limit_) {
      if (peek() == '\\' && peek(1) == '\n') {
        at_ += 2;
      } else if (peek() == '\\') {
        add(peek(1));
        at_ += 2;
      } else if (peek() == '$') {
        variable(true);
      } else {
        add(peek());
        ++at_;
      }
    }
    ++at_;
  }

  // NAME=( word word ): the value is its words.
  void list() {
    const std::size_t end = std::min(text_.find(')', at_), text_.size());
    bool comment = false;
    for (const char c : text_.substr(at_ + 1, end - at_ - 1)) {
      comment = c == '\n' ? false : comment || c == '#';
      add(comment || c == '\n' || c == '\\' || c == '"' || c == '\'' ? ' ' : c);
    }
    at_ = end + 1;
  }

  // $NAME, ${NAME}, ${NAME:-value}, ${NAME[@]}, $(command). What is not known stays as written.
  void variable(bool quoted) {
    if (quotient(quoted)) {
      return;
    }
    const std::size_t begin = at_++;
    std::string_view name;
    std::string_view fallback;
    bool has_fallback = false;
    if (peek() == '{' || peek() == '(') {
      const std::size_t end = std::min(text_.find(peek() == '{' ? '}' : ')', at_), text_.size());
      name = peek() == '{' ? text_.substr(at_ + 1, end - at_ - 1) : std::string_view{};
      at_ = std::min(end + 1, text_.size());
    } else if (peek() == '@' || peek() == '*') {
      ++at_;
      return;
    } else {
      const std::size_t from = at_;
      while (is_name_character(peek())) {
        ++at_;
      }
      name = text_.substr(from, at_ - from);
    }
    if (const std::size_t list = name.find("[@]"); list != std::string_view::npos) {
      name = name.substr(0, list);
      quoted = false;
    }
    if (const std::size_t dash = name.find_first_of(":-="); dash != std::string_view::npos) {
      fallback = name.substr(std::min(name.find_first_not_of(":-=", dash), name.size()));
      has_fallback = true;
      name = name.substr(0, dash);
    }
    const auto known = values_.find(name);
    if (known != values_.end()) {
      expand(known->second, quoted);
    } else if (has_fallback) {
      expand(std::string(fallback), quoted);
    } else {
      expand(std::string(text_.substr(begin, at_ - begin)), true);
    }
  }

  // $((A / B)) and $(expr A / B): whole numbers and variables, multiplied and divided from left to right, which is how
  // scripts get steps of accumulation from a batch. Whether it was one.
  bool quotient(bool quoted) {
    const std::string_view rest = text_.substr(at_);
    const bool doubled = rest.starts_with("$((");
    const std::size_t end = rest.find(doubled ? "))" : ")");
    const std::string_view opening = doubled ? "$((" : "$(expr ";
    if (!rest.starts_with(opening) || end == std::string_view::npos) {
      return false;
    }
    const std::optional<std::int64_t> value = chain_value(rest.substr(opening.size(), end - opening.size()));
    if (!value) {
      return false;
    }
    at_ += end + (doubled ? 2 : 1);
    expand(std::to_string(*value), quoted);
    return true;
  }

  std::optional<std::int64_t> chain_value(std::string_view text) const {
    std::int64_t value = 0;
    char operation = '=';
    while (true) {
      text.remove_prefix(std::min(text.find_first_not_of(" \\"), text.size()));
      const std::size_t end = std::min(text.find_first_of(" */\\"), text.size());
      const std::optional<std::int64_t> next = whole_value(text.substr(0, end));
      constexpr std::int64_t kMost = std::int64_t{1} << 31;
      if (!next || *next > kMost || value > kMost || (operation == '/' && *next == 0)) {
        return std::nullopt;
      }
      value = operation == '=' ? *next : operation == '*' ? value * *next : value / *next;
      text.remove_prefix(end);
      text.remove_prefix(std::min(text.find_first_not_of(" \\"), text.size()));
      if (text.empty()) {
        return value;
      }
      operation = text.front();
      text.remove_prefix(1);
      if (operation != '*' && operation != '/') {
        return std::nullopt;
      }
    }
  }

  std::optional<std::int64_t> whole_value(std::string_view word) const {
    word.remove_prefix(word.starts_with('$') ? 1 : 0);
    word = word.starts_with('{') && word.ends_with('}') ? word.substr(1, word.size() - 2) : word;
    const auto known = values_.find(word);
    const std::string_view digits = known == values_.end() ? word : std::string_view(known->second);
    std::int64_t value = 0;
    const auto [last, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool whole = error == std::errc{} && last == digits.data() + digits.size() && value >= 0 && !digits.empty();
    return whole ? std::optional<std::int64_t>(value) : std::nullopt;
  }

  void expand(const std::string& value, bool quoted) {
    for (const char c : value) {
      if (grown_ > size_limit_) {
        return;
      }
      if (!quoted && (is_blank(c) || c == '\n')) {
        end_word();
      } else if (quoted || c != '"') {
        if (!in_word_) {
          word_.position = place();
          in_word_ = true;
        }
        add(c);
      }
    }
  }

  std::string_view assigned_name() const {
    const std::size_t equals = word_.text.find('=');
    return equals == std::string::npos ? std::string_view{} : std::string_view(word_.text).substr(0, equals);
  }

  void end_word() {
    if (!in_word_) {
      return;
    }
    in_word_ = false;
    ShellWord word = std::exchange(word_, {});
    const std::size_t equals = word.text.find('=');
    const bool assigns = equals != std::string::npos && is_name(std::string_view(word.text).substr(0, equals)) &&
                         std::all_of(command_.words.begin(), command_.words.end(), [](const ShellWord& before) {
                           return before.text == "export" || before.text == "env";
                         });
    if (assigns) {
      const std::string name = word.text.substr(0, equals);
      word.text.erase(0, equals + 1);
      values_[name] = word.text;
      script_.variables.emplace_back(name, std::move(word));
    } else {
      command_.words.push_back(std::move(word));
    }
  }

  void end_command() {
    end_word();
    if (!command_.words.empty()) {
      script_.commands.push_back(std::exchange(command_, {}));
    }
  }

  // Counts on from the last place asked for, because position_at starts at the beginning.
  TextPosition place() {
    for (; position_at_ < at_ && position_at_ < text_.size(); ++position_at_) {
      const bool line_ends = text_[position_at_] == '\n';
      here_ = line_ends ? TextPosition{here_.line + 1, 1} : TextPosition{here_.line, here_.column + 1};
    }
    return here_;
  }

  std::string_view text_;
  std::size_t size_limit_;
  std::size_t at_ = 0;
  std::size_t grown_ = 0;
  std::size_t position_at_ = 0;
  TextPosition here_;
  bool in_word_ = false;
  ShellWord word_;
  ShellCommand command_;
  ShellScript script_;
  std::map<std::string, std::string, std::less<>> values_;
};

}  // namespace

Result<ShellScript> read_shell(std::string_view text, std::string_view subject, std::size_t size_limit) {
  Reader reader(text, size_limit);
  if (const std::optional<std::size_t> offset = reader.run()) {
    return fail({ErrorCode::invalid_input,
                 place_in(subject, position_at(text, *offset)),
                 "its variables make it longer than " + std::to_string(size_limit) + " bytes",
                 "write the values out"});
  }
  return reader.take();
}

}  // namespace mekiki
