"""Each rule finds what it is there for, and leaves alone what is allowed."""

import sys
import tempfile
import unittest
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER))

import coverage  # noqa: E402
import layering  # noqa: E402
import lint  # noqa: E402
import names  # noqa: E402
import text_rules  # noqa: E402


class Planted(unittest.TestCase):
    """A case plants files in an empty tree and looks at what a rule says."""

    def findings(self, rule, files):
        with tempfile.TemporaryDirectory() as root:
            for path, content in files.items():
                target = Path(root) / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(content, encoding="utf-8", newline="")
            return [str(finding) for finding in rule(Path(root))]

    def assert_table(self, rule, table):
        for path, content, expected in table:
            with self.subTest(path=path, content=content):
                found = self.findings(rule, {path: content})
                if expected is None:
                    self.assertEqual(found, [])
                else:
                    self.assertEqual(len(found), 1, found)
                    self.assertIn(expected, found[0])
                    self.assertTrue(found[0].startswith(path + ":"), found[0])


class Layering(Planted):
    def test_own_includes(self):
        self.assert_table(layering.check, [
            ("src/model/arch.h", '#include "base/result.h"\n', None),
            ("src/model/families/a.cpp", '#include "model/arch.h"\n', None),
            ("src/model/arch.h", '#include "hardware/gpu.h"\n', "model must not include hardware"),
            ("src/memory/peak.cpp", '#include "time/step.h"\n', "memory must not include time"),
            ("src/base/result.h", '#include "model/arch.h"\n', "base must not include model"),
            ("src/report/text.cpp", '#  include "cli/flags.h"\n', "report must not include cli"),
            ("src/os/files.h", '#include "ledger/ledger.h"\n', "os must not include ledger"),
            ("src/memory/peak_test.cpp", '#include "search/plan.h"\n', "memory must not include search"),
            ("src/memory/peak.cpp", '#include "peak.h"\n', "includes start at src/"),
            ("src/misc/any.h", "\n", "folder misc is not in the table"),
        ])

    def test_pure_folders(self):
        self.assert_table(layering.check, [
            ("src/memory/peak.cpp", "#include <fstream>\n", "must not include <fstream>"),
            ("src/time/step.cpp", "#include <chrono>\n", "must not include <chrono>"),
            ("src/base/date.cpp", "#include <chrono>\n", None),
            ("src/base/date.cpp", "auto t = std::chrono::system_clock::now();\n", "system_clock"),
            ("src/cost/total.cpp", 'auto v = getenv("HOME");\n', "must not use getenv"),
            ("src/cost/total.cpp", "// not getenv(: the caller tells\n", None),
            ("src/report/text.cpp", "std::cout << 1;\n", "must not use std::cout"),
            ("src/memory/peak.cpp", "#include <thread>\n", "starts no threads"),
            ("src/search/workers.cpp", "#include <thread>\n", None),
            ("src/os/files.cpp", "#include <fstream>\n", None),
            ("src/memory/peak_test.cpp", "#include <fstream>\n", None),
        ])

    def test_other_peoples_headers(self):
        self.assert_table(layering.check, [
            ("src/memory/peak.cpp", "#include <nlohmann/json.hpp>\n", "memory must not include <nlohmann/json.hpp>"),
            ("src/cli/flags.cpp", "#include <CLI/CLI.hpp>\n", None),
            ("src/bench/run.cpp", "#include <torch/torch.h>\n", "bench must not include <torch/torch.h>"),
        ])

    def test_cmake_links(self):
        self.assert_table(layering.check, [
            ("src/memory/CMakeLists.txt", "mekiki_library(memory DEPENDS base program)\n", None),
            ("src/catalog/rows/CMakeLists.txt", "mekiki_library(catalog_rows DEPENDS base)\n", None),
            ("src/catalog/CMakeLists.txt", "mekiki_library(catalog DEPENDS catalog_rows cost)\n", None),
            ("src/catalog/CMakeLists.txt", "mekiki_library(catalog DEPENDS report)\n", "catalog must not link report"),
            ("src/memory/CMakeLists.txt", "mekiki_library(memory DEPENDS base time LIBS fmt::fmt)\n", "must not link time"),
        ])

    def test_table(self):
        self.assertEqual(layering.table_findings(layering.ALLOWED), [])
        self.assertEqual(len(layering.table_findings({"a": ["b"], "b": ["a"]})), 2)
        self.assertEqual(len(layering.table_findings({"a": ["b"]})), 1)


