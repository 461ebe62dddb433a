// Texts of anybody inside a page: none may become markup.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "page/line_chart.h"
#include "page/markup.h"
#include "page/page.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace mekiki;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string markup = escaped(text);
  MEKIKI_CHECK(markup.find_first_of("<>\"'") == std::string::npos, "nothing opens or closes");
  MEKIKI_CHECK(drawn_width(shortened(text, 20)) <= std::max(20.0, drawn_width("\xE2\x80\xA6")), "a cut text fits");
  const double figure = static_cast<double>(size) + 0.5;
  const auto page_with = [&](const std::string& words) {
    const ChartPoint point{Date{20800 - static_cast<int>(size % 900)}, 0, figure, figure};
    const LineChart chart{.title = words, .unit = words, .last = Date{20800}, .lines = {{words, {point}, false, {}}}};
    return page_text({.language = "en",
                      .title = words,
                      .introduction = "",
                      .body = line_chart_svg(chart) + page_table({{words, false}}, {{words}}),
                      .footer = words,
                      .script = ""});
  };
  const std::string plain = page_with(""), filled = page_with(std::string(text));
  MEKIKI_CHECK(std::count(plain.begin(), plain.end(), '<') == std::count(filled.begin(), filled.end(), '<'),
               "texts add no element");
  return 0;
}
