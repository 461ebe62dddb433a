"""What decides a plan beside memory and time: the text, its language, the model's licence, and what is left out."""

import json
import tempfile
import unittest
from pathlib import Path

import harness
from harness import BAD_INPUT

DAY = ("--as-of", "2026-11-20")
JOB = ("llama-3.1-8b", "--method", "lora", "--max-gpus", "8", *DAY)
CORPUS = ("--corpus", "1 GB", "--corpus-language", "ja")


def width(answer):
    hours = answer["plans"][0]["hours"]
    return hours["p90"] / hours["p50"]


class Corpus(harness.ProgramTest):
    def test_a_size_of_text_becomes_tokens_with_a_range(self):
        answer = self.mekiki_json("plan", *JOB, *CORPUS, "--epochs", "2")
        corpus = answer["corpus"]
        self.assertEqual((corpus["bytes"], corpus["epochs"], corpus["language"]), (1e9, 2, "ja"))
        density, tokens = corpus["bytes_per_token"], corpus["tokens"]
        for ours, its in (("low", "high"), ("mid", "mid"), ("high", "low")):
            self.assertAlmostEqual(tokens[ours] * density[its] / 2e9, 1.0, places=4)
        self.assertLess(tokens["low"], tokens["high"])
        self.assertIn("source", corpus)

    def test_the_range_is_part_of_time_and_cost(self):
        answer = self.mekiki_json("plan", *JOB, "--corpus", "10GB", "--corpus-language", "code")
        counted = self.mekiki_json("plan", *JOB, "--tokens", round(answer["corpus"]["tokens"]["mid"]))
        self.assertEqual(answer["plans"][0]["system"], counted["plans"][0]["system"])
        self.assertGreater(width(answer), width(counted))
        self.assertIn("tokens", [row["input"] for row in answer["sensitivity"]["rows"]])
        self.assertNotIn("tokens", [row["input"] for row in counted["sensitivity"]["rows"]])

    def test_text_and_fit_say_it_in_both_languages(self):
        for lang, words in (("en", ("bytes per token", "Japanese")), ("ja", ("コーパス", "日本語"))):
            for command in (("plan", *JOB), ("fit", "llama-3.1-8b", "--method", "lora", "--gpu", "h200", *DAY)):
                text = self.mekiki(*command, *CORPUS, "--lang", lang).stdout
                for word in words:
                    self.assertIn(word, text.replace("\n  ", " "))

    def test_a_folder_counts_as_its_files(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "deep").mkdir()
            (Path(folder) / "a.txt").write_bytes(b"x" * 3000)
            (Path(folder) / "deep/b.jsonl").write_bytes(b"y" * 5000)
            answer = self.mekiki_json("fit", "llama-3.1-8b", "--method", "lora", "--gpu", "h200", "--corpus", folder, "--corpus-language",
                                      "en", *DAY)
            self.assertEqual(answer["corpus"]["bytes"], 8000)
            (Path(folder) / "c.txt.gz").write_bytes(b"z")
            self.mekiki("plan", *JOB, "--corpus", folder, "--corpus-language", "en", code=BAD_INPUT)

    def test_what_contradicts_or_lacks_is_refused(self):
        for flags in ((*CORPUS, "--tokens", "1B"), ("--corpus", "1GB"), ("--tokens", "1B", "--epochs", "2"),
                      ("--corpus", "1 furlong", "--corpus-language", "ja"),
                      ("--corpus", "no/such/folder", "--corpus-language", "ja"),
                      ("--corpus", "1GB", "--corpus-language", "tlh")):
            with self.subTest(flags):
                self.mekiki("plan", *JOB, *flags, code=BAD_INPUT)

    def test_a_small_vocabulary_is_warned_of_with_its_factor(self):
        poor = self.mekiki_json("plan", "llama-2-7b", *JOB[1:], *CORPUS)
        advice = {item["id"]: item for item in poor["advice"]}
        self.assertEqual(advice["fertility"]["level"], "warning")
        self.assertAlmostEqual(advice["fertility"]["values"]["factor"], poor["corpus"]["times_the_best"])
        self.assertGreater(poor["corpus"]["times_the_best"], 2)
        english = self.mekiki_json("plan", "llama-2-7b", *JOB[1:], "--corpus", "1GB", "--corpus-language", "en")
        self.assertNotIn("fertility", [item["id"] for item in english["advice"]])


class BaseModel(harness.ProgramTest):
    def ids(self, model, method):
        answer = self.mekiki_json("plan", model, "--method", method, "--tokens", "10M", "--max-gpus", "8", *DAY)
        return {item["id"]: item for item in answer["advice"]}

    def test_licence_is_named_or_said_to_be_unknown(self):
        self.assertEqual(self.ids("llama-3.2-1b", "lora")["licence_unknown"]["level"], "warning")
        self.assertFalse({"licence_unknown", "licence_known"} & set(self.ids("llama-3.2-1b", "pretraining")))
        with tempfile.TemporaryDirectory() as folder:
            config = json.loads((harness.ROOT / "data/models/meta-llama__Llama-3.2-1B.json").read_text())
            (Path(folder) / "config.json").write_text(json.dumps(config))
            (Path(folder) / "README.md").write_text("---\nlicense: apache-2.0\n---\n# A model\n")
            self.assertEqual(self.ids(folder, "lora")["licence_known"]["values"]["licence"], "apache-2.0")

    def test_forgetting_belongs_to_continued_pretraining(self):
        self.assertIn("forgetting", self.ids("llama-3.2-1b", "continued_pretraining"))
        self.assertNotIn("forgetting", self.ids("llama-3.2-1b", "lora"))
        self.assertNotIn("forgetting", self.ids("llama-3.2-1b", "pretraining"))


