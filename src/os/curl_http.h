// Http over libcurl. Proxies follow the usual environment variables (https_proxy, no_proxy).
#pragma once

#include "os/http.h"

namespace mekiki {

class CurlHttp final : public Http {
 public:
  Result<HttpResponse> get(const HttpRequest& request) const override;
};

}  // namespace mekiki
