#include "job/allocator_settings.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "base/did_you_mean.h"

namespace mekiki {
namespace {

constexpr std::string_view kSettings[] = {"expandable_segments",
                                          "max_split_size_mb",
                                          "roundup_power2_divisions",
                                          "garbage_collection_threshold",
                                          "backend",
                                          "pinned_use_cuda_host_register",
                                          "pinned_num_register_threads",
                                          "release_lock_on_cudamalloc",
                                          "max_non_split_rounding_mb"};
constexpr std::int64_t kLeastSplitMib = 21;  // the allocator refuses less: one large segment must stay whole
constexpr double kMib = 1024.0 * 1024.0;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '"' || text.front() == '\'')) {
    text.remove_prefix(1);
  }
  while (!text.empty() && (text.back() == ' ' || text.back() == '"' || text.back() == '\'')) {
    text.remove_suffix(1);
  }
  return text;
}

Result<std::int64_t> whole_number(std::string_view name, std::string_view text) {
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size() || value < 0) {
    return fail({ErrorCode::invalid_input,
                 std::string(name),
                 "'" + std::string(text) + "' is not a whole number",
                 "write it like max_split_size_mb:512"});
  }
  return value;
}

Result<AllocatorOverrides> with_setting(AllocatorOverrides settings, std::string_view name, std::string_view value) {
  if (name == "expandable_segments") {
    if (value != "True" && value != "False" && value != "true" && value != "false") {
      return fail(
          {ErrorCode::invalid_input, std::string(name), "it is neither True nor False", "expandable_segments:True"});
    }
    settings.expandable_segments = value == "True" || value == "true";
  } else if (name == "max_split_size_mb") {
    const Result<std::int64_t> mib = whole_number(name, value);
    if (!mib) {
      return fail(mib.error());
    }
    if (*mib < kLeastSplitMib) {
      return fail({ErrorCode::invalid_input, std::string(name), "PyTorch refuses less than 21", "raise it"});
    }
    settings.max_split_size = Bytes{static_cast<double>(*mib) * kMib};
  } else if (name == "roundup_power2_divisions") {
    const Result<std::int64_t> divisions = whole_number(name, value);
    if (!divisions) {
      return fail(divisions.error());
    }
    settings.roundup_power2_divisions = *divisions;
  } else if (name == "backend" && value != "native") {
    return fail({ErrorCode::unsupported, "backend", "only the native caching allocator is modelled", "backend:native"});
  } else if (std::find(std::begin(kSettings), std::end(kSettings), name) == std::end(kSettings)) {
    return fail({ErrorCode::invalid_input,
                 std::string(name),
                 "the allocator has no such setting",
                 did_you_mean(name, std::vector<std::string_view>(std::begin(kSettings), std::end(kSettings)))});
  }
  return settings;
}

}  // namespace

Result<AllocatorOverrides> parse_allocator_settings(std::string_view text) {
  AllocatorOverrides settings;
  while (!(text = trimmed(text)).empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view item = trimmed(text.substr(0, comma));
    text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
    const std::size_t colon = item.find(':');
    if (colon == std::string_view::npos) {
      return fail({ErrorCode::invalid_input,
                   std::string(item),
                   "a setting is name:value",
                   "expandable_segments:True,max_split_size_mb:512"});
    }
    Result<AllocatorOverrides> next =
        with_setting(std::move(settings), trimmed(item.substr(0, colon)), trimmed(item.substr(colon + 1)));
    if (!next) {
      return next;
    }
    settings = std::move(*next);
  }
  return settings;
}

}  // namespace mekiki
