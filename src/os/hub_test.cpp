#include "os/hub.h"

#include <gtest/gtest.h>

#include "os/fake_files.h"
#include "os/fake_http.h"

namespace mekiki {
namespace {

constexpr const char* kAddress = "https://huggingface.co/o/n/resolve/main/config.json";
constexpr const char* kCommit = "0123456789abcdef0123456789abcdef01234567";

TEST(HubId, IsOwnerNameAndPerhapsARevision) {
  EXPECT_EQ(parse_hub_id("meta-llama/Llama-3.2-1B"), (HubId{"meta-llama", "Llama-3.2-1B", "main"}));
  EXPECT_EQ(parse_hub_id("o/n@v1.0"), (HubId{"o", "n", "v1.0"}));
  EXPECT_EQ(parse_hub_id("o/n@refs/pr/1"), (HubId{"o", "n", "refs/pr/1"}));
  for (const char* text : {"",
                           "n",
                           "/n",
                           "o/",
                           "o/n/x",
                           "../n",
                           "o/..",
                           ".o/n",
                           "o/n@",
                           "o/n@../x",
                           "o/n@a//b",
                           "o n/x",
                           "o/n?x",
                           "o/n@a@b",
                           "o/n@a/../b",
                           "http://o/n",
                           "o/n..m"}) {
    EXPECT_FALSE(parse_hub_id(text)) << text;
  }
}

TEST(HubSettings, FollowTheEnvironment) {
  FakeFiles files;
  files.texts["/h/.cache/huggingface/token"] = "hf_file\n";
  FakeEnvironment environment;
  environment.variables = {{"HOME", "/h"}};
  HubSettings settings = hub_settings(environment, files).value();
  EXPECT_EQ(settings.hub_cache, "/h/.cache/huggingface/hub");
  EXPECT_EQ(settings.own_cache, "/h/.cache/mekiki/hub");
  EXPECT_EQ(settings.token, "hf_file");
  EXPECT_FALSE(settings.offline);
  environment.variables = {{"HOME", "/h"},
                           {"HF_HOME", "/x"},
                           {"XDG_CACHE_HOME", "/c"},
                           {"HF_TOKEN", " hf_env "},
                           {"HF_ENDPOINT", "http://127.0.0.1:80//"},
                           {"HF_HUB_OFFLINE", "true"},
                           {"HF_HUB_DOWNLOAD_TIMEOUT", "2.5"}};
  settings = hub_settings(environment, files).value();
  EXPECT_EQ(settings.hub_cache, "/x/hub");
  EXPECT_EQ(settings.own_cache, "/c/mekiki/hub");
  EXPECT_EQ(settings.token, "hf_env");
  EXPECT_EQ(settings.endpoint, "http://127.0.0.1:80");
  EXPECT_TRUE(settings.offline);
  EXPECT_EQ(settings.total_timeout, Seconds{2.5});
  environment.variables["HF_HUB_CACHE"] = "/y";
  EXPECT_EQ(hub_settings(environment, files)->hub_cache, "/y");
  environment.variables = {{"HOME", "/h"}, {"HF_HUB_DISABLE_IMPLICIT_TOKEN", "1"}, {"TRANSFORMERS_OFFLINE", "1"}};
  EXPECT_EQ(hub_settings(environment, files)->token, "");
  EXPECT_TRUE(hub_settings(environment, files)->offline);
}

TEST(HubSettings, RefuseVariablesThatMakeNoSenseAndTellNoToken) {
  const FakeFiles files;
  const std::vector<std::pair<std::string, std::string>> cases = {{"HF_ENDPOINT", "huggingface.co"},
                                                                  {"HF_ENDPOINT", "ftp://x"},
                                                                  {"HF_ENDPOINT", "https://u:p@x"},
                                                                  {"HF_ENDPOINT", "https://x/?q"},
                                                                  {"HF_TOKEN", "secret\nHost: evil"},
                                                                  {"HF_HUB_DOWNLOAD_TIMEOUT", "0"},
                                                                  {"HF_HUB_DOWNLOAD_TIMEOUT", "soon"}};
  for (const auto& [name, value] : cases) {
    FakeEnvironment environment;
    environment.variables[name] = value;
    const auto settings = hub_settings(environment, files);
    ASSERT_FALSE(settings) << name << "=" << value;
    EXPECT_EQ(settings.error().subject, name);
    EXPECT_EQ(describe(settings.error()).find("secret"), std::string::npos);
  }
}

TEST(HubCache, FindsTheSnapshotOfARevision) {
  FakeFiles files;
  const std::string folder = "/c/models--o--n/";
  files.texts[folder + "refs/main"] = kCommit;
  files.texts[folder + "refs/evil"] = "../../x";
  files.texts[folder + "snapshots/" + kCommit + "/config.json"] = "{}";
  const HubSettings settings{.hub_cache = "/c"};
  const std::string snapshot = folder + "snapshots/" + kCommit;
  EXPECT_EQ(cached_snapshot({"o", "n"}, settings, files), snapshot);
  EXPECT_EQ(cached_snapshot({"o", "n", kCommit}, settings, files), snapshot);
  EXPECT_FALSE(cached_snapshot({"o", "n", "v2"}, settings, files));
  EXPECT_FALSE(cached_snapshot({"o", "n", "evil"}, settings, files));
  EXPECT_FALSE(cached_snapshot({"o", "other"}, settings, files));
  EXPECT_FALSE(cached_snapshot({"o", "n"}, HubSettings{}, files));
}

class HubConfigs : public testing::Test {
 protected:
  Result<HubConfig> get(const HubId& id = {"o", "n"}) { return hub_config(id, settings_, {&files_, &writer_, &http_}); }
  void answer(int status, std::string body, std::string error_code = "", std::string type = "text/plain") {
    http_.answers.insert_or_assign(
        kAddress,
        HttpResponse{status, std::move(body), {{"content-type", std::move(type)}, {"x-error-code", error_code}}});
  }

