#include "cli/commands.h"
#include "validate/validate.h"

namespace mekiki {
namespace {

constexpr std::size_t kRowsLimit = std::size_t{64} << 20;
constexpr std::size_t kModelFileLimit = std::size_t{16} << 20;
constexpr std::size_t kModelFiles = 10'000;

struct RowsFile {
  std::string path;
  std::string text;
  std::vector<DataFile> models;
};

/// Its tables and configs; other files are not looked at.
Result<std::vector<DataFile>> read_model_folder(const Files& files, const std::string& folder) {
  const Result<std::vector<std::string>> paths = files.list(folder, kModelFiles);
  if (!paths) {
    return fail(paths.error());
  }
  std::vector<DataFile> models;
  for (const std::string& path : *paths) {
    if (!path.ends_with(".json") && file_name(path) != kRowModelsFile) {
      continue;
    }
    Result<std::string> text = files.read(join_path(folder, path), kModelFileLimit);
    if (!text) {
      return fail(text.error());
    }
    models.push_back({path, std::move(*text)});
  }
  return models;
}

Result<RowsFile> read_rows_file(const Context& context, const Arguments& arguments) {
  const Files& files = *context.world->files;
  RowsFile rows{.path = arguments.positionals.front()};
  const Result<std::string> text =
      rows.path == "-" ? files.read_standard_input(kRowsLimit) : files.read(rows.path, kRowsLimit);
  if (!text) {
    return fail(text.error());
  }
  rows.text = *text;
  if (const std::string* folder = arguments.value("models")) {
    Result<std::vector<DataFile>> models = read_model_folder(files, *folder);
    if (!models) {
      return fail(models.error());
    }
    rows.models = std::move(*models);
  }
  return rows;
}

using ToJson = Result<std::string> (*)(const ValidationInput&, const Catalog&, const AnswerHeader&);
using ToText = Result<std::string> (*)(const ValidationInput&, const Catalog&);

Result<Outcome> run_validation(const Context& context, const Arguments& arguments, ToJson to_json, ToText to_text) {
  const Result<RowsFile> rows = read_rows_file(context, arguments);
  if (!rows) {
    return fail(rows.error());
  }
  const std::string* framework = arguments.value("framework");
  const ValidationInput input{.csv_text = rows->text,
                              .subject = rows->path,
                              .models = rows->models,
                              .framework = framework != nullptr ? std::string_view(*framework) : std::string_view{}};
  const std::string as_of = format_date(context.envelope.as_of);
  Result<std::string> answer = context.json ? to_json(input, *context.catalog, {context.envelope.version, as_of})
                                            : to_text(input, *context.catalog);
  if (!answer) {
    return fail(answer.error());
  }
  return Outcome{.output = std::move(*answer)};
}

}  // namespace

Result<Outcome> run_validate_memory(const Context& context, const Arguments& arguments) {
  return run_validation(context, arguments, validate_memory_json, validate_memory_text);
}

Result<Outcome> run_validate_throughput(const Context& context, const Arguments& arguments) {
  return run_validation(context, arguments, validate_throughput_json, validate_throughput_text);
}

}  // namespace mekiki
