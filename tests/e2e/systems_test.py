"""mekiki here, providers, prices and price books: what a person does with them."""

import csv
import io
import json
import tempfile
import unittest
from pathlib import Path

import harness

DAY = ("--as-of", "2026-11-20")
SAVED = harness.ROOT / "tests/data/here"
BOOKS = harness.ROOT / "tests/data/prices"
HEADER = "provider,sku,gpu_id,gpus,region,kind,price_per_hour,currency,as_of,commitment_s,waiting_s\n"


def book(rows):
    folder = tempfile.TemporaryDirectory()
    path = Path(folder.name) / "book.csv"
    path.write_text(HEADER + rows)
    return folder, path


class Here(harness.ProgramTest):
    def test_this_machine_gets_an_honest_answer(self):
        answer = self.mekiki_json("here", *DAY)
        self.assertIn(answer["kind"], ("unknown", "nvidia", "amd", "cpu_only"))
        if answer["kind"] == "cpu_only":
            self.assertEqual(answer["gpus"], [])
            self.assertIn("gpus", [part["part"] for part in answer["unread"]])
        self.assertGreater(answer["host"]["cpus"], 0)
        self.assertGreater(answer["host"]["memory_gib"], 0)

    def test_every_saved_machine_is_read(self):
        for folder in sorted(path for path in SAVED.iterdir() if path.is_dir()):
            with self.subTest(folder.name):
                answer = self.mekiki_json("here", "--from", folder, *DAY)
                self.assertLessEqual({"kind", "gpus", "topology", "nvlink", "adapters", "host", "match", "unread"},
                                     set(answer))
                for part in answer["unread"]:
                    self.assertTrue(part["reason"])

    def test_the_nearest_system_and_its_differences(self):
        match = self.mekiki_json("here", "--from", SAVED / "hgx_h100", *DAY)["match"]
        self.assertEqual(match["nearest"], "dgx-h100")
        down = self.mekiki_json("here", "--from", SAVED / "nvlink_down", *DAY)["match"]
        self.assertIn("inactive_links", [difference["key"] for difference in down["differences"]])

    def test_plans_for_here(self):
        fit = self.mekiki_json("fit", "llama-3.2-1b", "--system", "here", "--from", SAVED / "pcie_l40s", *DAY)
        self.assertEqual(fit["gpu"], "l40s")
        error = self.mekiki_error("fit", "llama-3.2-1b", "--system", "here", "--from", SAVED / "mig_on", *DAY,
                                  code=harness.BAD_INPUT)
        self.assertEqual(error["code"], "unsupported")
        self.mekiki_error("fit", "llama-3.2-1b", "--system", "here", "--from", SAVED / "unknown_driver", *DAY,
                          code=harness.ENVIRONMENT)


class Topology(harness.ProgramTest):
    def test_eight_cards_on_pcie_wait_and_eight_boards_do_not(self):
        """The same job, the same number of GPUs of one chip: only the links differ."""
        job = ("llama-3.1-8b", "--tokens", "1B", "--method", "full", "--framework", "torchtitan", "--max-gpus", "8",
               "--global-batch-size", "8", "--tensor-parallel", "1", "--pipeline-parallel", "1", "--context-parallel", "1", *DAY)
        pcie = self.mekiki_json("plan", *job, "--systems", "hyperstack-h100-pcie-80-8")
        boards = self.mekiki_json("plan", *job, "--systems", "aws-p5-48xlarge")
        plans = [(answer["plans"] + answer["unpriced_plans"])[0] for answer in (pcie, boards)]
        waits = [[a for a in answer["advice"] if a["id"] == "waits_for_communication"] for answer in (pcie, boards)]
        self.assertEqual([len(found) > 0 for found in waits], [True, False])
        self.assertGreater(waits[0][0]["values"]["share"], 0.05)
        self.assertGreater(plans[0]["step"]["step_time_s"]["mid"], plans[1]["step"]["step_time_s"]["mid"])


