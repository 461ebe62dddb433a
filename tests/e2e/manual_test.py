"""Pages that the program makes of its own tables are in the repository as it makes them, and completions are valid."""

import shutil
import subprocess
import unittest

import harness

PAGES = {"docs/man/mekiki.1": ("man",), "docs/flags.md": ("man", "--markdown"),
         "docs/formulas.md": ("man", "--formulas")}


class Pages(harness.ProgramTest):
    def test_pages_are_current(self):
        for path, command in PAGES.items():
            made = self.mekiki(*command, "--lang", "en").stdout
            self.assertEqual((harness.ROOT / path).read_text(encoding="utf-8"), made,
                             f"{path} is not current: build/release/mekiki {' '.join(command)} --lang en > {path}")

    def test_every_flag_of_help_is_in_the_manual(self):
        manual = self.mekiki("man", "--lang", "en").stdout.replace("\\", "")
        for command in ("fit", "model", "gpus", "systems"):
            for line in self.mekiki(command, "--help").stdout.splitlines():
                words = line.split()
                if words and words[0].startswith("--"):
                    self.assertIn(words[0], manual)

    def test_help_has_an_example_that_runs(self):
        for command in ("model", "fit", "gpus", "systems", "prices list", "completions", "man"):
            help_text = self.mekiki(*command.split(), "--help").stdout
            example = help_text.split("Example:\n")[1].splitlines()[0].split()
            self.assertEqual(example[0], "mekiki")
            answer = harness.run(*example[1:], "--as-of", "2026-07-01")
            self.assertEqual(answer.code, 0, f"\n{answer}")


class Completions(harness.ProgramTest):
    def test_bash(self):
        script = self.mekiki("completions", "bash").stdout
        words = 'COMP_WORDS=(mekiki fit --gp); COMP_CWORD=2; _mekiki; echo "${COMPREPLY[@]}"'
        done = subprocess.run(["bash", "-c", script + words], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout.split(), ["--gpu", "--gpus"])
        words = 'COMP_WORDS=(mekiki pri); COMP_CWORD=1; _mekiki; echo "${COMPREPLY[@]}"'
        done = subprocess.run(["bash", "-c", script + words], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout.split(), ["prices"])

    def test_other_shells(self):
        for shell in ("zsh", "fish"):
            script = self.mekiki("completions", shell).stdout
            self.assertIn("mekiki", script)
            if shutil.which(shell):
                subprocess.run([shell, "-n"], input=script, text=True, check=True)


if __name__ == "__main__":
    unittest.main()
