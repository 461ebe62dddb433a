"""mekiki fit --explain and --worksheet: what is listed adds up, and the sheet's formulas give the program's numbers."""

import csv
import json
import re
import tempfile
import unittest
from pathlib import Path

import harness
from harness import BAD_INPUT, USAGE

DAY = ("--as-of", "2026-07-01")
LONG_CARD = ("fit", "llama-3.2-1b", "--gpu", "L40S", *DAY, "--sequence-length")
ONE_CARD = (*LONG_CARD, "4k")
SHARDED = ("fit", "llama-3.1-8b", "--gpu", "H100 SXM", "--gpus", "8", "--framework", "torchtitan",
           "--micro-batch-size", "2", "--tokens", "10B", *DAY)
EXPERTS = ("fit", "mixtral-8x7b", "--gpu", "h200-sxm5-141", "--gpus", "16", "--framework", "megatron-core",
           "--dp-shard", "16", "--zero-stage", "1", "--expert-parallel", "8", *DAY)
PIPELINE = ("fit", "llama-3.1-70b", "--gpu", "h100-sxm5-80", "--gpus", "32", "--framework", "megatron-core",
            "--tensor-parallel", "8", "--pipeline-parallel", "4", "--gradient-accumulation-steps", "16", *DAY)
ADAPTERS = ("fit", "qwen3-8b", "--gpu", "RTX 4090", "--method", "qlora", *DAY)
JOBS = (ONE_CARD, SHARDED, EXPERTS, PIPELINE, ADAPTERS)
CATEGORIES = ("weights", "gradients", "optimizer_states", "master_weights", "activations", "logits_and_loss",
              "temporary", "communication")
GIB = 2**30


def explained(*arguments):
    answer = json.loads(harness.run(*arguments, "--json").stdout)
    return answer, {entry["term"]: entry for entry in answer["explanations"]}


class Sheet:
    """Just enough of a spreadsheet: + - * / ^, comparisons, SUM and IF over cells."""

    def __init__(self, text):
        self.lines = list(csv.reader(text.splitlines()))
        self.header = self.lines[0]

    def cell(self, name):
        column, row = ord(name[0]) - ord("A"), int(name[1:]) - 1
        text = self.lines[row][column]
        if text.startswith("="):
            return self.evaluate(text[1:])
        try:
            return float(text)
        except ValueError:
            return text

    def total(self, first, last):
        return sum(self.cell(f"{first[0]}{row}") for row in range(int(first[1:]), int(last[1:]) + 1))

    def evaluate(self, formula):
        expression = re.sub(r"SUM\((\w+):(\w+)\)", r'total("\1","\2")', formula)
        expression = re.sub(r'(?<!["\w])([A-Z]\d+)(?!["\w])', r'cell("\1")', expression).replace("^", "**")
        names = {"__builtins__": {}, "cell": self.cell, "total": self.total,
                 "IF": lambda condition, yes, no: yes if condition else no}
        return eval(expression, names)  # pylint: disable=eval-used

    def rows(self):
        return [(number, dict(zip(self.header, line))) for number, line in enumerate(self.lines[1:], 2)]

    def value(self, term):
        return self.cell(f"E{next(number for number, row in self.rows() if row['term'] == term)}")

    def edit(self, term, value):
        self.lines[next(number for number, row in self.rows() if row["term"] == term) - 1][4] = str(value)


def sheet_of(*arguments):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "sheet.csv"
        answer = json.loads(harness.run(*arguments, "--json", "--worksheet", file).stdout)
        return answer, Sheet(file.read_text(encoding="utf-8"))


