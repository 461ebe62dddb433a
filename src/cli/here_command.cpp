#include "cli/commands.h"
#include "cli/here_source.h"
#include "report/here_report.h"

namespace mekiki {

Result<Outcome> run_here(const Context& context, const Arguments& arguments) {
  const Result<Inventory> inventory = read_here(context, arguments);
  if (!inventory) {
    return fail(inventory.error());
  }
  const HereAnswer answer{*inventory, match_machine(*inventory, *context.catalog)};
  return answer_with(
      context,
      ExitCode::ok,
      [&] { return here_text(answer, context.say); },
      [&] { return here_json(answer, context.envelope); });
}

}  // namespace mekiki
