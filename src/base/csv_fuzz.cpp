#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/csv.h"

namespace {

std::string text_of(const std::vector<std::string>& fields) {
  std::string line;
  for (const std::string& field : fields) {
    // A lone empty field would be an empty line, which is none.
    line += (line.empty() ? "" : ",") + (field.empty() ? std::string("\"\"") : mekiki::csv_field(field));
  }
  return line + "\n";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto table = mekiki::parse_csv({reinterpret_cast<const char*>(data), size}, "t");
  if (!table) {
    MEKIKI_CHECK(table.error().subject.starts_with("t"), "every refusal names the text");
    return 0;
  }
  std::string text = "\xEF\xBB\xBF" + text_of(table->header);  // one mark is skipped, a second one is text
  for (const mekiki::CsvRow& row : table->rows) {
    MEKIKI_CHECK(row.fields.size() == table->header.size(), "rows are as wide as the header");
    text += text_of(row.fields);
  }
  const auto again = mekiki::parse_csv(text, "t");
  MEKIKI_CHECK(again && again->header == table->header && again->rows.size() == table->rows.size(),
               "writing reads back");
  for (std::size_t i = 0; i < table->rows.size(); ++i) {
    MEKIKI_CHECK(again->rows[i].fields == table->rows[i].fields, "writing reads back");
  }
  return 0;
}
