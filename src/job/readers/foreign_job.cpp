#include "job/readers/foreign_job.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/did_you_mean.h"
#include "job/readers/formats.h"

namespace mekiki {
namespace {

constexpr std::string_view kOwnFormat = "mekiki";

// The trainer's keys stand in the files of all that sit on it; so it is asked last.
std::array<const FormatReader*, 8> readers() {
  return {&kAxolotlReader,
          &kLlamaFactoryReader,
          &kDeepspeedReader,
          &kAccelerateReader,
          &kTorchtitanReader,
          &kTorchtuneReader,
          &kMsSwiftReader,
          &kHfTrainerReader};
}

bool has_sign(const SettingsFile& file, const FormatReader& reader) {
  const References none;
  const Draft draft(file, none);
  return std::any_of(reader.signs.begin(), reader.signs.end(), [&](std::string_view sign) {
    const bool is_key = std::any_of(
        file.settings.begin(), file.settings.end(), [&](const Setting& setting) { return setting.key == sign; });
    return is_key || draft.has_word(sign) || draft.text("m") == sign || draft.text("module") == sign;
  });
}

std::string joined(const std::vector<std::string_view>& names) {
  std::string text;
  for (const std::string_view name : names) {
    text += (text.empty() ? "" : ", ") + std::string(name);
  }
  return text;
}

}  // namespace

std::vector<std::string_view> job_file_formats() {
  std::vector<std::string_view> names = {kOwnFormat};
  for (const FormatReader* reader : readers()) {
    names.push_back(reader->format);
  }
  return names;
}

Result<std::optional<std::string_view>> recognised_format(const SettingsFile& file) {
  std::vector<std::string_view> found;
  for (const FormatReader* reader : readers()) {
    const bool is_last = reader == &kHfTrainerReader;
    if ((!is_last || found.empty()) && has_sign(file, *reader)) {
      found.push_back(reader->format);
    }
  }
  if (found.size() > 1) {
    return fail({ErrorCode::conflict,
                 file.subject,
                 "has keys of several formats: " + joined(found),
                 "say which it is with --format"});
  }
  return found.empty() ? std::nullopt : std::optional<std::string_view>(found.front());
}

Result<ForeignJob> read_foreign_job(const SettingsFile& file, std::string_view format, const References& references) {
  const auto all = readers();
  const auto reader =
      std::find_if(all.begin(), all.end(), [&](const FormatReader* known) { return known->format == format; });
  if (reader == all.end()) {
    const std::vector<std::string_view> names = job_file_formats();
    const std::string near = did_you_mean(format, names);
    return fail({ErrorCode::not_found,
                 "format",
                 "there is no format \"" + std::string(format) + "\"",
                 (near.empty() ? "" : near + " ") + one_of(names)});
  }
  Draft draft(file, references);
  (*reader)->read(draft);
  Draft::Result result = draft.take();
  result.request.format = format;
  return ForeignJob{std::move(result.request), std::move(result.wanted)};
}

}  // namespace mekiki
