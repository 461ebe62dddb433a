#include "cli/program.h"

#include <algorithm>
#include <memory>

#include "catalog/overlay.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "cli/parse.h"

namespace mekiki {
namespace {

constexpr std::size_t kDataFileLimit = std::size_t{64} << 20;
constexpr std::size_t kDataFileCount = 10'000;

bool wants_json(std::span<const std::string> words) {
  return std::find(words.begin(), words.end(), "--json") != words.end();
}

Language locale_language(const Environment& environment) {
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
    const std::optional<std::string> value = environment.variable(name);
    if (value && !value->empty()) {
      return value->starts_with("ja") ? Language::japanese : Language::english;
    }
  }
  return Language::english;
}

Result<Language> language_of(const Arguments& arguments, const Environment& environment) {
  const std::string* text = arguments.value("lang");
  if (text == nullptr) {
    return locale_language(environment);
  }
  const std::optional<Language> language = enum_from_name<Language>(*text);
  if (!language) {
    return fail({ErrorCode::not_found, "--lang", "\"" + *text + "\" is not spoken here", "en or ja"});
  }
  return *language;
}

Outcome failed(const Error& error, bool json, const Voice& say) {
  const ExitCode code = exit_code_of(error.code);
  if (json) {
    return {.code = code, .output = json_text(json_error(error))};
  }
  std::string talk = "mekiki: " + describe(error) + "\n";
  if (!error.hint.empty()) {
    talk += "  " + say(Message::error_hint, {{"hint", error.hint}}) + "\n";
  }
  return {.code = code, .talk = std::move(talk)};
}

Result<Date> as_of(const Arguments& arguments, const Clock& clock) {
  const std::string* text = arguments.value("as-of");
  if (text == nullptr) {
    return clock.today();
  }
  Result<Date> date = parse_date(*text);
  return date ? date : fail_within("--as-of", date.error());
}

/// Files of a folder as the catalogue wants them.
Result<std::vector<DataFile>> read_data(const Files& files, const std::string& folder) {
  const Result<std::vector<std::string>> paths = files.list(folder, kDataFileCount);
  if (!paths) {
    return fail(paths.error());
  }
  std::vector<DataFile> data;
  for (const std::string& path : *paths) {
    Result<std::string> text = files.read(join_path(folder, path), kDataFileLimit);
    if (!text) {
      return fail(text.error());
    }
    data.push_back({path, std::move(*text)});
  }
  return data;
}

struct Running {
  Context context;
  std::shared_ptr<const Catalog> overlaid;  // owns what context.catalog points to, where data was given
};

Result<Running> prepare(const ParsedLine& line, const World& world, Language language) {
  Running running;
  Context& context = running.context;
  context.world = &world;
  context.say = Voice(language);
  context.json = line.arguments.has("json");
  context.offline = line.arguments.has("offline");
  const std::optional<std::string> no_colour = world.environment->variable("NO_COLOR");
  context.colour = world.output_is_terminal && (!no_colour || no_colour->empty()) ? Colour::on : Colour::off;
  context.catalog = &bundled_catalog();
  if (const std::string* folder = line.arguments.value("data")) {
    const Result<std::vector<DataFile>> data = read_data(*world.files, *folder);
    if (!data) {
      return fail(data.error());
    }
    Result<std::shared_ptr<const Catalog>> overlaid = overlay(bundled_catalog(), *data);
    if (!overlaid) {
      return fail_within(join_path(*folder, ""), overlaid.error());
    }
    running.overlaid = std::move(*overlaid);
    context.catalog = running.overlaid.get();
  }
  const Result<Date> date = as_of(line.arguments, *world.clock);
  if (!date) {
    return fail(date.error());
  }
  const std::string_view verb = line.command->name.substr(0, line.command->name.find(' '));
  context.envelope = {verb, MEKIKI_VERSION, context.catalog->digest, *date};
  return running;
}

Outcome run_line(const ParsedLine& line, const World& world, bool json) {
  const Result<Language> language = language_of(line.arguments, *world.environment);
  const Voice say(language.value_or(Language::english));
  if (!language) {
    return failed(language.error(), json, say);
  }
  if (line.arguments.has("version")) {
    return {.output = "mekiki " MEKIKI_VERSION "\n"};
  }
  if (line.arguments.has("help")) {
    return {.output = line.command == nullptr ? program_help(line.group, say) : command_help(*line.command, say)};
  }
  if (line.command == nullptr) {
    return json ? failed({ErrorCode::usage, "", "no command is given", "mekiki --help"}, json, say)
                : Outcome{.code = ExitCode::usage, .talk = program_help(line.group, say)};
  }
  const Result<Running> running = prepare(line, world, *language);
  if (!running) {
    return failed(running.error(), json, say);
  }
  Result<Outcome> outcome = line.command->run(running->context, line.arguments);
  if (!outcome) {
    return failed(outcome.error(), json, say);
  }
  if (line.arguments.has("quiet")) {
    outcome->talk.clear();
  }
  return std::move(*outcome);
}

}  // namespace

ExitCode exit_code_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::usage:
      return ExitCode::usage;
    case ErrorCode::invalid_input:
    case ErrorCode::unsupported:
    case ErrorCode::not_found:
    case ErrorCode::conflict:
    case ErrorCode::io:
      return ExitCode::bad_input;
    case ErrorCode::environment:
      return ExitCode::environment;
    case ErrorCode::internal:
      return ExitCode::internal;
  }
  return ExitCode::internal;
}

Outcome run_program(std::span<const std::string> words, const World& world) {
  const bool json = wants_json(words);
  const Result<ParsedLine> line = parse_line(words);
  if (!line) {
    return failed(line.error(), json, Voice(locale_language(*world.environment)));
  }
  return run_line(*line, world, json);
}

Outcome internal_failure(std::span<const std::string> words, std::string_view what) {
  return failed({ErrorCode::internal, "", "internal error: " + std::string(what), "report it with the command line"},
                wants_json(words),
                Voice(Language::english));
}

}  // namespace mekiki
