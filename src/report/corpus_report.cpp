#include "report/corpus_report.h"

#include "report/numbers.h"

namespace mekiki {
namespace {

std::string language_name(TextLanguage language, const Voice& say) {
  return std::string(say(message_of("language." + std::string(enum_name(language)))));
}

template <class Q>
Json band_json(const Estimate<Q>& estimate, Q unit) {
  return {{"low", rounded(estimate.low / unit)},
          {"mid", rounded(estimate.mid / unit)},
          {"high", rounded(estimate.high / unit)},
          {"basis", name(estimate.basis)}};
}

}  // namespace

std::string corpus_sentence(const std::optional<CorpusReading>& corpus, const Voice& say) {
  if (!corpus) {
    return "";
  }
  const Estimate<BytesPerToken>& density = corpus->density.density;
  const BytesPerToken one{1.0};
  return say(Message::corpus_reading,
             {{"size", figure(corpus->size / kGB)},
              {"language", language_name(corpus->language, say)},
              {"epochs", significant(corpus->epochs)},
              {"density", figure(density.mid / one)},
              {"density_low", figure(density.low / one)},
              {"density_high", figure(density.high / one)},
              {"tokenizer", corpus->density.tokenizer},
              {"basis", std::string(say(message_of("basis." + std::string(name(density.basis)))))},
              {"tokens", short_count(corpus->tokens.mid / kToken)},
              {"tokens_low", short_count(corpus->tokens.low / kToken)},
              {"tokens_high", short_count(corpus->tokens.high / kToken)}});
}

void add_corpus(Json& json, const std::optional<CorpusReading>& corpus, const Voice& say) {
  if (!corpus) {
    return;
  }
  Json item = {{"bytes", rounded(corpus->size / kByte)},
               {"language", enum_name(corpus->language)},
               {"epochs", rounded(corpus->epochs)},
               {"tokenizer", corpus->density.tokenizer},
               {"bytes_per_token", band_json(corpus->density.density, BytesPerToken{1.0})},
               {"tokens", band_json(corpus->tokens, kToken)},
               {"confidence", corpus->density.confidence},
               {"date", format_date(corpus->density.as_of)},
               {"source", corpus->density.source}};
  if (corpus->best) {
    item["times_the_best"] = rounded(corpus->against_best);
    item["best_tokenizer"] = corpus->best->tokenizer;
  } else {
    add_unknown(item, "times_the_best", say(Message::corpus_no_best));
  }
  json["corpus"] = std::move(item);
}

}  // namespace mekiki
