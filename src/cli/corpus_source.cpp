#include "cli/corpus_source.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "catalog/catalog.h"
#include "os/files.h"

namespace mekiki {
namespace {

constexpr std::string_view kDensityPath = "data/reference/bytes_per_token.csv";
constexpr std::string_view kCompressed[] = {".gz", ".zst", ".xz", ".bz2", ".zip", ".parquet", ".arrow", ".bin"};

Result<Bytes> size_of_file(const Files& files, const std::string& path) {
  const bool packed = std::any_of(
      std::begin(kCompressed), std::end(kCompressed), [&](std::string_view ending) { return path.ends_with(ending); });
  if (packed) {
    return fail({ErrorCode::unsupported,
                 path,
                 "is compressed or binary: its size is not that of its text",
                 "give the size of the plain text instead, like --corpus 40GB"});
  }
  return files.size(path).map([](std::uint64_t bytes) { return static_cast<double>(bytes) * kByte; });
}

Result<Bytes> size_of_path(const Files& files, const std::string& path) {
  if (files.kind(path) != PathKind::directory) {
    return size_of_file(files, path);
  }
  constexpr std::size_t kMostFiles = 1'000'000;
  const Result<std::vector<std::string>> names = files.list(path, kMostFiles);
  if (!names) {
    return fail(names.error());
  }
  Bytes total;
  for (const std::string& name : *names) {
    const Result<Bytes> size = size_of_file(files, join_path(path, name));
    if (!size) {
      return size;
    }
    total = total + *size;
  }
  return total > Bytes{} ? Result<Bytes>(total)
                         : fail({ErrorCode::invalid_input, path, "holds no text", "name a folder of text files"});
}

}  // namespace

Result<std::vector<TextDensity>> text_densities(const Context& context) {
  return read_text_densities(find_document(*context.catalog, kDensityPath).value_or(""), kDensityPath);
}

Result<CountedJob> with_corpus_tokens(const Context& context, Job job, const Arch& arch) {
  const Result<std::vector<TextDensity>> densities = text_densities(context);
  if (!densities) {
    return fail(densities.error());
  }
  if (!job.corpus.path.empty()) {
    const Result<Bytes> size = size_of_path(*context.world->files, job.corpus.path);
    if (!size) {
      return fail(size.error());
    }
    job.corpus.size = *size;
  }
  Result<std::optional<CorpusReading>> reading = read_corpus(job, arch, *densities);
  if (!reading) {
    return fail(reading.error());
  }
  if (*reading) {
    job.tokens = std::max<std::int64_t>(1, std::llround((*reading)->tokens.mid / kToken));
  }
  return CountedJob{std::move(job), std::move(*reading)};
}

}  // namespace mekiki
