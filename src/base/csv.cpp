#include "base/csv.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text_position.h"

namespace mekiki {
namespace {

class Reader {
 public:
  Reader(std::string_view text, std::string_view subject, const CsvOptions& options)
      : text_(text), subject_(subject), options_(options) {}

  Result<CsvTable> read() {
    CsvTable table;
    while (next_ < text_.size()) {
      if (skip_empty_line()) {
        continue;
      }
      Result<CsvRow> row = read_row();
      if (!row) {
        return tl::unexpected(std::move(row.error()));
      }
      if (const Status added = add(std::move(*row), table); !added) {
        return fail(added.error());
      }
    }
    if (table.header.empty()) {
      return fail(
          {ErrorCode::invalid_input, std::string(subject_), "no header row", "the first line names the columns"});
    }
    return table;
  }

 private:
  tl::unexpected<Error> fail_at(std::size_t offset, std::string message) const {
    const TextPosition position = position_at(text_, offset);
    return fail({ErrorCode::invalid_input,
                 fmt::format("{}:{}:{}", subject_, position.line, position.column),
                 std::move(message),
                 {}});
  }

  bool at(char c) const { return next_ < text_.size() && text_[next_] == c; }

  // Consumes LF or CRLF.
  bool take_line_end() {
    const std::size_t length = text_.substr(next_, 2) == "\r\n" ? 2 : at('\n') ? 1 : 0;
    line_ += length > 0 ? 1 : 0;
    next_ += length;
    return length > 0;
  }

  bool skip_empty_line() { return take_line_end(); }

  Result<CsvRow> read_row() {
    row_start_ = next_;
    CsvRow row{line_, {}};
    while (true) {
      Result<std::string> field = at('"') ? read_quoted() : read_bare();
      if (!field) {
        return tl::unexpected(std::move(field.error()));
      }
      row.fields.push_back(std::move(*field));
      if (row.fields.size() > options_.column_limit) {
        return fail_at(next_, fmt::format("more than {} columns", options_.column_limit));
      }
      if (at(',')) {
        ++next_;
      } else if (next_ == text_.size() || take_line_end()) {
        return row;
      } else {
        return fail_at(next_, at('\r') ? "a carriage return without a line feed" : "text after a closing quote");
      }
    }
  }

  Result<std::string> read_bare() {
    const std::size_t end = std::min(text_.find_first_of(",\"\r\n", next_), text_.size());
    if (end < text_.size() && text_[end] == '"') {
      return fail_at(end, "a quote inside a field that does not begin with one");
    }
    std::string field(text_.substr(next_, end - next_));
    next_ = end;
    return field;
  }

  Result<std::string> read_quoted() {
    const std::size_t opening = next_++;
    std::string field;
    while (true) {
      const std::size_t quote = text_.find('"', next_);
      if (quote == std::string_view::npos) {
        return fail_at(opening, "this quote is never closed");
      }
      field += text_.substr(next_, quote - next_);
      next_ = quote + 1;
      if (!at('"')) {
        line_ += static_cast<std::size_t>(std::count(field.begin(), field.end(), '\n'));
        return field;
      }
      field += '"';
      ++next_;
    }
  }

  Status add(CsvRow row, CsvTable& table) const {
    if (table.header.empty()) {
      table.header = std::move(row.fields);
      return check_header(table.header);
    }
    if (row.fields.size() != table.header.size()) {
      return fail_at(row_start_,
                     fmt::format("{} fields where the header has {}", row.fields.size(), table.header.size()));
    }
    if (table.rows.size() == options_.row_limit) {
      return fail_at(row_start_, fmt::format("more than {} rows", options_.row_limit));
    }
    table.rows.push_back(std::move(row));
    return {};
  }

  Status check_header(const std::vector<std::string>& header) const {
    for (std::size_t i = 0; i < header.size(); ++i) {
      if (header[i].empty()) {
        return fail_at(row_start_, fmt::format("column {} has no name", i + 1));
      }
      if (std::find(header.begin(), header.begin() + static_cast<std::ptrdiff_t>(i), header[i]) !=
          header.begin() + static_cast<std::ptrdiff_t>(i)) {
        return fail_at(row_start_, fmt::format("column \"{}\" is given twice", header[i]));
      }
    }
    return {};
  }

  std::string_view text_;
  std::string_view subject_;
  const CsvOptions& options_;
  std::size_t next_ = 0;
  std::size_t line_ = 1;
  std::size_t row_start_ = 0;
};

}  // namespace

Result<CsvTable> parse_csv(std::string_view text, std::string_view subject, const CsvOptions& options) {
  const auto refuse = [&](const std::string& where, std::string message) {
    return fail({ErrorCode::invalid_input, std::string(subject) + where, std::move(message), {}});
  };
  if (text.size() > options.size_limit) {
    return refuse("", fmt::format("{} bytes are more than the limit of {}", text.size(), options.size_limit));
  }
  text = without_byte_order_mark(text);
  const auto place = [&](std::size_t offset) {
    const TextPosition position = position_at(text, offset);
    return fmt::format(":{}:{}", position.line, position.column);
  };
  if (const auto offset = find_invalid_utf8(text)) {
    return refuse(place(*offset), "not UTF-8");
  }
  if (const std::size_t offset = text.find('\0'); offset != std::string_view::npos) {
    return refuse(place(offset), "a NUL byte is no text");
  }
  return Reader(text, subject, options).read();
}

Result<CsvTable> parse_csv_of(std::span<const std::string_view> columns,
                              std::string_view what,
                              std::string_view text,
                              std::string_view subject) {
  Result<CsvTable> table = parse_csv(text, subject);
  if (table && !std::equal(table->header.begin(), table->header.end(), columns.begin(), columns.end())) {
    return fail({ErrorCode::invalid_input,
                 fmt::format("{}:1", subject),
                 fmt::format("the columns are not those of {}", what),
                 fmt::format("{}", fmt::join(columns, ","))});
  }
  return table;
}

std::optional<std::size_t> column_of(const CsvTable& table, std::string_view name) {
  const auto found = std::find(table.header.begin(), table.header.end(), name);
  if (found == table.header.end()) {
    return std::nullopt;
  }
  return static_cast<std::size_t>(found - table.header.begin());
}

std::string csv_field(std::string_view value) {
  if (value.find_first_of(",\"\r\n") == std::string_view::npos) {
    return std::string(value);
  }
  std::string quoted = "\"";
  for (const char c : value) {
    quoted += c;
    if (c == '"') {
      quoted += '"';
    }
  }
  return quoted + '"';
}

}  // namespace mekiki
