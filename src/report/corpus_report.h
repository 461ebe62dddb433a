// What a corpus comes to in tokens, as a sentence and as JSON.
#pragma once

#include <optional>
#include <string>

#include "job/text_density.h"
#include "report/json_parts.h"
#include "report/voice.h"

namespace mekiki {

/// One sentence: size, epochs, bytes per token with their range, tokens with theirs. Empty without a corpus.
std::string corpus_sentence(const std::optional<CorpusReading>& corpus, const Voice& say);

/// `corpus {bytes, language, epochs, tokenizer, bytes_per_token, tokens, times_the_best, best_tokenizer, confidence,
/// date, source}`; nothing without a corpus.
void add_corpus(Json& json, const std::optional<CorpusReading>& corpus, const Voice& say);

}  // namespace mekiki
