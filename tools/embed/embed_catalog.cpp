// Build-time program: data files in, C++ sources out.
//
//   embed_catalog ROOT LIST OUTPUT_FOLDER
//   embed_catalog --schema FOLDER          writes the JSON Schemas of data/schema anew
//
// ROOT is the repository, LIST a file with one path per line below it. Bad data ends the build with one clear message.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/error.h"
#include "base/text_position.h"
#include "catalog/rows/check.h"
#include "catalog/rows/emit.h"
#include "catalog/rows/row_set.h"
#include "catalog/rows/row_text.h"
#include "catalog/rows/schema.h"

namespace {

using mekiki::Result;

constexpr std::string_view kDataFolder = "data/";

Result<std::string> read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (!file) {
    return mekiki::fail({mekiki::ErrorCode::io, path.string(), "cannot be read", {}});
  }
  return text;
}

// Written only where it changed, so that nothing is compiled again for nothing.
mekiki::Status write_text(const std::filesystem::path& path, const std::string& text) {
  const Result<std::string> before = read_text(path);
  if (before && *before == text) {
    return {};
  }
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) {
    return mekiki::fail({mekiki::ErrorCode::io, path.string(), "cannot be written", {}});
  }
  return {};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::string line;
  for (const char c : text) {
    if (c != '\n') {
      line += c;
    } else if (!line.empty()) {
      lines.push_back(std::move(line));
      line.clear();
    }
  }
  return lines;
}

struct Inputs {
  std::vector<mekiki::DataFile> rows;       // paths from data/
  std::vector<mekiki::DataFile> documents;  // paths from the root
};

Result<Inputs> read_inputs(const std::filesystem::path& root, const std::filesystem::path& list) {
  const Result<std::string> paths = read_text(list);
  if (!paths) {
    return mekiki::fail(paths.error());
  }
  Inputs inputs;
  for (const std::string& path : lines_of(*paths)) {
    Result<std::string> text = read_text(root / path);
    if (!text) {
      return mekiki::fail(text.error());
    }
    const std::string from_data = path.starts_with(kDataFolder) ? path.substr(kDataFolder.size()) : path;
    // In an overlay an unknown path is a slip; here it is a document that somebody reads by its path.
    const mekiki::DataKind kind = mekiki::data_kind(from_data).value_or(mekiki::DataKind::document);
    if (kind == mekiki::DataKind::document) {
      inputs.documents.push_back({path, std::move(*text)});
    } else if (kind != mekiki::DataKind::ignored) {
      inputs.rows.push_back({from_data, std::move(*text)});
    }
  }
  return inputs;
}

std::vector<mekiki::Document> documents_of(const Inputs& inputs) {
  std::vector<mekiki::Document> documents;
  for (const mekiki::DataFile& file : inputs.documents) {
    documents.push_back({file.path, mekiki::without_byte_order_mark(file.text)});
  }
  std::sort(documents.begin(), documents.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return documents;
}

mekiki::Status embed(const std::filesystem::path& root,
                     const std::filesystem::path& list,
                     const std::filesystem::path& output) {
  const Result<Inputs> inputs = read_inputs(root, list);
  if (!inputs) {
    return mekiki::fail(inputs.error());
  }
  const Result<mekiki::RowSet> rows = mekiki::read_rows(inputs->rows);
  if (!rows) {
    return mekiki::fail(rows.error());
  }
  const std::vector<mekiki::Document> documents = documents_of(*inputs);
  mekiki::Catalog catalog = mekiki::tables_of(*rows);
  catalog.documents = documents;
  if (const mekiki::Status status = mekiki::check_tables(catalog); !status) {
    return status;
  }
  const std::string digest = mekiki::digest_of(catalog);
  catalog.digest = digest;
  return write_text(output / "bundled_rows.cpp", mekiki::emit_rows(catalog))
      .and_then([&] { return write_text(output / "bundled_measured.cpp", mekiki::emit_measured(catalog)); })
      .and_then([&] { return write_text(output / "bundled_documents.cpp", mekiki::emit_documents(documents)); });
}

mekiki::Status write_schemas(const std::filesystem::path& folder) {
  for (const mekiki::SchemaFile& file : mekiki::schema_files()) {
    if (const mekiki::Status status = write_text(folder / file.name, file.text); !status) {
      return status;
    }
  }
  return {};
}

mekiki::Status run(const std::vector<std::string>& arguments) {
  if (arguments.size() == 2 && arguments[0] == "--schema") {
    return write_schemas(arguments[1]);
  }
  if (arguments.size() == 3) {
    return embed(arguments[0], arguments[1], arguments[2]);
  }
  return mekiki::fail({mekiki::ErrorCode::usage, {}, "usage: embed_catalog ROOT LIST OUTPUT_FOLDER", {}});
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const mekiki::Status status = run({argv + 1, argv + argc});
    if (!status) {
      fmt::print(stderr, "data/: {}\n{}\n", mekiki::describe(status.error()), status.error().hint);
    }
    return status ? 0 : 1;
  } catch (const std::exception& exception) {
    fmt::print(stderr, "embed_catalog: {}\n", exception.what());
    return 70;
  }
}
