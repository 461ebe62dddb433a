#include "validate/row_context.h"

#include <optional>

#include "catalog/profile_reader.h"

namespace mekiki {
namespace {

constexpr std::string_view kAliasFile = "data/validation/aliases.csv";

Status read_profiles(const Catalog& catalog, RowContext& context) {
  for (const std::string_view id : profile_ids(catalog)) {
    Result<Profile> profile = find_profile(catalog, id);
    if (!profile) {
      return fail(profile.error());
    }
    context.profiles.emplace(id, std::move(*profile));
  }
  return {};
}

}  // namespace

Result<RowContext> make_row_context(const Catalog& catalog,
                                    std::span<const std::string> model_texts,
                                    ModelFolder models) {
  RowContext context{.catalog = &catalog};
  const std::optional<std::string_view> alias_text = find_document(catalog, kAliasFile);
  if (!alias_text) {
    return fail({ErrorCode::not_found, std::string(kAliasFile), "is not in the catalogue", ""});
  }
  Result<AliasRules> aliases = parse_alias_rules(*alias_text, kAliasFile);
  if (!aliases) {
    return fail(aliases.error());
  }
  context.aliases = std::move(*aliases);
  Result<RatesBook> rates = rates_book(catalog);
  if (!rates) {
    return fail(rates.error());
  }
  context.rates = std::move(*rates);
  if (const Status profiles = read_profiles(catalog, context); !profiles) {
    return fail(profiles.error());
  }
  Result<ArchOfText> archs = archs_of_texts(model_texts, catalog, models);
  if (!archs) {
    return fail(archs.error());
  }
  context.archs = std::move(*archs);
  return context;
}

Result<GpuRates> rates_of_gpu(const RowContext& context, const Gpu& gpu) {
  return rates_of(gpu, context.rates, *context.catalog);
}

}  // namespace mekiki
