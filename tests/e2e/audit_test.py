"""mekiki audit: the published 33-minute claim, the keys of its JSON, and what it refuses."""

import unittest

import harness
from harness import BAD_INPUT, NOTHING_FITS, OK, USAGE

DAY = ("--as-of", "2026-11-20")
CLAIM = ("audit", "llama-3.2-1b", "--tokens", "1B", "--gpu", "l40s", "--time", "33min", *DAY)
KEYS = {
    "verdict", "required_flops_per_second", "peak_flops_per_second", "ratio", "implied_mfu", "memory_verdict",
    "readings", "range",
}


class Audit(harness.ProgramTest):
    def test_keys_of_the_contract(self):
        answer = self.mekiki_json(*CLAIM, code=NOTHING_FITS)
        self.assertLessEqual(KEYS, set(answer))
        for reading in answer["readings"]:
            self.assertLessEqual({"text", "changes", "ratio"}, set(reading))
        self.assertLessEqual({"hours_low", "hours_high"}, set(answer["range"]))

    def test_the_published_claim_is_impossible(self):
        answer = self.mekiki_json(*CLAIM, code=NOTHING_FITS)
        self.assertEqual(answer["verdict"], "impossible")
        self.assertTrue(8 <= answer["ratio"] <= 13, answer["ratio"])
        self.assertAlmostEqual(answer["ratio"], answer["required_flops_per_second"] / answer["peak_flops_per_second"],
                               places=6)
        self.assertEqual(answer["memory_verdict"], "fits")
        readings = {reading["id"]: reading for reading in answer["readings"]}
        self.assertEqual(readings["longer_time"]["changes"], {"time": "33h"})
        self.assertEqual(readings["longer_time"]["verdict"], "plausible")
        for kind in ("fewest_tokens", "most_tokens"):
            self.assertTrue(10e6 <= readings[kind]["changes"]["tokens"] <= 50e6, readings[kind])
            self.assertEqual(readings[kind]["verdict"], "plausible")
        for kind in ("weights_only", "full_attention", "sparse_peak", "adapters", "fp8"):
            self.assertEqual(readings[kind]["verdict"], "impossible", readings[kind])
        self.assertTrue(10 * 33 / 60 < answer["range"]["hours_low"] < answer["range"]["hours_high"] < 2 * 33)

    def test_every_reading_is_what_the_changed_claim_gives(self):
        answer = self.mekiki_json(*CLAIM, code=NOTHING_FITS)
        flags = {"time": "--time", "tokens": "--tokens", "gpus": "--gpus", "gpu": "--gpu", "method": "--method",
                 "precision": "--precision"}
        asked = 0
        for reading in answer["readings"]:
            arguments = list(CLAIM)
            for key, value in reading["changes"].items():
                if flags[key] in arguments:
                    arguments[arguments.index(flags[key]) + 1] = str(value)
                else:
                    arguments += [flags[key], str(value)]
            if not reading["changes"]:
                continue
            code = NOTHING_FITS if reading["verdict"] == "impossible" else OK
            again = self.mekiki_json(*arguments, code=code)
            self.assertAlmostEqual(again["ratio"] / reading["ratio"], 1, places=6, msg=reading)
            asked += 1
        self.assertGreaterEqual(asked, 6)

    def test_a_bare_count(self):
        answer = self.mekiki_json("audit", "--params", "1B", "--tokens", "1B", "--gpu", "l40s", "--time", "33min", *DAY,
                                  code=NOTHING_FITS)
        self.assertAlmostEqual(answer["ratio"], 8.37, places=2)
        self.assertIsNone(answer["memory_verdict"])
        self.assertTrue(answer["memory_verdict_reason"])
        self.assertEqual(answer["range"]["basis"], "measured")

    def test_a_measured_run_is_plausible_and_twice_its_rate_is_not(self):
        # llm-foundry-001: 70B on 512 H100, 515,636 tokens/s.
        run = ("audit", "llama-3.1-70b", "--method", "pretraining", "--gpu", "h100-sxm5-80", "--gpus", "512",
               "--sequence-length", "2048", *DAY)
        honest = self.mekiki_json(*run, "--tokens-per-s", "480000")
        self.assertEqual(honest["verdict"], "plausible", honest["reasons"])
        self.assertEqual(self.mekiki_json(*run, "--tokens-per-s", "960000")["verdict"], "implausible")
        self.mekiki_json(*run, "--tokens-per-s", "1.5M", code=NOTHING_FITS)

    def test_weights_larger_than_all_memory_are_implausible(self):
        answer = self.mekiki_json("audit", "llama-3.1-405b", "--gpu", "h100-sxm5-80", "--gpus", "8", "--mfu", "0.4",
                                  *DAY)
        self.assertEqual(answer["verdict"], "implausible")
        self.assertEqual(answer["memory_verdict"], "does_not_fit")

    def test_a_saving_that_the_claim_does_not_name_is_named(self):
        # 70B full on 8 x 80 GB: 12 bytes a weight are 789 GiB of 637.
        answer = self.mekiki_json("audit", "llama-3.1-70b", "--gpu", "h100-sxm5-80", "--gpus", "8", "--mfu", "0.4", *DAY)
        self.assertIn("fits_by_saving", [reason["id"] for reason in answer["reasons"]])
        self.assertTrue(answer["memory"]["saving"])

    def test_unknown_without_a_gpu(self):
        answer = self.mekiki_json("audit", "llama-3.2-1b", "--mfu", "40%", *DAY)
        self.assertEqual(answer["verdict"], "unknown")
        self.assertIsNone(answer["ratio"])
        self.assertTrue(answer["ratio_reason"])

    def test_utilisation_is_never_taken_for_mfu(self):
        model = ("audit", "llama-3.1-8b", "--gpu", "h100-sxm5-80", "--gpus", "64", *DAY)
        alone = self.mekiki_json(*model, "--gpu-utilization", "100%")
        self.assertEqual(alone["verdict"], "unknown")
        self.assertIsNone(alone["implied_mfu"])
        self.assertEqual([reason["id"] for reason in alone["reasons"]], ["utilization_is_no_rate"])
        self.assertTrue(0.1 < alone["honest_mfu"]["low"] < alone["honest_mfu"]["high"] < 0.7, alone["honest_mfu"])
        both = self.mekiki_json(*model, "--gpu-utilization", "100%", "--mfu", "40%")
        self.assertEqual(both["verdict"], "plausible")
        self.assertAlmostEqual(both["implied_mfu"], 0.4)
        self.assertEqual(both["claim"], {"mfu": 0.4, "gpu_utilization": 1.0})
        swapped = self.mekiki_json(*model, "--mfu", "97%")
        readings = {reading["id"]: reading for reading in swapped["readings"]}
        self.assertEqual(readings["utilization"]["verdict"], "plausible")
        self.assertAlmostEqual(readings["utilization"]["ratio"], swapped["honest_mfu"]["high"])
        self.assertNotIn("utilization", {reading["id"] for reading in self.mekiki_json(*model, "--mfu", "40%")["readings"]})
        self.assert_says(self.mekiki(*model, "--gpu-utilization", "100%"), "NCCL", "Honest MFU")
        self.assert_says(self.mekiki(*model, "--gpu-utilization", "100%", "--lang", "ja"), "GPU 使用率", "現実的な MFU")

    def test_bad_claims(self):
        model = ("audit", "llama-3.2-1b", "--gpu", "l40s", *DAY)
        for flags, subject in (((), "time"), (("--time", "33min"), "tokens"),
                               (("--mfu", "0.4", "--tokens-per-s", "5"), "time"), (("--mfu", "-1"), "--mfu"),
                               (("--time", "33", "--tokens", "1B"), "--time"), (("--tokens-per-s", "0"), "--tokens-per-s"),
                               (("--gpu-utilization", "140%"), "--gpu-utilization")):
            with self.subTest(flags=flags):
                self.assertEqual(self.mekiki_error(*model, *flags, code=BAD_INPUT)["subject"], subject)
        self.mekiki_error("audit", "--mfu", "0.4", code=USAGE)
        self.mekiki_error("audit", "llama-3.2-1b", "--gpu", "l41", "--mfu", "0.4", code=BAD_INPUT)

    def test_text_in_both_languages(self):
        self.assert_says(self.mekiki(*CLAIM, code=NOTHING_FITS), "IMPOSSIBLE", "11.5 x", "33.0 h")
        self.assert_says(self.mekiki(*CLAIM, "--lang", "ja", code=NOTHING_FITS), "不可能です", "ピーク比")


if __name__ == "__main__":
    unittest.main()
