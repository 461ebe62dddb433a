#include "cli/parse.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <CLI/CLI.hpp>

#include "base/did_you_mean.h"

namespace mekiki {
namespace {

Error usage(std::string subject, std::string message, std::string hint) {
  return {ErrorCode::usage, std::move(subject), std::move(message), std::move(hint)};
}

std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words;
  while (true) {
    const std::size_t blank = name.find(' ');
    words.emplace_back(name.substr(0, blank));
    if (blank == std::string_view::npos) {
      return words;
    }
    name.remove_prefix(blank + 1);
  }
}

std::string near_words(std::string_view word, const std::vector<std::string>& known) {
  const std::vector<std::string_view> views(known.begin(), known.end());
  return did_you_mean(word, views);
}

// The parser of a library that we feed with the table and empty again; its defaults, help and error texts are not used.
class Parser {
 public:
  Parser() {
    app_.set_help_flag();
    app_.allow_extras();
    app_.require_subcommand(0, 1);
    for (const Flag& flag : global_flags()) {
      add_flag(app_, flag);
    }
    for (const Command& command : commands()) {
      add_command(command);
    }
  }

  Result<ParsedLine> parse(std::span<const std::string> words) {
    std::vector<std::string> reversed(words.rbegin(), words.rend());
    try {
      app_.parse(reversed);
    } catch (const CLI::ParseError& error) {
      return fail(usage("", error.what(), "mekiki --help"));
    }
    ParsedLine line;
    const CLI::App* last = &app_;
    for (const auto& [app, command] : apps_) {
      if (app->parsed()) {
        line.command = command;
        last = app;
      }
    }
    for (const auto& [app, name] : groups_) {
      line.group = line.command == nullptr && app->parsed() ? name : line.group;
    }
    Result<Arguments> arguments = collect(*last);
    if (!arguments) {
      return fail(arguments.error());
    }
    line.arguments = std::move(*arguments);
    if (Status status = check(line); !status) {
      return fail(status.error());
    }
    return line;
  }

 private:
  struct Storage {
    Flag flag;
    const CLI::App* app = nullptr;
    CLI::Option* option = nullptr;
    std::vector<std::string> values;
  };

  void add_flag(CLI::App& app, const Flag& flag) {
    storage_.push_back(std::make_unique<Storage>(Storage{flag, &app, nullptr, {}}));
    Storage& storage = *storage_.back();
    const std::string name = "--" + flag.name;
    if (flag.value.empty()) {
      storage.option = app.add_flag(flag.name == "help" ? "-h," + name : name);
    } else {
      storage.option = app.add_option(name, storage.values)->allow_extra_args(false);
    }
  }

  CLI::App* group_named(const std::string& name) const {
    const auto found =
        std::find_if(groups_.begin(), groups_.end(), [&](const auto& group) { return group.second == name; });
    return found == groups_.end() ? nullptr : found->first;
  }

  void add_command(const Command& command) {
    CLI::App* parent = &app_;
    std::string name;
    const std::vector<std::string> words = words_of(command.name);
    for (std::size_t i = 0; i < words.size(); ++i) {
      name += (name.empty() ? "" : " ") + words[i];
      CLI::App* app = group_named(name);
      if (app == nullptr) {
        app = parent->add_subcommand(words[i]);
        app->set_help_flag();
        app->allow_extras();
        app->require_subcommand(0, 1);
        app->fallthrough();
        if (i + 1 < words.size()) {
          groups_.emplace_back(app, name);
        }
      }
      parent = app;
    }
    for (const Flag& flag : job_flags(command.job_flags)) {
      add_flag(*parent, flag);
    }
    for (const Flag& flag : command.own_flags) {
      add_flag(*parent, flag);
    }
    apps_.emplace_back(parent, &command);
  }

  Result<Arguments> collect(const CLI::App& app) {
    Arguments arguments;
    for (const std::unique_ptr<Storage>& storage : storage_) {
      if (storage->option->count() == 0 || (storage->app != &app && storage->app != &app_)) {
        continue;
      }
      if (storage->option->count() > 1 && !storage->flag.repeatable && !storage->flag.value.empty()) {
        return fail(usage("--" + storage->flag.name, "is given twice", "keep one of the two"));
      }
      for (const std::string& value : storage->values) {
        if (value.starts_with("--")) {
          return fail(usage("--" + storage->flag.name, "has no value", "write it like " + usage_of(storage->flag)));
        }
      }
      arguments.values[storage->flag.name] =
          storage->flag.value.empty() ? std::vector<std::string>{""} : storage->values;
    }
    for (const std::string& word : app_.remaining(true)) {
      if (word != "--") {
        arguments.positionals.push_back(word);
      }
    }
    return arguments;
  }

  static Status check(const ParsedLine& line) {
    const Arguments& arguments = line.arguments;
    for (const std::string& word : arguments.positionals) {
      if (word.size() > 1 && word.starts_with('-')) {
        return fail(unknown_flag(word, line.command));
      }
    }
    if (line.command == nullptr) {
      return arguments.positionals.empty() ? Status{}
                                           : fail(unknown_command(arguments.positionals.front(), line.group));
    }
    if (arguments.has("help") || arguments.has("version")) {
      return {};
    }
    if (arguments.positionals.size() < line.command->least_positionals) {
      return fail(usage(std::string(line.command->name),
                        "needs " + std::string(line.command->positionals),
                        "mekiki " + std::string(line.command->name) + " --help"));
    }
    if (arguments.positionals.size() > line.command->most_positionals) {
      return fail(usage(arguments.positionals[line.command->most_positionals],
                        "is one word too many",
                        "mekiki " + std::string(line.command->name) + " --help"));
    }
    return {};
  }

  static Error unknown_flag(const std::string& word, const Command* command) {
    const std::string name = word.substr(0, word.find('='));
    std::vector<std::string> known;
    for (const Flag& flag : command == nullptr ? global_flags() : flags_of(*command)) {
      known.push_back("--" + flag.name);
    }
    std::string hint = near_words(name, known);
    return usage(name, "there is no such flag", hint.empty() ? "mekiki --help" : std::move(hint));
  }

  static Error unknown_command(const std::string& word, const std::string& group) {
    std::vector<std::string> known;
    for (const Command& command : commands()) {
      known.push_back(group.empty() ? words_of(command.name).front() : words_of(command.name).back());
    }
    std::string hint = near_words(word, known);
    return usage(word, "there is no such command", hint.empty() ? "mekiki --help" : std::move(hint));
  }

  CLI::App app_;
  std::vector<std::unique_ptr<Storage>> storage_;
  std::vector<std::pair<CLI::App*, const Command*>> apps_;
  std::vector<std::pair<CLI::App*, std::string>> groups_;
};

}  // namespace

Result<ParsedLine> parse_line(std::span<const std::string> words) {
  return Parser().parse(words);
}

}  // namespace mekiki
