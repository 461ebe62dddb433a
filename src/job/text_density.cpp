#include "job/text_density.h"

#include <algorithm>
#include <array>

#include "base/amount.h"
#include "base/csv.h"
#include "base/words.h"

namespace mekiki {
namespace {

constexpr std::string_view kAnyFamily = "*";

/// One row; the first thing that goes wrong stays.
class DensityRow {
 public:
  DensityRow(const CsvRow& row, std::string_view subject) : row_(row), subject_(subject) {}

  Result<TextDensity> read() {
    TextDensity row{.tokenizer = field(0), .families = words_of(field(1)), .confidence = field(9)};
    row.vocab_from = count(field(2));
    row.vocab_to = count(field(3));
    row.language = word<TextLanguage>(field(4), "language");
    row.density = {number(field(5)), number(field(6)), number(field(7)), basis()};
    row.as_of = date();
    row.source = field(11);
    expect(!row.tokenizer.empty() && !row.families.empty() && !row.source.empty(), "tokenizer, families or source");
    expect(row.vocab_from <= row.vocab_to, "vocab_from and vocab_to");
    expect(row.density.low <= row.density.mid && row.density.mid <= row.density.high, "low, mid and high");
    expect(row.confidence == "medium" || row.confidence == "low", "confidence");
    return problem_.empty() ? Result<TextDensity>(std::move(row))
                            : fail({ErrorCode::invalid_input,
                                    std::string(subject_) + ":" + std::to_string(row_.line),
                                    problem_,
                                    "data/README.md says what the columns hold"});
  }

 private:
  const std::string& field(std::size_t column) const { return row_.fields[column]; }

  void expect(bool good, std::string_view what) {
    if (!good && problem_.empty()) {
      problem_ = std::string(what) + " cannot be";
    }
  }

  std::int64_t count(const std::string& text) {
    const Result<std::int64_t> value = parse_count(text);
    expect(value && *value > 0, "\"" + text + "\" as a size of a vocabulary");
    return value.value_or(1);
  }

  BytesPerToken number(const std::string& text) {
    const Result<double> value = parse_number(text);
    expect(value && *value > 0, "\"" + text + "\" bytes per token");
    return BytesPerToken{value.value_or(1.0)};
  }

  template <class E>
  E word(const std::string& text, std::string_view what) {
    const std::optional<E> value = enum_from_name<E>(text);
    expect(value.has_value(), "\"" + text + "\" as " + std::string(what));
    return value.value_or(E{});
  }

  Basis basis() {
    const std::optional<Basis> value = basis_named(field(8));
    expect(value.has_value(), "\"" + field(8) + "\" as basis");
    return value.value_or(Basis::assumed);
  }

  Date date() {
    const Result<Date> value = parse_date(field(10));
    expect(value.has_value(), "\"" + field(10) + "\" as date");
    return value.value_or(Date{});
  }

  const CsvRow& row_;
  std::string_view subject_;
  std::string problem_;
};

bool speaks_of(const TextDensity& row, std::string_view family, std::int64_t vocab_size) {
  return std::find(row.families.begin(), row.families.end(), family) != row.families.end() &&
         vocab_size >= row.vocab_from && vocab_size <= row.vocab_to;
}

const TextDensity* best_of(std::span<const TextDensity> rows, TextLanguage language) {
  const TextDensity* best = nullptr;
  for (const TextDensity& row : rows) {
    const bool measured = row.language == language && row.density.basis == Basis::measured;
    if (measured && (best == nullptr || row.density.mid > best->density.mid)) {
      best = &row;
    }
  }
  return best;
}

Error misuse(ErrorCode code, std::string key, std::string message, std::string hint) {
  return {code, std::move(key), std::move(message), std::move(hint)};
}

/// What must be said, and must not, before text can become tokens.
Status check_corpus(const Job& job) {
  const Corpus& corpus = job.corpus;
  if (!corpus.is_given()) {
    return corpus.epochs ? Status(fail(misuse(ErrorCode::invalid_input,
                                              "epochs",
                                              "there is no corpus to pass over",
                                              "give --corpus, or all tokens of the run with --tokens")))
                         : Status{};
  }
  if (job.tokens) {
    return fail(misuse(ErrorCode::conflict, "corpus", "the number of tokens is given too", "drop one of the two"));
  }
  if (!corpus.language) {
    return fail(misuse(ErrorCode::invalid_input,
                       "corpus",
                       "the number of tokens in a text depends on its language",
                       "give --corpus-language, for example --corpus-language ja"));
  }
  return corpus.size ? Status{}
                     : Status(fail(misuse(ErrorCode::invalid_input, "corpus", "its size is not known", "give a size")));
}

}  // namespace

Result<std::vector<TextDensity>> read_text_densities(std::string_view csv, std::string_view subject) {
  constexpr std::array<std::string_view, 12> kColumns = {"tokenizer",
                                                         "families",
                                                         "vocab_from",
                                                         "vocab_to",
                                                         "language",
                                                         "bytes_per_token_low",
                                                         "bytes_per_token_mid",
                                                         "bytes_per_token_high",
                                                         "basis",
                                                         "confidence",
                                                         "as_of",
                                                         "source"};
  const Result<CsvTable> table = parse_csv_of(kColumns, "bytes per token", csv, subject);
  if (!table) {
    return fail(table.error());
  }
  std::vector<TextDensity> rows;
  for (const CsvRow& row : table->rows) {
    Result<TextDensity> density = DensityRow(row, subject).read();
    if (!density) {
      return fail(density.error());
    }
    rows.push_back(std::move(*density));
  }
  return rows;
}

const TextDensity* density_of(std::span<const TextDensity> rows, const Arch& arch, TextLanguage language) {
  for (const std::string_view family : {std::string_view(arch.family), kAnyFamily}) {
    for (const TextDensity& row : rows) {
      if (row.language == language && speaks_of(row, family, arch.vocab_size)) {
        return &row;
      }
    }
  }
  return nullptr;
}

std::optional<Fertility> fertility_of(std::span<const TextDensity> rows, const Arch& arch, TextLanguage language) {
  const TextDensity* own = density_of(rows, arch, language);
  const TextDensity* best = best_of(rows, language);
  if (own == nullptr || best == nullptr) {
    return std::nullopt;
  }
  return Fertility{*own, *best, best->density.mid / own->density.mid};
}

Result<std::optional<CorpusReading>> read_corpus(const Job& job, const Arch& arch, std::span<const TextDensity> rows) {
  if (Status status = check_corpus(job); !status) {
    return fail(status.error());
  }
  if (!job.corpus.is_given()) {
    return std::nullopt;
  }
  const TextLanguage language = *job.corpus.language;
  const TextDensity* density = density_of(rows, arch, language);
  if (density == nullptr) {
    return fail(
        misuse(ErrorCode::not_found,
               "corpus_language",
               "nobody measured how many bytes a token of this model stands for in " + std::string(enum_name(language)),
               "give --tokens"));
  }
  CorpusReading reading{
      .size = *job.corpus.size, .language = language, .epochs = job.corpus.epochs.value_or(1.0), .density = *density};
  const Bytes read = reading.size * reading.epochs;
  reading.tokens = {
      read / density->density.high, read / density->density.mid, read / density->density.low, density->density.basis};
  if (const std::optional<Fertility> fertility = fertility_of(rows, arch, language)) {
    reading.best = fertility->best;
    reading.against_best = fertility->factor;
  }
  return reading;
}

}  // namespace mekiki
