"""What `mekiki validate` answers for the rows of data/validation, for the tools that write pages and data of it."""

import csv
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROWS = Path("data") / "validation" / "rows"
AS_OF = "2026-11-30"


def answer_for(mekiki, kind, name, *flags):
    """The JSON answer for one file of rows. Ends the program where the command fails."""
    command = [str(mekiki), "validate", kind, str(ROWS / name), "--json", "--as-of", AS_OF, *flags]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    if answer.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {answer.returncode}: {answer.stderr.strip() or answer.stdout[:400]}")
    return json.loads(answer.stdout)


def rows_of(name):
    """The rows themselves, by id."""
    with open(ROOT / ROWS / name, encoding="utf-8", newline="") as source:
        return {row["id"]: row for row in csv.DictReader(source)}
