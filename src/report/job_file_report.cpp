#include "report/job_file_report.h"

#include "base/enum_names.h"

namespace mekiki {
namespace {

// "key = value (place)"; without the value where it says nothing of its own.
std::string note_text(const JobFileNote& note) {
  const bool shows_value = note.kind != JobFileNoteKind::run_length && !note.value.empty();
  return note.key + (shows_value ? " = " + note.value : "") + " (" + note.place + ")";
}

}  // namespace

std::vector<std::string> job_file_warnings(const JobFileReading& reading, const Voice& say) {
  std::vector<std::string> warnings;
  if (!reading.format.empty()) {
    warnings.push_back(say(Message::job_file_format, {{"format", reading.format}}));
  }
  for (std::size_t kind = 0; kind < EnumNames<JobFileNoteKind>::value.size(); ++kind) {
    std::string keys;
    for (const JobFileNote& note : reading.notes) {
      if (note.kind == static_cast<JobFileNoteKind>(kind)) {
        keys += (keys.empty() ? "" : "; ") + note_text(note);
      }
    }
    if (!keys.empty()) {
      warnings.push_back(
          say(message_of("job_file." + std::string(EnumNames<JobFileNoteKind>::value[kind])), {{"keys", keys}}));
    }
  }
  return warnings;
}

void add_job_file(Json& json, const JobFileReading& reading) {
  if (reading.format.empty()) {
    return;
  }
  Json notes = Json::array();
  for (const JobFileNote& note : reading.notes) {
    notes.push_back({{"kind", enum_name(note.kind)}, {"key", note.key}, {"value", note.value}, {"place", note.place}});
  }
  json["job_file"] = {{"format", reading.format}, {"notes", std::move(notes)}};
}

}  // namespace mekiki
