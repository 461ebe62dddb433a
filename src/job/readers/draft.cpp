#include "job/readers/draft.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/letter_case.h"
#include "job/file_text.h"
#include "job/job_keys.h"

namespace mekiki {
namespace {

bool is_one_of(const std::string& word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool means_yes(const std::string& word) {
  return is_one_of(word, {"true", "yes", "on", "1"});
}

bool means_no(const std::string& word) {
  return is_one_of(word, {"false", "no", "off", "0"});
}

bool matches(std::string_view pattern, std::string_view key) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) {
    return key == pattern;
  }
  return key.size() + 1 >= pattern.size() && key.starts_with(pattern.substr(0, star)) &&
         key.ends_with(pattern.substr(star + 1));
}

bool is_among(std::span<const std::string_view> patterns, std::string_view key) {
  return std::any_of(patterns.begin(), patterns.end(), [&](std::string_view pattern) { return matches(pattern, key); });
}

struct Understanding {
  bool key_known = false;
  bool value_asked = false;
  bool value_known = false;
};

void translate(Draft& draft, const KeyRule& rule, const Setting& setting, Understanding& understood) {
  understood.value_asked = true;
  for (const Translation& word : rule.words) {
    if (same_word(word.theirs, *setting.value)) {
      understood.value_known = true;
      if (!word.ours.empty()) {
        draft.set(rule.ours, word.ours, setting);
      }
    }
  }
}

void apply_rule(Draft& draft, const KeyRule& rule, const Setting& setting, Understanding& understood) {
  understood.key_known = true;
  switch (rule.treatment) {
    case Treatment::copied:
      return draft.set(rule.ours, *setting.value, setting);
    case Treatment::above_one:
      if (whole_number(*setting.value).value_or(0) > 1) {
        draft.set(rule.ours, *setting.value, setting);
      }
      return;
    case Treatment::translated:
      return translate(draft, rule, setting, understood);
    case Treatment::combined:
      return;
    case Treatment::run_length:
      return is_off(*setting.value) || setting.value->starts_with('-')
                 ? void()
                 : draft.note(JobFileNoteKind::run_length, setting);
    case Treatment::not_modelled:
      return is_off(*setting.value) ? void() : draft.note(JobFileNoteKind::not_modelled, setting);
  }
}

}  // namespace

bool same_word(std::string_view left, std::string_view right) {
  const std::string a = lower_case(left);
  const std::string b = lower_case(right);
  return a == b || (means_yes(a) && means_yes(b)) || (means_no(a) && means_no(b));
}

bool is_off(std::string_view value) {
  const std::string word = lower_case(value);
  return means_no(word) || is_one_of(word, {"", "none", "null", "disabled", "0.0", "[]", "{}"});
}

std::optional<std::int64_t> whole_number(std::string_view value) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  const bool whole = error == std::errc{} && end == value.data() + value.size() && number >= 1;
  return whole ? std::optional<std::int64_t>(number) : std::nullopt;
}

const Setting* Draft::find(std::string_view key) const {
  const auto& settings = file_->settings;
  const auto found = std::find_if(settings.rbegin(), settings.rend(), [&](const Setting& setting) {
    return setting.key == key && setting.value && !same_word(*setting.value, "none") &&
           !same_word(*setting.value, "null");
  });
  return found == settings.rend() ? nullptr : &*found;
}

std::string_view Draft::text(std::string_view key) const {
  const Setting* setting = find(key);
  return setting == nullptr ? std::string_view{} : std::string_view(*setting->value);
}

bool Draft::is_on(std::string_view key) const {
  return !is_off(text(key));
}

bool Draft::has_word(std::string_view word) const {
  return std::any_of(file_->settings.begin(), file_->settings.end(), [&](const Setting& setting) {
    return setting.key == kWordKey && (*setting.value == word || setting.value->ends_with("/" + std::string(word)));
  });
}

void Draft::set(std::string_view ours, std::string_view value, const Setting& said) {
  mekiki::Result<JobRequest> changed = with_value(request_, ours, value, place_in(file_->subject, said.position));
  if (!changed) {
    return note(JobFileNoteKind::unknown_value, said);
  }
  request_ = std::move(*changed);
}

void Draft::set_default(std::string_view ours, std::string_view value) {
  if (sets(ours)) {
    return;
  }
  mekiki::Result<JobRequest> changed = with_value(request_, ours, value, file_->subject);
  if (changed) {
    request_ = std::move(*changed);
  }
}

void Draft::note(JobFileNoteKind kind, const Setting& setting) {
  constexpr std::size_t kLongestValue = 80;
  JobFileNote note{kind,
                   setting.key,
                   setting.value.value_or("").substr(0, kLongestValue),
                   place_in(file_->subject, setting.position)};
  if (std::find(request_.notes.begin(), request_.notes.end(), note) == request_.notes.end()) {
    request_.notes.push_back(std::move(note));
  }
}

void Draft::drop_notes(std::string_view key) {
  std::erase_if(request_.notes, [&](const JobFileNote& note) { return note.key == key; });
}

const std::string* Draft::reference(const Setting& said) {
  const auto found = references_->find(*said.value);
  if (found != references_->end() && found->second) {
    return &*found->second;
  }
  if (found == references_->end()) {
    wanted_.push_back(*said.value);
  }
  note(JobFileNoteKind::missing_file, said);
  return nullptr;
}

void Draft::read_reference(const Setting& said, void (*read)(Draft&)) {
  const std::string* text = reference(said);
  if (text == nullptr) {
    return;
  }
  const mekiki::Result<SettingsFile> file = read_settings(*text, *said.value);
  if (!file) {
    return note(JobFileNoteKind::missing_file, said);
  }
  const SettingsFile* own = std::exchange(file_, &*file);
  read(*this);
  file_ = own;
}

void Draft::apply(std::initializer_list<KeyTable> tables) {
  for (const Setting& setting : file_->settings) {
    if (setting.key == kFurtherCommandKey) {
      note(JobFileNoteKind::further_command, setting);
      continue;
    }
    if (setting.given_before) {
      note(JobFileNoteKind::given_twice, setting);
    }
    if (setting.key == kWordKey || !setting.value || same_word(*setting.value, "none") ||
        same_word(*setting.value, "null")) {
      continue;
    }
    Understanding understood;
    for (const KeyTable& table : tables) {
      for (const KeyRule& rule : table.rules) {
        if (matches(rule.key, setting.key)) {
          apply_rule(*this, rule, setting, understood);
        }
      }
      understood.key_known = understood.key_known || is_among(table.harmless, setting.key);
    }
    if (understood.value_asked && !understood.value_known) {
      note(JobFileNoteKind::unknown_value, setting);
    } else if (!understood.key_known) {
      note(JobFileNoteKind::unknown_key, setting);
    }
  }
}

}  // namespace mekiki