class Books(harness.ProgramTest):
    def test_lint_finds_each_planted_fault(self):
        for path in sorted((BOOKS / "bad").glob("*.csv")):
            with self.subTest(path.stem):
                answer = harness.run("prices", "lint", path, "--json", *DAY)
                [found] = json.loads(answer.stdout)["books"]
                self.assertEqual({finding["fault"] for finding in found["findings"]}, {path.stem})
                excluded = any(finding["excluded"] for finding in found["findings"])
                self.assertEqual(answer.code, harness.NOTHING_FITS if excluded else harness.OK)

    def test_lint_of_the_bundled_book_prints_how_much_joins(self):
        books = self.mekiki_json("prices", "lint", *DAY)["books"]
        self.assertEqual([found["of"] for found in books], ["gpu", "storage", "egress", "api"])
        for found in books:
            self.assertFalse([finding for finding in found["findings"] if finding["excluded"]], found["subject"])
        found = books[0]
        coverage = found["coverage"]
        self.assertGreaterEqual(coverage["joined_with_form"], 0.8 * coverage["rows_with_form"])
        self.assertEqual(coverage["exact"] + coverage["similar"] + sum(coverage["unjoined"].values()), coverage["rows"])

    def test_an_import_is_a_price_book(self):
        imported = self.mekiki("prices", "import", BOOKS / "skypilot_lambda.csv", "--provider", "lambda", "--dated",
                               "2026-11-01", *DAY)
        rows = list(csv.DictReader(io.StringIO(imported.stdout)))
        self.assertEqual({row["provider"] for row in rows}, {"lambda"})
        self.assertIn("without GPU", imported.stderr)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "lambda.csv"
            path.write_text(imported.stdout)
            again = self.mekiki("prices", "import", path, *DAY)
            self.assertEqual(again.stdout, imported.stdout)
            changed = Path(folder) / "changed.csv"
            changed.write_text(imported.stdout.replace(rows[0]["price_per_hour"], "7.5"))
            self.assertEqual(len(self.mekiki_json("prices", "diff", path, changed, *DAY)["changes"]), 1)

    def test_a_skypilot_file_needs_its_day(self):
        self.mekiki_error("prices", "import", BOOKS / "skypilot_lambda.csv", "--provider", "lambda", *DAY,
                          code=harness.USAGE)

    def test_a_contract_wins_and_the_conflict_is_shown(self):
        folder, path = book("aws,p5.48xlarge,h100-sxm-80,8,us-east-1,on_demand,40,USD,2026-06-01,,\n")
        with folder:
            answer = self.mekiki_json("prices", "list", "--price-book", path, "--where", "sku=p5.48xlarge", *DAY)
            self.assertEqual(len(answer["conflicts"]), 1)
            plan = self.mekiki_json("plan", "llama-3.1-8b", "--tokens", "100M", "--method", "lora", "--systems",
                                    "aws-p5-48xlarge", "--price-book", path, *DAY)
            self.assertEqual(plan["plans"][0]["price"]["per_node_hour"], 40)

    def test_waiting_counts_in_time_and_not_in_money(self):
        job = ("plan", "llama-3.1-8b", "--tokens", "100M", "--method", "lora", "--systems", "aws-p5-48xlarge", *DAY)
        plain, waited = (self.mekiki_json(*job, *more)["plans"][0] for more in ((), ("--waiting", "10h")))
        self.assertIsNone(plain["hours_waiting"])
        self.assertAlmostEqual(waited["hours"]["p50"], plain["hours"]["p50"] + 10, places=6)
        self.assertEqual(waited["cost"], plain["cost"])

    def test_a_commitment_has_idle_hours_and_a_break_even(self):
        folder, path = book("aws,p5.48xlarge,h100-sxm-80,8,us-east-1,reserved,27.52,USD,2026-11-01,2592000,3600\n")
        with folder:
            answer = self.mekiki_json("plan", "llama-3.1-8b", "--tokens", "100M", "--method", "lora", "--systems",
                                      "aws-p5-48xlarge", "--price-kinds", "reserved", "--price-book", path, *DAY)
        plan = answer["plans"][0]
        self.assertAlmostEqual(plan["commitment"]["break_even_utilisation"], 0.5)  # 27.52 / 55.04
        self.assertGreater(plan["commitment"]["idle_hours"], 700)
        self.assertEqual(plan["hours_waiting"], 1)
        self.assertIn("idle_commitment", [advice["id"] for advice in answer["advice"]])


