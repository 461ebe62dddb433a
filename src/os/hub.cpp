#include "os/hub.h"

#include <algorithm>

#include "base/amount.h"
#include "base/json.h"

namespace mekiki {
namespace {

constexpr std::size_t kConfigLimit = std::size_t{64} << 20;
constexpr std::size_t kSmallFileLimit = std::size_t{64} << 10;

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool is_part(std::string_view text) {
  constexpr std::size_t kLongest = 96;
  return !text.empty() && text.size() <= kLongest && is_letter_or_digit(text.front()) &&
         text.find("..") == std::string_view::npos && std::all_of(text.begin(), text.end(), [](char c) {
           return is_letter_or_digit(c) || c == '-' || c == '_' || c == '.';
         });
}

bool is_revision(std::string_view text) {
  while (true) {
    const std::size_t slash = text.find('/');
    if (!is_part(text.substr(0, slash))) {
      return false;
    }
    if (slash == std::string_view::npos) {
      return true;
    }
    text.remove_prefix(slash + 1);
  }
}

std::string replaced(std::string_view text, char what, std::string_view with) {
  std::string result;
  for (const char c : text) {
    c == what ? result.append(with) : result.append(1, c);
  }
  return result;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlanks);
  return first == std::string_view::npos ? std::string_view()
                                         : text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// A variable that is set and not empty.
std::optional<std::string> given(const Environment& environment, const char* name) {
  std::optional<std::string> value = environment.variable(name);
  return value && !value->empty() ? value : std::nullopt;
}

bool is_on(const Environment& environment, const char* name) {
  std::string value = given(environment, name).value_or("");
  std::transform(value.begin(), value.end(), value.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return value == "1" || value == "ON" || value == "YES" || value == "TRUE";
}

struct Folders {
  std::optional<std::string> cache;  // $XDG_CACHE_HOME or ~/.cache
  std::optional<std::string> hub_home;
};

Folders folders_of(const Environment& environment) {
  Folders folders{given(environment, "XDG_CACHE_HOME"), given(environment, "HF_HOME")};
  if (!folders.cache) {
    if (const auto home = given(environment, "HOME")) {
      folders.cache = join_path(*home, ".cache");
    }
  }
  if (!folders.hub_home && folders.cache) {
    folders.hub_home = join_path(*folders.cache, "huggingface");
  }
  return folders;
}

Result<std::string> checked_token(std::string_view text, std::string_view subject) {
  const std::string_view token = trimmed(text);
  const bool is_plain = std::all_of(token.begin(), token.end(), [](char c) { return c > ' ' && c <= '~'; });
  if (!is_plain) {
    return fail({ErrorCode::invalid_input, std::string(subject), "holds characters that no token has", "set it again"});
  }
  return std::string(token);
}

Result<std::string> token_of(const Environment& environment, const Files& files, const Folders& folders) {
  for (const char* name : {"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"}) {
    if (const auto value = given(environment, name)) {
      return checked_token(*value, name);
    }
  }
  std::string path = given(environment, "HF_TOKEN_PATH").value_or("");
  if (path.empty() && folders.hub_home) {
    path = join_path(*folders.hub_home, "token");
  }
  if (path.empty() || is_on(environment, "HF_HUB_DISABLE_IMPLICIT_TOKEN") || files.kind(path) != PathKind::file) {
    return std::string();
  }
  // A token that cannot be read is as good as none: many models need none.
  const Result<std::string> text = files.read(path, kSmallFileLimit);
  return text ? checked_token(*text, path) : std::string();
}

bool is_loopback(const std::string& origin) {
  for (const char* host : {"http://localhost", "http://127.0.0.1", "http://[::1]"}) {
    if (origin == host || origin.starts_with(std::string(host) + ":")) {
      return true;
    }
  }
  return false;
}

Result<std::string> endpoint_of(const Environment& environment, std::string usual) {
  std::string endpoint = given(environment, "HF_ENDPOINT").value_or(std::move(usual));
  while (endpoint.ends_with('/')) {
    endpoint.pop_back();
  }
  const bool is_plain = std::all_of(endpoint.begin(), endpoint.end(), [](char c) { return c > ' ' && c <= '~'; });
  if (origin_of(endpoint).empty() || !is_plain || endpoint.find_first_of("@?#\\") != std::string::npos) {
    return fail({ErrorCode::invalid_input,
                 "HF_ENDPOINT",
                 "is no address of a hub",
                 "write it like https://huggingface.co, without user, query or blanks"});
  }
  return endpoint;
}

std::string folder_name(const HubId& id) {
  return "models--" + id.owner + "--" + id.name;
}

bool is_commit(std::string_view text) {
  constexpr std::size_t kCommitLength = 40;
  return text.size() == kCommitLength &&
         std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

std::string own_copy(const HubId& id, const HubSettings& settings) {
  if (settings.own_cache.empty()) {
    return {};
  }
  const std::string origin = origin_of(settings.endpoint);
  const std::string host = replaced(origin.substr(origin.find("://") + 3), ':', "_");
  const std::string revision = replaced(id.revision, '/', "--");
  return join_path(join_path(join_path(join_path(settings.own_cache, host), folder_name(id)), revision), "config.json");
}

std::string address_of(const HubId& id, const HubSettings& settings) {
  return settings.endpoint + "/" + id.owner + "/" + id.name + "/resolve/" + replaced(id.revision, '/', "%2F") +
         "/config.json";
}

Error not_there(const HubId& id, const std::string& address, std::string_view reason) {
  std::string message = "the hub has no such model";
  if (reason == "RevisionNotFound") {
    message = "the model has no revision \"" + id.revision + "\"";
  } else if (reason == "EntryNotFound") {
    message = "the model has no config.json";
  }
  return {ErrorCode::not_found, address, message, "check the spelling, or name a config.json on this disk"};
}

Error no_access(const HubId& id, const HubSettings& settings, const std::string& address, const HttpResponse& answer) {
  const std::string page = settings.endpoint + "/" + id.owner + "/" + id.name;
  if (answer.header("x-error-code") == "RepoNotFound") {
    return {ErrorCode::not_found,
            address,
            "the hub has no such model, or it is private",
            settings.token.empty() ? "check the spelling; for a private model set HF_TOKEN"
                                   : "check the spelling and whose token it is"};
  }
  return {ErrorCode::environment,
          address,
          "access was refused (status " + std::to_string(answer.status) + ")",
          settings.token.empty() ? "accept the licence at " + page + " and set HF_TOKEN to a token that may read it"
                                 : "accept the licence at " + page + " with the account of this token"};
}

Error refused(const HubId& id, const HubSettings& settings, const std::string& address, const HttpResponse& answer) {
  constexpr int kTooManyRequests = 429;
  switch (answer.status) {
    case 401:
    case 403:
      return no_access(id, settings, address, answer);
    case 404:
      return not_there(id, address, answer.header("x-error-code"));
    case kTooManyRequests:
      return {ErrorCode::environment, address, "the hub asks to come back later (status 429)", "wait, or set HF_TOKEN"};
    default:
      return {ErrorCode::environment,
              address,
              "the hub answered with status " + std::to_string(answer.status),
              "try again later, or name a config.json on this disk"};
  }
}

Status check_config(const HttpResponse& answer, const std::string& address) {
  const bool is_page = answer.header("content-type").find("html") != std::string_view::npos;
  const auto parsed = parse_json(answer.body, address, {.non_finite = NonFiniteNumbers::read_as_null});
  if (parsed && parsed->is_object()) {
    return {};
  }
  return fail({ErrorCode::environment,
               address,
               is_page ? "a web page came instead of a config.json" : "what came is no config.json",
               "a proxy or a login page may stand in between: check HF_ENDPOINT and https_proxy"});
}

Result<std::string> fetch(const HubId& id, const HubSettings& settings, const Http& http) {
  const std::string address = address_of(id, settings);
  HttpRequest request{.url = address, .certificates = settings.certificates, .size_limit = kConfigLimit};
  request.total_timeout = settings.total_timeout;
  request.connect_timeout = std::min(request.connect_timeout, settings.total_timeout);
  const std::string origin = origin_of(settings.endpoint);
  if (origin.starts_with("https:") || is_loopback(origin)) {
    request.bearer_token = settings.token;  // never in clear over a network
  }
  Result<HttpResponse> answer = http.get(request);
  if (!answer) {
    return fail(answer.error());
  }
  constexpr int kOk = 200;
  if (answer->status != kOk) {
    return fail(refused(id, settings, address, *answer));
  }
  if (const Status config = check_config(*answer, address); !config) {
    return fail(config.error());
  }
  return std::move(answer->body);
}

}  // namespace

std::optional<HubId> parse_hub_id(std::string_view text) {
  const std::size_t at = text.find('@');
  const std::string_view path = text.substr(0, at);
  const std::size_t slash = path.find('/');
  if (slash == std::string_view::npos || !is_part(path.substr(0, slash)) || !is_part(path.substr(slash + 1))) {
    return std::nullopt;
  }
  HubId id{.owner = std::string(path.substr(0, slash)), .name = std::string(path.substr(slash + 1))};
  if (at != std::string_view::npos) {
    id.revision = std::string(text.substr(at + 1));
    if (!is_revision(id.revision)) {
      return std::nullopt;
    }
  }
  return id;
}

Result<HubSettings> hub_settings(const Environment& environment, const Files& files) {
  HubSettings settings;
  const Folders folders = folders_of(environment);
  Result<std::string> endpoint = endpoint_of(environment, settings.endpoint);
  if (!endpoint) {
    return fail(endpoint.error());
  }
  settings.endpoint = std::move(*endpoint);
  if (const auto cache = given(environment, "HF_HUB_CACHE")) {
    settings.hub_cache = *cache;
  } else if (folders.hub_home) {
    settings.hub_cache = join_path(*folders.hub_home, "hub");
  }
  if (folders.cache) {
    settings.own_cache = join_path(*folders.cache, "mekiki/hub");
  }
  settings.certificates = given(environment, "SSL_CERT_FILE").value_or("");
  settings.offline = is_on(environment, "HF_HUB_OFFLINE") || is_on(environment, "TRANSFORMERS_OFFLINE");
  if (const auto text = given(environment, "HF_HUB_DOWNLOAD_TIMEOUT")) {
    const Result<double> seconds = parse_number(*text);
    if (!seconds || *seconds <= 0.0 || *seconds > 86400.0) {
      return fail({ErrorCode::invalid_input, "HF_HUB_DOWNLOAD_TIMEOUT", "is no number of seconds above 0", "like 30"});
    }
    settings.total_timeout = *seconds * kSecond;
  }
  Result<std::string> token = token_of(environment, files, folders);
  if (!token) {
    return fail(token.error());
  }
  settings.token = std::move(*token);
  return settings;
}

std::optional<std::string> cached_snapshot(const HubId& id, const HubSettings& settings, const Files& files) {
  if (settings.hub_cache.empty()) {
    return std::nullopt;
  }
  const std::string folder = join_path(settings.hub_cache, folder_name(id));
  std::string commit = id.revision;
  const std::string reference = join_path(join_path(folder, "refs"), id.revision);
  if (files.kind(reference) == PathKind::file) {
    const Result<std::string> text = files.read(reference, kSmallFileLimit);
    commit = text ? std::string(trimmed(*text)) : "";
  }
  if (!is_commit(commit)) {
    return std::nullopt;
  }
  std::string snapshot = join_path(join_path(folder, "snapshots"), commit);
  const bool has_config = files.kind(join_path(snapshot, "config.json")) == PathKind::file;
  return has_config ? std::optional(std::move(snapshot)) : std::nullopt;
}

Result<HubConfig> hub_config(const HubId& id, const HubSettings& settings, const HubAccess& access) {
  const std::string copy = own_copy(id, settings);
  const std::string address = address_of(id, settings);
  if (!copy.empty() && access.files->kind(copy) == PathKind::file) {
    Result<std::string> text = access.files->read(copy, kConfigLimit);
    if (text) {
      return HubConfig{std::move(*text), address};
    }
  }
  if (settings.offline || access.http == nullptr) {
    return fail({ErrorCode::not_found,
                 address,
                 "there is no copy of this config here, and the network is not to be used",
                 "leave out --offline (and HF_HUB_OFFLINE), or name a config.json on this disk"});
  }
  Result<std::string> text = fetch(id, settings, *access.http);
  if (!text) {
    return fail(text.error());
  }
  if (!copy.empty() && access.writer != nullptr) {
    // A cache that cannot be written costs the next run a request, nothing else.
    static_cast<void>(access.writer->write(copy, *text));
  }
  return HubConfig{std::move(*text), address};
}

}  // namespace mekiki
