"""docs/coverage.md: every requirement stands there once, and a row that is not open names a command and tests that
exist."""

import re

import repository
from repository import Finding

PATH = "docs/coverage.md"
ROWS = {"A": 11, "B": 7, "C": 11, "D": 7, "E": 10, "F": 2, "G": 2, "H": 8}  # requirements per chapter
STATES = ("open", "first form", "done")
ROW = re.compile(r"^\| *([A-H][0-9]+) *\|(.*)\|$")


def row_findings(root, number, identifier, cells):
    if len(cells) != 4:
        return [Finding(PATH, number, f"{identifier} has {len(cells) + 1} columns, not 5")]
    requirement, command, tests, state = cells
    findings = []
    if not requirement:
        findings.append(Finding(PATH, number, f"{identifier} has no requirement"))
    if state not in STATES:
        findings.append(Finding(PATH, number, f"{identifier}: state '{state}' is none of {', '.join(STATES)}"))
    if state != "open" and not command:
        findings.append(Finding(PATH, number, f"{identifier} is {state} but names no command"))
    paths = re.findall(r"`([^`]+)`", tests)
    if state != "open" and not paths:
        findings.append(Finding(PATH, number, f"{identifier} is {state} but names no test"))
    known = set(repository.files(root, "src", "tests"))
    for path in paths:
        if path.split("::")[0] not in known:
            findings.append(Finding(PATH, number, f"{identifier}: the test {path} does not exist"))
    return findings


def check(root):
    findings = []
    seen = {}
    content = repository.text(root, PATH) if PATH in repository.files(root, "docs") else ""
    for number, line in enumerate(content.splitlines(), 1):
        row = ROW.match(line)
        if not row:
            continue
        identifier = row.group(1)
        if identifier in seen:
            findings.append(Finding(PATH, number, f"{identifier} stands here again (first in line {seen[identifier]})"))
        seen[identifier] = number
        findings += row_findings(root, number, identifier, [cell.strip() for cell in row.group(2).split("|")])
    expected = [f"{chapter}{i}" for chapter, count in ROWS.items() for i in range(1, count + 1)]
    findings += [Finding(PATH, 1, f"{identifier} is missing") for identifier in expected if identifier not in seen]
    findings += [Finding(PATH, seen[i], f"{i} is no requirement") for i in seen if i not in expected]
    return findings
