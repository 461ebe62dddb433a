// Page: one HTML file that needs nothing else: style and script lie in it, and it may load nothing. Light and dark
// follow the reader's system; it prints on white.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mekiki {

struct Page {
  std::string language;  // "en", "ja"
  std::string title;
  std::string introduction;  // a sentence or two below the title
  std::string body;          // markup
  std::string footer;
  std::string script;  // runs when the page is there; empty: none may run
};

/// Title, introduction and footer are plain text and are escaped here.
std::string page_text(const Page& page);

struct PageColumn {
  std::string heading;
  bool right = false;  // figures
};

/// Plain text in every cell; every row has as many cells as there are columns.
std::string page_table(const std::vector<PageColumn>& columns, const std::vector<std::vector<std::string>>& rows);

/// <h2>.
std::string page_heading(std::string_view text);

}  // namespace mekiki
