#include "cli/here_source.h"

#include <utility>

namespace mekiki {
namespace {

constexpr std::size_t kOutputLimit = std::size_t{16} << 20;

// Reading torch's version loads it, which takes a while on a cold disk.
constexpr Seconds kToolLimit{60.0};

InventoryText from_folder(const Files& files, const std::string& folder, const InventorySource& source) {
  Result<std::string> text = files.read(join_path(folder, source.saved), kOutputLimit);
  if (text) {
    return {source.part, std::move(*text), {}};
  }
  const bool missing = text.error().code == ErrorCode::not_found;
  return {source.part, std::nullopt, missing ? "nothing was saved" : text.error().message};
}

InventoryText from_machine(const World& world, const InventorySource& source) {
  if (source.command.empty()) {
    Result<std::string> text = world.files->read(std::string(source.path), kOutputLimit);
    return text ? InventoryText{source.part, std::move(*text), {}}
                : InventoryText{source.part, std::nullopt, std::string(source.path) + ": " + text.error().message};
  }
  const std::string& tool = source.command.front();
  if (world.process == nullptr) {
    return {source.part, std::nullopt, tool + ": no program may be run"};
  }
  Result<ProcessOutput> done = world.process->run(source.command, kToolLimit);
  if (!done) {
    return {source.part, std::nullopt, tool + ": " + done.error().message};
  }
  // A driver that does not answer says so on either stream; the reader of GPUs tells it as a fault.
  if (source.part == InventoryPart::gpus) {
    return {source.part, done->output + done->talk, {}};
  }
  if (done->exit_code != 0) {
    return {source.part, std::nullopt, tool + ": exit code " + std::to_string(done->exit_code)};
  }
  return {source.part, std::move(done->output), {}};
}

}  // namespace

Result<Inventory> read_here(const Context& context, const Arguments& arguments) {
  const World& world = *context.world;
  const std::string* folder = arguments.value("from");
  if (folder != nullptr && world.files->kind(*folder) != PathKind::directory) {
    return fail({ErrorCode::not_found, *folder, "is no folder", "save the outputs that `mekiki here --help` names"});
  }
  std::vector<InventoryText> texts;
  for (const InventorySource& source : inventory_sources()) {
    InventoryText text = folder != nullptr ? from_folder(*world.files, *folder, source) : from_machine(world, source);
    // Of a folder, only what was saved was asked.
    if (folder == nullptr || text.text || source.part != InventoryPart::gpus) {
      texts.push_back(std::move(text));
    }
  }
  return read_inventory(texts);
}

Result<std::shared_ptr<const HereCatalog>> catalog_with_here(const Context& context,
                                                             const Arguments& arguments,
                                                             const std::string& system) {
  if (system != kHereId) {
    return nullptr;
  }
  const Result<Inventory> inventory = read_here(context, arguments);
  if (!inventory) {
    return fail(inventory.error());
  }
  return with_machine(*context.catalog, *inventory);
}

}  // namespace mekiki
