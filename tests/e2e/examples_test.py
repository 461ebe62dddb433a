"""The example jobs, and what published guides say of such jobs: the numbers agree, or the answer says why not."""

import json
import unittest

import harness
from harness import BAD_INPUT, NOTHING_FITS

DAY = ("--as-of", "2026-11-20")
EXAMPLES = sorted(path.name for path in (harness.ROOT / "examples").glob("*.yaml"))
USUAL_ADVICE = {"workload_agrees", "workload_differs", "workload_unavailable"}
PATTERNS = {"buy_on_demand", "buy_card", "buy_node", "buy_committed", "buy_interruptible"}


def plan_of(name):
    answer = harness.run("plan", harness.ROOT / "examples" / name, *DAY, "--json")
    assert answer.code == 0, str(answer)
    return json.loads(answer.stdout)


class Examples(harness.ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.answers = {name: plan_of(name) for name in EXAMPLES}

    def advice(self, name):
        return {advice["id"]: advice for advice in self.answers[name]["advice"]}

    def cheapest(self, name):
        answer = self.answers[name]
        return answer["plans"][answer["cheapest"] - 1]

    def test_there_are_eleven(self):
        self.assertGreaterEqual(len(EXAMPLES), 11)

    def test_each_has_a_choice_in_two_steps_and_a_way_to_buy(self):
        for name in EXAMPLES:
            with self.subTest(name):
                ids = set(self.advice(name))
                self.assertTrue(ids & {"hardware_step", "hardware_step_alone"})
                self.assertTrue(ids & {"provider_step", "provider_step_alone"})
                self.assertEqual(len(ids & PATTERNS), 1)
                self.assertIn("axes", ids)

    def test_each_says_what_moves_it_and_whether_the_choice_is_open(self):
        for name in EXAMPLES:
            with self.subTest(name):
                sensitivity = self.answers[name]["sensitivity"]
                self.assertGreaterEqual(len(sensitivity["rows"]), 3)
                widths = [abs(row["cost_at_high"] - row["cost_at_low"]) for row in sensitivity["rows"]]
                self.assertEqual(widths, sorted(widths, reverse=True))
                changed = [row["input"] for row in sensitivity["rows"]
                           if row["cheapest_at_low"] is not None or row["cheapest_at_high"] is not None]
                self.assertEqual(sensitivity["choice_open"], bool(changed))
                self.assertEqual(sensitivity["settled_by"], changed[0] if changed else None)

    def test_each_shows_time_and_cost_against_tokens(self):
        for name in EXAMPLES:
            with self.subTest(name):
                points = self.answers[name]["against_tokens"]["points"]
                self.assertEqual(len(points), 5)
                for before, after in zip(points, points[1:]):
                    self.assertLess(before["hours"]["p50"], after["hours"]["p50"])
                    self.assertLess(before["cost"]["p50"], after["cost"]["p50"])
                own = self.cheapest(name)
                self.assertAlmostEqual(points[2]["hours"]["p50"] / own["hours"]["p50"], 1, places=6)

    def test_every_row_of_the_usual_advice_agrees_or_says_why(self):
        rows = {"qlora-7b.yaml": "adapters_small", "lora-13b.yaml": "adapters_small", "lora-70b.yaml": "adapters_large",
                "full-34b.yaml": "full_medium", "full-70b.yaml": "full_large",
                "continued-pretraining-30b-a3b.yaml": "pretraining", "pretraining-405b.yaml": "pretraining"}
        for name, workload in rows.items():
            with self.subTest(name):
                said = [advice for key, advice in self.advice(name).items() if key in USUAL_ADVICE]
                self.assertEqual([advice["values"]["workload"] for advice in said], [workload])
                if said[0]["id"] == "workload_differs":
                    self.assertLessEqual(self.cheapest(name)["cost"]["p50"], said[0]["values"]["usual_cost"])

    def test_an_adapter_run_needs_no_node_of_eight(self):
        values = self.advice("qlora-7b.yaml")["node_not_needed"]["values"]
        self.assertLess(values["cost"], values["node_cost"])
        self.assertEqual(self.cheapest("qlora-7b.yaml")["gpus"], 1)

    def test_continued_pretraining_needs_no_cluster_by_its_name(self):
        self.assertIn("one_node_does", self.advice("continued-pretraining-1b.yaml"))
        self.assertEqual(self.cheapest("continued-pretraining-1b.yaml")["nodes"], 1)
        self.assertNotIn("one_node_does", self.advice("pretraining-405b.yaml"))

    def test_the_dearest_gpu_costs_further_runs(self):
        values = self.advice("qlora-7b.yaml")["dearest_gpu"]["values"]
        self.assertAlmostEqual(values["saving"], values["cost"] - values["best_cost"], places=3)
        self.assertAlmostEqual(values["further_runs"], values["saving"] / values["best_cost"], places=6)

    def test_interruptible_machines_come_with_their_condition(self):
        self.assertIn("spot_needs_checkpoints", self.advice("spot-sweep.yaml"))
        self.assertIn("buy_interruptible", self.advice("spot-sweep.yaml"))

    def test_checklist_carries_levels_that_others_accept(self):
        entries = {entry["id"]: entry for entry in self.answers["pretraining-405b.yaml"]["checklist"]}
        self.assertIn("rdma", entries)
        for entry in entries.values():
            self.assertIn(entry["evidence"], ("none", "claimed", "in_contract", "measured"))
            self.assertEqual(entry["answer"] is None, entry["evidence"] == "none")
            for level in entry["levels"]:
                self.assertTrue(level["value"] > 0 and level["source"] and level["unit"])
        self.assertTrue(any(entry["levels"] for entry in entries.values()))


class Slips(harness.ProgramTest):
    """What published guides get wrong (docs/coverage.md, section H)."""

    def fits(self, model, gpu, gpus, *flags, code=0):
        return self.mekiki_json("fit", model, "--gpu", gpu, "--gpus", str(gpus), *flags, *DAY, code=code)

    def smallest_memory(self, model, gpu, gpus, method):
        """The verdict of the best layout of any framework."""
        answer = harness.run("plan", model, "--method", method, "--tokens", "100M", "--gpu", gpu, "--gpus", str(gpus),
                             *DAY, "--json")
        value = json.loads(answer.stdout)
        plans = value["plans"] + value["unpriced_plans"]
        return {plan["verdict"] for plan in plans}

    def test_what_fits_where_comes_out_of_the_numbers(self):
        # 70B full takes 789 GiB at 12 bytes, eight H100 have 637; 34B full does not fit four; 7B full fits one H200.
        self.assertNotIn("fits", self.smallest_memory("llama-3.1-70b", "h100-sxm5-80", 8, "full"))
        self.assertNotIn("fits", self.smallest_memory("yi-34b", "h100-sxm5-80", 4, "full"))
        self.assertIn(self.fits("llama-2-7b", "h200-sxm5-141", 1)["verdict"], ("fits", "tight"))
        # 70B LoRA in 16 bits does not fit one 80 GB card.
        self.assertNotIn("fits", self.smallest_memory("llama-3.1-70b", "h100-sxm5-80", 1, "lora"))

    def test_13b_lora_does_not_fit_24_gb_and_qlora_does(self):
        flags = ("--sequence-length", "2048", "--activation-recompute", "full")
        self.assertEqual(self.fits("llama-2-13b", "rtx4090", 1, "--method", "lora", *flags,
                                   code=NOTHING_FITS)["verdict"], "does_not_fit")
        self.assertIn(self.fits("llama-2-13b", "rtx4090", 1, "--method", "qlora", *flags)["verdict"],
                      ("fits", "tight"))

    def test_newer_is_not_always_more_bandwidth(self):
        gpus = {gpu["id"]: gpu for gpu in self.mekiki_json("gpus", "l40s", "a100-sxm4-80", *DAY)["gpus"]}
        self.assertLess(gpus["l40s"]["memory_gb_per_s"], gpus["a100-sxm4-80"]["memory_gb_per_s"])

    def test_data_parallelism_without_nvlink_is_planned_with_its_wait(self):
        answer = self.mekiki_json("plan", "llama-3.2-1b", "--tokens", "1B", "--gpu", "l40s", "--gpus", "4", *DAY)
        plans = answer["plans"] + answer["unpriced_plans"]
        self.assertTrue(plans)
        for plan in plans:
            self.assertGreater(plan["step"]["causes"]["data_communication"], 0)

    def test_gpu_utilisation_is_another_number_than_mfu(self):
        # Eight cards on PCIe wait for NCCL most of the time: MFU falls, and what nvidia-smi shows does not.
        boards, cards = (self.fits("llama-3.1-8b", gpu, 8, "--method", "pretraining", "--zero-stage", "3",
                                   "--activation-recompute", "full")["step"]
                         for gpu in ("h100-sxm5-80", "h100-pcie-80"))
        self.assertGreater(cards["waits_for_communication"], boards["waits_for_communication"])
        self.assertLess(cards["mfu"], 0.8 * boards["mfu"])
        for step in (boards, cards):
            self.assertGreater(step["gpu_utilization"], 0.9)
            self.assertGreater(step["gpu_utilization"], step["mfu"] + step["waits_for_communication"])

    def test_no_gpu_is_a_default_where_the_numbers_know_better(self):
        small = self.mekiki_json("plan", "llama-2-7b", "--method", "qlora", "--tokens", "1B", *DAY)
        cheapest = small["plans"][small["cheapest"]]
        self.assertNotEqual(cheapest["gpu"].split("-")[0], "h100")
        for plan in small["plans"]:
            if plan["gpu"].split("-")[0] == "h100":
                self.assertLessEqual(cheapest["cost"]["p50"], plan["cost"]["p50"])
        # With nothing known of the target no GPU is put in its place.
        nothing = self.mekiki_json("fit", "llama-2-7b", *DAY)
        for key in ("gpu", "verdict", "step"):
            self.assertIsNone(nothing[key])
            self.assertTrue(nothing[key + "_reason"])

    def test_generating_data_is_out_of_scope(self):
        for word in ("generation", "synthetic-data"):
            error = self.mekiki_error("plan", "llama-3.2-1b", "--method", word, *DAY, code=BAD_INPUT)
            self.assertEqual(error["code"], "unsupported")
            self.assertIn("out of scope", error["message"])


class Goals(harness.ProgramTest):
    SMALL = ("plan", "llama-3.2-1b", "--tokens", "100M", "--max-gpus", "1", *DAY)

    def ids(self, *flags):
        return {advice["id"] for advice in self.mekiki_json(*self.SMALL, *flags)["advice"]}

    def test_the_goal_decides_the_method(self):
        self.assertIn("goal_missed", self.ids("--goal", "knowledge", "--method", "lora"))
        self.assertIn("goal_served", self.ids("--goal", "knowledge", "--method", "continued_pretraining"))
        self.assertIn("goal_served", self.ids("--goal", "style", "--method", "lora"))
        self.assertNotIn("goal_served", self.ids("--method", "lora"))
        self.mekiki_error(*self.SMALL, "--goal", "fame", code=BAD_INPUT)

    def test_terms_of_the_cost_can_be_given(self):
        usual = self.mekiki_json(*self.SMALL)["plans"][0]["cost_per_successful_checkpoint"]
        given = self.mekiki_json(*self.SMALL, "--engineer-usd-per-hour", "200", "--deliveries", "2", "--reuse", "50")
        terms = given["plans"][0]["cost_per_successful_checkpoint"]
        self.assertEqual(terms["delivered"], 2)
        self.assertAlmostEqual(terms["terms"]["setup"] * 2, usual["terms"]["setup"] * 2, places=3)
        self.assertAlmostEqual(terms["terms"]["reuse"] * 2, -50, places=3)
        self.assertAlmostEqual(terms["total"] - terms["total_without_reuse"], -25, places=3)

    def test_a_save_interval_holds(self):
        plan = self.mekiki_json(*self.SMALL, "--save-interval", "10min")["plans"][0]
        self.assertLessEqual(plan["saves"]["interval_s"], 600)


if __name__ == "__main__":
    unittest.main()
