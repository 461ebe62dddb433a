"""mekiki fit: the keys of its JSON, what must hold between its numbers, verdicts with their exit codes."""

import json
import unittest

import harness
from harness import BAD_INPUT, NOTHING_FITS, OK

DAY = ("--as-of", "2026-07-01")
ONE_CARD = ("fit", "llama-3.2-1b", "--gpu", "L40S", "--sequence-length", "4k", *DAY)
TOP = {"schema_version", "command", "mekiki_version", "data_digest", "as_of"}
KEYS = {
    "verdict", "oom_probability", "inefficient", "worst_phase", "defaults_used", "gpu", "capacity_gib", "memory",
    "categories_gib", "peak_moment", "host_memory_gib", "largest", "ways_out", "step", "quick_rule", "quick_rules",
    "not_modelled", "warnings", "inference",
}
CATEGORIES = {
    "weights", "gradients", "optimizer_states", "master_weights", "activations", "logits_and_loss", "temporary",
    "communication", "allocator", "context",
}


def fit_json(*arguments):
    """The answer whatever the verdict."""
    return json.loads(harness.run(*arguments, "--json").stdout)


class Fit(harness.ProgramTest):
    def assert_estimate(self, estimate):
        self.assertEqual(set(estimate), {"low", "mid", "high", "basis"})
        self.assertLessEqual(estimate["low"], estimate["mid"])
        self.assertLessEqual(estimate["mid"], estimate["high"])
        self.assertIn(estimate["basis"], ("measured", "datasheet", "fitted", "assumed"))

    def test_keys_of_the_contract(self):
        answer = self.mekiki_json(*ONE_CARD)
        self.assertLessEqual(TOP | KEYS, set(answer))
        self.assertEqual(answer["command"], "fit")
        self.assertEqual(answer["as_of"], "2026-07-01")
        self.assertEqual(set(answer["categories_gib"]), CATEGORIES)
        self.assertEqual(set(answer["largest"]), {"micro_batch_size", "sequence_length"})
        for way in answer["ways_out"]:
            self.assertLessEqual({"change", "device_gib", "step_time_s", "note"}, set(way))
            self.assert_estimate(way["device_gib"])
        step = answer["step"]
        self.assertLessEqual({"step_time_s", "tokens_per_s", "tokens_per_s_per_gpu", "mfu", "hfu", "causes"}, set(step))
        for key in ("step_time_s", "tokens_per_s", "tokens_per_s_per_gpu"):
            self.assert_estimate(step[key])
        self.assertTrue(0 < step["mfu"] < 1 and step["mfu"] <= step["hfu"] < 1)
        self.assertLessEqual({"stack", "bytes_per_parameter", "gib", "gb"}, set(answer["quick_rule"]))

    def test_numbers_agree_with_each_other(self):
        for arguments in (ONE_CARD, ("fit", "qwen3-8b", "--gpu", "H100 SXM", "--method", "lora", *DAY),
                          ("fit", "mixtral-8x7b", "--gpu", "h200-sxm5-141", "--gpus", "8", "--zero-stage", "3",
                           "--activation-recompute", "full", *DAY)):
            answer = fit_json(*arguments)
            memory = answer["memory"]
            for estimate in memory.values():
                self.assert_estimate(estimate)
            allocated, reserved, device = (memory[f"{name}_gib"]["mid"] for name in ("allocated", "reserved", "device"))
            self.assertLessEqual(allocated, reserved)
            self.assertLessEqual(reserved, device)
            categories = answer["categories_gib"]
            self.assertAlmostEqual(sum(categories.values()), device, delta=1e-5)
            self.assertAlmostEqual(categories["allocator"], reserved - allocated, delta=1e-5)
            self.assertAlmostEqual(categories["context"], device - reserved, delta=1e-5)
            causes = answer["step"]["causes"]
            self.assertAlmostEqual(sum(causes.values()), answer["step"]["step_time_s"]["mid"], delta=1e-6)

    def test_published_anchors(self):
        """A Llama-type 1B model trains in full on one 48 GB card at 4096; a 3B model does not, nor at 2048."""
        self.assertIn(self.mekiki_json(*ONE_CARD)["verdict"], ("fits", "tight"))
        for length in ("4096", "2048"):
            answer = self.mekiki_json("fit", "llama-3.2-3b", "--gpu", "L40S", "--sequence-length", length, *DAY,
                                      code=NOTHING_FITS)
            self.assertEqual(answer["verdict"], "does_not_fit")
            self.assertTrue(answer["ways_out"])

    def test_quick_rule_of_a_count(self):
        """1B at 12 bytes is 11.2 GiB, 3B 33.5 GiB."""
        for params, expected in (("1B", 11.2), ("3B", 33.5)):
            answer = self.mekiki_json("fit", "--params", params, *DAY)
            self.assertEqual(round(answer["quick_rule"]["gib"], 1), expected)
            self.assertEqual(answer["quick_rule"]["bytes_per_parameter"]["total"], 12)
            self.assertIsNone(answer["memory"])
            self.assertTrue(answer["memory_reason"])
        self.mekiki("fit", "--params", "70B", "--gpu", "L40S", *DAY, code=NOTHING_FITS)

    def test_quick_rule_follows_the_stack_that_is_named(self):
        answer = self.mekiki_json(*ONE_CARD, "--framework", "hf-trainer")
        self.assertEqual(answer["quick_rule"]["bytes_per_parameter"]["total"], 16)
        answer = self.mekiki_json(*ONE_CARD, "--precision", "bf16-pure")
        self.assertEqual(answer["quick_rule"]["bytes_per_parameter"]["total"], 8)
        self.assertIn(12, [rule["bytes_per_parameter"]["total"] for rule in answer["quick_rules"]])

    def test_without_a_gpu_there_is_no_verdict(self):
        answer = self.mekiki_json("fit", "llama-3.2-1b", *DAY)
        self.assertIsNone(answer["verdict"])
        self.assertTrue(answer["verdict_reason"])
        self.assertTrue(answer["smallest_gpus"])

    def test_tokens_change_the_time_and_never_the_memory(self):
        without = self.mekiki_json(*ONE_CARD)
        with_tokens = self.mekiki_json(*ONE_CARD, "--tokens", "10B")
        self.assertEqual(without["memory"], with_tokens["memory"])
        twice = self.mekiki_json(*ONE_CARD, "--tokens", "20B")
        once = with_tokens["step"]["training_time_s"]["mid"]
        self.assertAlmostEqual(twice["step"]["training_time_s"]["mid"], 2 * once, delta=1e-6 * once)
        self.assert_says(self.mekiki(*ONE_CARD, "--tokens", "10B"), "never the memory")

    def test_defaults_in_force_are_named(self):
        answer = self.mekiki_json("fit", "llama-3.2-1b", "--gpu", "L40S", *DAY)
        defaults = answer["defaults_used"]
        self.assertEqual(defaults["method"], "full")
        self.assertEqual(defaults["framework"], "hf-trainer")
        self.assertEqual(defaults["sequence_length"], 4096)
        self.assertEqual(defaults["headroom"], 0.2)
        self.assertNotIn("sequence_length", self.mekiki_json(*ONE_CARD)["defaults_used"])

    def test_several_gpus_without_a_layout(self):
        answer = self.mekiki_json("fit", "llama-3.2-1b", "--gpu", "h100-sxm5-80", "--gpus", "8", *DAY)
        self.assertIn("layout", answer["defaults_used"])
        self.assertEqual(answer["layout"]["dp_replicate"], 8)
        self.assertEqual(answer["layout"]["zero_stage"], 0)

    def test_a_job_that_holds_only_by_sharding_says_what_that_costs(self):
        """8B in full holds on 48 GB cards only with its weights sharded; over PCIe most of a step then waits."""
        sharded = ("fit", "llama-3.1-8b", "--gpus", "16", "--framework", "torchtitan", "--activation-recompute", "full")
        over_pcie = fit_json(*sharded, "--gpu", "l40s", *DAY)
        self.assertIn(over_pcie["verdict"], ("fits", "tight"))
        self.assertTrue(over_pcie["inefficient"])
        self.assertGreater(over_pcie["slowdown"], 1.5)
        alone = fit_json("fit", "llama-3.2-1b", "--gpus", "8", "--framework", "torchtitan", "--gpu", "h100-sxm5-80", *DAY)
        self.assertFalse(alone["inefficient"])

    def test_an_offloaded_job_says_what_that_costs(self):
        """States in host memory cross the host link and are updated there: a step is never as fast as without."""
        job = ("fit", "llama-3.1-8b", "--framework", "deepspeed", "--activation-recompute", "full", *DAY)
        held = fit_json(*job, "--gpu", "h200-sxm5-141", "--gradient-accumulation-steps", "4")
        offloaded = fit_json(*job, "--gpu", "h200-sxm5-141", "--gradient-accumulation-steps", "4",
                             "--offload", "optimizer")
        states = held["categories_gib"]["optimizer_states"] + held["categories_gib"]["master_weights"]
        self.assertGreaterEqual(offloaded["host_memory_gib"], states)
        self.assertGreater(offloaded["step"]["causes"]["other"], held["step"]["causes"]["other"])
        self.assertGreater(offloaded["step"]["step_time_s"]["mid"], held["step"]["step_time_s"]["mid"])
        small = fit_json(*job, "--gpu", "a100-sxm4-80", "--offload", "optimizer")
        self.assertIn(small["verdict"], ("fits", "tight"))
        self.assertTrue(small["inefficient"])
        self.assertEqual(small["inefficient_by"], "offload=none")
        self.assertGreater(small["slowdown"], 1.05)

    def test_ways_out_offer_offload_where_the_framework_has_it(self):
        job = ("fit", "llama-3.1-8b", "--gpu", "H100 SXM", *DAY)
        with_it = {way["change"]: way for way in fit_json(*job, "--framework", "deepspeed")["ways_out"]}
        self.assertIn("offload=optimizer", with_it)
        self.assertGreater(with_it["offload=optimizer"]["saves_gib"], 0)
        without = [way["change"] for way in fit_json(*job, "--framework", "hf-trainer")["ways_out"]]
        self.assertFalse([change for change in without if change.startswith("offload")])

    def test_stages_of_a_pipeline_are_listed_where_they_differ(self):
        job = ("fit", "llama-3.1-70b", "--gpu", "h100-sxm5-80", "--gpus", "32", "--framework", "megatron-core",
               "--tensor-parallel", "8", "--pipeline-parallel", "4", "--gradient-accumulation-steps", "16", *DAY)
        answer = fit_json(*job)
        self.assertEqual([rank["stage"] for rank in answer["ranks"]], [0, 1, 3])
        self.assertEqual(max(rank["device_gib"] for rank in answer["ranks"]), answer["memory"]["device_gib"]["mid"])
        self.assertNotIn("ranks", self.mekiki_json(*ONE_CARD))

    def test_memory_of_inference_stands_beside_training(self):
        """1,235,814,400 weights of 2 bytes; 16 layers x 2 x 8 heads x 64 x 4096 tokens of 2 bytes."""
        inference = self.mekiki_json(*ONE_CARD)["inference"]
        self.assertAlmostEqual(inference["weights_gib"], 1_235_814_400 * 2 / 2**30, delta=1e-6)
        self.assertAlmostEqual(inference["kv_cache_gib_per_sequence"], 16 * 2 * 8 * 64 * 4096 * 2 / 2**30, delta=1e-9)

    def test_gpus_follow_from_system_and_nodes(self):
        system = self.mekiki_json("systems", "--gpu", "h100-sxm5-80", *DAY)["systems"][0]
        answer = fit_json("fit", "llama-3.1-8b", "--system", system["id"], "--nodes", "2", *DAY)
        self.assertEqual(answer["gpus"], 2 * system["gpus"])
        self.assertEqual(answer["gpu"], "h100-sxm5-80")

    def test_a_way_out_says_what_it_costs(self):
        text = self.mekiki("fit", "llama-3.2-3b", "--gpu", "L40S", *DAY, code=NOTHING_FITS)
        self.assert_says(text, "DOES NOT FIT", "method=lora", "gpu=", "GPU hours per 1B tokens")

    def test_a_way_out_has_its_price_in_memory_time_and_money(self):
        answer = self.mekiki_json("fit", "llama-3.2-3b", "--gpu", "L40S", "--as-of", "2026-11-01", code=NOTHING_FITS)
        price, step = answer["gpu_hours"], answer["step"]
        hours = 1e9 / step["tokens_per_step"] * step["step_time_s"]["mid"] / 3600
        self.assertAlmostEqual(price["usd_per_billion_tokens"], hours * price["usd_per_gpu_hour"], places=4)
        same, other = [], []
        for way in answer["ways_out"]:
            (other if way["change"].startswith("gpu=") else same).append(way)
            self.assertGreater(way["device_gib"]["mid"], 0)
        self.assertGreaterEqual(len(same), 3)
        for way in same:
            self.assertAlmostEqual(way["usd_per_billion_tokens"] / price["usd_per_billion_tokens"],
                                   way["step_time_s"]["mid"] / step["step_time_s"]["mid"], places=6)
        per_second = {way["usd_per_billion_tokens"] / way["step_time_s"]["mid"] for way in other
                      if way["usd_per_billion_tokens"] is not None}
        self.assertGreaterEqual(len(per_second), 2, "GPUs have prices of their own")

    def test_no_price_is_unknown_and_never_zero(self):
        answer = self.mekiki_json("fit", "llama-3.2-1b", "--gpu", "rtx6000-ada", "--as-of", "2020-01-01")
        self.assertIsNone(answer["gpu_hours"])
        self.assertTrue(answer["gpu_hours_reason"])

    def test_same_bytes_each_time(self):
        first, second = (harness.run(*ONE_CARD, "--json").stdout for _ in range(2))
        self.assertEqual(first, second)

    def test_headroom_is_a_share_of_the_estimate(self):
        needs = self.mekiki_json(*ONE_CARD)["memory"]["device_gib"]["mid"]
        capacity = self.mekiki_json(*ONE_CARD)["capacity_gib"]
        slack = capacity / needs - 1
        self.assertEqual(self.mekiki_json(*ONE_CARD, "--headroom", str(slack - 0.01))["verdict"], "fits")
        self.assertEqual(self.mekiki_json(*ONE_CARD, "--headroom", str(slack + 0.01))["verdict"], "tight")

    def test_memory_that_others_hold_counts(self):
        free = self.mekiki_json(*ONE_CARD)["capacity_gib"]
        held = fit_json(*ONE_CARD, "--held-by-others", "2GiB")["capacity_gib"]
        self.assertAlmostEqual(free - held, 2)


