"""lint.py ROOT RULE...: prints the findings of the named rules as PATH:LINE: MESSAGE; exit 1 if there is one."""

import sys
from pathlib import Path

import coverage
import layering
import names
import text_rules

RULES = {
    "layering": layering.check,
    "names": names.check,
    "text": text_rules.check,
    "coverage": coverage.check,
}


def main(arguments):
    root, rules = Path(arguments[0]).resolve(), arguments[1:] or list(RULES)
    findings = [finding for rule in rules for finding in RULES[rule](root)]
    for finding in findings:
        print(finding)
    print(f"{', '.join(rules)}: {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
