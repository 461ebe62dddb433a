#include <algorithm>

#include "catalog/catalog.h"
#include "cli/commands.h"
#include "cost/offer.h"
#include "report/catalogue_report.h"

namespace mekiki {
namespace {

// Filters name things as people do, so they are looked up like any other name. Unset: no such filter.
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
    std::string known;
    for (std::string_view word : EnumNames<PriceKind>::value) {
      known += (known.empty() ? "one of " : ", ") + std::string(word);
    }
    return fail({ErrorCode::not_found, "--kind", "\"" + *text + "\" is no kind of price", std::move(known)});
  }
  return kind;
}

std::vector<const Gpu*> all_gpus(const Catalog& catalog) {
  std::vector<const Gpu*> gpus;
  for (const Gpu& gpu : catalog.gpus) {
    gpus.push_back(&gpu);
  }
  return gpus;
}

PriceLine line_of(const Price& price, const Context& context) {
  const PriceGpu* meaning = meaning_of(price, context.catalog->price_gpus);
  const std::int64_t age = context.envelope.as_of.days - price.as_of.days;
  return {.price = &price,
          .gpu_id = meaning == nullptr ? Name{} : meaning->gpu_id,
          .gpu_reason = meaning == nullptr ? Name{} : meaning->reason,
          .age_days = age,
          .staleness = staleness_of(price.kind, age)};
}

}  // namespace

Result<Outcome> run_gpus(const Context& context, const Arguments& arguments) {
  std::vector<const Gpu*> gpus;
  for (const std::string& name : arguments.positionals) {
    const Result<const Gpu*> gpu = find_gpu(*context.catalog, name);
    if (!gpu) {
      return fail(gpu.error());
    }
    gpus.push_back(*gpu);
  }
  if (gpus.empty()) {
    gpus = all_gpus(*context.catalog);
  }
  return answer_with(
      context,
      ExitCode::ok,
      [&] { return gpus_text(gpus, context.say); },
      [&] { return gpus_json(gpus, context.envelope); });
}

Result<Outcome> run_systems(const Context& context, const Arguments& arguments) {
  const auto gpu = gpu_filter(context, arguments);
  if (!gpu) {
    return fail(gpu.error());
  }
  const auto provider = provider_filter(context, arguments);
  if (!provider) {
    return fail(provider.error());
  }
  std::vector<const System*> systems;
  for (const std::string& name : arguments.positionals) {
    const Result<const System*> system = find_system(*context.catalog, name);
    if (!system) {
      return fail(system.error());
    }
    systems.push_back(*system);
  }
  for (const System& system : context.catalog->systems) {
    const bool wanted = (!*gpu || system.gpu_id == **gpu) && (!*provider || system.provider == **provider);
    if (arguments.positionals.empty() && wanted) {
      systems.push_back(&system);
    }
  }
  return answer_with(
      context,
      ExitCode::ok,
      [&] { return systems_text(systems, context.say); },
      [&] { return systems_json(systems, context.envelope); });
}

Result<Outcome> run_prices_list(const Context& context, const Arguments& arguments) {
  const auto gpu = gpu_filter(context, arguments);
  if (!gpu) {
    return fail(gpu.error());
  }
  const auto provider = provider_filter(context, arguments);
  if (!provider) {
    return fail(provider.error());
  }
  const auto kind = kind_filter(arguments);
  if (!kind) {
    return fail(kind.error());
  }
  std::vector<PriceLine> lines;
  for (const Price& price : context.catalog->prices) {
    const PriceLine line = line_of(price, context);
    // A price that nobody knew on that day is no part of the answer.
    const bool known = price.as_of <= context.envelope.as_of;
    if (known && (!*gpu || line.gpu_id == **gpu) && (!*provider || price.provider == **provider) &&
        (!*kind || price.kind == **kind)) {
      lines.push_back(line);
    }
  }
  return answer_with(
      context,
      ExitCode::ok,
      [&] { return prices_text(lines, context.say); },
      [&] { return prices_json(lines, context.envelope); });
}

}  // namespace mekiki