class JobFiles(harness.ProgramTest):
    JOB = "model: llama-3.2-1b\nmethod: continued_pretraining\ntokens: 10B\nsequence_length: 4k\ngpu: L40S\n"

    def test_standard_input(self):
        answer = self.mekiki_json("fit", "-", *DAY, stdin=self.JOB)
        self.assertEqual(answer["model"], "llama-3.2-1b")
        self.assertEqual(answer["gpu"], "l40s")

    def test_a_flag_overrides_the_file(self):
        answer = self.mekiki_json("fit", "-", "--gpu", "h100-sxm5-80", "--set", "headroom=0.3", *DAY, stdin=self.JOB)
        self.assertEqual(answer["gpu"], "h100-sxm5-80")
        self.assertNotIn("headroom", answer["defaults_used"])

    def test_flags_and_file_mean_the_same(self):
        from_file = harness.run("fit", "-", "--json", *DAY, stdin=self.JOB).stdout
        from_flags = harness.run("fit", "llama-3.2-1b", "--method", "continued_pretraining", "--tokens", "10B",
                                 "--sequence-length", "4k", "--gpu", "L40S", "--json", *DAY).stdout
        self.assertEqual(from_file, from_flags)

    def test_an_error_points_at_the_line(self):
        error = self.mekiki_error("fit", "-", *DAY, stdin=self.JOB + "micro_batch: 2\n", code=BAD_INPUT)
        self.assertEqual(error["subject"], "-:6:1")
        self.assertIn("micro_batch_size", error["hint"])

    def test_a_late_error_points_at_the_line_too(self):
        error = self.mekiki_error("fit", "-", *DAY, stdin=self.JOB + "tensor_parallel: 3\ngpus: 3\n", code=BAD_INPUT)
        self.assertEqual(error["code"], "conflict")
        self.assertEqual(error["subject"], "-:6:1")

    def test_an_instance_of_a_gpu_is_a_target_and_no_gain_for_one_job(self):
        job = ("fit", "llama-3.2-1b", "--method", "lora", "--sequence-length", "2k", "--gpu", "H100 SXM", *DAY)
        whole, third = fit_json(*job), fit_json(*job, "--mig", "3g")
        self.assertAlmostEqual(third["capacity_gib"], whole["capacity_gib"] / 2, places=2)
        speedup = third["step"]["step_time_s"]["mid"] / whole["step"]["step_time_s"]["mid"]
        self.assertGreater(speedup, 1.0)
        self.assertAlmostEqual(third["mig"]["whole_gpu_speedup"] / speedup, 1.0, places=6)
        self.assertTrue(any("3g" in warning for warning in third["warnings"]), third["warnings"])
        for arguments in (("--gpu", "L40S", "--mig", "1g"), ("--gpu", "H100 SXM", "--gpus", "2", "--mig", "1g")):
            self.mekiki_error("fit", "llama-3.2-1b", *arguments, *DAY, code=BAD_INPUT)

    def test_examples_run(self):
        for example in sorted((harness.ROOT / "examples").glob("*.yaml")):
            answer = harness.run("fit", example, "--gpu", "H100 SXM", *DAY)
            self.assertIn(answer.code, (OK, NOTHING_FITS), f"\n{answer}")


if __name__ == "__main__":
    unittest.main()
