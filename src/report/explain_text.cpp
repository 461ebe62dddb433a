#include <algorithm>

#include "report/explain_parts.h"
#include "report/explain_report.h"
#include "report/fit_parts.h"
#include "report/numbers.h"
#include "report/table.h"

namespace mekiki {
namespace {

constexpr std::size_t kLineWidth = 100;

std::string titled(Message title, std::string_view text, const Voice& say) {
  return "  " + wrapped(std::string(say(title)) + ": " + std::string(text), kLineWidth - 2, "    ") + "\n";
}

std::string joined(const std::vector<std::string>& texts) {
  std::string text;
  for (const std::string& one : texts) {
    text += (text.empty() ? "" : "; ") + one;
  }
  return text;
}

std::string formulas_text(const std::vector<const FormulaRow*>& formulas, const Voice& say) {
  std::string text;
  for (const FormulaRow* row : formulas) {
    text += titled(Message::explain_formula, row->id + " = " + formula_text(*row, say) + " (" + row->where + ")", say);
  }
  return text;
}

std::string inputs_text(const Explanation& e, const Voice& say) {
  std::vector<std::vector<std::string>> rows;
  for (const Input& input : e.inputs) {
    std::variant<std::monostate, double, std::string> value;
    std::visit([&](const auto& given) { value = given; }, input.value);
    rows.push_back({input.name, amount_text(value, input.unit, say), origin_text(input, say)});
  }
  return rows.empty() ? ""
                      : "  " + std::string(say(Message::explain_inputs)) + ":\n" +
                            table({{""}, {"", Align::right}, {""}}, rows, "    ");
}

std::string live_text(const Explanation& e, const ResolvedJob& job, const Voice& say) {
  const bool on_host = e.term == Term::host_memory;
  if (!on_host && static_cast<std::size_t>(e.term) >= kCategories) {
    return "";
  }
  if (e.live.empty()) {
    return "  " + std::string(say(Message::explain_nothing)) + "\n";
  }
  std::vector<std::vector<std::string>> rows;
  Bytes sum;
  for (const LiveItem& item : e.live) {
    sum += item.total();
    rows.push_back({byte_size(item.total()),
                    figure(item.count),
                    size_text(item, job, say),
                    std::string(item.name),
                    place_text(item, say)});
  }
  rows.push_back({byte_size(sum), "", "", std::string(say(Message::explain_sum)), ""});
  const std::string title =
      on_host ? std::string(say(Message::explain_host))
              : say(Message::explain_live, {{"moment", e.at ? moment_text(*e.at, say) : std::string()}});
  return "  " + wrapped(title + ":", kLineWidth - 2, "    ") + "\n" +
         table({{"", Align::right},
                {std::string(say(Message::explain_column_count)), Align::right},
                {std::string(say(Message::explain_column_size))},
                {std::string(say(Message::explain_column_name))},
                {std::string(say(Message::explain_column_place))}},
               rows,
               "    ");
}

std::string parts_text(const Explanation& e, const Voice& say) {
  if (e.term < Term::gemm || e.term > Term::other) {
    return "";
  }
  if (e.parts.empty()) {
    return "  " + std::string(say(Message::explain_no_parts)) + "\n";
  }
  std::vector<std::vector<std::string>> rows;
  Seconds sum;
  for (const StepPart& part : e.parts) {
    sum += part.total();
    rows.push_back({duration(part.total(), say),
                    figure(part.times),
                    duration(part.once, say),
                    work_text(part),
                    part_name(part, say),
                    part_place(part, say)});
  }
  rows.push_back({duration(sum, say), "", "", "", std::string(say(Message::explain_sum)), ""});
  return "  " + std::string(say(Message::explain_parts)) + ":\n" +
         table({{"", Align::right},
                {std::string(say(Message::explain_column_times)), Align::right},
                {std::string(say(Message::explain_column_each)), Align::right},
                {std::string(say(Message::explain_column_size))},
                {std::string(say(Message::explain_column_name))},
                {std::string(say(Message::explain_column_place))}},
               rows,
               "    ");
}

std::string limits_and_sources(const std::vector<const FormulaRow*>& formulas, const Voice& say) {
  std::vector<std::string> limits, sources;
  const auto add = [](std::vector<std::string>& list, std::string text) {
    if (!text.empty() && std::find(list.begin(), list.end(), text) == list.end()) {
      list.push_back(std::move(text));
    }
  };
  for (const FormulaRow* row : formulas) {
    for (const Message limit : row->not_modelled) {
      add(limits, std::string(say(limit)));
    }
    add(sources, row->source);
  }
  return (limits.empty() ? "" : titled(Message::explain_limits, joined(limits), say)) +
         (sources.empty() ? "" : titled(Message::explain_sources, joined(sources), say));
}

std::string one_text(const Explanation& e, const FitAnswer& fit, const ExplainAnswer& answer, const Voice& say) {
  const std::vector<const FormulaRow*> formulas = formulas_of(answer.formulas, e.term);
  const std::string value = e.term == Term::verdict && fit.fit.verdict ? spoken("verdict", *fit.fit.verdict, say)
                                                                       : amount_text(e.value, e.unit, say);
  return say(Message::explain_term, {{"term", term_name(e.term, say)}, {"value", value}}) + "\n" +
         formulas_text(formulas, say) + inputs_text(e, say) + live_text(e, fit.fit.job, say) + parts_text(e, say) +
         limits_and_sources(formulas, say);
}

bool leans_on_profile(const ExplainAnswer& answer) {
  return std::any_of(answer.explanations.begin(), answer.explanations.end(), [](const Explanation& e) {
    return std::any_of(
        e.inputs.begin(), e.inputs.end(), [](const Input& input) { return input.origin == Origin::profile; });
  });
}

std::string statements_text(const ExplainAnswer& answer, const Voice& say) {
  if (answer.statements.empty() || !leans_on_profile(answer)) {
    return "";
  }
  std::string text = "\n" + say(Message::explain_statements, {{"profile", answer.profile}}) + ":\n";
  for (const ProfileStatement& s : answer.statements) {
    text +=
        "- " + wrapped(s.about + " [" + s.source + "; " + s.status + "; " + s.file + "]", kLineWidth - 2, "  ") + "\n";
  }
  return text;
}

}  // namespace

std::string explain_text(const FitAnswer& fit, const ExplainAnswer& answer, const Voice& say) {
  std::string text = fit_heading(fit, say);
  for (const Explanation& e : answer.explanations) {
    text += "\n" + one_text(e, fit, answer, say);
  }
  return text + statements_text(answer, say);
}

}  // namespace mekiki
