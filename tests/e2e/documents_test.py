"""Reading of commands from Markdown, and the comparison with elided lines."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import documents  # noqa: E402

TEXT = """# Title
```console
$ tools/run model llama
a
...
z

$ second \\
>   --flag
```
Text with `$ code`.

  ```console exit=1
  $ third
  ```
```sh
$ fourth
```
```json
$ not a command
```
"""


class Documents(unittest.TestCase):
    def test_commands(self):
        found = documents.commands(TEXT)
        self.assertEqual([command.text for command in found],
                         ["tools/run model llama", "second \\\n  --flag", "third", "fourth"])
        self.assertEqual([command.line for command in found], [3, 8, 14, 17])
        self.assertEqual([command.code for command in found], [0, 0, 1, 0])
        self.assertEqual(found[0].output, ("a", "...", "z"))
        self.assertEqual(found[1].output, ())

    def test_matches(self):
        for shown, actual, expected in [
            (["a", "b"], ["a", "b"], True),
            (["a", "b"], ["a", "b", ""], True),
            (["a", "b"], ["a", "b  "], True),
            (["a", "b"], ["a", "c"], False),
            (["a"], ["a", "b"], False),
            (["a", "..."], ["a", "b", "c"], True),
            (["a", "…", "c"], ["a", "b", "c"], True),
            (["a", "...", "c"], ["a", "c"], True),
            (["...", "c"], ["a", "b"], False),
            (["a.c"], ["abc"], False),
            (["a", "...", "c"], ["a", "c", "d"], False),
        ]:
            with self.subTest(shown=shown, actual=actual):
                self.assertEqual(documents.matches(shown, actual), expected)


if __name__ == "__main__":
    unittest.main()
