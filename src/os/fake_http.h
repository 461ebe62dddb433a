// Answers in memory, for tests.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "os/http.h"

namespace mekiki {

class FakeHttp final : public Http {
 public:
  std::map<std::string, Result<HttpResponse>> answers;  // by address
  mutable std::vector<HttpRequest> requests;            // as they came

  Result<HttpResponse> get(const HttpRequest& request) const override;
};

}  // namespace mekiki
