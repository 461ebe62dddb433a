// One reader per format.
#pragma once

#include <span>
#include <string_view>

#include "job/readers/draft.h"

namespace mekiki {

struct FormatReader {
  std::string_view format;  // its name
  /// Keys, or "key=value", or words of a command, that only this format has.
  std::span<const std::string_view> signs;
  void (*read)(Draft&) = nullptr;
};

extern const FormatReader kAxolotlReader;
extern const FormatReader kLlamaFactoryReader;
extern const FormatReader kDeepspeedReader;
extern const FormatReader kAccelerateReader;
extern const FormatReader kTorchtitanReader;
extern const FormatReader kTorchtuneReader;
extern const FormatReader kMsSwiftReader;
/// Its keys stand in files of other formats too, so it is asked last.
extern const FormatReader kHfTrainerReader;

}  // namespace mekiki
