"""count_tests.py RESULTS.xml CTEST_STATUS: prints "N passed, N failed, N skipped" and exits 1 if anything failed.

Counts test cases: of each ctest test the cases that GoogleTest or unittest reports in its output, and one for a test
that reports none. RESULTS.xml is what `ctest --output-junit` writes. A test that ctest calls failed counts at least one
failure, whatever it printed (it may have crashed between two cases).
"""

import re
import sys
import xml.etree.ElementTree
from typing import NamedTuple


class Counts(NamedTuple):
    passed: int
    failed: int
    skipped: int

    def __add__(self, other):
        return Counts(*(a + b for a, b in zip(self, other)))


def googletest_counts(output):
    """Counts from GoogleTest's closing lines, or None."""
    if not re.search(r"^\[==========\] \d+ tests? from \d+ test suites? ran", output, re.MULTILINE):
        return None

    def number(word):
        found = re.search(rf"^\[ *{word} *\] (\d+) tests?(?:[.,]|$)", output, re.MULTILINE)
        return int(found.group(1)) if found else 0

    return Counts(number("PASSED"), number("FAILED"), number("SKIPPED"))


def unittest_counts(output):
    """Counts from the closing lines of Python's unittest, or None."""
    ran = re.search(r"^Ran (\d+) tests? in ", output, re.MULTILINE)
    if not ran:
        return None
    detail = re.search(r"^(?:OK|FAILED)(?: \((.*)\))?$", output, re.MULTILINE)
    numbers = dict(re.findall(r"([a-z ]+)=(\d+)", detail.group(1) or "")) if detail else {}
    numbers = {key.strip(): int(value) for key, value in numbers.items()}
    failed = numbers.get("failures", 0) + numbers.get("errors", 0) + numbers.get("unexpected successes", 0)
    skipped = numbers.get("skipped", 0)
    return Counts(max(0, int(ran.group(1)) - failed - skipped), failed, skipped)


def case_counts(case):
    """Counts of one <testcase> of ctest."""
    status = case.get("status")
    if status == "disabled":
        return Counts(0, 0, 1)
    output = case.findtext("system-out") or ""
    if status == "notrun":
        skipped = case.find("skipped")
        message = skipped.get("message", "") if skipped is not None else ""
        return Counts(0, 0, 1) if message.startswith("SKIP_") else Counts(0, 1, 0)
    counts = googletest_counts(output) or unittest_counts(output)
    if status == "run":
        return counts or Counts(1, 0, 0)
    counts = counts or Counts(0, 1, 0)
    return counts if counts.failed else counts + Counts(0, 1, 0)


def count(path):
    cases = xml.etree.ElementTree.parse(path).getroot().iter("testcase")
    return sum((case_counts(case) for case in cases), Counts(0, 0, 0))


def main(arguments):
    path, ctest_status = arguments[0], int(arguments[1])
    try:
        counts = count(path)
    except (OSError, xml.etree.ElementTree.ParseError) as error:
        print(f"no test results: {error}", file=sys.stderr)
        counts = Counts(0, 0, 0)
    if counts.failed == 0 and (ctest_status != 0 or counts.passed == 0):
        counts += Counts(0, 1, 0)
    print(f"{counts.passed} passed, {counts.failed} failed, {counts.skipped} skipped")
    return 1 if counts.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
