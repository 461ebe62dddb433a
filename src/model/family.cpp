#include "model/family.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/did_you_mean.h"
#include "base/json.h"
#include "model/count.h"
#include "model/exact_count.h"
#include "model/quantization.h"

namespace mekiki {
namespace {

constexpr std::array<std::string_view, 4> kOtherHeads = {
    "ForSequenceClassification", "ForTokenClassification", "ForQuestionAnswering", "ForRewardModel"};

std::vector<std::string_view> known_model_types() {
  std::vector<std::string_view> known;
  for (const Family& family : families()) {
    known.insert(known.end(), family.model_types.begin(), family.model_types.end());
  }
  return known;
}

bool shares_prefix(std::string_view a, std::string_view b) {
  const std::size_t length = std::min<std::size_t>({a.size(), b.size(), 4});
  return length >= 3 && a.substr(0, length) == b.substr(0, length);
}

/// The supported types nearest to an unknown one: slips first, then relatives by name, then a list of all.
std::string supported_hint(std::string_view unknown) {
  const std::vector<std::string_view> known = known_model_types();
  std::vector<std::string_view> nearest = nearest_words(unknown, known);
  for (const std::string_view type : known) {
    if (nearest.size() < 3 && shares_prefix(type, unknown) &&
        std::find(nearest.begin(), nearest.end(), type) == nearest.end()) {
      nearest.push_back(type);
    }
  }
  const std::vector<std::string_view>& shown = nearest.empty() ? known : nearest;
  std::string hint = nearest.empty() ? "supported: " : "nearest supported: ";
  for (const std::string_view type : shown) {
    hint += (type == shown.front() ? "" : ", ") + std::string(type);
  }
  return hint;
}

bool contains(std::span<const std::string_view> words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

template <class Matches>
const Family* find_family(Matches matches) {
  const std::span<const Family> all = families();
  const auto found = std::find_if(all.begin(), all.end(), matches);
  return found == all.end() ? nullptr : &*found;
}

const Family* family_of_classes(const std::vector<std::string_view>& classes) {
  return find_family([&](const Family& family) {
    return std::any_of(
        classes.begin(), classes.end(), [&](std::string_view name) { return contains(family.architectures, name); });
  });
}

/// null where a problem was recorded.
const Family* choose_family(ConfigReader& config) {
  const std::vector<std::string_view> classes = config.texts("architectures");
  for (const std::string_view name : classes) {
    for (const std::string_view head : kOtherHeads) {
      if (name.ends_with(head)) {
        config.refuse_unsupported("architectures",
                                  std::string(name) + " has another head than a language model",
                                  "give the config of the causal language model");
      }
    }
  }
  if (config.has("model_type")) {
    const std::string_view type = config.text("model_type", "");
    const Family* family = find_family([&](const Family& candidate) { return contains(candidate.model_types, type); });
    if (family == nullptr) {
      config.refuse_unsupported(
          "model_type", "model type \"" + std::string(type) + "\" is not supported", supported_hint(type));
    }
    return family;
  }
  const Family* family = family_of_classes(classes);
  if (family == nullptr && !classes.empty()) {
    config.refuse_unsupported("architectures",
                              "architecture \"" + std::string(classes.front()) + "\" is not supported",
                              supported_hint(classes.front()));
  } else if (family == nullptr) {
    config.refuse("model_type", "is missing, and so is architectures", "is this the config.json of a model?");
  }
  return family;
}

/// The problem that makes a count meaningless, if any.
void check_counts(ConfigReader& config, const Arch& arch) {
  if (count_weights(arch).stored >= kCountCeiling) {
    config.refuse("", "describes more than 9e15 weights", "check its dimensions for slips");
  }
}

}  // namespace

Result<ParsedModel> read_config(std::string_view json_text, std::string_view subject) {
  const auto root = parse_json(json_text, subject, {.non_finite = NonFiniteNumbers::read_as_null});
  if (!root) {
    return fail(root.error());
  }
  ReadLog log;
  ConfigReader config(*root, std::string(subject) + ":", log);
  if (!root->is_object()) {
    return fail({ErrorCode::invalid_input, std::string(subject), "is no JSON object", {}});
  }
  const Family* family = choose_family(config);
  if (config.failed()) {
    return fail(*log.first_error);
  }
  Result<Arch> arch = family->read(config);
  if (!arch) {
    return fail(arch.error());
  }
  arch->family = family->id;
  arch->names.known = has_checked_names(family->id);
  const Quantization quantization = read_quantization(config, *arch);
  arch->stored_differences = quantization.scales;
  check_counts(config, *arch);
  if (config.failed()) {
    return fail(*log.first_error);
  }
  ParsedModel parsed{std::move(*arch), std::move(log.warnings)};
  if (!quantization.method.empty()) {
    parsed.warnings.push_back({ConfigWarningKind::quantized_checkpoint,
                               json_path(std::string(subject) + ":", "quantization_config"),
                               quantization.method});
  }
  const std::vector<ConfigWarning> unread = unread_keys(log);
  parsed.warnings.insert(parsed.warnings.end(), unread.begin(), unread.end());
  return parsed;
}

}  // namespace mekiki
