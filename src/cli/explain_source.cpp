#include "cli/explain_source.h"

#include <algorithm>

#include "catalog/catalog.h"
#include "explain/worksheet.h"
#include "report/worksheet_csv.h"

namespace mekiki {
namespace {

constexpr std::string_view kFormulas = "data/formulas.csv";

/// The terms of all --explain flags, each once.
Result<std::vector<Term>> asked_terms(const std::vector<std::string>& texts) {
  std::vector<Term> terms;
  for (const std::string& text : texts) {
    const Result<std::vector<Term>> read = read_terms(text);
    if (!read) {
      return fail(read.error());
    }
    for (const Term term : *read) {
      if (std::find(terms.begin(), terms.end(), term) == terms.end()) {
        terms.push_back(term);
      }
    }
  }
  return terms;
}

}  // namespace

Result<std::vector<FormulaRow>> formulas_of(const Context& context) {
  const std::optional<std::string_view> text = find_document(*context.catalog, kFormulas);
  return text ? read_formulas(*text, kFormulas)
              : fail({ErrorCode::not_found, std::string(kFormulas), "is not in the data", ""});
}

namespace {

Result<std::optional<ExplainAnswer>> read_explanations(const Context& context,
                                                       const Arguments& arguments,
                                                       const FitRequest& request,
                                                       const FitReport& report,
                                                       const KeyPlaces& places) {
  const auto asked = arguments.values.find("explain");
  if (asked == arguments.values.end()) {
    return std::nullopt;
  }
  const Result<std::vector<Term>> terms = asked_terms(asked->second);
  if (!terms) {
    return fail(terms.error());
  }
  Result<std::vector<Explanation>> explanations = explain(request, report, places, *terms);
  if (!explanations) {
    return fail(explanations.error());
  }
  Result<std::vector<FormulaRow>> formulas = formulas_of(context);
  if (!formulas) {
    return fail(formulas.error());
  }
  Result<std::vector<ProfileStatement>> statements = profile_statements(
      request.profile->id,
      [&](std::string_view path) { return find_document(*context.catalog, path); },
      report.job.era);
  if (!statements) {
    return fail(statements.error());
  }
  return ExplainAnswer{std::move(*explanations), std::move(*formulas), request.profile->id, std::move(*statements)};
}

Result<std::string> write_worksheet(const Context& context,
                                    const Arguments& arguments,
                                    const FitRequest& request,
                                    const FitReport& report,
                                    const KeyPlaces& places) {
  const std::string* file = arguments.value("worksheet");
  if (file == nullptr) {
    return std::string();
  }
  if (context.world->writer == nullptr) {
    return fail({ErrorCode::environment, *file, "nothing may be written here", ""});
  }
  const Result<std::vector<SheetRow>> rows = worksheet(request, report, places);
  if (!rows) {
    return fail(rows.error());
  }
  if (const Status written = context.world->writer->write(*file, worksheet_csv(*rows, context.say)); !written) {
    return fail(written.error());
  }
  return context.say(Message::worksheet_written, {{"file", *file}, {"rows", std::to_string(rows->size())}}) + "\n";
}

}  // namespace

Result<FitExtras> read_extras(const Context& context,
                              const Arguments& arguments,
                              const FitRequest& request,
                              const FitReport& report,
                              const KeyPlaces& places) {
  Result<std::optional<ExplainAnswer>> explained = read_explanations(context, arguments, request, report, places);
  if (!explained) {
    return fail(explained.error());
  }
  Result<std::string> talk = write_worksheet(context, arguments, request, report, places);
  if (!talk) {
    return fail(talk.error());
  }
  return FitExtras{std::move(*explained), std::move(*talk)};
}

}  // namespace mekiki
