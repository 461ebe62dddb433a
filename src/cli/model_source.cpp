#include "cli/model_source.h"

#include <utility>

#include "catalog/catalog.h"
#include "model/resolve.h"
#include "os/hub.h"

namespace mekiki {
namespace {

constexpr std::size_t kConfigLimit = std::size_t{16} << 20;
constexpr const char* kIndexPath = "data/models/index.csv";
constexpr const char* kStoredPath = "data/models/stored.csv";

/// `subject` names the text in errors.
Result<NamedModel> read_text(std::string text, const std::string& subject) {
  Result<ParsedModel> model = read_config(text, subject);
  if (!model) {
    return fail(model.error());
  }
  model->arch.id = subject;
  return NamedModel{std::move(*model), subject, "", std::move(text), ""};
}

Result<NamedModel> read_config_file(const Context& context, const std::string& path) {
  Result<std::string> text = context.world->files->read(path, kConfigLimit);
  return text ? read_text(std::move(*text), path) : fail(text.error());
}

Result<NamedModel> read_folder(const Context& context, const std::string& folder) {
  Result<NamedModel> model = read_config_file(context, join_path(folder, "config.json"));
  if (model) {
    model->folder = folder;
  }
  return model;
}

Result<std::string_view> document(const Context& context, const std::string& path) {
  const std::optional<std::string_view> text = find_document(*context.catalog, path);
  if (!text) {
    return fail({ErrorCode::internal, path, "is not among the data", ""});
  }
  return *text;
}

std::string text_of(const HubId& id) {
  return id.owner + "/" + id.name + (id.revision == HubId{}.revision ? "" : "@" + id.revision);
}

/// A config as a hub has it.
Result<NamedModel> read_hub(const Context& context, const HubId& id) {
  const World& world = *context.world;
  Result<HubSettings> settings = hub_settings(*world.environment, *world.files);
  if (!settings) {
    return fail(settings.error());
  }
  settings->offline = settings->offline || context.offline;
  Result<NamedModel> model = fail({});
  if (const std::optional<std::string> snapshot = cached_snapshot(id, *settings, *world.files)) {
    model = read_folder(context, *snapshot);
  } else {
    Result<HubConfig> config = hub_config(id, *settings, {world.files, world.writer, world.http});
    if (!config) {
      return fail(config.error());
    }
    model = read_text(std::move(config->text), config->source);
  }
  if (model) {
    model->model.arch.id = text_of(id);
  }
  return model;
}

/// The error of a name that is neither bundled nor on the hub: both reasons count.
Error not_found_anywhere(const Error& bundled, const Error& hub) {
  if (hub.code != ErrorCode::not_found) {
    return hub;
  }
  Error error = bundled;
  error.message += "; " + hub.subject + ": " + hub.message;
  error.hint = bundled.hint.empty() ? hub.hint : bundled.hint + "; " + hub.hint;
  return error;
}

}  // namespace

Result<std::vector<ModelIndexRow>> read_model_index(const Context& context) {
  const Result<std::string_view> text = document(context, kIndexPath);
  return text ? parse_model_index(*text, kIndexPath) : fail(text.error());
}

Result<std::vector<StoredDifferenceRow>> read_stored_differences(const Context& context) {
  const std::optional<std::string_view> text = find_document(*context.catalog, kStoredPath);
  return text ? parse_stored_differences(*text, kStoredPath) : std::vector<StoredDifferenceRow>{};
}

Result<NamedModel> read_bundled(const Context& context,
                                const ModelIndexRow& row,
                                std::span<const StoredDifferenceRow> stored) {
  const std::string path = "data/models/" + row.file;
  const Result<std::string_view> text = document(context, path);
  if (!text) {
    return fail(text.error());
  }
  Result<NamedModel> model = read_text(std::string(*text), path);
  if (!model) {
    return model;
  }
  model->model.arch = with_stored_differences(std::move(model->model.arch), row.repository, stored);
  model->model.arch.id = row.id;
  model->source = row.repository;
  model->status = row.status;
  return model;
}

Result<NamedModel> read_model(const Context& context, const std::string& name) {
  if (name.ends_with(".json")) {
    return read_config_file(context, name);
  }
  if (context.world->files->kind(name) == PathKind::directory) {
    return read_folder(context, name);
  }
  const std::optional<HubId> hub_id = parse_hub_id(name);
  if (hub_id && name.find('@') != std::string::npos) {
    return read_hub(context, *hub_id);
  }
  const auto index = read_model_index(context);
  if (!index) {
    return fail(index.error());
  }
  const Result<const ModelIndexRow*> row = resolve_model(name, *index);
  if (!row && hub_id) {
    Result<NamedModel> model = read_hub(context, *hub_id);
    return model ? std::move(model) : fail(not_found_anywhere(row.error(), model.error()));
  }
  if (!row) {
    return fail(row.error());
  }
  const auto stored = read_stored_differences(context);
  return stored ? read_bundled(context, **row, *stored) : fail(stored.error());
}

}  // namespace mekiki