  FakeFiles files_;
  FakeWriter writer_{files_};
  FakeHttp http_;
  HubSettings settings_{.own_cache = "/own", .token = "hf_secret"};
};

TEST_F(HubConfigs, AreFetchedOnceAndKept) {
  answer(200, R"({"a": NaN})");
  EXPECT_EQ(get().value().text, R"({"a": NaN})");
  EXPECT_EQ(get().value().source, kAddress);
  EXPECT_EQ(http_.requests.size(), 1U);
  EXPECT_EQ(http_.requests[0].bearer_token, "hf_secret");
  EXPECT_EQ(files_.texts.count("/own/huggingface.co/models--o--n/main/config.json"), 1U);
  settings_.offline = true;
  EXPECT_TRUE(get());
}

TEST_F(HubConfigs, AFolderThatCannotBeWrittenIsNoError) {
  answer(200, "{}");
  writer_.read_only = true;
  EXPECT_TRUE(get());
  EXPECT_TRUE(get());
  EXPECT_EQ(http_.requests.size(), 2U);
}

TEST_F(HubConfigs, OfflineAsksNobody) {
  settings_.offline = true;
  EXPECT_EQ(get().error().code, ErrorCode::not_found);
  EXPECT_TRUE(http_.requests.empty());
}

TEST_F(HubConfigs, TheTokenIsNotSentInClear) {
  settings_.endpoint = "http://mirror.example";
  EXPECT_FALSE(get());
  settings_.endpoint = "http://localhost.example";
  EXPECT_FALSE(get());
  settings_.endpoint = "http://127.0.0.1:8000";
  EXPECT_FALSE(get());
  ASSERT_EQ(http_.requests.size(), 3U);
  EXPECT_EQ(http_.requests[0].bearer_token, "");
  EXPECT_EQ(http_.requests[1].bearer_token, "");
  EXPECT_EQ(http_.requests[2].bearer_token, "hf_secret");
}

TEST_F(HubConfigs, EveryRefusalIsClearAndKeepsNothing) {
  struct Case {
    int status;
    std::string body, error_code, type;
    ErrorCode code;
    std::string says;
  };
  const std::vector<Case> cases = {
      {401, "", "GatedRepo", "", ErrorCode::environment, "access was refused (status 401)"},
      {403, "", "", "", ErrorCode::environment, "access was refused (status 403)"},
      {401, "", "RepoNotFound", "", ErrorCode::not_found, "or it is private"},
      {404, "", "RepoNotFound", "", ErrorCode::not_found, "no such model"},
      {404, "", "RevisionNotFound", "", ErrorCode::not_found, "no revision \"main\""},
      {404, "", "EntryNotFound", "", ErrorCode::not_found, "no config.json"},
      {429, "", "", "", ErrorCode::environment, "come back later"},
      {503, "", "", "", ErrorCode::environment, "status 503"},
      {200, "<!doctype html>", "", "text/html", ErrorCode::environment, "a web page"},
      {200, R"({"model_type": "ll)", "", "application/json", ErrorCode::environment, "no config.json"},
      {200, "[]", "", "application/json", ErrorCode::environment, "no config.json"},
  };
  for (const Case& one : cases) {
    answer(one.status, one.body, one.error_code, one.type);
    const auto config = get();
    ASSERT_FALSE(config) << one.says;
    EXPECT_EQ(config.error().code, one.code) << one.says;
    EXPECT_NE(config.error().message.find(one.says), std::string::npos) << config.error().message;
    EXPECT_FALSE(config.error().hint.empty());
    EXPECT_EQ((describe(config.error()) + config.error().hint).find("hf_secret"), std::string::npos);
  }
  EXPECT_TRUE(files_.texts.empty());
}

TEST(Origin, IsSchemeHostAndPort) {
  EXPECT_EQ(origin_of("HTTPS://Hub.Example:8/a?b"), "https://hub.example:8");
  EXPECT_EQ(origin_of("https://a@evil.example/x"), "https://evil.example");
  EXPECT_EQ(origin_of("https://good.example@evil.example"), "https://evil.example");
  EXPECT_EQ(origin_of("https://evil.example\\@good.example"), "https://evil.example");
  EXPECT_EQ(origin_of("file:///x"), "");
  EXPECT_EQ(origin_of("https://"), "");
  EXPECT_EQ(without_query("https://a/b?token=c#d"), "https://a/b");
}

}  // namespace
}  // namespace mekiki