class Names(Planted):
    def test_names(self):
        self.assert_table(names.check, [
            ("src/memory/peak.cpp", 'if (framework == "torchtitan") {\n', "torchtitan"),
            ("src/memory/peak.h", "// as Megatron does\n", "Megatron"),
            ("src/memory/peak.h", "// Source: pytorch/torchtitan docs/fsdp.md\n", None),
            ("src/memory/peak.h", "/// Source: Megatron-LM paper, equation 4\n", None),
            ("src/time/step.cpp", "constexpr double kH100Peak = 1;\n", "H100"),
            ("src/time/step.cpp", 'find("rtx-4090")\n', "rtx-4090"),
            ("src/time/step.cpp", 'find("llama-3.1-8b")\n', "llama"),
            ("src/time/step.cpp", "x == l4 ? 1 : 2;\n", "l4"),
            ("src/time/step.cpp", "tensor4 = small4 + alphabet; swiftly\n", None),
            ("src/model/families/llama.cpp", "// Llama\n", None),
            ("src/job/readers/axolotl.cpp", "// axolotl\n", None),
            ("src/job/job.cpp", "// axolotl\n", "axolotl"),
            ("src/time/step_test.cpp", "// h100\n", None),
        ])

    def test_every_name_is_found(self):
        samples = "axolotl deepspeed gpt2 gpt-oss llama-factory phi-3 qwen3 a10g l40s mi300x rtx_6000 H200 gb200".split()
        for name in samples:
            with self.subTest(name=name):
                self.assertEqual(len(self.findings(names.check, {"src/cost/x.cpp": f'"{name}"\n'})), 1)


class TextRules(Planted):
    def test_form(self):
        self.assert_table(text_rules.check, [
            ("src/base/a.h", "int a;", "no newline"),
            ("src/base/a.h", "int a; \n", "trailing whitespace"),
            ("src/base/a.h", "int a;\r\n", "carriage return"),
            ("src/base/a.h", "int a;\n\n", "blank lines at the end"),
            ("src/base/a.h", "\tint a;\n", "tab"),
            ("docs/a.md", "a \n", "trailing whitespace"),
            ("src/base/a.h", "int a;\n" * 600, None),
            ("src/base/a.h", "int a;\n" * 601, "601 lines"),
            ("tests/golden/cases/a.txt", "a \n", None),
            ("src/base/a.h", "", None),
        ])

    def test_mentions(self):
        host = "deb" + ".debian" + ".org"
        self.assert_table(text_rules.check, [
            ("docs/a.md", "see " + "/wo" + "rk/main\n", "a path of one machine"),
            ("tools/x", "cd " + "/ho" + "me/me\n", "a path of one machine"),
            ("docs/a.md", f"from {host}\n", "a package host"),
            ("docs/a.md", "https://py" + "pi.org/x\n", "a package host"),
            ("docs/a.md", "as in sha" + "red/facts\n", "outside the repository"),
            ("docs/a.md", "src/work/x and ~/work/x\n", None),
        ])


def coverage_text(changes=None):
    rows = {f"{chapter}{i}": ("text", "", "", "open")
            for chapter, count in coverage.ROWS.items() for i in range(1, count + 1)}
    rows.update(changes or {})
    return "".join(f"| {key} | {' | '.join(cells)} |\n" for key, cells in rows.items() if cells)


class Coverage(Planted):
    def check(self, content, files=None):
        return self.findings(coverage.check, {"docs/coverage.md": content, **(files or {})})

    def test_complete(self):
        self.assertEqual(self.check(coverage_text()), [])

    def test_slips(self):
        done = ("text", "`mekiki fit`", "`tests/e2e/fit_test.py`", "done")
        for changes, expected in [
            ({"B3": None}, "B3 is missing"),
            ({"C1": ("text", "", "", "perhaps")}, "state 'perhaps'"),
            ({"C1": ("", "", "", "open")}, "C1 has no requirement"),
            ({"C1": ("text", "", "`src/a_test.cpp`", "done")}, "names no command"),
            ({"C1": ("text", "`mekiki fit`", "", "done")}, "names no test"),
            ({"C1": ("text", "", "", "open"), "F3": ("text", "", "", "open")}, "F3 is no requirement"),
            ({"A1": done}, "does not exist"),
        ]:
            with self.subTest(expected=expected):
                self.assertIn(expected, "\n".join(self.check(coverage_text(changes), {"src/a_test.cpp": "\n"})))
        self.assertEqual(self.check(coverage_text({"A1": done}), {"tests/e2e/fit_test.py": "\n"}), [])

    def test_twice(self):
        found = self.check(coverage_text() + "| A1 | again |  |  | open |\n")
        self.assertEqual(len(found), 1, found)
        self.assertIn("A1 stands here again", found[0])


class Program(Planted):
    def test_exit_code(self):
        with tempfile.TemporaryDirectory() as root:
            self.assertEqual(lint.main([root, "text"]), 0)
            (Path(root) / "a.md").write_text("a ", encoding="utf-8")
            self.assertEqual(lint.main([root, "text"]), 1)


if __name__ == "__main__":
    unittest.main(verbosity=1)
