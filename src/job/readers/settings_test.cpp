#include <gtest/gtest.h>

#include "job/readers/setting.h"

namespace mekiki {
namespace {

std::string shown(const SettingsFile& file) {
  std::string text;
  for (const Setting& setting : file.settings) {
    text += setting.key + "=" + setting.value.value_or("<null>") + "@" + std::to_string(setting.position.line) +
            (setting.given_before ? "!" : "") + " ";
  }
  return text;
}

struct Example {
  const char* name;
  std::string_view text;
  Syntax syntax;
  const char* settings;
};

class SettingsOf : public testing::TestWithParam<Example> {};

TEST_P(SettingsOf, KeysValuesAndLines) {
  const Result<SettingsFile> file = read_settings(GetParam().text, "job");
  ASSERT_TRUE(file) << describe(file.error());
  EXPECT_EQ(file->syntax, GetParam().syntax);
  EXPECT_EQ(shown(*file), GetParam().settings);
}

INSTANTIATE_TEST_SUITE_P(
    Syntaxes,
    SettingsOf,
    testing::Values(
        Example{"yaml_nested", "a: 1\nb:\n  c: [x, y]\n  d:\n", Syntax::yaml, "a=1@1 b.c=x,y@3 b.d=<null>@4 "},
        Example{"yaml_list_of_mappings",
                "a:\n  - p: 1\n    q: 2\n  - p: 3\n",
                Syntax::yaml,
                "a[0].p=1@2 a[0].q=2@3 a[1].p=3@4 "},
        Example{"yaml_given_twice", "# note\na: 1\na: 2\n", Syntax::yaml, "a=1@2 a=2@3! "},
        Example{"yaml_empty_list", "a: []\n", Syntax::yaml, "a=<null>@1 "},
        Example{"yaml_document_mark", "---\na: 1\n", Syntax::yaml, "a=1@2 "},
        Example{"json",
                "{\n\t\"a\": {\n\"b\": [1, 2]},\n\"c\": true, \"d\": null}",
                Syntax::json,
                "a.b=1,2@3 c=true@4 d=<null>@4 "},
        Example{
            "json_list_of_objects", "{\"a\": [{\"b\": 1}, {\"b\": \"x\"}]}", Syntax::json, "a[0].b=1@1 a[1].b=x@1 "},
        Example{"toml",
                "# note\n[a]\nb = \"x\"\nc = [1, 2]\n[a.d]\ne = true\n",
                Syntax::toml,
                "a.b=x@3 a.c=1,2@4 a.d.e=true@6 "},
        Example{"command",
                "torchrun --nproc_per_node=2 train.py --a b --c 1 2 \\\n --d --e-f g",
                Syntax::command,
                "(word)=torchrun@1 nproc_per_node=2@1 (word)=train.py@1 a=b@1 c=1,2@1 d=true@2 e_f=g@2 "},
        Example{"script",
                "#!/bin/bash\nset -ex\nN=4 # ranks\nexport M=${M:-\"7\"}\nif [ x ]; then\n"
                "run --n $N --m \"$M\" --k $((16 / $N)) --j $(expr 32 / $N / 2) --u ${U} --g 'a b' > log\nfi\n",
                Syntax::command,
                "env.N=4@3 env.M=7@4 (word)=run@6 n=4@6 m=7@6 k=4@6 j=4@6 u=${U}@6 g=a b@6 "},
        Example{"options_in_a_variable",
                "A=\"--x 1 --y 2\"\nB=(--z 3 # why\n   --w)\nrun $A ${B[@]}\n",
                Syntax::command,
                "env.A=--x 1 --y 2@1 env.B=--z 3          --w@2 (word)=run@4 x=1@4 y=2@4 z=3@4 w=true@4 "}),
    [](const auto& tested) { return tested.param.name; });

struct Refused {
  const char* name;
  std::string text;
  const char* subject;
  const char* message;
};

class RefusedSettings : public testing::TestWithParam<Refused> {};

TEST_P(RefusedSettings, NamesPlaceAndReason) {
  const Result<SettingsFile> file = read_settings(GetParam().text, "job");
  ASSERT_FALSE(file) << shown(*file);
  EXPECT_EQ(file.error().code, ErrorCode::invalid_input);
  EXPECT_EQ(file.error().subject, GetParam().subject) << describe(file.error());
  EXPECT_NE(file.error().message.find(GetParam().message), std::string::npos) << describe(file.error());
}

std::string repeated(std::string_view part, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += part;
  }
  return text;
}

INSTANTIATE_TEST_SUITE_P(
    Files,
    RefusedSettings,
    testing::Values(
        Refused{"alias", "a: &x 1\nb: *x\n", "job:1:4", "anchors"},
        Refused{"tag", "a: !!python/object x\n", "job:1:4", "tags"},
        Refused{"two_documents", "a: 1\n---\nb: 2\n", "job:2:1", "a second document"},
        Refused{"deep_yaml", "a: " + repeated("[", 40) + repeated("]", 40), "job:1:19", "nested deeper than 16"},
        Refused{
            "deep_json", "{\"a\": " + repeated("[", 40) + repeated("]", 40) + "}", "job", "column 22: nested deeper"},
        Refused{"deep_toml", "a = " + repeated("[", 40) + repeated("]", 40), "job:1:21", "nested deeper than 16"},
        Refused{"dotted_toml", "[" + repeated("a.", 100000) + "a]\nb = 1\n", "job:1:35", "nested deeper than 16"},
        Refused{"no_yaml", "a: 1\nb: [\n", "job:3:1", "is no YAML"},
        Refused{"no_toml", "[a]\nb = = 1\n", "job:2:5", "is no TOML"},
        Refused{"brackets_without_key", "[[[a]]]\n", "job:1:3", "is no TOML"},
        Refused{"given_twice_in_json", "{\"a\": 1, \"a\": 2}", "job:/a", "twice"},
        Refused{"no_utf8", "a: \xff\n", "job:1:4", "UTF-8"},
        Refused{"too_long", repeated("a", (1 << 20) + 1), "job", "longer than"},
        Refused{"growing_variables",
                "A=" + repeated("x", 64) + "\n" + repeated("A=\"$A$A\"\n", 24) + "run --a $A\n",
                "job:15:7",
                "its variables make it longer"}),
    [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace mekiki
