#include "cli/model_source.h"

#include <utility>

#include "catalog/catalog.h"
#include "model/model_index.h"
#include "model/resolve.h"

namespace mekiki {
namespace {

constexpr std::size_t kConfigLimit = std::size_t{16} << 20;

Result<NamedModel> read_config_file(const Context& context, const std::string& path) {
  const Result<std::string> text = context.world->files->read(path, kConfigLimit);
  if (!text) {
    return fail(text.error());
  }
  Result<ParsedModel> model = read_config(*text, path);
  if (!model) {
    return fail(model.error());
  }
  model->arch.id = path;
  return NamedModel{std::move(*model), path, ""};
}

Result<std::string_view> document(const Context& context, const std::string& path) {
  const std::optional<std::string_view> text = find_document(*context.catalog, path);
  if (!text) {
    return fail({ErrorCode::internal, path, "is not among the data", ""});
  }
  return *text;
}

Result<NamedModel> read_bundled(const Context& context, const ModelIndexRow& row) {
  const std::string path = "data/models/" + row.file;
  const Result<std::string_view> text = document(context, path);
  if (!text) {
    return fail(text.error());
  }
  Result<ParsedModel> model = read_config(*text, path);
  if (!model) {
    return fail(model.error());
  }
  if (const auto stored = find_document(*context.catalog, "data/models/stored.csv")) {
    const auto rows = parse_stored_differences(*stored, "data/models/stored.csv");
    if (!rows) {
      return fail(rows.error());
    }
    model->arch = with_stored_differences(std::move(model->arch), row.repository, *rows);
  }
  model->arch.id = row.id;
  return NamedModel{std::move(*model), row.repository, row.status};
}

}  // namespace

Result<NamedModel> read_model(const Context& context, const std::string& name) {
  const Files& files = *context.world->files;
  if (name.ends_with(".json")) {
    return read_config_file(context, name);
  }
  if (files.kind(name) == PathKind::directory) {
    return read_config_file(context, join_path(name, "config.json"));
  }
  const Result<std::string_view> text = document(context, "data/models/index.csv");
  if (!text) {
    return fail(text.error());
  }
  const auto index = parse_model_index(*text, "data/models/index.csv");
  if (!index) {
    return fail(index.error());
  }
  const Result<const ModelIndexRow*> row = resolve_model(name, *index);
  if (!row) {
    return fail(row.error());
  }
  return read_bundled(context, **row);
}

}  // namespace mekiki
