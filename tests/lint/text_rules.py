"""Rules for the text of every file, and what the repository must not mention: folders of one machine, and hosts from
which one machine fetches packages."""

import re

import repository
from repository import Finding

LONGEST_SOURCE = 600  # lines; aim at 300

# Files kept as their makers wrote them.
VERBATIM = ("tests/data/", "tests/golden/", "tests/fuzz/corpus/", "data/", "LICENSE")

MENTIONS = [
    (re.compile(r"(?<![\w.~-])/(work|home|root|Users)/"), "a path of one machine"),
    (re.compile(r"\bshared/(facts|style|spikes|tools|hooks|[A-Z]+\.md)"), "a folder outside the repository"),
    (re.compile(r"\b(deb|security|snapshot|archive|ports)\.(debian|ubuntu)\.\w+"), "a package host"),
    (re.compile(r"\b(pypi|crates|npmjs|maven|golang|pythonhosted)\.(org|io|com)\b"), "a package host"),
]


def is_exempt_from_mentions(path):
    return path.startswith(("data/", "tests/data/")) or path == "tests/lint/text_rules.py"


def form_findings(path, content):
    findings = []
    lines = content.split("\n")
    if content and lines[-1] != "":
        findings.append(Finding(path, len(lines), "the last line has no newline"))
    if content.endswith("\n\n"):
        findings.append(Finding(path, len(lines) - 1, "blank lines at the end"))
    for number, line in enumerate(lines, 1):
        if line.endswith("\r"):
            findings.append(Finding(path, number, "carriage return"))
        elif line != line.rstrip():
            findings.append(Finding(path, number, "trailing whitespace"))
        if "\t" in line and path.endswith((".h", ".cpp", ".py")):
            findings.append(Finding(path, number, "tab"))
    if path.startswith("src/") and len(lines) - 1 > LONGEST_SOURCE:
        findings.append(Finding(path, len(lines) - 1, f"{len(lines) - 1} lines; at most {LONGEST_SOURCE}"))
    return findings


def mention_findings(path, content):
    findings = []
    for number, line in enumerate(content.splitlines(), 1):
        for pattern, what in MENTIONS:
            if pattern.search(line):
                findings.append(Finding(path, number, f"names {what}: '{pattern.search(line).group(0)}'"))
    return findings


def check(root):
    findings = []
    for path in repository.files(root):
        content = repository.text(root, path)
        if content is None:
            continue
        if not path.startswith(VERBATIM):
            findings += form_findings(path, content)
        if not is_exempt_from_mentions(path):
            findings += mention_findings(path, content)
    return findings
