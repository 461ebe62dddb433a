#include "validate/row_context.h"

#include <optional>

namespace mekiki {
namespace {

constexpr std::string_view kAliasFile = "data/validation/aliases.csv";

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
