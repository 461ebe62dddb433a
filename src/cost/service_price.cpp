#include "cost/service_price.h"

#include <algorithm>
#include <cctype>

#include "base/amount.h"
#include "base/csv.h"

namespace mekiki {
namespace {

constexpr Seconds kMonth{730.0 * 3600.0};

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
  });
}

std::string provider_id(std::string_view text, std::span<const Provider> providers) {
  for (const Provider& provider : providers) {
    const bool named = same_word(provider.id, text) || same_word(provider.name, text) ||
                       std::any_of(provider.aliases.begin(), provider.aliases.end(), [&](Name alias) {
                         return same_word(alias, text);
                       });
    if (named) {
      return std::string(provider.id);
    }
  }
  return {};
}

/// Access by column name; the first thing that goes wrong stays.
class RowView {
 public:
  RowView(const CsvTable& table, const CsvRow& row, std::string_view subject)
      : table_(table), row_(row), subject_(std::string(subject) + ":" + std::to_string(row.line)) {}

  std::string text(std::string_view column) {
    const std::optional<std::size_t> place = column_of(table_, column);
    if (!place) {
      note("there is no column " + std::string(column));
      return {};
    }
    return row_.fields[*place];
  }

  double price(std::string_view column) {
    const std::string field = text(column);
    const Result<double> value = parse_number(field);
    if (!value || *value < 0) {
      note(field + " is no price");
      return 0;
    }
    return *value;
  }

  /// "GB", "GiB", with `suffix` behind.
  Bytes unit(std::string_view suffix) {
    const std::string field = text("unit");
    if (field == "GB" + std::string(suffix)) {
      return kGB;
    }
    if (field == "GiB" + std::string(suffix)) {
      return kGiB;
    }
    note(field + " is neither GB nor GiB" + std::string(suffix));
    return kGB;
  }

  std::optional<Date> date() {
    const std::string field = text("as_of");
    if (field == "undated") {
      return std::nullopt;
    }
    const Result<Date> date = parse_date(field);
    if (!date) {
      note(date.error().message);
      return std::nullopt;
    }
    return *date;
  }

  const std::optional<Error>& problem() const { return problem_; }

 private:
  void note(std::string message) {
    if (!problem_) {
      problem_ = Error{ErrorCode::invalid_input, subject_, std::move(message), ""};
    }
  }

  const CsvTable& table_;
  const CsvRow& row_;
  std::string subject_;
  std::optional<Error> problem_;
};

template <class Row, class Read>
Result<std::vector<Row>> read_rows(std::string_view csv, std::string_view subject, Read read) {
  const Result<CsvTable> table = parse_csv(csv, subject);
  if (!table) {
    return fail(table.error());
  }
  std::vector<Row> rows;
  for (const CsvRow& row : table->rows) {
    RowView view(*table, row, subject);
    rows.push_back(read(view));
    if (view.problem()) {
      return fail(*view.problem());
    }
  }
  return rows;
}

}  // namespace

Result<std::vector<StoragePrice>> read_storage_prices(std::string_view csv,
                                                      std::string_view subject,
                                                      std::span<const Provider> providers) {
  return read_rows<StoragePrice>(csv, subject, [&](RowView& row) {
    return StoragePrice{.provider = provider_id(row.text("provider"), providers),
                        .service = row.text("service"),
                        .kind = row.text("kind"),
                        .rate = Usd{row.price("price_usd_per_gb_month")} / row.unit("-month") / kMonth,
                        .as_of = row.date(),
                        .source = row.text("source")};
  });
}

Result<std::vector<EgressPrice>> read_egress_prices(std::string_view csv,
                                                    std::string_view subject,
                                                    std::span<const Provider> providers) {
  return read_rows<EgressPrice>(csv, subject, [&](RowView& row) {
    return EgressPrice{.provider = provider_id(row.text("provider"), providers),
                       .path = row.text("path"),
                       .rate = Usd{row.price("price_usd_per_gb")} / row.unit(""),
                       .as_of = row.date(),
                       .source = row.text("source")};
  });
}

const StoragePrice* storage_of(std::span<const StoragePrice> prices, std::string_view provider) {
  for (const std::string_view kind : {"object", "file"}) {
    for (const StoragePrice& price : prices) {
      if (!provider.empty() && price.provider == provider && price.kind == kind) {
        return &price;
      }
    }
  }
  return nullptr;
}

const EgressPrice* egress_of(std::span<const EgressPrice> prices, std::string_view provider) {
  for (const EgressPrice& price : prices) {
    if (!provider.empty() && price.provider == provider && (price.path == "internet" || price.path == "network")) {
      return &price;
    }
  }
  return nullptr;
}

}  // namespace mekiki
