#include <algorithm>

#include <fmt/format.h>

#include "base/did_you_mean.h"
#include "cli/explain_source.h"
#include "cli/help.h"

namespace mekiki {
namespace {

std::string_view message(std::string_view id, const Voice& say) {
  return say(message_of(id));
}

// Text inside a manual page: a backslash and a leading dot or quote would be orders to the formatter.
std::string roff(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\') {
      escaped += "\\e";
    } else if (c == '-') {
      escaped += "\\-";
    } else {
      escaped += c;
    }
  }
  return escaped.starts_with('.') || escaped.starts_with('\'') ? "\\&" + escaped : escaped;
}

std::string roff_flags(const std::vector<Flag>& flags, const Voice& say) {
  std::string text;
  for (const Flag& flag : flags) {
    text += ".TP\n.B " + roff(usage_of(flag)) + "\n" + roff(message(flag.help, say)) + "\n";
    if (flag.key != nullptr && flag.key->kind == JobValueKind::word) {
      std::string words;
      for (std::string_view word : flag.key->words) {
        words += (words.empty() ? "" : ", ") + std::string(word);
      }
      text += "(" + roff(words) + ")\n";
    }
  }
  return text;
}

std::string words_cell(const JobKey& key) {
  if (key.kind != JobValueKind::word) {
    return std::string(enum_name(key.kind));
  }
  std::string words;
  for (std::string_view word : key.words) {
    words += (words.empty() ? "`" : ", `") + std::string(word) + "`";
  }
  return words;
}

// A cell of a Markdown table must hold no bare bar.
std::string cell(std::string text) {
  for (std::size_t bar = text.find('|'); bar != std::string::npos; bar = text.find('|', bar + 2)) {
    text.insert(bar, 1, '\\');
  }
  return text;
}

std::string own_flags_page(const Voice& say) {
  std::string text = "## Flags of single commands\n\n| command | flag | meaning |\n|---|---|---|\n";
  for (const Command& command : commands()) {
    for (const Flag& flag : command.own_flags) {
      text += "| " + std::string(command.name) + " | " + cell("`" + usage_of(flag) + "`") + " | " +
              std::string(message(flag.help, say)) + " |\n";
    }
  }
  return text;
}

std::string keys_page(const Voice& say) {
  std::string text = "## Keys of a job file\n\n" + std::string(say(Message::help_job_keys)) + "\n\n";
  text += "| key | values | meaning |\n|---|---|---|\n";
  for (const JobKey& key : job_keys()) {
    text += "| `" + std::string(key.name) + "` | " + cell(words_cell(key)) + " | " +
            std::string(message("key." + std::string(key.name), say)) + " |\n";
  }
  return text;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : " ") + word;
  }
  return text;
}

std::vector<std::string> flag_words(const Command& command) {
  std::vector<std::string> words;
  for (const Flag& flag : flags_of(command)) {
    words.push_back("--" + flag.name);
  }
  return words;
}

std::vector<std::string> first_words() {
  std::vector<std::string> words;
  for (const Command& command : commands()) {
    std::string word(command.name.substr(0, command.name.find(' ')));
    if (std::find(words.begin(), words.end(), word) == words.end()) {
      words.push_back(std::move(word));
    }
  }
  return words;
}

// The second word of nested commands, by the first.
std::string nested_words(std::string_view first) {
  std::vector<std::string> words;
  for (const Command& command : commands()) {
    if (command.name.starts_with(std::string(first) + " ")) {
      words.emplace_back(command.name.substr(first.size() + 1));
    }
  }
  return joined(words);
}

std::string bash_completions() {
  std::string cases;
  for (const std::string& first : first_words()) {
    std::string flags = nested_words(first);
    for (const Command& command : commands()) {
      if (command.name == first || command.name.starts_with(first + " ")) {
        flags += " " + joined(flag_words(command));
      }
    }
    cases += fmt::format("    {}) words=\"{}\" ;;\n", first, flags);
  }
  return "_mekiki() {\n  local word=${COMP_WORDS[COMP_CWORD]} words\n  case ${COMP_WORDS[1]} in\n" + cases +
         "    *) words=\"" + joined(first_words()) + "\" ;;\n  esac\n  [[ $COMP_CWORD -gt 1 ]] || words=\"" +
         joined(first_words()) +
         " --help --version\"\n  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n}\n"
         "complete -o default -F _mekiki mekiki\n";
}