class Filters(harness.ProgramTest):
    def plan(self, *flags, **how):
        return self.mekiki_json("plan", *JOB, "--tokens", "100M", *flags, **how)

    def test_families_of_gpus(self):
        gpus = {row["id"]: row["architecture"] for row in self.mekiki_json("gpus", *DAY)["gpus"]}
        families = {gpus[plan["gpu"]].split()[0] for plan in self.plan("--gpu-families", "Hopper,ada")["plans"]}
        self.assertEqual(families, {"Hopper", "Ada"})

    def test_several_gpus_and_several_engines(self):
        answer = self.plan("--gpu", "l40s,rtx4090", "--framework", "torchtitan,torchtune")
        self.assertEqual({plan["gpu"] for plan in answer["plans"]}, {"l40s", "rtx4090"})
        self.assertLessEqual({plan["framework"] for plan in answer["plans"]}, {"torchtitan", "torchtune"})
        self.mekiki("fit", "llama-3.1-8b", "--framework", "torchtitan,torchtune", *DAY, code=BAD_INPUT)

    def test_offers_of_unknown_region_are_left_out_or_kept_and_counted(self):
        strict, open_ = self.plan("--regions", "us-east"), self.plan("--regions", "us-east", "--unknown-offers", "keep")
        self.assertGreater(strict["offers"]["unknown_left_out"], 0)
        self.assertEqual(strict["offers"]["unknown_kept"], 0)
        self.assertEqual(open_["offers"]["unknown_kept"], strict["offers"]["unknown_left_out"])
        self.assertEqual(strict["offers"]["elsewhere"], open_["offers"]["elsewhere"])
        self.assertLess(len(strict["plans"]), len(open_["plans"]))
        self.assertEqual(strict["unpriced_plans"], [], "what has no price is in no known region")
        self.assertIn("no_offer", [item["class"] for item in strict["rejected"]])

    def test_tenancy(self):
        plans = self.plan("--tenancy", "secure")["plans"]
        self.assertTrue(plans)
        self.assertEqual({plan["price"]["tenancy"] for plan in plans}, {"secure"})

    def test_slips_are_refused_with_what_was_meant(self):
        for flag, slip, meant in (("--gpu-families", "hoper", "hopper"), ("--tenancy", "secur", "secure"),
                                  ("--regions", "us-est-1", "us-east-1"), ("--unknown-offers", "kep", "keep"),
                                  ("--framework", "torchtitan,torchtun", "torchtune")):
            with self.subTest(flag):
                error = self.mekiki_error("plan", *JOB, "--tokens", "1B", flag, slip, code=BAD_INPUT)
                self.assertEqual(error["subject"], flag)
                self.assertIn(meant, error["hint"])


class Api(harness.ProgramTest):
    def test_price_of_the_same_tokens_and_no_word_on_quality(self):
        estimate = self.mekiki_json("plan", *JOB, "--tokens", "100M")["api_estimate"]
        self.assertEqual(estimate["quality"], "not measured")
        for kind in ("tuned", "read", "written"):
            self.assertLess(estimate[kind]["low"], estimate[kind]["high"])
            self.assertTrue(estimate[kind]["cheapest"]["source"])
        self.assertGreater(estimate["break_even_read_tokens"], 0)
        text = self.mekiki("plan", *JOB, "--tokens", "100M").stdout.replace("\n  ", " ")
        self.assertIn("Quality is not measured, so this is no recommendation", text)
        self.assertIn("only with consent", text)


class Matrix(harness.ProgramTest):
    def test_every_cell_is_judged_with_its_reason(self):
        answer = self.mekiki_json("plan", *JOB, "--tokens", "100M")
        cells = {cell["need"]: cell for cell in answer["decision_matrix"]}
        self.assertEqual(set(cells), {"larger_model", "proven", "cheapest_adapter", "several_nodes", "quick_trial",
                                      "procurement"})
        plans = {plan["rank"]: plan for plan in answer["plans"]}
        for need, cell in cells.items():
            with self.subTest(need):
                self.assertIn(cell["verdict"], ("agrees", "differs", "not_compared"))
                self.assertNotIn("{", cell["text"])
                if cell["gpus"] and cell["rank"]:
                    usual = plans[cell["rank"]]["gpu"] in cell["gpus"]
                    self.assertEqual(usual, cell["verdict"] == "agrees")
        kinds = {plan["provider_kind"] for plan in answer["plans"]}
        self.assertLessEqual(kinds, {"hyperscaler", "gpu_cloud", "marketplace", "owned"})

    def test_the_questions_follow_the_kind_of_provider(self):
        for flags, word in ((("--providers", "aws"), "hyperscaler"), (("--providers", "verda"), "GPU cloud")):
            text = self.mekiki("plan", *JOB, "--tokens", "100M", *flags).stdout.replace("\n  ", " ")
            self.assertIn(f"{flags[1]} is a {word}", text)


if __name__ == "__main__":
    unittest.main()
