#include "cli/catalogue_filters.h"

#include <string>

#include "base/did_you_mean.h"
#include "catalog/catalog.h"

namespace mekiki {

Result<std::optional<Name>> gpu_filter(const Context& context, const Arguments& arguments) {
  const std::string* text = arguments.value("gpu");
  if (text == nullptr) {
    return std::nullopt;
  }
  return find_gpu(*context.catalog, *text).map([](const Gpu* gpu) { return std::optional<Name>(gpu->id); });
}

Result<std::optional<Name>> provider_filter(const Context& context, const Arguments& arguments) {
  const std::string* text = arguments.value("provider");
  if (text == nullptr) {
    return std::nullopt;
  }
  return find_provider(*context.catalog, *text).map([](const Provider* provider) {
    return std::optional<Name>(provider->id);
  });
}

Result<std::optional<PriceKind>> kind_filter(const Arguments& arguments) {
  const std::string* text = arguments.value("kind");
  if (text == nullptr) {
    return std::nullopt;
  }
  const std::optional<PriceKind> kind = enum_from_name<PriceKind>(*text);
  if (!kind) {
    return fail(
        {ErrorCode::not_found, "--kind", "\"" + *text + "\" is no kind of price", one_of(EnumNames<PriceKind>::value)});
  }
  return kind;
}

ListingView listing_view(const Arguments& arguments) {
  ListingView view;
  if (const auto where = arguments.values.find("where"); where != arguments.values.end()) {
    view.where = where->second;
  }
  if (const std::string* sort = arguments.value("sort")) {
    view.sort = *sort;
  }
  if (const std::string* columns = arguments.value("columns")) {
    for (std::size_t begin = 0; begin <= columns->size();) {
      const std::size_t end = std::min(columns->find(',', begin), columns->size());
      view.columns.push_back(columns->substr(begin, end - begin));
      begin = end + 1;
    }
  }
  return view;
}

}  // namespace mekiki
