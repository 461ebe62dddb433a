"""mekiki model, gpus, systems, prices list: keys, filters, ages."""

import unittest

import harness

DAY = ("--as-of", "2026-07-01")


class Model(harness.ProgramTest):
    def test_keys_of_the_contract(self):
        answer = self.mekiki_json("model", "llama-3.2-1b", *DAY)
        self.assertLessEqual({"model", "family", "counts", "flops_per_token", "layers", "warnings"}, set(answer))
        self.assertEqual(set(answer["counts"]),
                         {"trainable", "stored", "mtp", "vision", "active_per_token", "matmul_per_token"})
        self.assertLessEqual({"forward", "training"}, set(answer["flops_per_token"]))
        for layer in answer["layers"]:
            self.assertLessEqual({"count", "blocks"}, set(layer))

    def test_counts_are_exact(self):
        """Published totals: the tensors of the checkpoints of these repositories."""
        for name, trainable in (("llama-3.2-1b", 1_235_814_400), ("meta-llama/Llama-3.1-8B-Instruct", 8_030_261_248),
                                ("mixtral-8x7b", 46_702_792_704), ("qwen3-30b-a3b", 30_532_122_624)):
            self.assertEqual(self.mekiki_json("model", name, *DAY)["counts"]["trainable"], trainable)

    def test_names_that_must_exist(self):
        for name in ("llama-3.2-1b", "llama-3.2-3b", "llama-3.1-8b", "llama-3.1-70b", "llama-3.1-405b", "qwen3-8b",
                     "qwen3-30b-a3b", "mixtral-8x7b", "gpt-oss-20b", "meta-llama/Llama-3.2-1B"):
            self.mekiki("model", name, *DAY)

    def test_work_grows_with_the_length(self):
        short, long = (self.mekiki_json("model", "llama-3.2-1b", "--sequence-length", length, *DAY)["flops_per_token"]
                       for length in ("1k", "8k"))
        self.assertLess(short["training"], long["training"])

    def test_tensors_hold_all_weights(self):
        answer = self.mekiki_json("model", "llama-3.2-1b", "--tensors", *DAY)
        self.assertEqual(answer["elements"], 1_235_814_400)
        shapes = {tensor["name"]: tensor["shape"] for tensor in answer["tensors"]}
        self.assertEqual(shapes["model.layers.15.self_attn.k_proj.weight"], [512, 2048])
        self.assertNotIn("lm_head.weight", shapes)
        self.assertIn("[512, 2048]", self.mekiki("model", "llama-3.2-1b", "--tensors", *DAY).stdout)
        self.mekiki("model", "llama-3.2-1b", "llama-3.2-3b", "--tensors", *DAY, code=harness.USAGE)

    def test_count_alone_gives_the_quick_rule(self):
        self.assertEqual(round(self.mekiki_json("model", "--params", "1B", *DAY)["quick_rule"]["gib"], 1), 11.2)


class Catalogues(harness.ProgramTest):
    def test_gpus(self):
        everything = self.mekiki_json("gpus", *DAY)["gpus"]
        ids = [gpu["id"] for gpu in everything]
        self.assertEqual(len(ids), len(set(ids)))
        self.assertIn("l40s", ids)
        one = self.mekiki_json("gpus", "NVIDIA L40S", *DAY)["gpus"]
        self.assertEqual([gpu["id"] for gpu in one], ["l40s"])
        self.assertEqual(one[0]["memory_marketed_gb"], 48)
        self.assertAlmostEqual(one[0]["memory_reported_gib"], 44.99, places=2)
        self.assertTrue(one[0]["source"])

    def test_a_name_may_be_spelled_with_spaces_or_hyphens(self):
        for text in ("RTX 4090", "rtx-4090", "RTX4090"):
            self.assertEqual([gpu["id"] for gpu in self.mekiki_json("gpus", text, *DAY)["gpus"]], ["rtx4090"])

    def test_a_name_that_fits_several_is_refused_with_the_candidates(self):
        error = self.mekiki_error("gpus", "H100", code=harness.BAD_INPUT)
        self.assertEqual(error["code"], "conflict")
        self.assertIn("h100-sxm5-80", error["message"] + error["hint"])

    def test_systems(self):
        systems = self.mekiki_json("systems", "--gpu", "l40s", *DAY)["systems"]
        self.assertTrue(systems)
        self.assertEqual({system["gpu"] for system in systems}, {"l40s"})

    def test_prices_age(self):
        old = self.mekiki_json("prices", "list", "--as-of", "2030-01-01")["prices"]
        self.assertTrue(old)
        self.assertEqual({price["staleness"] for price in old}, {"outdated"})
        for price in old:
            self.assertLessEqual({"provider", "date", "age_days", "source", "currency", "kind"}, set(price))
            self.assertNotEqual(price["per_hour"], 0)

    def test_a_price_of_tomorrow_is_not_known_today(self):
        self.assertEqual(self.mekiki_json("prices", "list", "--as-of", "2000-01-01")["prices"], [])

    def test_text_tables_have_every_row(self):
        text = self.mekiki("gpus", *DAY).stdout
        for gpu in self.mekiki_json("gpus", *DAY)["gpus"]:
            self.assertIn(gpu["id"], text)


class OwnData(harness.ProgramTest):
    def test_a_folder_of_data_replaces_by_id_and_changes_the_digest(self):
        import json
        import tempfile
        from pathlib import Path
        rows = json.loads((harness.ROOT / "data/gpus/nvidia.json").read_text())
        row = next(row for row in rows if row["id"] == "l40s")
        row["memory_gib_reported"] = 40.0
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "gpus").mkdir()
            (Path(folder) / "gpus" / "mine.json").write_text(json.dumps([row]))
            changed = self.mekiki_json("gpus", "l40s", "--data", folder, *DAY)
        bundled = self.mekiki_json("gpus", "l40s", *DAY)
        self.assertEqual(changed["gpus"][0]["memory_reported_gib"], 40)
        self.assertNotEqual(changed["data_digest"], bundled["data_digest"])


if __name__ == "__main__":
    unittest.main()
