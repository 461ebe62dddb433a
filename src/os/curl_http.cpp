#include "os/curl_http.h"

#include <algorithm>
#include <memory>

#include <curl/curl.h>

namespace mekiki {
namespace {

struct FreeHandle {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
using Handle = std::unique_ptr<CURL, FreeHandle>;

/// What the callbacks of one transfer fill.
struct Transfer {
  HttpResponse response;
  std::size_t size_limit = 0;
  bool is_too_long = false;
};

// libcurl calls these with the user's pointer; a count other than the one given aborts the transfer.
std::size_t take_body(const char* data, std::size_t size, std::size_t count, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  const std::size_t length = size * count;
  if (length > transfer.size_limit - transfer.response.body.size()) {
    transfer.is_too_long = true;
    return 0;
  }
  transfer.response.body.append(data, length);
  return length;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlanks);
  return first == std::string_view::npos ? std::string_view()
                                         : text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::size_t take_header(const char* data, std::size_t size, std::size_t count, void* user) {
  constexpr std::size_t kHeaderLimit = 200;
  auto& headers = static_cast<Transfer*>(user)->response.headers;
  const std::string_view line(data, size * count);
  if (line.starts_with("HTTP/")) {
    headers.clear();  // of an interim answer
  }
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || headers.size() >= kHeaderLimit) {
    return line.size();
  }
  std::string name(line.substr(0, colon));
  std::transform(name.begin(), name.end(), name.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  headers.emplace_back(std::move(name), trimmed(line.substr(colon + 1)));
  return line.size();
}

long milliseconds(Seconds time) {
  return static_cast<long>(std::max(time / kSecond, 0.001) * 1000.0);
}

Error error_of(CURLcode code, const Transfer& transfer, std::string_view url) {
  const auto error = [&](std::string message, std::string hint) {
    return Error{ErrorCode::environment, without_query(url), std::move(message), std::move(hint)};
  };
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
      return error("this host is not known here: there may be no network",
                   "check the network and the proxy (https_proxy), or use --offline with a config.json");
    case CURLE_COULDNT_CONNECT:
      return error("no connection to this host",
                   "check the network and the proxy (https_proxy), or use --offline with a config.json");
    case CURLE_OPERATION_TIMEDOUT:
      return error("did not answer in time", "try again, or set HF_HUB_DOWNLOAD_TIMEOUT to more seconds");
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
      return error("the certificate of this host is not trusted here",
                   "install the package ca-certificates, or name the file of your authorities in SSL_CERT_FILE");
    case CURLE_PARTIAL_FILE:
    case CURLE_GOT_NOTHING:
    case CURLE_RECV_ERROR:
      return error("the answer broke off before its end", "try again");
    case CURLE_WRITE_ERROR:
      if (transfer.is_too_long) {
        return error("the answer is longer than " + std::to_string(transfer.size_limit) + " bytes",
                     "check that it is the file you mean");
      }
      break;
    default:
      break;
  }
  return error(std::string("cannot be fetched: ") + curl_easy_strerror(code), "check the network and the address");
}

struct FreeList {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

/// One request without following redirects; the address it redirects to is empty where it does not.
struct Hop {
  HttpResponse response;
  std::string redirect;
};

Result<Hop> get_once(const HttpRequest& request, const std::string& url, bool with_token) {
  const Handle handle(curl_easy_init());
  if (!handle) {
    return fail({ErrorCode::environment, without_query(url), "the HTTP library does not start", "check its package"});
  }
  Transfer transfer{.response = {}, .size_limit = request.size_limit};
  std::unique_ptr<curl_slist, FreeList> headers;
  if (with_token) {
    headers.reset(curl_slist_append(nullptr, ("Authorization: Bearer " + request.bearer_token).c_str()));
  }
  CURL* curl = handle.get();
  curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
  curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(curl, CURLOPT_USERAGENT, "mekiki");
  curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "");
  curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, milliseconds(request.connect_timeout));
  curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, milliseconds(request.total_timeout));
  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers.get());
  curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_body);
  curl_easy_setopt(curl, CURLOPT_WRITEDATA, &transfer);
  curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, take_header);
  curl_easy_setopt(curl, CURLOPT_HEADERDATA, &transfer);
  if (!request.certificates.empty()) {
    curl_easy_setopt(curl, CURLOPT_CAINFO, request.certificates.c_str());
  }
  const CURLcode code = curl_easy_perform(curl);
  if (code != CURLE_OK) {
    return fail(error_of(code, transfer, url));
  }
  long status = 0;
  const char* redirect = nullptr;
  curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
  curl_easy_getinfo(curl, CURLINFO_REDIRECT_URL, &redirect);
  transfer.response.status = static_cast<int>(status);
  return Hop{std::move(transfer.response), redirect == nullptr ? "" : redirect};
}

}  // namespace

Result<HttpResponse> CurlHttp::get(const HttpRequest& request) const {
  static_cast<void>(curl_global_init(CURL_GLOBAL_DEFAULT));
  const std::string first_origin = origin_of(request.url);
  std::string url = request.url;
  bool with_token = !request.bearer_token.empty();
  for (int redirects = 0; redirects <= request.redirect_limit; ++redirects) {
    Result<Hop> hop = get_once(request, url, with_token);
    if (!hop) {
      return fail(hop.error());
    }
    if (hop->redirect.empty()) {
      return std::move(hop->response);
    }
    const std::string origin = origin_of(hop->redirect);
    if (origin.empty() || (url.starts_with("https:") && !origin.starts_with("https:"))) {
      return fail({ErrorCode::environment,
                   without_query(url),
                   "redirects to " + without_query(hop->redirect) + ", which is not safe to follow",
                   "check HF_ENDPOINT and the proxy"});
    }
    // Once the token was left behind it does not come back, even if the way leads home.
    with_token = with_token && origin == first_origin;
    url = hop->redirect;
  }
  return fail({ErrorCode::environment,
               without_query(request.url),
               "redirects more than " + std::to_string(request.redirect_limit) + " times",
               "check HF_ENDPOINT and the proxy"});
}

}  // namespace mekiki
