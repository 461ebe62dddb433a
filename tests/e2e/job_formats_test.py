"""mekiki fit and plan on job files of other tools, as users have them (tests/data/job_files)."""

import json
import unittest

import harness
from harness import BAD_INPUT, OK

FILES = harness.ROOT / "tests/data/job_files"
TARGET = ("--gpu", "h100-sxm", "--as-of", "2026-07-01", "--offline")
MODEL = ("--model", "llama-3.1-8b")

# One file of each format; files that name no model of the catalogue get one from a flag.
JOBS = {
    "axolotl": ("axolotl/examples/llama-3/fft-8b-liger-fsdp.yaml", ("--gpus", "8"), "accelerate-fsdp"),
    "llama-factory": ("llama_factory/examples/train_lora/qwen3_lora_sft.yaml", ("--model", "qwen3-4b"), "llama-factory"),
    "deepspeed": ("deepspeed/examples/deepspeed_config_templates/zero_stage3_config.json", MODEL, "deepspeed"),
    "accelerate": ("accelerate/examples/config_yaml_templates/fsdp.yaml", MODEL, "accelerate-fsdp"),
    "torchtitan": ("torchtitan/torchtitan/models/llama3/train_configs/llama3_8b.toml", ("--gpus", "8"), "torchtitan"),
    "torchtune": ("torchtune/recipes/configs/llama3_2/1B_lora_single_device.yaml", (), "torchtune"),
    "ms-swift": ("ms_swift/examples/train/multi-gpu/deepspeed/train_zero2.sh", (), "deepspeed"),
    "hf-trainer": ("hf_trainer/recipes/zephyr-7b-beta/sft/config_full.yaml", (), "hf-trainer"),
}


def answer(*arguments, stdin=""):
    return json.loads(harness.run(*arguments, "--json", stdin=stdin, directory=harness.ROOT).stdout)


class JobFormats(harness.ProgramTest):
    def test_fit_takes_one_file_of_each_format(self):
        for name, (file, flags, framework) in JOBS.items():
            with self.subTest(format=name):
                report = answer("fit", FILES / file, *TARGET, *flags)
                self.assertNotIn("error", report)
                self.assertEqual(report["job_file"]["format"], name)
                self.assertNotIn("framework", report["defaults_used"])
                self.assertIn(report["verdict"], ("fits", "tight", "does_not_fit"))
                self.assertIn(name, report["warnings"][0])
                forced = answer("fit", FILES / file, *TARGET, *flags, "--format", name)
                self.assertEqual(forced["memory"], report["memory"])
                by_flag = answer("fit", FILES / file, *TARGET, *flags, "--framework", framework)
                self.assertEqual(by_flag["memory"], report["memory"], "the profile follows from the format")

    def test_a_file_that_it_names_is_read(self):
        file = FILES / "llama_factory/examples/train_full/qwen3_full_sft.yaml"
        report = answer("fit", file, *TARGET, "--model", "qwen3-4b", "--gpus", "8")
        notes = report["job_file"]["notes"]
        self.assertFalse([note for note in notes if note["kind"] == "missing_file"])
        self.assertTrue([note for note in notes if note["place"].startswith("examples/deepspeed/ds_z3_config.json:")])

    def test_flags_override_and_settle(self):
        file = FILES / JOBS["torchtune"][0]
        report = answer("fit", file, *TARGET)
        longer = answer("fit", file, *TARGET, "--sequence-length", "16k", "--tokens", "1B")
        self.assertGreater(longer["memory"]["device_gib"]["mid"], report["memory"]["device_gib"]["mid"])
        kinds = {note["kind"] for note in report["job_file"]["notes"]}
        self.assertEqual(kinds - {note["kind"] for note in longer["job_file"]["notes"]}, {"run_length"})

    def test_standard_input_and_plan(self):
        line = "torchrun --nproc_per_node=2 t.py --model_name_or_path llama-3.2-1b --bf16 --per_device_train_batch_size 2"
        report = answer("fit", "-", *TARGET, stdin=line)
        self.assertEqual(report["job_file"]["format"], "hf-trainer")
        plan = answer("plan", "-", "--tokens", "1B", "--systems", "p5.48xlarge", *TARGET[2:], stdin=line)
        self.assertEqual(plan["job_file"]["format"], "hf-trainer")

    def test_audit_says_what_it_read(self):
        file = FILES / JOBS["hf-trainer"][0]
        report = answer("audit", file, *TARGET, "--gpus", "8", "--tokens", "1B", "--time", "10h")
        self.assertEqual(report["job_file"]["format"], "hf-trainer")
        self.assertIn("run_length", harness.run("audit", file, *TARGET, "--gpus", "8", "--mfu", "40%", "--json").stdout)

    def test_what_is_not_clear_is_refused_with_a_remedy(self):
        for text, flags, code, said in (
            ("base_model: a\ndistributed_type: FSDP\n", (), "conflict", "--format"),
            ("[a]\nb = 1\n", (), "unsupported", "--format"),
            ("base_model: a\n", ("--format", "axolot"), "not_found", "axolotl"),
            ("base_model: &x a\ndeepspeed: *x\n", (), "invalid_input", "write the value out"),
            ("model: llama-3.2-1b\nformat: axolotl\n", (), "conflict", "drop the key format"),
        ):
            with self.subTest(text=text):
                run = harness.run("fit", "-", *TARGET, *flags, "--json", stdin=text)
                error = json.loads(run.stdout)["error"]
                self.assertEqual((run.code, error["code"]), (BAD_INPUT, code), error)
                self.assertIn(said, error["hint"])

    def test_a_model_without_a_published_config_is_named(self):
        text = '[model]\nname = "llama3"\nflavor = "debugmodel"\n[training]\nseq_len = 2048\n'
        run = harness.run("fit", "-", *TARGET, "--json", stdin=text)
        error = json.loads(run.stdout)["error"]
        self.assertEqual(run.code, BAD_INPUT)
        self.assertTrue(error["subject"].startswith("-:3:"), error)
        self.assertEqual(harness.run("fit", "-", *TARGET, "--model", "llama-3.2-1b", stdin=text).code, OK)

    def test_a_config_stays_a_model(self):
        config = next((harness.ROOT / "data/models").glob("meta-llama__Llama-3.2-1B.json"))
        self.assertNotIn("job_file", answer("fit", config, *TARGET))


if __name__ == "__main__":
    unittest.main()
