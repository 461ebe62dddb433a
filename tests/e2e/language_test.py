"""English and Japanese: chosen by flag or locale, the same numbers in both, lines that line up."""

import unicodedata
import unittest

import harness

ONE_CARD = ("fit", "llama-3.2-1b", "--gpu", "L40S", "--as-of", "2026-07-01")


def is_japanese(text):
    return any("\u3040" <= c <= "\u30ff" for c in text)


def width(text):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


class Languages(harness.ProgramTest):
    def test_flag_and_locale(self):
        self.assertTrue(is_japanese(self.mekiki(*ONE_CARD, "--lang", "ja").stdout))
        self.assertTrue(is_japanese(self.mekiki(*ONE_CARD, env={"LC_ALL": "ja_JP.UTF-8"}).stdout))
        self.assertTrue(is_japanese(self.mekiki(*ONE_CARD, env={"LC_ALL": "", "LANG": "ja_JP.UTF-8"}).stdout))
        self.assertFalse(is_japanese(self.mekiki(*ONE_CARD, "--lang", "en", env={"LC_ALL": "ja_JP.UTF-8"}).stdout))
        self.assertFalse(is_japanese(self.mekiki(*ONE_CARD, env={"LC_ALL": "de_DE.UTF-8", "LANG": "ja_JP"}).stdout))

    def test_verdicts(self):
        self.assert_says(self.mekiki(*ONE_CARD), "FITS")
        self.assert_says(self.mekiki(*ONE_CARD, "--lang", "ja"), "収まります", "内訳")
        answer = self.mekiki("fit", "llama-3.2-3b", "--gpu", "L40S", "--lang", "ja", code=harness.NOTHING_FITS)
        self.assert_says(answer, "収まりません")

    def test_the_same_numbers(self):
        english, japanese = (self.mekiki_json(*ONE_CARD, "--lang", language) for language in ("en", "ja"))
        for key in ("memory", "categories_gib", "quick_rule", "largest"):
            self.assertEqual(english[key], japanese[key])
        self.assertNotEqual(english["not_modelled"], japanese["not_modelled"])

    def test_help_in_both(self):
        for command in ([], ["fit"], ["prices", "list"], ["model"]):
            english = self.mekiki(*command, "--help").stdout
            japanese = self.mekiki(*command, "--help", "--lang", "ja").stdout
            self.assertFalse(is_japanese(english))
            self.assertTrue(is_japanese(japanese))
            self.assertEqual(english.count("--"), japanese.count("--"))

    def test_lines_are_short(self):
        for language in ("en", "ja"):
            for line in self.mekiki(*ONE_CARD, "--lang", language).stdout.splitlines():
                self.assertLessEqual(width(line), 120, line)

    def test_columns_line_up(self):
        text = self.mekiki(*ONE_CARD, "--lang", "ja").stdout
        starts = {width(line[: line.index("#")]) for line in text.splitlines() if line.endswith("#")}
        self.assertEqual(len(starts), 1, text)


if __name__ == "__main__":
    unittest.main()
