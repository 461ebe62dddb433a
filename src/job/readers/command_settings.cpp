#include <algorithm>
#include <cctype>
#include <utility>

#include "job/file_text.h"
#include "job/readers/setting.h"
#include "job/readers/shell_words.h"

namespace mekiki {
namespace {

bool is_option(const std::string& word) {
  const std::size_t name = word.starts_with("--") ? 2 : 1;
  return word.starts_with('-') && word.size() > name && std::isalpha(static_cast<unsigned char>(word[name])) != 0;
}

// A word that begins what a launcher runs, and so is no value of the launcher's last option.
bool is_program(const std::string& word) {
  return word.ends_with(".py") || word.ends_with(".yaml") || word.ends_with(".yml");
}

std::size_t options_of(const ShellCommand& command) {
  return static_cast<std::size_t>(std::count_if(
      command.words.begin(), command.words.end(), [](const ShellWord& word) { return is_option(word.text); }));
}

std::string key_of(std::string option) {
  option.erase(0, option.find_first_not_of('-'));
  std::replace(option.begin(), option.end(), '-', '_');
  return option;
}

// The option at `at` with its values; `at` is left behind them.
Setting option_at(const std::vector<ShellWord>& words, std::size_t& at) {
  const ShellWord& word = words[at++];
  const std::size_t equals = word.text.find('=');
  if (equals != std::string::npos) {
    return {key_of(word.text.substr(0, equals)), word.text.substr(equals + 1), word.position};
  }
  const bool takes_several = word.text.starts_with("--");
  std::string values;
  std::size_t count = 0;
  while (at < words.size() && !is_option(words[at].text) && (count == 0 || takes_several)) {
    if (is_program(words[at].text) && (count > 0 || words[at].text.ends_with(".py"))) {
      break;
    }
    values += (count++ == 0 ? "" : ",") + words[at++].text;
  }
  return {key_of(word.text), count == 0 ? "true" : values, word.position};
}

}  // namespace

Result<std::vector<Setting>> read_command_settings(std::string_view text,
                                                   std::string_view subject,
                                                   const SettingsLimits& limits) {
  const Result<ShellScript> script = read_shell(text, subject, limits.size);
  if (!script) {
    return fail(script.error());
  }
  const auto most =
      std::max_element(script->commands.begin(), script->commands.end(), [](const auto& left, const auto& right) {
        return options_of(left) < options_of(right);
      });
  if (most == script->commands.end() || options_of(*most) == 0) {
    return fail({ErrorCode::invalid_input, std::string(subject), "holds no command with options", ""});
  }
  std::vector<Setting> settings;
  for (const auto& [name, value] : script->variables) {
    settings.push_back({std::string(kVariablePrefix) + name, value.text, value.position});
  }
  for (const ShellCommand& command : script->commands) {
    // `set -ex` and the like are no programs that train.
    constexpr std::size_t kFewOptions = 3;
    if (&command != &*most && options_of(command) > kFewOptions) {
      settings.push_back({std::string(kFurtherCommandKey), command.words.front().text, command.words.front().position});
    }
  }
  for (std::size_t at = 0; at < most->words.size();) {
    if (is_option(most->words[at].text)) {
      settings.push_back(option_at(most->words, at));
    } else {
      settings.push_back({std::string(kWordKey), most->words[at].text, most->words[at].position});
      ++at;
    }
  }
  return settings;
}

}  // namespace mekiki
