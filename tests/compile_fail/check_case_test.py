"""check_case.py itself: it tells a good case from each kind of bad one."""

import contextlib
import io
import os
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import check_case  # noqa: E402

COMPILER = os.environ.get("MEKIKI_COMPILER", "c++")


def verdict(source):
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as out:
        path = Path(folder) / "case.cpp"
        path.write_text(source, encoding="utf-8")
        return check_case.main([str(path), COMPILER, "-fsyntax-only"]), out.getvalue()


class CheckCase(unittest.TestCase):
    def test_verdicts(self):
        slip = "#ifdef MUST_NOT_COMPILE\nint* pointer = 1.5;\n#endif\n"
        for source, code, text in [
            ("// Expected: double\n" + slip, 0, ""),
            (slip, 1, "no line"),
            ("// Expected: nonesuch\n" + slip, 1, "but not with 'nonesuch'"),
            ("// Expected: double\nint number = 1;\n", 1, "compiles with MUST_NOT_COMPILE"),
            ("// Expected: double\nint* pointer = 1.5;\n", 1, "must compile without"),
        ]:
            with self.subTest(source=source):
                actual, said = verdict(source)
                self.assertEqual(actual, code, said)
                self.assertIn(text, said)


if __name__ == "__main__":
    unittest.main()