class Tariffs(harness.ProgramTest):
    """Prices of storage, traffic and calls of models."""

    def test_lists_have_units_dates_and_ages(self):
        [store] = self.mekiki_json("prices", "list", "--of", "storage", "--where", "item=S3 Standard", *DAY)["prices"]
        self.assertEqual(store["figures"], [{"use": "stored", "price": 0.023, "per": "GB-month"}])
        self.assertEqual((store["provider"], store["date"], store["staleness"]), ("aws", "2026-05-14", "outdated"))
        rows = self.mekiki_json("prices", "list", "--of", "egress", *DAY)["prices"]
        undated = [row for row in rows if row["date"] is None]
        self.assertTrue(undated)
        self.assertTrue(all(row["age_days"] is None and row["date_reason"] for row in undated))
        calls = self.mekiki("prices", "list", "--of", "api", "--provider", "openai", "--csv", "--sort", "-output", *DAY)
        first = next(csv.DictReader(io.StringIO(calls.stdout)))
        self.assertEqual((first["provider"], first["output"]), ("openai", "30"))

    def test_no_price_is_of_tomorrow(self):
        early = self.mekiki_json("prices", "list", "--of", "api", "--as-of", "2026-06-01")["prices"]
        self.assertTrue(early)
        self.assertFalse([row for row in early if row["date"] and row["date"] > "2026-06-01"])

    def test_one_is_shown_by_its_id(self):
        shown = self.mekiki_json("prices", "show", "api-openai-gpt-5.5-2026-07-24", *DAY)["price"]
        self.assertEqual([figure["price"] for figure in shown["figures"]], [5, 0.5, 30, 2.5, 15])
        self.assertTrue(shown["source"])

    def test_lint_finds_each_planted_fault(self):
        for path in sorted((BOOKS / "bad_tariffs").glob("*/*.csv")):
            with self.subTest(path.parent.name + " " + path.stem):
                answer = harness.run("prices", "lint", path, "--json", *DAY)
                [found] = json.loads(answer.stdout)["books"]
                self.assertEqual(found["of"], path.parent.name)
                self.assertEqual({finding["fault"] for finding in found["findings"]}, {path.stem})
                excluded = any(finding["excluded"] for finding in found["findings"])
                self.assertEqual(answer.code, harness.NOTHING_FITS if excluded else harness.OK)

    def test_history_and_diff_of_a_book(self):
        header = "provider,model,kind,input_usd_per_1m,output_usd_per_1m,as_of,source\n"
        row = "openai,gpt-5.5,inference,{},30,{},a quote\n"
        with tempfile.TemporaryDirectory() as folder:
            old, new = Path(folder) / "old.csv", Path(folder) / "new.csv"
            old.write_text(header + row.format(6, "2026-05-01"))
            new.write_text(header + row.format(4, "2026-11-01"))
            [change] = self.mekiki_json("prices", "diff", old, new, *DAY)["changes"]
            self.assertEqual((change["before"]["price"], change["after"]["price"], change["before"]["use"]),
                             (6, 4, "input"))
            series = self.mekiki_json("prices", "history", "gpt-5.5", "--of", "api", "--price-book", old,
                                      "--price-book", new, *DAY)["series"]
            points = {one["use"]: [point["price"] for point in one["points"]] for one in series}
            self.assertEqual(points, {"input": [6, 5, 4], "output": [30, 30, 30]})
            self.mekiki_error("prices", "list", "--of", "storage", "--price-book", old, *DAY, code=harness.BAD_INPUT)
        self.mekiki_error("prices", "list", "--of", "water", *DAY, code=harness.BAD_INPUT)
        self.mekiki_error("prices", "list", "--of", "api", "--gpu", "l40s", *DAY, code=harness.USAGE)


class Providers(harness.ProgramTest):
    def test_requirements_leave_those_who_are_known_to_meet_them(self):
        ids = [row["id"] for row in self.mekiki_json("providers", "--require", "region=tokyo", *DAY)["providers"]]
        self.assertEqual(ids, ["aws", "azure", "gcp"])
        self.mekiki_error("providers", "--require", "region=atlantis", *DAY, code=harness.BAD_INPUT)
        plan = self.mekiki_json("plan", "llama-3.1-8b", "--tokens", "100M", "--method", "lora", "--require",
                                "region=osaka", *DAY)
        self.assertLessEqual({plan["provider"] for plan in plan["plans"]}, {"aws", "azure", "gcp"})
        answered = {row["id"]: row["answer"] for row in plan["checklist"]}
        self.assertIn("Osaka", answered["region"])

    def test_unknown_is_said(self):
        text = self.mekiki("providers", "crusoe", *DAY).stdout
        self.assertIn("unknown", text)


class Tables(harness.ProgramTest):
    def test_filter_sort_columns_and_csv(self):
        text = self.mekiki("gpus", "--where", "memory_gib>=100", "--sort", "-memory_gib", "--columns",
                           "id,memory_gib,offers,measured_points", "--csv", *DAY).stdout
        rows = list(csv.DictReader(io.StringIO(text)))
        sizes = [float(row["memory_gib"]) for row in rows]
        self.assertTrue(rows and min(sizes) >= 100)
        self.assertEqual(sizes, sorted(sizes, reverse=True))
        self.mekiki_error("gpus", "--sort", "memmory", *DAY, code=harness.BAD_INPUT)

    def test_side_by_side(self):
        answer = self.mekiki_json("gpus", "l40s", "h100-sxm5-80", *DAY)
        self.assertIn("link", [contrast["what"] for contrast in answer["contrasts"]])
        self.assertIn("evidence", answer["gpus"][0])


if __name__ == "__main__":
    unittest.main()
