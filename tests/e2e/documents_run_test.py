"""documents_run_test.py DOCUMENT...: every command of the documents runs and prints what the document shows.

`tools/run` stands for the built program. The commands of one document run in one temporary folder that links to the
files of the repository, so that a new file lands there.
"""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import documents  # noqa: E402
import harness  # noqa: E402

# Commands about getting and testing the repository; the gate and the trial of a bare system run those.
NOT_RUN = re.compile(r"(git clone|cd mekiki\b|tools/(test|check|fuzz)\b|apt-get |sudo )")
PROGRAM = re.compile(r"(^|[|;&(]) *(?:(?:\./)?tools/run|mekiki)(?= |$)", re.MULTILINE)


def shell(command, directory):
    program = PROGRAM.sub(rf"\1 '{harness.BINARY}'", command)
    return subprocess.run(["bash", "-o", "pipefail", "-c", program], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, encoding="utf-8", timeout=120, check=False, cwd=directory,
                          env=harness.environment())


class RunDocument(harness.ProgramTest):
    def __init__(self, path):
        super().__init__("runTest")
        self.path = Path(path)

    def __str__(self):
        return f"commands of {self.path.name}"

    def runTest(self):
        commands = documents.commands(self.path.read_text(encoding="utf-8"))
        to_run = [command for command in commands if not NOT_RUN.match(command.text)]
        self.assertTrue(to_run, f"{self.path} shows no command that could be run")
        with tempfile.TemporaryDirectory() as directory:
            for entry in harness.ROOT.iterdir():
                if entry.name not in ("build", ".git"):
                    (Path(directory) / entry.name).symlink_to(entry)
            for command in to_run:
                with self.subTest(line=command.line, command=command.text):
                    self.check(command, shell(command.text, directory))
        print(f"{self.path.name}: {len(to_run)} of {len(commands)} commands run")

    def check(self, command, done):
        said = f"{self.path}:{command.line}\n$ {command.text}\n--- stdout\n{done.stdout}--- stderr\n{done.stderr}"
        self.assertEqual(done.returncode, command.code, said)
        if command.output:
            self.assertTrue(documents.matches(command.output, done.stdout.split("\n")), said)


if __name__ == "__main__":
    suite = unittest.TestSuite(RunDocument(path) for path in sys.argv[1:])
    if suite.countTestCases() == 0:
        sys.exit("no document given")
    sys.exit(not unittest.TextTestRunner().run(suite).wasSuccessful())
