#include "page/page.h"

#include "page/markup.h"

namespace mekiki {
namespace {

// Colours of the lines keep a contrast of 3:1 and more to their ground, and stay apart for readers who confuse red and
// green (after Okabe and Ito, lightened for the dark ground).
constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --ground: #ffffff; --ink: #1b1f24; --quiet: #57606a; --rule: #d0d7de; --mark: #fff8e1;
  --line-0: #0072b2; --line-1: #c14a00; --line-2: #00805c; --line-3: #a8487f;
  --line-4: #8f6500; --line-5: #2a8fc4; --line-6: #6a3fb0; --line-7: #5d6670; }
@media (prefers-color-scheme: dark) { :root { --ground: #12161b; --ink: #e6edf3; --quiet: #9aa5b1; --rule: #333b45; --mark: #2e2914;
  --line-0: #4aa8e0; --line-1: #ff8a47; --line-2: #35c99d; --line-3: #e58fc0;
  --line-4: #e0b040; --line-5: #8fd3f7; --line-6: #b79af0; --line-7: #aab4bf; } }
@media print { :root { --ground: #ffffff; --ink: #000000; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1rem 3rem; max-width: 76rem; background: var(--ground); color: var(--ink);
  font: 15px/1.5 system-ui, "Noto Sans", "Noto Sans CJK JP", sans-serif; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .5rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
p { max-width: 60rem; } footer, .quiet { color: var(--quiet); font-size: .87rem; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: .87rem; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .75rem .25rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--rule); }
th { color: var(--quiet); font-weight: 600; white-space: nowrap; } td { overflow-wrap: anywhere; } td.long { min-width: 13rem; }
.right { text-align: right; white-space: nowrap; } .short { white-space: nowrap; }
svg { display: block; width: 100%; min-width: 44rem; height: auto; } svg text { fill: var(--ink); font-size: 12px; }
svg .quiet { fill: var(--quiet); font-size: 12px; } svg .rule { stroke: var(--rule); stroke-width: 1; }
svg .lead { stroke: var(--quiet); stroke-width: .6; fill: none; } svg .old { stroke-dasharray: 2 4; opacity: .75; }
svg .path { fill: none; stroke-width: 2; } svg .area { fill-opacity: .18; stroke-width: 1; }
input { width: 9.5rem; font: inherit; color: inherit; background: var(--mark); border: 1px solid var(--rule); text-align: right; }
input.bad { outline: 2px solid var(--line-1); } tr.total td { font-weight: 600; } td.moved { color: var(--line-1); }
)";

std::string line_colours() {
  std::string style;
  for (int i = 0; i < 8; ++i) {
    const std::string digit = std::to_string(i);
    style += "svg .line-" + digit + " { stroke: var(--line-" + digit + "); } svg .fill-" + digit +
             " { fill: var(--line-" + digit + "); }\n";
  }
  return style;
}

}  // namespace

std::string page_text(const Page& page) {
  const std::string scripts = page.script.empty() ? "" : "; script-src 'unsafe-inline'";
  std::string text =
      "<!doctype html>\n<html lang=\"" + escaped(page.language) + "\">\n<head>\n<meta charset=\"utf-8\">\n";
  text += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  text += "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'" +
          scripts + "\">\n";
  text += "<title>" + escaped(page.title) + "</title>\n<style>";
  text += kStyle;
  text += line_colours() + "</style>\n</head>\n<body>\n<h1>" + escaped(page.title) + "</h1>\n";
  text += page.introduction.empty() ? "" : "<p>" + escaped(page.introduction) + "</p>\n";
  text += page.body;
  text += "<footer><p>" + escaped(page.footer) + "</p></footer>\n";
  text += page.script.empty() ? "" : "<script>\n" + page.script + "</script>\n";
  return text + "</body>\n</html>\n";
}

std::string page_table(const std::vector<PageColumn>& columns, const std::vector<std::vector<std::string>>& rows) {
  const auto line = [&](const std::vector<std::string>& cells, const std::string& tag) {
    std::string text = "<tr>";
    for (std::size_t i = 0; i < cells.size(); ++i) {
      // What is short stays on one line; sources may break.
      constexpr double kShort = 24.0;
      const std::string_view kind = columns[i].right ? "right" : drawn_width(cells[i]) < kShort ? "short" : "long";
      text += "<" + tag + " class=\"" + std::string(kind) + "\">" + escaped(cells[i]) + "</" + tag + ">";
    }
    return text + "</tr>\n";
  };
  std::vector<std::string> headings;
  for (const PageColumn& column : columns) {
    headings.push_back(column.heading);
  }
  std::string text = "<div class=\"wide\"><table>\n<thead>" + line(headings, "th") + "</thead>\n<tbody>\n";
  for (const std::vector<std::string>& row : rows) {
    text += line(row, "td");
  }
  return text + "</tbody></table></div>\n";
}

std::string page_heading(std::string_view text) {
  return "<h2>" + escaped(text) + "</h2>\n";
}

}  // namespace mekiki
