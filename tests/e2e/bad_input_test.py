"""Bad input of all kinds: exactly one clear error on stderr, nothing on stdout, the right exit code; with --json one
error object. Never a crash, never half an output."""

import os
import tempfile
import unittest
from pathlib import Path

import harness
from harness import BAD_INPUT, USAGE

CONFIG = ('{"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 64, "num_hidden_layers": 2, '
          '"num_attention_heads": 4, "num_key_value_heads": 4, "intermediate_size": 128, "vocab_size": 100, '
          '"max_position_embeddings": 128, "tie_word_embeddings": true}')


class BadInput(harness.ProgramTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def file(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def refused(self, *arguments, code=BAD_INPUT, **how):
        """As text and as JSON; returns the error object."""
        answer = self.mekiki(*arguments, code=code, **how)
        self.assertEqual(answer.stdout, "", f"\n{answer}")
        self.assertTrue(answer.stderr.startswith("mekiki: "), f"\n{answer}")
        self.assertLessEqual(len(answer.stderr.strip().splitlines()), 2, f"\n{answer}")
        error = self.mekiki_error(*arguments, code=code, **how)
        self.assertTrue(error["message"])
        return error

    def test_values(self):
        cases = [
            (("--tokens", "lots"), "--tokens"),
            (("--tokens", "-5"), "--tokens"),
            (("--tokens", "1e30"), "--tokens"),
            (("--micro-batch-size", "0"), "--micro-batch-size"),
            (("--micro-batch-size", "1.5"), "--micro-batch-size"),
            (("--micro-batch-size", "9e15"), "--micro-batch-size"),
            (("--sequence-length", "4q"), "--sequence-length"),
            (("--sequence-length", "4e15"), "--sequence-length"),
            (("--held-by-others", "80"), "--held-by-others"),
            (("--held-by-others", "800GiB"), "--held-by-others"),
            (("--headroom", "-0.1"), "--headroom"),
            (("--headroom", "200%"), "--headroom"),
            (("--headroom", "nan"), "--headroom"),
            (("--method", "finetune"), "--method"),
            (("--precision", "bf17"), "--precision"),
            (("--compile", "perhaps"), "--compile"),
            (("--zero-stage", "4"), "--zero-stage"),
            (("--gpus", "0"), "--gpus"),
            (("--gpus", "99999999999"), "--gpus"),
            (("--lora-rank", "999999"), "--lora-rank"),
            (("--as-of", "2026-13-01"), "--as-of"),
            (("--as-of", "yesterday"), "--as-of"),
            (("--lang", "xx"), "--lang"),
            (("--set", "nonesuch=1"), "--set nonesuch"),
            (("--set", "tokens=x"), "--set tokens"),
        ]
        for flags, subject in cases:
            with self.subTest(flags=flags):
                error = self.refused("fit", "llama-3.2-1b", "--gpu", "L40S", *flags)
                self.assertEqual(error["subject"], subject)

    def test_names(self):
        for arguments in (("fit", "llama-9-1b"), ("fit", "llama-3.2-1b", "--gpu", "L41S"),
                          ("fit", "llama-3.2-1b", "--gpu", "H100"), ("fit", "llama-3.2-1b", "--system", "aws-p9"),
                          ("gpus", "L41S"), ("systems", "nonesuch"), ("systems", "--provider", "nonesuch"),
                          ("prices", "list", "--gpu", "nonesuch"), ("prices", "list", "--kind", "gift"),
                          ("completions", "tcsh"), ("model", "llama")):
            with self.subTest(arguments=arguments):
                error = self.refused(*arguments)
                self.assertIn(error["code"], ("not_found", "conflict"))
                self.assertTrue(error["hint"])

    def test_usage(self):
        for arguments in (("fit",), ("model",), ("fit", "a", "b"), ("fit", "llama-3.2-1b", "--tokens"),
                          ("fit", "llama-3.2-1b", "--tokens", "1B", "--tokens", "2B"), ("prices",), ("prices", "nonesuch"),
                          ("validate",), ("validate", "memory"), ("fit", "llama-3.2-1b", "--gpuu", "L40S"),
                          ("fit", "llama-3.2-1b", "-x"), ("model", "llama-3.2-1b", "--gpu", "L40S"),
                          ("fit", "llama-3.2-1b", "--set", "tokens")):
            with self.subTest(arguments=arguments):
                answer = self.mekiki(*arguments, code=USAGE)
                self.assertEqual(answer.stdout, "")
                self.assertTrue(answer.stderr)
                self.assertEqual(self.mekiki_error(*arguments, code=USAGE)["code"], "usage")

    def test_near_words(self):
        self.assertIn("--gpus", self.mekiki_error("fit", "llama-3.2-1b", "--gpuss", "8", code=USAGE)["hint"])
        self.assertIn("fit", self.mekiki_error("fti", code=USAGE)["hint"])
        self.assertIn("l40s", self.mekiki_error("gpus", "l40x", code=BAD_INPUT)["hint"].lower())

    def test_layouts_that_contradict(self):
        for flags in (("--gpus", "8", "--tensor-parallel", "3"), ("--gpus", "8", "--dp-shard", "3"),
                      ("--gpus", "8", "--dp-shard", "4", "--dp-replicate", "4"),
                      ("--gpus", "3", "--tensor-parallel", "3"), ("--sequence-parallel", "yes"),
                      ("--gpus", "64", "--pipeline-parallel", "64"), ("--nodes", "2"),
                      ("--gpus", "2", "--virtual-pipeline", "2"), ("--gpus", "2", "--expert-parallel", "2"),
                      ("--method", "full", "--quantization", "nf4")):
            with self.subTest(flags=flags):
                error = self.refused("fit", "llama-3.2-1b", "--gpu", "h100-sxm5-80", *flags)
                self.assertEqual(error["code"], "conflict")

    def test_configs(self):
        cases = {
            "empty.json": "",
            "cut.json": CONFIG[:60],
            "list.json": "[1, 2]",
            "twice.json": CONFIG[:-1] + ', "hidden_size": 128}',
            "deep.json": '{"a":' * 100_000,
            "latin.json": b'{"model_type": "\xff"}',
            "nul.json": b'{"model_type": "ll\x00ama"}',
            "no_type.json": '{"hidden_size": 64}',
            "negative.json": CONFIG.replace('"hidden_size": 64', '"hidden_size": -64'),
            "huge.json": CONFIG.replace('"hidden_size": 64', '"hidden_size": 99999999999999999999'),
            "layers.json": CONFIG.replace('"num_hidden_layers": 2', '"num_hidden_layers": 1000000000'),
            "heads.json": CONFIG.replace('"num_attention_heads": 4', '"num_attention_heads": 0'),
            "uneven.json": CONFIG.replace('"num_key_value_heads": 4', '"num_key_value_heads": 3'),
            "text.json": CONFIG.replace('"hidden_size": 64', '"hidden_size": "64"'),
            "nan.json": CONFIG.replace('"hidden_size": 64', '"hidden_size": NaN'),
        }
        for name, content in cases.items():
            for command in ("model", "fit"):
                with self.subTest(config=name, command=command):
                    path = self.file(name, content)
                    error = self.refused(command, path)
                    self.assertIn(error["code"], ("invalid_input", "unsupported"))
                    self.assertTrue(error["subject"].startswith(str(path)), error)

    def test_unknown_model_type_is_refused_by_name(self):
        path = self.file("config.json", CONFIG.replace('"model_type": "llama"', '"model_type": "nonesuch9"'))
        error = self.refused("model", path)
        self.assertEqual(error["code"], "unsupported")
        self.assertIn("nonesuch9", error["message"])

    def test_job_files(self):
        bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
            f"{chr(c)}: &{chr(c)} [{','.join(['*' + chr(c - 1)] * 9)}]\n" for c in range(ord("b"), ord("k")))
        cases = {
            "empty.yaml": "",
            "scalar.yaml": "hello",
            "list.yaml": "- a\n",
            "unknown.yaml": "model: llama-3.2-1b\nmicro_batch: 2\n",
            "twice.yaml": "model: llama-3.2-1b\nmodel: llama-3.2-3b\n",
            "bomb.yaml": bomb,
            "deep.yaml": "a: " + "[" * 50_000,
            "latin.yaml": b"model: \xff\n",
            "long.yaml": "#" * (2 << 20),
            "unit.yaml": "model: llama-3.2-1b\nheld_by_others: 80\n",
            "two.yaml": "model: llama-3.2-1b\n---\nmodel: llama-3.2-3b\n",
        }
        for name, content in cases.items():
            with self.subTest(job=name):
                path = self.file(name, content)
                error = self.refused("fit", path)
                self.assertTrue(error["subject"].startswith(str(path)), error)

    def test_a_job_without_a_model(self):
        self.assertEqual(self.mekiki_error("fit", "-", stdin="tokens: 1B\n", code=USAGE)["subject"], "model")

    def test_files_that_cannot_be_read(self):
        missing = self.folder / "none.yaml"
        self.assertEqual(self.refused("fit", missing)["code"], "not_found")
        self.assertEqual(self.refused("model", self.folder)["subject"], str(self.folder / "config.json"))
        self.assertEqual(self.refused("fit", "llama-3.2-1b", "--data", self.folder / "none")["code"], "not_found")
        self.refused("validate", "memory", self.folder / "none.csv")
        directory = self.folder / "directory.json"
        directory.mkdir()
        self.assertEqual(self.refused("model", directory)["code"], "io")

    def test_a_file_that_fails_while_it_is_read(self):
        path = self.folder / "memory.json"
        path.symlink_to("/proc/self/mem")  # opens, but its first byte is no memory of the process
        self.assertEqual(self.refused("model", path)["code"], "io")

    def test_data_folders(self):
        (self.folder / "gpus").mkdir()
        self.file("gpus/mine.json", '[{"id": "x"}]')
        error = self.refused("gpus", "--data", self.folder)
        self.assertIn("gpus/mine.json", error["subject"])
        (self.folder / "gpus" / "mine.json").unlink()
        self.file("gpuz.json", "[]")
        self.refused("gpus", "--data", self.folder)

    def test_rows_with_a_bad_header(self):
        self.refused("validate", "memory", self.file("rows.csv", "nonesuch\n1\n"))
        self.refused("validate", "throughput", self.file("empty.csv", ""))

    def test_arguments_that_are_no_text(self):
        answer = self.mekiki_error("fit", os.fsdecode(b"\xff\xfe"), code=BAD_INPUT)
        self.assertEqual(answer["code"], "not_found")

    def test_an_endless_model_name(self):
        self.refused("model", "a" * 100_000)


if __name__ == "__main__":
    unittest.main()
