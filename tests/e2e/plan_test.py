"""mekiki plan: the keys of its JSON, what must hold between its numbers, limits and filters."""

import unittest

import harness
from harness import BAD_INPUT, NOTHING_FITS, USAGE

DAY = ("--as-of", "2026-11-20")
SMALL = ("plan", "llama-3.2-1b", "--tokens", "1B", "--max-gpus", "8", *DAY)
KEYS = {
    "plans", "unpriced_plans", "facts", "pareto", "cheapest", "fastest", "smallest", "rejected", "advice", "checklist",
    "stats",
}
PLAN_KEYS = {
    "rank", "system", "provider", "nodes", "gpus", "layout", "memory", "verdict", "step", "hours", "cost", "saves",
    "cost_per_successful_checkpoint", "price", "runnable_by", "reasons", "warnings",
}
STATS = {
    "layouts_considered", "layouts_evaluated", "layouts_pruned", "seconds", "evaluated_per_second_per_core", "threads",
}


class Plan(harness.ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.answer = harness.json.loads(harness.run(*SMALL, "--json").stdout)

    def test_keys_of_the_contract(self):
        self.assertLessEqual(KEYS, set(self.answer))
        self.assertTrue(self.answer["plans"])
        for plan in self.answer["plans"]:
            self.assertLessEqual(PLAN_KEYS, set(plan))
            self.assertLessEqual({"source", "date", "age_days", "term", "kind", "tenancy", "join"}, set(plan["price"]))
            self.assertIn(plan["price"]["join"], ("exact", "similar"))
        self.assertEqual(set(self.answer["stats"]) & STATS, STATS)
        for advice in self.answer["advice"]:
            self.assertLessEqual({"id", "level", "text", "values"}, set(advice))
        for entry in self.answer["checklist"]:
            self.assertLessEqual({"id", "question", "answer"}, set(entry))

    def test_numbers_agree_with_each_other(self):
        for plan in self.answer["plans"]:
            self.assertLessEqual(plan["hours"]["p50"], plan["hours"]["p90"])
            self.assertLessEqual(plan["cost"]["p50"], plan["cost"]["p90"])
            checkpoint = plan["cost_per_successful_checkpoint"]
            terms = [value for key, value in checkpoint["terms"].items() if not key.endswith("_reason") and value is not None]
            self.assertAlmostEqual(sum(terms), checkpoint["total"], delta=1e-6 * max(1, checkpoint["total"]))
            self.assertAlmostEqual(checkpoint["total"] * checkpoint["delivered"], plan["cost"]["p50"], delta=1e-3)
            self.assertNotEqual(plan["price"]["per_node_hour"], 0)

    def test_the_best_are_what_they_are_called(self):
        plans = {plan["rank"]: plan for plan in self.answer["plans"]}
        self.assertEqual(sorted(plans), list(range(1, len(plans) + 1)))
        fitting = [plan for plan in plans.values() if plan["verdict"] == "fits"]
        self.assertTrue(fitting)
        self.assertEqual(plans[self.answer["cheapest"]]["cost"]["p50"], min(plan["cost"]["p50"] for plan in fitting))
        self.assertEqual(plans[self.answer["fastest"]]["hours"]["p50"], min(plan["hours"]["p50"] for plan in fitting))
        for rank in (self.answer["cheapest"], self.answer["fastest"], self.answer["smallest"]["rank"]):
            self.assertEqual(plans[rank]["verdict"], "fits")
        self.assertLessEqual({"next_smaller", "term", "short_by_gib"}, set(self.answer["smallest"]["proof"]))

    def test_every_fact_has_a_source(self):
        self.assertTrue(self.answer["facts"])
        for fact in self.answer["facts"]:
            self.assertTrue(fact["source"] and fact["status"] and fact["value"], fact)

    def test_same_answer_on_one_thread(self):
        alone = self.mekiki_json(*SMALL, "--threads", "1")
        several = self.mekiki_json(*SMALL, "--threads", "4")
        alone.pop("stats"), several.pop("stats")
        self.assertEqual(alone, several)

    def test_filters(self):
        answer = self.mekiki_json(*SMALL, "--gpu", "L40S")
        self.assertEqual({plan["gpu"] for plan in answer["plans"] + answer["unpriced_plans"]}, {"l40s"})
        provider = self.answer["plans"][0]["provider"]
        answer = self.mekiki_json(*SMALL, "--providers", provider)
        self.assertEqual({plan["provider"] for plan in answer["plans"]}, {provider})
        self.assertLessEqual(max(plan["gpus"] for plan in self.answer["plans"]), 8)

    def test_limits_hold(self):
        cheapest = min(plan["cost"]["p90"] for plan in self.answer["plans"])
        answer = self.mekiki_json(*SMALL, "--budget", str(cheapest * 1.5))
        self.assertTrue(answer["plans"])
        self.assertLessEqual(max(plan["cost"]["p90"] for plan in answer["plans"]), cheapest * 1.5)
        fastest = min(plan["hours"]["p90"] for plan in self.answer["plans"])
        answer = self.mekiki_json(*SMALL, "--deadline", f"{fastest * 1.5}h")
        self.assertLessEqual(max(plan["hours"]["p90"] for plan in answer["plans"]), fastest * 1.5)

    def test_nothing_within_the_limits(self):
        for limit in (("--deadline", "1s"), ("--budget", "1")):
            with self.subTest(limit=limit):
                answer = harness.run(*SMALL, *limit, "--json")
                self.assertEqual(answer.code, NOTHING_FITS, f"\n{answer}")
                self.assertEqual(harness.json.loads(answer.stdout)["plans"], [])

    def test_bad_words(self):
        for flags, subject in ((("--objective", "best"), "--objective"), (("--price-kinds", "gift"), "--price-kinds"),
                               (("--threads", "0"), "--threads"), (("--budget", "-5"), "--budget"),
                               (("--deadline", "7"), "--deadline"), (("--max-gpus", "0"), "--max-gpus")):
            with self.subTest(flags=flags):
                self.assertEqual(self.mekiki_error(*SMALL[:4], *flags, code=BAD_INPUT)["subject"], subject)
        self.mekiki_error("plan", code=USAGE)
        self.assertIn("tokens", self.mekiki_error("plan", "llama-3.2-1b", *DAY, code=BAD_INPUT)["subject"])

    def test_text_in_both_languages(self):
        self.assert_says(self.mekiki(*SMALL), "cheapest", "Ask the provider")
        self.assert_says(self.mekiki(*SMALL, "--lang", "ja"), "最安", "提供元に確認")


if __name__ == "__main__":
    unittest.main()
