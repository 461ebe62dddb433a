#include "cost/api_price.h"

#include <algorithm>

#include "base/amount.h"
#include "base/csv.h"

namespace mekiki {
namespace {

constexpr Tokens kMillionTokens{1e6};

struct KindWord {
  std::string_view word;
  ApiPriceKind kind;
};

constexpr KindWord kKinds[] = {{"inference", ApiPriceKind::inference},
                               {"inference of a fine-tuned model", ApiPriceKind::tuned_inference},
                               {"fine-tuning", ApiPriceKind::fine_tuning},
                               {"gateway", ApiPriceKind::gateway}};

/// Access by column; the first thing that goes wrong stays.
class ApiRow {
 public:
  ApiRow(const CsvTable& table, const CsvRow& row) : table_(table), row_(row) {}

  std::string text(std::string_view column) {
    const std::optional<std::size_t> place = column_of(table_, column);
    note(!place, "there is no column " + std::string(column));
    return place ? row_.fields[*place] : std::string();
  }

  std::optional<UsdPerToken> price(std::string_view column) {
    const std::string field = text(column);
    if (field.empty()) {
      return std::nullopt;
    }
    const Result<double> value = parse_number(field);
    note(!value || *value < 0, field + " is no price");
    return value ? std::optional(Usd{*value} / kMillionTokens) : std::nullopt;
  }

  ApiPriceKind kind() {
    const std::string field = text("kind");
    const auto found =
        std::find_if(std::begin(kKinds), std::end(kKinds), [&](const KindWord& known) { return known.word == field; });
    note(found == std::end(kKinds), "\"" + field + "\" is no kind of price");
    return found == std::end(kKinds) ? ApiPriceKind::inference : found->kind;
  }

  std::optional<Date> date() {
    const std::string field = text("as_of");
    if (field == "undated") {
      return std::nullopt;
    }
    constexpr std::size_t kYearAlone = 4;
    const Result<Date> date = parse_date(field.size() == kYearAlone ? field + "-12-31" : field);
    note(!date, "\"" + field + "\" is neither a date nor \"undated\"");
    return date ? std::optional(*date) : std::nullopt;
  }

  const std::string& problem() const { return problem_; }

 private:
  void note(bool wrong, std::string message) {
    if (wrong && problem_.empty()) {
      problem_ = std::move(message);
    }
  }

  const CsvTable& table_;
  const CsvRow& row_;
  std::string problem_;
};

using PriceField = std::optional<UsdPerToken> ApiPrice::*;

/// Rows with a dated price above 0 of these kinds, cheapest first.
std::vector<const ApiPrice*> priced_rows(std::span<const ApiPrice> prices,
                                         PriceField field,
                                         ApiPriceKind kind,
                                         Date day) {
  std::vector<const ApiPrice*> rows;
  for (const ApiPrice& price : prices) {
    // What writes nothing, an embedding, is no model to compare with.
    const bool writes = kind != ApiPriceKind::inference || (price.output && *price.output > UsdPerToken{});
    const bool known = price.as_of && *price.as_of <= day && writes;
    if (known && price.kind == kind && price.*field && *(price.*field) > UsdPerToken{}) {
      rows.push_back(&price);
    }
  }
  std::stable_sort(
      rows.begin(), rows.end(), [&](const ApiPrice* a, const ApiPrice* b) { return *(a->*field) < *(b->*field); });
  return rows;
}

std::optional<ApiCost> cost_at(const std::vector<const ApiPrice*>& rows, PriceField field, Tokens tokens) {
  if (rows.empty()) {
    return std::nullopt;
  }
  return ApiCost{.low = *(rows.front()->*field) * tokens,
                 .high = *(rows.back()->*field) * tokens,
                 .cheapest = *rows.front(),
                 .dearest = *rows.back(),
                 .rows = static_cast<std::int64_t>(rows.size())};
}

}  // namespace

Result<std::vector<ApiPrice>> read_api_prices(std::string_view csv, std::string_view subject) {
  const Result<CsvTable> table = parse_csv(csv, subject);
  if (!table) {
    return fail(table.error());
  }
  std::vector<ApiPrice> prices;
  for (const CsvRow& row : table->rows) {
    ApiRow view(*table, row);
    prices.push_back({.provider = view.text("provider"),
                      .model = view.text("model"),
                      .kind = view.kind(),
                      .input = view.price("input_usd_per_1m"),
                      .output = view.price("output_usd_per_1m"),
                      .training = view.price("training_usd_per_1m"),
                      .as_of = view.date(),
                      .source = view.text("source")});
    if (!view.problem().empty()) {
      return fail({ErrorCode::invalid_input,
                   std::string(subject) + ":" + std::to_string(row.line),
                   view.problem(),
                   "data/README.md says what the columns hold"});
    }
  }
  return prices;
}

ApiEstimate api_estimate(std::span<const ApiPrice> prices, Tokens tokens, std::optional<Usd> run_cost, Date day) {
  const auto tuned = priced_rows(prices, &ApiPrice::training, ApiPriceKind::fine_tuning, day);
  const auto read = priced_rows(prices, &ApiPrice::input, ApiPriceKind::inference, day);
  const auto written = priced_rows(prices, &ApiPrice::output, ApiPriceKind::inference, day);
  ApiEstimate estimate{.tokens = tokens,
                       .tuned = cost_at(tuned, &ApiPrice::training, tokens),
                       .read = cost_at(read, &ApiPrice::input, tokens),
                       .written = cost_at(written, &ApiPrice::output, tokens)};
  if (run_cost && !read.empty()) {
    estimate.break_even_read = *run_cost / *read[read.size() / 2]->input;
  }
  return estimate;
}

}  // namespace mekiki