class Explain(harness.ProgramTest):
    def test_what_lives_adds_up_to_the_category(self):
        for job in JOBS:
            answer, terms = explained(*job, "--explain", "all")
            for category in CATEGORIES:
                live = terms[category]["live"]
                total = sum(item["bytes"] * item["count"] for item in live)
                self.assertAlmostEqual(total, terms[category]["value"], delta=1e-8 * total + 1, msg=f"{job} {category}")
                self.assertAlmostEqual(total / GIB, answer["categories_gib"][category], delta=1e-6)
                totals = [item["total_bytes"] for item in live]
                self.assertEqual(totals, sorted(totals, reverse=True))

    def test_parts_add_up_to_the_cause(self):
        for job in JOBS:
            answer, terms = explained(*job, "--explain", "all")
            for cause, seconds in answer["step"]["causes"].items():
                total = sum(part["total_s"] for part in terms[cause]["parts"])
                self.assertAlmostEqual(total, seconds, delta=1e-7 * seconds + 1e-12, msg=f"{job} {cause}")

    def test_inputs_say_where_they_come_from(self):
        _, terms = explained(*ONE_CARD, "--explain", "logits_and_loss")
        inputs = {entry["name"]: entry for entry in terms["logits_and_loss"]["inputs"]}
        self.assertEqual(inputs["sequence_length"]["origin"], "given")
        self.assertEqual(inputs["sequence_length"]["place"], "--sequence-length")
        self.assertEqual(inputs["micro_batch_size"]["origin"], "default")
        self.assertEqual(inputs["vocab_size"]["value"], 128256)
        self.assertEqual(inputs["loss.bytes_per_logit"]["origin"], "profile")
        logits = 4096 * 128256 * inputs["loss.bytes_per_logit"]["value"]
        self.assertAlmostEqual(terms["logits_and_loss"]["value"], logits, delta=8)

    def test_every_term_has_a_formula_and_every_profile_input_a_statement(self):
        answer, terms = explained(*ONE_CARD, "--explain", "all")
        self.assertEqual(len(terms), 30)
        for term, entry in terms.items():
            self.assertTrue(entry["formulas"], term)
            self.assertTrue(entry["inputs"], term)
        for statement in answer["profile_statements"]:
            self.assertTrue(all(statement[key] for key in ("about", "source", "status", "file")))

    def test_a_slip_gets_the_nearest_term(self):
        error = self.mekiki_error(*ONE_CARD, "--explain", "optimiser_states", code=BAD_INPUT)
        self.assertIn("optimizer_states", error["hint"])

    def test_text_in_both_languages(self):
        self.assert_says(self.mekiki(*ONE_CARD, "--explain", "activations", "--explain", "mfu"),
                         "activations: ", "default", "given: --sequence-length", "kept for backward", "MFU: ", "Sources")
        self.assert_says(self.mekiki(*ONE_CARD, "--explain", "activations", "--lang", "ja"),
                         "活性値: ", "既定値", "逆伝播のために保持")

    def test_without_a_gpu_the_time_is_unknown(self):
        _, terms = explained("fit", "llama-3.2-1b", *DAY, "--explain", "all")
        for term in ("gemm", "step_time", "mfu", "verdict"):
            self.assertIsNone(terms[term]["value"])
            self.assertTrue(terms[term]["value_reason"])
        self.assertTrue(terms["weights"]["live"])

    def test_a_count_alone_cannot_be_explained(self):
        self.mekiki("fit", "--params", "7B", "--explain", "weights", *DAY, code=USAGE)


class Worksheet(harness.ProgramTest):
    def test_formulas_give_the_numbers_of_the_program(self):
        for job in JOBS:
            answer, sheet = sheet_of(*job)
            formulas = 0
            for number, row in sheet.rows():
                if row["predicted"]:
                    value, predicted = sheet.cell(f"E{number}"), float(row["predicted"])
                    self.assertAlmostEqual(value, predicted, delta=1e-9 * abs(predicted) + 1e-12, msg=f"{job} {row}")
                    formulas += row["value"].startswith("=")
            self.assertGreater(formulas, 20)
            self.assertAlmostEqual(sheet.value("device_gib"), answer["memory"]["device_gib"]["mid"], delta=1e-6)
            self.assertEqual(sheet.value("verdict"), answer["verdict"])
            self.assertAlmostEqual(sheet.value("mfu"), answer["step"]["mfu"], delta=1e-8)

    def test_an_edited_input_recomputes_the_totals(self):
        _, sheet = sheet_of(*ONE_CARD)
        longer, _ = explained(*LONG_CARD, "8k", "--explain", "weights")
        weights = sheet.value("weights")
        sheet.edit("sequence_length", 8192)
        for category in ("activations", "logits_and_loss", "weights"):
            self.assertAlmostEqual(sheet.value(category) / GIB, longer["categories_gib"][category], delta=1e-6)
        sheet.edit("number of layer 0", 32)
        self.assertGreater(sheet.value("weights"), 1.5 * weights)

    def test_columns_and_notes(self):
        _, sheet = sheet_of(*ONE_CARD)
        self.assertEqual(sheet.header, ["section", "term", "count", "coefficient", "value", "unit", "predicted",
                                        "editable", "source", "note"])
        rows = {row["term"]: row for _, row in sheet.rows()}
        self.assertEqual(rows["sequence_length"]["editable"], "yes")
        self.assertEqual(rows["device"]["editable"], "no")
        self.assertIn("given", rows["sequence_length"]["source"])
        self.assertTrue(rows["allocator"]["note"])

    def test_a_place_that_cannot_be_written(self):
        error = self.mekiki_error(*ONE_CARD, "--worksheet", "/proc/no/sheet.csv", code=BAD_INPUT)
        self.assertIn("/proc/no", error["subject"])

    def test_the_answer_is_the_same(self):
        with tempfile.TemporaryDirectory() as folder:
            with_sheet = self.mekiki(*ONE_CARD, "--worksheet", Path(folder) / "s.csv")
        self.assertEqual(with_sheet.stdout, self.mekiki(*ONE_CARD).stdout)
        self.assert_says(with_sheet, "s.csv", where="stderr")


if __name__ == "__main__":
    unittest.main()
