// How a reader turns the settings of another tool into a job: a table says what each key means; what takes several keys
// together is decided afterwards. Whatever is not understood becomes a note.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "job/job_request.h"
#include "job/readers/setting.h"

namespace mekiki {

/// A word of theirs and the value of ours that it means; empty: understood, and nothing follows from it.
struct Translation {
  std::string_view theirs;
  std::string_view ours;
};

enum class Treatment : std::uint8_t {
  copied,        // the value as it is
  above_one,     // a number that says something only from 2: sizes of parallel groups
  translated,    // by the words of the rule; several rules of one key add up
  combined,      // read together with other keys
  run_length,    // steps and epochs
  not_modelled,  // noted unless it is off (no, false, 0, none)
};

struct KeyRule {
  std::string_view key;  // one "*" stands for anything
  Treatment treatment = Treatment::combined;
  std::string_view ours;  // a key of job_keys.h
  std::span<const Translation> words;
};

/// Rules and keys that matter neither for memory nor for time.
struct KeyTable {
  std::span<const KeyRule> rules;
  std::span<const std::string_view> harmless;
};

/// Texts of files that a job file names, by the path that it names them with; unset: could not be read.
using References = std::map<std::string, std::optional<std::string>, std::less<>>;

class Draft {
 public:
  Draft(const SettingsFile& file, const References& references) : file_(&file), references_(&references) {}

  const SettingsFile& file() const { return *file_; }

  /// The last setting of the key that has a value; null: none has.
  const Setting* find(std::string_view key) const;
  /// Its value; empty where there is none.
  std::string_view text(std::string_view key) const;
  bool is_on(std::string_view key) const;
  /// Whether a word of a command line that belongs to no option is this, or ends in "/this".
  bool has_word(std::string_view word) const;

  /// Sets a key of ours to what a line says. A value that cannot be read becomes a note.
  void set(std::string_view ours, std::string_view value, const Setting& said);
  /// Sets a key of ours, if it is not set, to what the other tool takes when nothing is said.
  void set_default(std::string_view ours, std::string_view value);
  /// The profile so far; empty: not decided.
  std::string_view framework() const { return request_.job.framework; }
  bool sets(std::string_view ours) const { return request_.origins.contains(ours); }
  void note(JobFileNoteKind kind, const Setting& setting);
  /// Drops the notes on a key, because another key explains it.
  void drop_notes(std::string_view key);

  /// The text of a file that the job names; null: it is not at hand, and a note says so.
  const std::string* reference(const Setting& said);
  /// Lets `read` work on the settings of such a file as on the job's own; what it sets and notes has its places there.
  void read_reference(const Setting& said, void (*read)(Draft&));

  /// Goes through the settings once; a key that none of the tables has becomes a note.
  void apply(std::initializer_list<KeyTable> tables);

  struct Result {
    JobRequest request;
    std::vector<std::string> wanted;  // files that are named and were not handed over
  };
  Result take() { return {std::move(request_), std::move(wanted_)}; }

 private:
  const SettingsFile* file_;
  const References* references_;
  JobRequest request_;
  std::vector<std::string> wanted_;
};

/// Case ignored; yes, on, true and 1 are one word, and no, off, false and 0.
bool same_word(std::string_view left, std::string_view right);
/// no, off, false, 0, none, null, disabled, or nothing.
bool is_off(std::string_view value);
/// A whole number from 1; unset for anything else.
std::optional<std::int64_t> whole_number(std::string_view value);

}  // namespace mekiki
