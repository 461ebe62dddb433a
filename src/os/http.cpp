#include "os/http.h"

#include <algorithm>

#include "base/letter_case.h"

namespace mekiki {
namespace {}  // namespace

std::string_view HttpResponse::header(std::string_view name) const {
  const auto found = std::find_if(headers.begin(), headers.end(), [&](const auto& h) { return h.first == name; });
  return found == headers.end() ? std::string_view() : std::string_view(found->second);
}

std::string origin_of(std::string_view url) {
  const std::size_t colon = url.find("://");
  if (colon == std::string_view::npos) {
    return {};
  }
  const std::string scheme = lower_case(url.substr(0, colon));
  if (scheme != "http" && scheme != "https") {
    return {};
  }
  std::string_view authority = url.substr(colon + 3);
  authority = authority.substr(0, authority.find_first_of("/?#\\"));
  authority = authority.substr(authority.rfind('@') + 1);
  return authority.empty() ? std::string() : scheme + "://" + lower_case(authority);
}

std::string without_query(std::string_view url) {
  return std::string(url.substr(0, url.find_first_of("?#")));
}

}  // namespace mekiki
