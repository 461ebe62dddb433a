// Explanation: one term of an answer with everything that made it. Values and ids; report/ makes sentences of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/enum_names.h"
#include "explain/live_tensors.h"
#include "explain/subject.h"
#include "explain/term.h"
#include "time/step_parts.h"

namespace mekiki {

enum class Unit : std::uint8_t {
  none,
  bytes,
  seconds,
  flops,
  flops_per_second,
  bytes_per_second,
  tokens,
  tokens_per_second,
  share
};
template <>
struct EnumNames<Unit> {
  static constexpr std::array<std::string_view, 9> value = {
      "", "bytes", "s", "FLOP", "FLOP/s", "bytes/s", "tokens", "tokens/s", "share"};
};

/// Where an input comes from.
enum class Origin : std::uint8_t {
  given,      // by the user; `place` is the flag or the line of the job file
  fallback,   // nobody said it; `place` is the job key
  model,      // config of the model; `place` is the id of the model
  profile,    // of the framework; `place` is the id of the profile, `name` the key
  catalogue,  // a row of GPU or system; `place` is its id
  measured,   // a measured table; `place` is its path
  rules,      // fitted numbers for all GPUs; `place` is the path and key
  computed    // from other inputs, by a formula of its own
};
template <>
struct EnumNames<Origin> {
  static constexpr std::array<std::string_view, 8> value = {
      "given", "default", "model", "profile", "catalogue", "measured", "rules", "computed"};
};

struct Input {
  std::string name;
  std::variant<double, std::string> value;  // a number in base units, or a word
  Unit unit = Unit::none;
  Origin origin = Origin::computed;
  std::string place;
};

/// Either live tensors (memory categories) or parts of a step (causes) stand behind a term, or neither.
struct Explanation {
  Term term = Term::weights;
  std::variant<std::monostate, double, std::string> value;  // none: unknown here
  Unit unit = Unit::none;
  std::vector<Input> inputs;
  std::vector<LiveItem> live;    // largest first; adds up to the value
  std::vector<StepPart> parts;   // largest first; adds up to the value
  std::optional<PeakMoment> at;  // when the live tensors live
};

/// Errors: those of subject_of. Terms of time have no value where no step time is known.
Result<std::vector<Explanation>> explain(const FitRequest& request,
                                         const FitReport& report,
                                         const KeyPlaces& places,
                                         const std::vector<Term>& terms);

}  // namespace mekiki
