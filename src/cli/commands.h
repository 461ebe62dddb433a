// The table of commands.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "catalog/catalog.h"
#include "cli/flags.h"
#include "cli/outcome.h"
#include "cli/world.h"
#include "report/fit_report.h"
#include "report/json_parts.h"
#include "report/voice.h"

namespace mekiki {

/// What was typed, after the parser.
struct Arguments {
  std::vector<std::string> positionals;
  std::map<std::string, std::vector<std::string>, std::less<>> values;  // by flag name; a switch has one empty value

  bool has(std::string_view flag) const { return values.contains(flag); }
  /// The value of a flag that is given at most once; null: not given.
  const std::string* value(std::string_view flag) const;
};

/// Everything a command needs besides its arguments.
struct Context {
  const World* world = nullptr;
  const Catalog* catalog = nullptr;
  Voice say{Language::english};
  Envelope envelope;
  bool json = false;
  bool offline = false;
  Colour colour = Colour::off;
};

/// The same with another catalogue, which must outlive the result.
inline Context on_catalog(Context context, const Catalog& catalog) {
  context.catalog = &catalog;
  context.envelope.data_digest = catalog.digest;
  return context;
}

struct Command {
  std::string_view name;         // "prices list": words of nested commands
  std::string_view positionals;  // as the usage line shows them
  std::size_t least_positionals = 0;
  std::size_t most_positionals = 0;
  JobFlags job_flags = JobFlags::none;
  std::span<const Flag> own_flags;
  Result<Outcome> (*run)(const Context&, const Arguments&) = nullptr;
};

/// All commands that exist, in the order of the help.
std::span<const Command> commands();

/// All flags of a command, global ones last.
std::vector<Flag> flags_of(const Command& command);

/// Id of a message about the command: "command.prices_list.summary".
std::string command_message(std::string_view name, std::string_view what);

// One per command; each in its own file.
Result<Outcome> run_model(const Context& context, const Arguments& arguments);
Result<Outcome> run_fit(const Context& context, const Arguments& arguments);
Result<Outcome> run_plan(const Context& context, const Arguments& arguments);
Result<Outcome> run_audit(const Context& context, const Arguments& arguments);
Result<Outcome> run_gpus(const Context& context, const Arguments& arguments);
Result<Outcome> run_systems(const Context& context, const Arguments& arguments);
Result<Outcome> run_providers(const Context& context, const Arguments& arguments);
Result<Outcome> run_prices_list(const Context& context, const Arguments& arguments);
Result<Outcome> run_prices_show(const Context& context, const Arguments& arguments);
Result<Outcome> run_prices_lint(const Context& context, const Arguments& arguments);
Result<Outcome> run_prices_import(const Context& context, const Arguments& arguments);
Result<Outcome> run_prices_diff(const Context& context, const Arguments& arguments);
Result<Outcome> run_prices_history(const Context& context, const Arguments& arguments);
Result<Outcome> run_here(const Context& context, const Arguments& arguments);
Result<Outcome> run_validate_memory(const Context& context, const Arguments& arguments);
Result<Outcome> run_validate_throughput(const Context& context, const Arguments& arguments);
Result<Outcome> run_completions(const Context& context, const Arguments& arguments);
Result<Outcome> run_man(const Context& context, const Arguments& arguments);

/// The answer in the form that was asked for. Only the form that is printed is made.
template <class ToText, class ToJson>
Outcome answer_with(const Context& context, ExitCode code, const ToText& to_text, const ToJson& to_json) {
  return {.code = code, .output = context.json ? json_text(to_json()) : to_text(), .talk = ""};
}

}  // namespace mekiki
