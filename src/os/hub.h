// Configs of models on a hub: from its local cache, from our own cache, or fetched over HTTPS.
//
// Environment, as the hub's own tools read it: HF_ENDPOINT, HF_HOME, HF_HUB_CACHE, XDG_CACHE_HOME, HF_HUB_OFFLINE,
// TRANSFORMERS_OFFLINE, HF_TOKEN, HUGGING_FACE_HUB_TOKEN, HF_TOKEN_PATH, HF_HUB_DISABLE_IMPLICIT_TOKEN,
// HF_HUB_DOWNLOAD_TIMEOUT (here: of the whole transfer); SSL_CERT_FILE.
// Source: huggingface_hub documentation, "Environment variables" and "Understand caching"; from memory, unverified.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/quantity.h"
#include "base/result.h"
#include "os/files.h"
#include "os/http.h"
#include "os/surroundings.h"

namespace mekiki {

/// "owner/name" or "owner/name@revision": a branch, a tag or a commit.
struct HubId {
  std::string owner;
  std::string name;
  std::string revision = "main";

  bool operator==(const HubId&) const = default;
};

/// Unset where the text has another form: letters, digits, "-", "_" and "." only, and nothing that could leave a
/// folder.
std::optional<HubId> parse_hub_id(std::string_view text);

struct HubSettings {
  std::string endpoint = "https://huggingface.co";
  std::string hub_cache;  // folder with models--owner--name; empty: there is no home
  std::string own_cache;  // folder for what we fetch; empty: nothing is kept
  std::string token;      // empty: none
  std::string certificates;
  Seconds total_timeout{30.0};
  bool offline = false;
};

/// Errors: invalid_input for a variable that makes no sense, named as the subject. A token is never part of an error.
Result<HubSettings> hub_settings(const Environment& environment, const Files& files);

/// The folder of this revision in the hub's local cache that holds a config.json; unset: there is none.
std::optional<std::string> cached_snapshot(const HubId& id, const HubSettings& settings, const Files& files);

/// What one look for a config needs of the outside.
struct HubAccess {
  const Files* files = nullptr;
  FileWriter* writer = nullptr;  // null: nothing is kept
  const Http* http = nullptr;    // null: as offline
};

struct HubConfig {
  std::string text;
  std::string source;  // the address that it came from
};

/// The config.json of the model: the copy that an earlier run kept, else fetched and kept. A copy is used as long as it
/// is there, so that an answer does not change under the same command; name a commit to be certain of what it is.
///
/// Errors: not_found (no such model, revision or file; or offline without a copy), environment (no network, no access,
/// a time-out, an answer that is no config), invalid_input (a token that cannot be one).
Result<HubConfig> hub_config(const HubId& id, const HubSettings& settings, const HubAccess& access);

}  // namespace mekiki