// In single quotes of a shell a quote ends the text, so it is written apart.
std::string shell_quoted(std::string_view text, std::string_view quote) {
  std::string quoted;
  for (const char c : text) {
    quoted += c == '\'' ? std::string(quote) : std::string(1, c);
  }
  return quoted;
}

std::string fish_completions(const Voice& say) {
  std::string text;
  for (const std::string& first : first_words()) {
    text += fmt::format("complete -c mekiki -n __fish_use_subcommand -a {} -d '{}'\n",
                        first,
                        shell_quoted(message(command_message(first, "summary"), say), "\\'"));
    const std::string nested = nested_words(first);
    if (!nested.empty()) {
      text += fmt::format("complete -c mekiki -n '__fish_seen_subcommand_from {}' -f -a '{}'\n", first, nested);
    }
  }
  for (const Command& command : commands()) {
    const std::string_view last = command.name.substr(command.name.rfind(' ') + 1);
    for (const Flag& flag : flags_of(command)) {
      text += fmt::format("complete -c mekiki -n '__fish_seen_subcommand_from {}' -l {}{} -d '{}'\n",
                          last,
                          flag.name,
                          flag.value.empty() ? "" : " -r",
                          shell_quoted(message(flag.help, say), "\\'"));
    }
  }
  return text;
}

std::string zsh_completions() {
  return "#compdef mekiki\nautoload -U +X bashcompinit && bashcompinit\n" + bash_completions();
}

}  // namespace

std::string manual_page(std::string_view version, const Voice& say) {
  std::string text = ".TH MEKIKI 1 \"\" \"mekiki " + std::string(version) + "\"\n.SH NAME\nmekiki \\- " +
                     roff(say(Message::help_tagline)) +
                     "\n.SH SYNOPSIS\n.B mekiki\n.I COMMAND\n[\\-\\-FLAG VALUE]...\n" + ".SH COMMANDS\n";
  for (const Command& command : commands()) {
    text += ".TP\n.B mekiki " + std::string(command.name) +
            (command.positionals.empty() ? "" : " " + roff(command.positionals)) + "\n" +
            roff(message(command_message(command.name, "summary"), say)) + ".\n.br\n" +
            roff(message(command_message(command.name, "example"), say)) + "\n" +
            roff_flags({command.own_flags.begin(), command.own_flags.end()}, say);
  }
  text += ".SH FLAGS OF EVERY COMMAND\n" + roff_flags(global_flags(), say);
  text += ".SH JOB FLAGS\n" + roff(say(Message::help_job_keys)) + "\n" + roff_flags(job_flags(JobFlags::all), say);
  return text + ".SH VALUES\n" + roff(say(Message::help_values)) + "\n.SH EXIT STATUS\n" +
         roff(say(Message::help_exit)) + "\n";
}

std::string flags_page(const Voice& say) {
  std::string text = "# Flags and keys\n\nMade by `mekiki man --markdown`; do not edit.\n\n" +
                     std::string(say(Message::help_values)) + "\n\n## Flags of every command\n\n" +
                     "| flag | meaning |\n|---|---|\n";
  for (const Flag& flag : global_flags()) {
    text += "| " + cell("`" + usage_of(flag) + "`") + " | " + std::string(message(flag.help, say)) + " |\n";
  }
  return text + "\n" + own_flags_page(say) + "\n" + keys_page(say);
}

Result<std::string> completions(std::string_view shell, const Voice& say) {
  constexpr std::string_view kShells[] = {"bash", "zsh", "fish"};
  if (shell == kShells[0]) {
    return bash_completions();
  }
  if (shell == kShells[1]) {
    return zsh_completions();
  }
  if (shell == kShells[2]) {
    return fish_completions(say);
  }
  return fail({ErrorCode::not_found,
               std::string(shell),
               "is no shell with completions",
               did_you_mean(shell, kShells) + " bash, zsh or fish"});
}

Result<Outcome> run_completions(const Context& context, const Arguments& arguments) {
  Result<std::string> script = completions(arguments.positionals.front(), context.say);
  if (!script) {
    return fail(script.error());
  }
  return Outcome{.output = std::move(*script)};
}

Result<Outcome> run_man(const Context& context, const Arguments& arguments) {
  if (arguments.has("formulas")) {
    const Result<std::vector<FormulaRow>> formulas = formulas_of(context);
    return formulas ? Result<Outcome>(Outcome{.output = formulas_page(*formulas, context.say)})
                    : fail(formulas.error());
  }
  return Outcome{.output = arguments.has("markdown") ? flags_page(context.say)
                                                     : manual_page(context.envelope.version, context.say)};
}

}  // namespace mekiki
