"""The closing line of tools/test counts what ran, and never calls a broken run a good one."""

import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path
from xml.sax.saxutils import escape

sys.path.insert(0, str(Path(__file__).resolve().parent))

import count_tests  # noqa: E402

GOOGLETEST = """[==========] Running 4 tests from 2 test suites.
[==========] 4 tests from 2 test suites ran. (3 ms total)
[  PASSED  ] {passed} tests.
"""


def case(status, output="", extra=""):
    return f'<testcase name="x" status="{status}">{extra}<system-out>{escape(output)}</system-out></testcase>'


def closing_line(cases, ctest_status=0):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tests.xml"
        path.write_text(f"<testsuite>{''.join(cases)}</testsuite>", encoding="utf-8")
        return run(path, ctest_status)


def run(path, ctest_status):
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()):
        code = count_tests.main([str(path), str(ctest_status)])
    return out.getvalue().strip(), code


class ClosingLine(unittest.TestCase):
    def assert_line(self, cases, ctest_status, line, code):
        self.assertEqual(closing_line(cases, ctest_status), (line, code))

    def test_googletest(self):
        self.assert_line([case("run", GOOGLETEST.format(passed=4))], 0, "4 passed, 0 failed, 0 skipped", 0)
        skipped = GOOGLETEST.format(passed=3) + "[  SKIPPED ] 1 test, listed below:\n[  SKIPPED ] Gpu.Here\n"
        self.assert_line([case("run", skipped)], 0, "3 passed, 0 failed, 1 skipped", 0)
        failed = GOOGLETEST.format(passed=2) + "[  FAILED  ] 2 tests, listed below:\n[  FAILED  ] A.B\n"
        self.assert_line([case("fail", failed)], 8, "2 passed, 2 failed, 0 skipped", 1)

    def test_unittest(self):
        self.assert_line([case("run", "...\nRan 3 tests in 0.1s\n\nOK\n")], 0, "3 passed, 0 failed, 0 skipped", 0)
        self.assert_line([case("run", "Ran 3 tests in 0.1s\n\nOK (skipped=1)\n")], 0, "2 passed, 0 failed, 1 skipped", 0)
        output = "Ran 5 tests in 0.1s\n\nFAILED (failures=1, errors=2, skipped=1)\n"
        self.assert_line([case("fail", output)], 8, "1 passed, 3 failed, 1 skipped", 1)

    def test_plain(self):
        self.assert_line([case("run"), case("run", "text")], 0, "2 passed, 0 failed, 0 skipped", 0)
        self.assert_line([case("run"), case("fail")], 8, "1 passed, 1 failed, 0 skipped", 1)
        self.assert_line([case("run"), case("disabled")], 0, "1 passed, 0 failed, 1 skipped", 0)

    def test_crash_between_cases(self):
        self.assert_line([case("fail", "[ RUN      ] A.B\n")], 8, "0 passed, 1 failed, 0 skipped", 1)
        self.assert_line([case("fail", GOOGLETEST.format(passed=4))], 8, "4 passed, 1 failed, 0 skipped", 1)

    def test_not_run(self):
        missing = case("notrun", extra='<skipped message="Unable to find executable"/>')
        self.assert_line([case("run"), missing], 8, "1 passed, 1 failed, 0 skipped", 1)
        skipped = case("notrun", extra='<skipped message="SKIP_RETURN_CODE=77"/>')
        self.assert_line([case("run"), skipped], 0, "1 passed, 0 failed, 1 skipped", 0)

    def test_nothing_ran(self):
        self.assert_line([], 0, "0 passed, 1 failed, 0 skipped", 1)
        self.assert_line([case("run")], 8, "1 passed, 1 failed, 0 skipped", 1)
        self.assertEqual(run("no/such/file.xml", 0), ("0 passed, 1 failed, 0 skipped", 1))


if __name__ == "__main__":
    unittest.main()
