#include "cli/history_source.h"

namespace mekiki {

Result<std::string> write_history_page(const Context& context, const Arguments& arguments, HistoryPage page) {
  const std::string* file = arguments.value("html");
  if (file == nullptr) {
    return std::string();
  }
  if (context.world->writer == nullptr) {
    return fail({ErrorCode::environment, *file, "nothing may be written here", ""});
  }
  constexpr std::int32_t kYear = 365;
  page.since = Date{context.envelope.as_of.days - kYear};
  if (const std::string* text = arguments.value("since")) {
    const Result<Date> day = parse_date(*text);
    if (!day) {
      return fail_within("--since", day.error());
    }
    page.since = *day;
  }
  const Result<std::string> text = history_page(page, context.envelope, context.say);
  if (!text) {
    return fail(text.error());
  }
  if (const Status written = context.world->writer->write(*file, *text); !written) {
    return fail(written.error());
  }
  return context.say(Message::history_page_written, {{"file", *file}, {"count", std::to_string(page.prices.size())}}) +
         "\n";
}

}  // namespace mekiki
