#include "catalog/catalog.h"
#include "catalog/gpu_evidence.h"
#include "cli/catalogue_filters.h"
#include "cli/commands.h"
#include "cli/provider_source.h"
#include "report/catalogue_report.h"
#include "report/provider_report.h"

namespace mekiki {
namespace {

std::vector<const Gpu*> all_gpus(const Catalog& catalog) {
  std::vector<const Gpu*> gpus;
  for (const Gpu& gpu : catalog.gpus) {
    gpus.push_back(&gpu);
  }
  return gpus;
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
  const std::vector<GpuEvidence> evidence = evidence_of(*context.catalog, gpus, context.envelope.as_of);
  const std::vector<GpuContrast> differences =
      arguments.positionals.size() > 1 ? contrasts(gpus) : std::vector<GpuContrast>{};
  return answer_listing(
      context,
      arguments,
      gpus_listing(gpus, evidence, context.say),
      [&](std::size_t) {
        const std::string heading =
            differences.empty()
                ? ""
                : "\n" + context.say(Message::gpus_contrasts, {{"first", std::string(gpus.front()->id)}}) + "\n";
        return gpus_footer(context.say) + heading + contrasts_text(differences, context.say);
      },
      [&](const std::vector<std::size_t>& rows) {
        Json json = gpus_json(picked(gpus, rows), picked(evidence, rows), context.envelope);
        json["contrasts"] = contrasts_json(differences, context.say);
        return json;
      });
}

Result<Outcome> run_systems(const Context& context, const Arguments& arguments) {
  const auto gpu = gpu_filter(context, arguments);
  const auto provider = provider_filter(context, arguments);
  if (!gpu || !provider) {
    return fail(!gpu ? gpu.error() : provider.error());
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
  return answer_listing(
      context,
      arguments,
      systems_listing(systems, context.say),
      [&](std::size_t) { return systems_footer(context.say); },
      [&](const std::vector<std::size_t>& rows) { return systems_json(picked(systems, rows), context.envelope); });
}

Result<Outcome> run_providers(const Context& context, const Arguments& arguments) {
  const Result<std::vector<ProviderFact>> facts = provider_facts(context);
  if (!facts) {
    return fail(facts.error());
  }
  std::vector<std::string> names = arguments.positionals;
  if (const auto required = arguments.values.find("require"); names.empty() && required != arguments.values.end()) {
    Result<std::vector<std::string>> ids = providers_that_meet(context, *facts, required->second);
    if (!ids) {
      return fail(ids.error());
    }
    names = std::move(*ids);
  }
  std::vector<const Provider*> providers;
  for (const std::string& name : names) {
    const Result<const Provider*> provider = find_provider(*context.catalog, name);
    if (!provider) {
      return fail(provider.error());
    }
    providers.push_back(*provider);
  }
  for (const Provider& provider : context.catalog->providers) {
    if (names.empty()) {
      providers.push_back(&provider);
    }
  }
  const bool in_detail = !arguments.positionals.empty() && !arguments.has("csv");
  return answer_listing(
      context,
      arguments,
      providers_listing(providers, *facts, context.say),
      [&](std::size_t) {
        return (in_detail ? "\n" + provider_details(providers, *facts, context.say) : "") +
               providers_footer(context.say);
      },
      [&](const std::vector<std::size_t>& rows) {
        return providers_json(picked(providers, rows), *facts, context.envelope, context.say);
      });
}

}  // namespace mekiki
