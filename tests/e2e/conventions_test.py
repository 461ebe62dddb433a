"""What every command keeps to: stdout is the result, stderr the talk, exit codes and errors as documented."""

import unittest

import harness
from harness import BAD_INPUT, USAGE


class Conventions(harness.ProgramTest):
    def test_version(self):
        answer = self.mekiki("--version")
        self.assertRegex(answer.stdout, r"^mekiki \d+\.\d+\.\d+\n$")
        self.assertEqual(answer.stderr, "")

    def test_help_names_the_commands_and_an_example(self):
        answer = self.mekiki("--help")
        self.assert_says(answer, "mekiki", "--json")
        self.assertEqual(answer.stderr, "")

    def test_unknown_command_is_usage(self):
        answer = self.mekiki("nonesuch", code=USAGE)
        self.assertEqual(answer.stdout, "")
        self.assert_says(answer, "nonesuch", where="stderr")

    def test_unknown_flag_is_usage(self):
        answer = self.mekiki("model", "--params", "1B", "--nonesuch", code=USAGE)
        self.assertEqual(answer.stdout, "")
        self.assert_says(answer, "nonesuch", where="stderr")

    def test_error_as_json(self):
        error = self.mekiki_error("nonesuch", code=USAGE)
        self.assertEqual(error["code"], "usage")

    def test_unknown_model_is_bad_input(self):
        answer = self.mekiki("model", "no-such-model-7b", code=BAD_INPUT)
        self.assertEqual(answer.stdout, "")
        self.assert_says(answer, "no-such-model-7b", where="stderr")
        error = self.mekiki_error("model", "no-such-model-7b", code=BAD_INPUT)
        self.assertIn(error["code"], ("not_found", "unsupported"))

    def test_no_colour_without_a_terminal(self):
        answer = self.mekiki("--help", env={"NO_COLOR": "", "TERM": "xterm-256color"})
        self.assertNotIn("\x1b", answer.stdout + answer.stderr)


if __name__ == "__main__":
    unittest.main()
