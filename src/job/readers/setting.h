// A file of another tool as a flat list of settings, whatever its syntax: "training.seq_len" = "8192" at line 12.
// The doors through which YAML, JSON, TOML and command lines enter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/text_position.h"

namespace mekiki {

enum class Syntax : std::uint8_t { yaml, json, toml, command };

/// Key of a word of a command line that belongs to no option: "swift", "sft", "train.py".
inline constexpr std::string_view kWordKey = "(word)";
/// Key of a command line beyond the one that is read.
inline constexpr std::string_view kFurtherCommandKey = "(command)";
/// What the keys of environment variables begin with.
inline constexpr std::string_view kVariablePrefix = "env.";

struct Setting {
  /// Keys joined by dots; items of a list that holds more than plain values have their index: "datasets[0].path". Of
  /// options of a command line without leading dashes and with underscores for dashes.
  std::string key;
  /// Plain values of a list joined by commas. Unset: the file says null, or names the key alone.
  std::optional<std::string> value;
  TextPosition position;
  bool given_before = false;  // an earlier line has the same key; this one counts
};

struct SettingsFile {
  std::string subject;  // names the file in places
  Syntax syntax = Syntax::yaml;
  std::vector<Setting> settings;  // in the order of the file
};

struct SettingsLimits {
  std::size_t size = std::size_t{1} << 20;  // bytes
  std::size_t depth = 16;
};

/// The syntax is told from the text: an object is JSON; a line "[section]" makes TOML; a first line "key:" makes YAML;
/// options that begin with dashes make a command line or a script.
Syntax syntax_of(std::string_view text);

/// Refused: what is no UTF-8, too long or too deep, what the syntax does not allow; anchors, aliases and tags of YAML;
/// more than one document; keys that a script makes grow beyond the limit. Errors: invalid_input, with the place.
Result<SettingsFile> read_settings(std::string_view text, std::string_view subject, const SettingsLimits& limits = {});

/// The doors one by one; text and limits are checked by read_settings.
Result<std::vector<Setting>> read_yaml_settings(std::string_view text,
                                                std::string_view subject,
                                                const SettingsLimits& limits);
Result<std::vector<Setting>> read_json_settings(std::string_view text,
                                                std::string_view subject,
                                                const SettingsLimits& limits);
Result<std::vector<Setting>> read_toml_settings(std::string_view text,
                                                std::string_view subject,
                                                const SettingsLimits& limits);
Result<std::vector<Setting>> read_command_settings(std::string_view text,
                                                   std::string_view subject,
                                                   const SettingsLimits& limits);

}  // namespace mekiki
