"""Pages that the program writes are current."""

import subprocess
import sys
import unittest

import harness


class Pages(harness.ProgramTest):
    def test_the_table_of_models(self):
        command = [sys.executable, "-B", "tools/generate_models", "--mekiki", str(harness.BINARY), "--check"]
        answer = subprocess.run(command, cwd=harness.ROOT, capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(answer.returncode, 0, answer.stderr)


if __name__ == "__main__":
    unittest.main()
