// Build-time program: data files in, C++ sources out.
//
//   embed_catalog ROOT LIST OUTPUT_FOLDER
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
    const Result<mekiki::DataKind> kind = mekiki::data_kind(from_data);
    if (!kind) {
      return mekiki::fail(kind.error());
    }
    if (*kind == mekiki::DataKind::document) {
      inputs.documents.push_back({path, std::move(*text)});
    } else if (*kind != mekiki::DataKind::ignored) {
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

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: embed_catalog ROOT LIST OUTPUT_FOLDER\n", stderr);
    return 2;
  }
  try {
    const mekiki::Status status = embed(argv[1], argv[2], argv[3]);
    if (!status) {
      fmt::print(stderr, "data/: {}\n{}\n", mekiki::describe(status.error()), status.error().hint);
    }
    return status ? 0 : 1;
  } catch (const std::exception& exception) {
    fmt::print(stderr, "embed_catalog: {}\n", exception.what());
    return 70;
  }
}
