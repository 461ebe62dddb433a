// From a size of text to a number of tokens: how many bytes of text one token stands for follows from tokenizer and
// language. Data: data/reference/bytes_per_token.csv, measured on documents or, for tokenizers that nobody measured,
// the range of all measured ones of that size.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/date.h"
#include "base/estimate.h"
#include "base/result.h"
#include "job/job.h"
#include "model/arch.h"

namespace mekiki {

using BytesPerToken = Quantity<Dimension{.byte = 1, .token = -1}>;

/// One tokenizer in one language. The band holds eight of ten bytes of the documents that were measured.
struct TextDensity {
  std::string tokenizer;
  std::vector<std::string> families;  // of models that use it; "*": any
  std::int64_t vocab_from = 0, vocab_to = 0;
  TextLanguage language = TextLanguage::en;
  Estimate<BytesPerToken> density;  // of UTF-8
  std::string confidence;           // medium, low
  Date as_of;
  std::string source;
};

/// Errors: those of parse_csv_of; invalid_input with the line for a language, a basis, a confidence or a date that is
/// none, a range of vocabularies or a band that is not in order.
Result<std::vector<TextDensity>> read_text_densities(std::string_view csv, std::string_view subject);

/// The row of a model's tokenizer: one that names its family before one for any, the first in the table. Null: none.
const TextDensity* density_of(std::span<const TextDensity> rows, const Arch& arch, TextLanguage language);

/// A corpus as tokens of one model.
struct CorpusReading {
  Bytes size;  // of one pass
  TextLanguage language = TextLanguage::en;
  double epochs = 1;
  TextDensity density;
  Estimate<Tokens> tokens;          // over all epochs
  std::optional<TextDensity> best;  // the measured tokenizer that needs fewest tokens for this language
  double against_best = 1;          // times as many tokens as that one needs, at mid values

  /// The band as factors of the mid value.
  Band band() const { return {tokens.low / tokens.mid, tokens.high / tokens.mid}; }
};

/// What the job says of its text. Unset: it speaks of none. Errors: conflict where it gives tokens too, invalid_input
/// where language or size are missing or `epochs` stands alone, not_found where no row speaks of the language; each
/// with the job key as its subject. `corpus.size` must be set where a path is: the caller has looked.
Result<std::optional<CorpusReading>> read_corpus(const Job& job, const Arch& arch, std::span<const TextDensity> rows);

/// How poorly the model's tokenizer serves a language, without a corpus: times as many tokens as the best measured one
/// needs. Unset: no row speaks of it.
struct Fertility {
  TextDensity density, best;
  double factor = 1;
};
std::optional<Fertility> fertility_of(std::span<const TextDensity> rows, const Arch& arch, TextLanguage language);

}  // namespace mekiki
