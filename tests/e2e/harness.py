"""Runs the built program and looks at what it says. MEKIKI_BINARY and MEKIKI_SOURCE_DIR come from CTest."""

import json
import os
import subprocess
import unittest
from pathlib import Path
from typing import NamedTuple

BINARY = Path(os.environ.get("MEKIKI_BINARY", "")).resolve()
ROOT = Path(os.environ.get("MEKIKI_SOURCE_DIR", Path(__file__).resolve().parents[2]))

OK, NOTHING_FITS, USAGE, BAD_INPUT, ENVIRONMENT, INTERNAL = 0, 1, 2, 3, 4, 70


class Answer(NamedTuple):
    arguments: tuple
    code: int
    stdout: str
    stderr: str

    def __str__(self):
        command = " ".join(["mekiki", *self.arguments])
        return f"$ {command}\n[exit {self.code}]\n--- stdout\n{self.stdout}--- stderr\n{self.stderr}"


def environment(changes=None):
    """The same for everyone: English, no colour, no network, nothing of this machine but PATH."""
    fixed = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C.UTF-8", "NO_COLOR": "1", "TZ": "UTC",
             "HF_HUB_OFFLINE": "1"}
    return {**fixed, **(changes or {})}


def run(*arguments, stdin="", directory=None, env=None, seconds=60):
    """mekiki ARGUMENTS; text in and out, never a terminal."""
    done = subprocess.run([str(BINARY), *map(str, arguments)], input=stdin, capture_output=True, text=True,
                          encoding="utf-8", timeout=seconds, check=False, cwd=directory, env=environment(env))
    return Answer(tuple(map(str, arguments)), done.returncode, done.stdout, done.stderr)


class ProgramTest(unittest.TestCase):
    """A test of the program. Every failure shows the command and all that it said."""

    maxDiff = None

    @classmethod
    def setUpClass(cls):
        if not BINARY.is_file():
            raise AssertionError(f"MEKIKI_BINARY names no program: {BINARY}")

    def mekiki(self, *arguments, code=OK, **how):
        """Runs the program and asserts its exit code."""
        answer = run(*arguments, **how)
        self.assertEqual(answer.code, code, f"\n{answer}")
        return answer

    def mekiki_json(self, *arguments, code=OK, **how):
        """Runs the program with --json: stdout must be one JSON object with a schema version."""
        answer = self.mekiki(*arguments, "--json", code=code, **how)
        try:
            value = json.loads(answer.stdout)
        except ValueError as error:
            self.fail(f"stdout is no JSON: {error}\n{answer}")
        self.assertEqual(value.get("schema_version"), 1, f"\n{answer}")
        return value

    def mekiki_error(self, *arguments, code, **how):
        """Runs the program with --json where it must refuse; returns the error object."""
        value = self.mekiki_json(*arguments, code=code, **how)
        self.assertIn("error", value, f"mekiki {' '.join(map(str, arguments))}: {value}")
        self.assertLessEqual({"code", "subject", "message", "hint"}, set(value["error"]))
        return value["error"]

    def assert_says(self, answer, *texts, where="stdout"):
        for text in texts:
            self.assertIn(text, getattr(answer, where), f"\n{answer}")


if __name__ == "__main__":
    unittest.main()
