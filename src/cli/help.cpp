#include "cli/help.h"

#include <algorithm>

#include "report/display_width.h"
#include "report/table.h"

namespace mekiki {
namespace {

constexpr std::size_t kLineWidth = 100;
constexpr std::size_t kWidestFlag = 36;

std::string usage_line(const Command& command, const Voice& say) {
  std::string text = std::string(say(Message::help_usage)) + ": mekiki " + std::string(command.name);
  if (!command.positionals.empty()) {
    text += " " + std::string(command.positionals);
  }
  return text + " [--FLAG VALUE]...\n";
}

std::string_view message(std::string_view id, const Voice& say) {
  return say(message_of(id));
}

std::string flag_lines(const std::vector<Flag>& flags, FlagGroup group, const Voice& say) {
  std::string text;
  const std::string indent(kWidestFlag, ' ');
  for (const Flag& flag : flags) {
    if (flag.group != group) {
      continue;
    }
    const std::string left = padded("  " + usage_of(flag), kWidestFlag - 1, Align::left) + " ";
    text += wrapped(left + std::string(message(flag.help, say)), kLineWidth, indent) + "\n";
    if (flag.key != nullptr && flag.key->kind == JobValueKind::word) {
      std::string words;
      for (std::string_view word : flag.key->words) {
        words += (words.empty() ? "" : " | ") + std::string(word);
      }
      text += wrapped(indent + words, kLineWidth, indent) + "\n";
    }
  }
  return text;
}

constexpr FlagGroup kGroupOrder[] = {FlagGroup::command,
                                     FlagGroup::model,
                                     FlagGroup::method,
                                     FlagGroup::batch,
                                     FlagGroup::target,
                                     FlagGroup::layout,
                                     FlagGroup::numbers,
                                     FlagGroup::saving,
                                     FlagGroup::selection,
                                     FlagGroup::global};

}  // namespace

std::string program_help(std::string_view group, const Voice& say) {
  std::string text = "mekiki - " + std::string(say(Message::help_tagline)) + "\n\n" +
                     std::string(say(Message::help_usage)) + ": mekiki COMMAND [--FLAG VALUE]...\n\n" +
                     std::string(say(Message::help_commands)) + ":\n";
  std::vector<std::vector<std::string>> rows;
  for (const Command& command : commands()) {
    if (group.empty() || command.name.starts_with(std::string(group) + " ")) {
      rows.push_back({std::string(command.name), std::string(message(command_message(command.name, "summary"), say))});
    }
  }
  text += table({{""}, {""}}, rows, "  ") + "\n";
  text += std::string(message(group_message(FlagGroup::global), say)) + ":\n" +
          flag_lines(global_flags(), FlagGroup::global, say) + "\n";
  text += std::string(say(Message::help_example)) + ":\n  " +
          std::string(message(command_message(group.empty() ? "fit" : rows.front().front(), "example"), say)) + "\n\n";
  return text + wrapped(say(Message::help_values), kLineWidth, "") + "\n" +
         wrapped(say(Message::help_exit), kLineWidth, "") + "\n" + std::string(say(Message::help_more)) + "\n";
}

std::string command_help(const Command& command, const Voice& say) {
  std::string text = "mekiki " + std::string(command.name) + " - " +
                     std::string(message(command_message(command.name, "summary"), say)) + "\n\n" +
                     usage_line(command, say) + "\n" + std::string(say(Message::help_example)) + ":\n  " +
                     std::string(message(command_message(command.name, "example"), say)) + "\n";
  const std::vector<Flag> flags = flags_of(command);
  for (const FlagGroup group : kGroupOrder) {
    const std::string lines = flag_lines(flags, group, say);
    if (!lines.empty()) {
      text += "\n" + std::string(message(group_message(group), say)) + ":\n" + lines;
    }
  }
  if (command.job_flags != JobFlags::none) {
    text += "\n" + wrapped(say(Message::help_values), kLineWidth, "") + "\n";
  }
  return text;
}

}  // namespace mekiki
