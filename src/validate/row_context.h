// What every row is read against: aliases, profiles, models, the catalogue. Made once per file.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "catalog/catalog.h"
#include "catalog/kernel_rates_reader.h"
#include "validate/aliases.h"
#include "validate/row_models.h"

namespace mekiki {

struct RowContext {
  const Catalog* catalog = nullptr;  // must outlive the context
  AliasRules aliases;
  RatesBook rates;
  ArchOfText archs;
};

/// Errors: unreadable aliases, profiles, rates or model tables.
Result<RowContext> make_row_context(const Catalog& catalog,
                                    std::span<const std::string> model_texts,
                                    ModelFolder models);

/// Rates of a GPU; the spans point into the catalogue and the context. Errors: not_found.
Result<GpuRates> rates_of_gpu(const RowContext& context, const Gpu& gpu);

}  // namespace mekiki
