// Http: one GET request and its answer. The real one is CurlHttp; tests take FakeHttp.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/quantity.h"
#include "base/result.h"

namespace mekiki {

struct HttpRequest {
  std::string url;           // http or https
  std::string bearer_token;  // sent to the origin of `url` alone, never to where it redirects; empty: none
  std::string certificates;  // file of authorities to trust; empty: those of the system
  Seconds connect_timeout{10.0};
  Seconds total_timeout{30.0};
  std::size_t size_limit = std::size_t{64} << 20;  // bytes of the body
  int redirect_limit = 5;
};

struct HttpResponse {
  int status = 0;
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;  // names in lower case

  /// The value of a header, empty where it is not there. `name` in lower case.
  std::string_view header(std::string_view name) const;
};

class Http {
 public:
  virtual ~Http() = default;

  /// Follows redirects, but never from https to http. Any status is an answer. Errors: environment for no connection,
  /// a refused certificate, a time-out, an answer that breaks off, that is too long or redirects too often. The subject
  /// is the address, without what stands behind "?".
  virtual Result<HttpResponse> get(const HttpRequest& request) const = 0;
};

/// "https://host:port" in lower case, without user and path; empty for anything but http and https.
std::string origin_of(std::string_view url);

/// The address without query and fragment, which may hold secrets.
std::string without_query(std::string_view url);

}  // namespace mekiki
