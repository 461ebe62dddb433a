#include "validate/validate.h"

#include <vector>

#include "validate/outcome.h"
#include "validate/row_context.h"
#include "validate/summary_json.h"
#include "validate/summary_text.h"

namespace mekiki {
namespace {

template <class Row>
std::vector<std::string> model_texts(const std::vector<Row>& rows) {
  std::vector<std::string> texts;
  for (const Row& row : rows) {
    if (row.known) {
      texts.push_back(row.known->model);
    }
  }
  return texts;
}

template <class Outcome, class Row>
Result<std::vector<Outcome>> outcomes_of(Result<std::vector<Row>> rows,
                                         const ValidationInput& input,
                                         const Catalog& catalog,
                                         RowContext& context) {
  if (!rows) {
    return fail(rows.error());
  }
  Result<RowContext> made = make_row_context(catalog, model_texts(*rows), input.models);
  if (!made) {
    return fail(made.error());
  }
  context = std::move(*made);
  if (!input.framework.empty()) {
    for (Row& row : *rows) {
      if (row.known) {
        row.known->framework = input.framework;
      }
    }
  }
  return predict_rows(std::span<const Row>(*rows), context);
}

OrderedJson header_json(const AnswerHeader& header, const Catalog& catalog) {
  return {{"schema_version", 1},
          {"command", "validate"},
          {"mekiki_version", header.mekiki_version},
          {"data_digest", catalog.digest},
          {"as_of", header.as_of}};
}

OrderedJson refused_json(const RowLabel& label, const Error& error) {
  return {{"id", label.id}, {"refused", describe(error)}, {"code", name(error.code)}};
}

OrderedJson row_json(const MemoryOutcome& outcome) {
  if (!outcome.prediction) {
    return refused_json(outcome.label, outcome.prediction.error());
  }
  const MemoryPrediction& prediction = *outcome.prediction;
  const MemoryReport& report = prediction.report;
  OrderedJson predicted{{"allocated_gib", number_json(report.allocated.mid / kGiB)},
                        {"reserved_gib", number_json(report.reserved.mid / kGiB)},
                        {"device_gib", number_json(report.device.mid / kGiB)},
                        {"verdict", nullptr}};
  if (prediction.verdict) {
    predicted["verdict"] = enum_name(*prediction.verdict);
  } else {
    predicted["verdict_reason"] = "no capacity is known";
  }
  const Estimate<Bytes>& estimate = estimate_for(prediction, outcome.metric);
  OrderedJson json{{"id", outcome.label.id},
                   {"predicted", std::move(predicted)},
                   {"band", {{"low", number_json(estimate.low / kGiB)}, {"high", number_json(estimate.high / kGiB)}}}};
  json["compared"] = outcome.metric == MemoryMetric::unstated ? OrderedJson(nullptr) : enum_name(outcome.metric);
  json["measured_gib"] = number_json(outcome.measured_gib);
  json["signed_error_pct"] = number_json(signed_error_pct(outcome));
  json["profile"] = prediction.profile;
  json["band_kind"] = enum_name(prediction.report.band);
  json["assumed"] = prediction.assumed;
  return json;
}

OrderedJson row_json(const ThroughputOutcome& outcome) {
  if (!outcome.prediction) {
    return refused_json(outcome.label, outcome.prediction.error());
  }
  const ThroughputPrediction& prediction = *outcome.prediction;
  OrderedJson predicted;
  for (const RateFigure figure : {RateFigure::step_time_s,
                                  RateFigure::tokens_per_s_total,
                                  RateFigure::tokens_per_s_per_gpu,
                                  RateFigure::tflops_per_gpu}) {
    predicted[std::string(enum_name(figure))] = number_json(figure_of(prediction, figure, outcome.convention));
  }
  predicted["mfu_pct"] = number_json(100.0 * prediction.report.mfu);
  const RateFigure shown = outcome.compared.value_or(RateFigure::tokens_per_s_per_gpu);
  const FigureBand band = band_of(prediction, shown, outcome.convention);
  OrderedJson json{{"id", outcome.label.id},
                   {"predicted", std::move(predicted)},
                   {"band", {{"low", number_json(band.low)}, {"high", number_json(band.high)}}}};
  json["compared"] = outcome.compared ? OrderedJson(enum_name(*outcome.compared)) : OrderedJson(nullptr);
  json["measured"] = number_json(outcome.measured);
  json["signed_error_pct"] = number_json(signed_error_pct(outcome));
  json["profile"] = prediction.profile;
  json["band_kind"] = enum_name(prediction.report.band);
  json["assumed"] = prediction.assumed;
  return json;
}

template <class Outcome>
OrderedJson rows_json(const std::vector<Outcome>& outcomes) {
  OrderedJson rows = OrderedJson::array();
  for (const Outcome& outcome : outcomes) {
    rows.push_back(row_json(outcome));
  }
  return rows;
}

template <class Outcome>
std::vector<Error> refusals_of(const std::vector<Outcome>& outcomes) {
  std::vector<Error> refusals;
  for (const Outcome& outcome : outcomes) {
    if (!outcome.prediction) {
      refusals.push_back(outcome.prediction.error());
    }
  }
  return refusals;
}

OrderedJson verdicts_json(const std::vector<MemoryOutcome>& outcomes) {
  const auto counts = verdicts(outcomes);
  OrderedJson json;
  for (std::size_t real = 0; real < counts.size(); ++real) {
    OrderedJson& row = json[std::string(EnumNames<RealOutcome>::value[real])];
    for (std::size_t v = 0; v < counts[real].by_verdict.size(); ++v) {
      row[std::string(EnumNames<Verdict>::value[v])] = counts[real].by_verdict[v];
    }
    row["unanswered"] = counts[real].unanswered;
  }
  return json;
}

/// Rows of one tier, scored as a group of their own.
OrderedJson tiers_json(const std::vector<ScoredRow>& rows) {
  OrderedJson tiers = OrderedJson::array();
  for (const std::int64_t tier : {std::int64_t{1}, std::int64_t{2}}) {
    std::vector<ScoredRow> members;
    for (const ScoredRow& row : rows) {
      if (row.label.tier == tier) {
        members.push_back(row);
      }
    }
    const Score result = score(members, GroupStatistic::median);
    OrderedJson json{{"tier", tier}, {"rows", members.size()}};
    json["groups_of_three_pct"] = number_json(result.groups_of_three.score_pct);
    json.update(figures_json(result.all_rows));
    tiers.push_back(std::move(json));
  }
  return tiers;
}

constexpr int kIndent = 1;

std::string dumped(const OrderedJson& json) {
  return json.dump(kIndent, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

Result<std::vector<MemoryOutcome>> memory_outcomes(const ValidationInput& input,
                                                   const Catalog& catalog,
                                                   RowContext& context) {
  return outcomes_of<MemoryOutcome>(read_memory_rows(input.csv_text, input.subject), input, catalog, context);
}

Result<std::vector<ThroughputOutcome>> throughput_outcomes(const ValidationInput& input,
                                                           const Catalog& catalog,
                                                           RowContext& context) {
  return outcomes_of<ThroughputOutcome>(read_throughput_rows(input.csv_text, input.subject), input, catalog, context);
}

}  // namespace

Result<std::string> validate_memory_json(const ValidationInput& input,
                                         const Catalog& catalog,
                                         const AnswerHeader& header) {
  RowContext context;
  const Result<std::vector<MemoryOutcome>> outcomes = memory_outcomes(input, catalog, context);
  if (!outcomes) {
    return fail(outcomes.error());
  }
  const std::vector<ScoredRow> rows = scored(*outcomes);
  OrderedJson answer = header_json(header, catalog);
  answer["kind"] = "memory";
  answer["rows"] = rows_json(*outcomes);
  add_score(answer, score(rows, GroupStatistic::median));
  answer["tiers"] = tiers_json(rows);
  answer["verdicts"] = verdicts_json(*outcomes);
  answer["refusals"] = refusals_json(refusals_of(*outcomes));
  return dumped(answer);
}

Result<std::string> validate_throughput_json(const ValidationInput& input,
                                             const Catalog& catalog,
                                             const AnswerHeader& header) {
  RowContext context;
  const Result<std::vector<ThroughputOutcome>> outcomes = throughput_outcomes(input, catalog, context);
  if (!outcomes) {
    return fail(outcomes.error());
  }
  OrderedJson answer = header_json(header, catalog);
  answer["kind"] = "throughput";
  answer["rows"] = rows_json(*outcomes);
  add_score(answer, score(scored(*outcomes), GroupStatistic::mean));
  answer["refusals"] = refusals_json(refusals_of(*outcomes));
  return dumped(answer);
}

Result<std::string> validate_memory_text(const ValidationInput& input, const Catalog& catalog) {
  RowContext context;
  const Result<std::vector<MemoryOutcome>> outcomes = memory_outcomes(input, catalog, context);
  if (!outcomes) {
    return fail(outcomes.error());
  }
  return score_text(score(scored(*outcomes), GroupStatistic::median)) + verdicts_text(verdicts(*outcomes));
}

Result<std::string> validate_throughput_text(const ValidationInput& input, const Catalog& catalog) {
  RowContext context;
  const Result<std::vector<ThroughputOutcome>> outcomes = throughput_outcomes(input, catalog, context);
  if (!outcomes) {
    return fail(outcomes.error());
  }
  return score_text(score(scored(*outcomes), GroupStatistic::mean));
}

}  // namespace mekiki
