#include "os/fake_http.h"

namespace mekiki {

Result<HttpResponse> FakeHttp::get(const HttpRequest& request) const {
  requests.push_back(request);
  const auto found = answers.find(request.url);
  return found == answers.end() ? Result<HttpResponse>(HttpResponse{.status = 404, .body = "", .headers = {}})
                                : found->second;
}

}  // namespace mekiki
