// embed_messages EN.json JA.json FOLDER: checks the message tables against each other and writes them as C++:
// FOLDER/report/message_ids.h, FOLDER/message_texts.cpp. An id that code names and the tables lack does not compile.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

#include "report/messages/message_file.h"

namespace {

using mekiki::MessageText;
using mekiki::Result;
using mekiki::Status;
using Messages = std::vector<MessageText>;

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string enumerator(std::string id) {
  std::replace(id.begin(), id.end(), '.', '_');
  return id;
}

std::string ids_header(const Messages& messages) {
  std::string text =
      "// Generated from data/messages by embed_messages. Do not edit.\n#pragma once\n\n#include <cstdint>\n\n"
      "namespace mekiki {\n\nenum class Message : std::uint16_t {\n";
  for (const MessageText& message : messages) {
    text += "  " + enumerator(message.id) + ",\n";
  }
  return text + "};\n\n}  // namespace mekiki\n";
}

// A literal in which only bytes that need no escape stand as they are.
std::string literal(std::string_view text) {
  std::string escaped = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte > 0x7e || c == '"' || c == '\\') {
      const char digits[] = {'\\',
                             static_cast<char>('0' + (byte >> 6)),
                             static_cast<char>('0' + ((byte >> 3) & 7)),
                             static_cast<char>('0' + (byte & 7)),
                             '\0'};
      escaped += digits;
    } else {
      escaped += c;
    }
  }
  return escaped + "\"";
}

std::string texts_source(const Messages& english, const Messages& japanese) {
  std::string text =
      "// Generated from data/messages by embed_messages. Do not edit.\n#include \"report/message_table.h\"\n\n"
      "namespace mekiki {\nnamespace {\n\nconstexpr MessageRow kRows[] = {\n";
  for (std::size_t i = 0; i < english.size(); ++i) {
    text += "    {" + literal(english[i].id) + ",\n     " + literal(english[i].text) + ",\n     " +
            literal(japanese[i].text) + "},\n";
  }
  return text +
         "};\n\n}  // namespace\n\nstd::span<const MessageRow> message_rows() {\n  return kRows;\n}\n\n"
         "}  // namespace mekiki\n";
}

// Left alone where nothing changed, so that nothing is compiled again.
bool write_if_changed(const std::string& path, const std::string& text) {
  if (text_of(path) == text) {
    return true;
  }
  std::ofstream file(path, std::ios::binary);
  file << text;
  return static_cast<bool>(file.flush());
}

Status embed(const std::string& english_path, const std::string& japanese_path, const std::string& folder) {
  const Result<Messages> english = mekiki::read_messages(text_of(english_path), english_path);
  if (!english) {
    return mekiki::fail(english.error());
  }
  const Result<Messages> japanese = mekiki::read_messages(text_of(japanese_path), japanese_path);
  if (!japanese) {
    return mekiki::fail(japanese.error());
  }
  if (Status same = mekiki::check_same(*english, english_path, *japanese, japanese_path); !same) {
    return same;
  }
  if (!write_if_changed(folder + "/report/message_ids.h", ids_header(*english)) ||
      !write_if_changed(folder + "/message_texts.cpp", texts_source(*english, *japanese))) {
    return mekiki::fail({mekiki::ErrorCode::io, folder, "cannot be written", ""});
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: embed_messages EN.json JA.json FOLDER\n", stderr);
    return 2;
  }
  const Status status = embed(argv[1], argv[2], argv[3]);
  if (!status) {
    std::fprintf(stderr, "%s\n", mekiki::describe(status.error()).c_str());
    return 1;
  }
  return 0;
}
