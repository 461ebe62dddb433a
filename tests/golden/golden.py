"""Golden answers: each case of cases/NAME.json is a command line, and what it prints stands beside it in NAME.txt.

A case is {"arguments": [...], "exit": 0, "stdin": "..."}. Kept is stdout, or stderr where stdout is empty. JSON is kept
with six significant digits and without what changes with every commit of data or machine: version, digest, stats.
signature.txt holds one digest over the predictions of all measured rows, with three significant digits.

    golden.py check | write
"""

import hashlib
import json
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent / "e2e"))

import harness  # noqa: E402

PASSING = ("mekiki_version", "data_digest", "stats")
ROWS = {"memory": "memory.csv", "throughput": "throughput.csv"}


def rounded(value, digits):
    if isinstance(value, float):
        return float(f"{value:.{digits}g}")
    if isinstance(value, list):
        return [rounded(item, digits) for item in value]
    if isinstance(value, dict):
        return {key: rounded(item, digits) for key, item in value.items()}
    return value


def answer_of(case):
    answer = harness.run(*case["arguments"], stdin=case.get("stdin", ""), directory=harness.ROOT)
    text = answer.stdout or answer.stderr
    if "--json" in case["arguments"]:
        value = json.loads(text)
        kept = {key: item for key, item in value.items() if key not in PASSING}
        text = json.dumps(rounded(kept, 6), ensure_ascii=False, indent=1) + "\n"
    return f"[exit {answer.code}]\n{text}", answer.code


def cases():
    return sorted((FOLDER / "cases").glob("*.json"))


def signature():
    digest = hashlib.sha256()
    count = 0
    for kind, name in sorted(ROWS.items()):
        answer = harness.run("validate", kind, harness.ROOT / "data/validation/rows" / name, "--json")
        for row in json.loads(answer.stdout)["rows"]:
            predicted = rounded(row.get("predicted"), 3)
            digest.update(json.dumps([row["id"], predicted], sort_keys=True).encode())
            count += predicted is not None
    return f"{digest.hexdigest()[:16]} {count} predictions\n"


def check():
    problems = []
    for path in cases():
        case = json.loads(path.read_text(encoding="utf-8"))
        text, code = answer_of(case)
        kept = path.with_suffix(".txt")
        if code != case.get("exit", 0):
            problems.append(f"{path.name}: exit {code}, not {case.get('exit', 0)}")
        if not kept.exists() or kept.read_text(encoding="utf-8") != text:
            problems.append(f"{kept.name} differs from what `mekiki {' '.join(case['arguments'])}` prints")
    known = {path.with_suffix(".txt").name for path in cases()}
    problems += [f"{path.name} has no case" for path in (FOLDER / "cases").glob("*.txt") if path.name not in known]
    kept_signature = FOLDER / "signature.txt"
    if not kept_signature.exists() or kept_signature.read_text(encoding="utf-8") != signature():
        problems.append(f"signature.txt is not {signature().strip()}")
    return problems


def write():
    for path in cases():
        text, _ = answer_of(json.loads(path.read_text(encoding="utf-8")))
        path.with_suffix(".txt").write_text(text, encoding="utf-8")
    (FOLDER / "signature.txt").write_text(signature(), encoding="utf-8")


def main():
    if sys.argv[1:] == ["write"]:
        write()
        return 0
    problems = check()
    for problem in problems:
        print(problem)
    if problems:
        print("look at `git diff` after tools/regenerate_golden; commit the answers only if they are what you meant")
    print(f"{len(cases())} cases")
    return 1 if problems or not cases() else 0


if __name__ == "__main__":
    sys.exit(main())
