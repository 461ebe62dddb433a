"""`mekiki model` on a directory: the headers of its safetensors files against its config.json; two models side by side;
all bundled models at once."""

import json
import math
import tempfile
import unittest
from pathlib import Path

import harness
from harness import BAD_INPUT, NOTHING_FITS, USAGE

CONFIG = {"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4,
          "intermediate_size": 128, "vocab_size": 100, "tie_word_embeddings": True}
WEIGHTS = 88_640  # 100 x 64 + 2 x (4 x 64 x 64 + 3 x 64 x 128 + 2 x 64) + 64
BYTES = {"F32": 4, "BF16": 2, "F16": 2, "I32": 4, "U8": 1, "F8_E4M3": 1, "I64": 8}
SAMPLES = harness.ROOT / "tests/data/safetensors"


def layer(i):
    names = {"self_attn.q_proj": (64, 64), "self_attn.k_proj": (64, 64), "self_attn.v_proj": (64, 64),
             "self_attn.o_proj": (64, 64), "mlp.gate_proj": (128, 64), "mlp.up_proj": (128, 64),
             "mlp.down_proj": (64, 128), "input_layernorm": (64,), "post_attention_layernorm": (64,)}
    return {f"model.layers.{i}.{name}.weight": ("BF16", shape) for name, shape in names.items()}


def tensors():
    return {"model.embed_tokens.weight": ("BF16", (100, 64)), **layer(0), **layer(1), "model.norm.weight": ("BF16", (64,))}


def gptq(all_tensors):
    """The same, every linear layer of a block packed to 4 bits in groups of 32."""
    packed = {}
    for name, (dtype, shape) in all_tensors.items():
        if "_proj" not in name:
            packed[name] = (dtype, shape)
            continue
        out, width = shape
        base = name.removesuffix("weight")
        packed |= {base + "qweight": ("I32", (width // 8, out)), base + "qzeros": ("I32", (width // 32, out // 8)),
                   base + "scales": ("F16", (width // 32, out)), base + "g_idx": ("I32", (width,))}
    return packed


class Checkpoints(harness.ProgramTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "config.json").write_text(json.dumps(CONFIG))

    def write(self, name, some_tensors):
        """A sparse file: only the header is written."""
        header, end = {}, 0
        for tensor, (dtype, shape) in some_tensors.items():
            begin, end = end, end + math.prod(shape) * BYTES[dtype]
            header[tensor] = {"dtype": dtype, "shape": list(shape), "data_offsets": [begin, end]}
        text = json.dumps(header).encode()
        with open(self.folder / name, "wb") as file:
            file.write(len(text).to_bytes(8, "little") + text)
            file.truncate(8 + len(text) + end)

    def shards(self, weight_map, **files):
        for name, some_tensors in files.items():
            self.write(name + ".safetensors", some_tensors)
        index = {"metadata": {"total_size": 2 * WEIGHTS}, "weight_map": weight_map}
        (self.folder / "model.safetensors.index.json").write_text(json.dumps(index))

    def checkpoint(self, code=harness.OK):
        return self.mekiki_json("model", self.folder, code=code)["checkpoint"]

    def test_no_checkpoint(self):
        self.assertNotIn("checkpoint", self.mekiki_json("model", self.folder))

    def test_one_file_that_agrees(self):
        self.write("model.safetensors", tensors())
        checkpoint = self.checkpoint()
        self.assertEqual(checkpoint["verdict"], "agrees")
        self.assertEqual(checkpoint["weights"], WEIGHTS)
        self.assertEqual(checkpoint["bytes"], 2 * WEIGHTS)
        self.assertEqual(checkpoint["comparison"]["equal"], 20)
        self.assertEqual(checkpoint["by_packing"][0]["bits_per_weight"], 16)
        self.assert_says(self.mekiki("model", self.folder), "agrees with the config", "88,640")
        self.assert_says(self.mekiki("model", self.folder, "--lang", "ja"), "config と一致します")

    def test_a_checkpoint_of_terabytes_is_read_by_its_header(self):
        config = {**CONFIG, "vocab_size": 10_000_000_000 // 64 // 10, "max_position_embeddings": 128}
        (self.folder / "config.json").write_text(json.dumps(config))
        self.write("model.safetensors", tensors() | {"model.embed_tokens.weight": ("BF16", (config["vocab_size"], 64))})
        self.assertGreater((self.folder / "model.safetensors").stat().st_size, 2 * 10**9 // 2)
        self.assertEqual(self.checkpoint()["verdict"], "agrees")

    def test_shards(self):
        first, second = layer(0), {k: v for k, v in tensors().items() if k not in layer(0)}
        weight_map = {**dict.fromkeys(first, "a.safetensors"), **dict.fromkeys(second, "b.safetensors")}
        self.shards(weight_map, a=first, b=second)
        self.assertEqual(self.checkpoint()["verdict"], "agrees")
        (self.folder / "b.safetensors").unlink()
        checkpoint = self.checkpoint(NOTHING_FITS)
        self.assertEqual(checkpoint["verdict"], "damaged")
        self.assertEqual([(f["kind"], f["file"]) for f in checkpoint["findings"]], [("missing_shard", "b.safetensors")])
        self.assert_says(self.mekiki("model", self.folder, code=NOTHING_FITS), "b.safetensors is named by the index")
        self.shards(weight_map, a=second, b=first)
        self.assertEqual({f["kind"] for f in self.checkpoint(NOTHING_FITS)["findings"]}, {"in_another_shard"})
        self.shards(weight_map, a=tensors(), b=second)
        self.assertEqual({f["kind"] for f in self.checkpoint(NOTHING_FITS)["findings"]}, {"duplicate_tensor"})

    def test_an_index_cannot_leave_its_folder(self):
        self.shards({"a": "../a.safetensors"})
        self.assertEqual(self.mekiki_error("model", self.folder, code=BAD_INPUT)["code"], "invalid_input")

    def test_other_tensors_than_expected(self):
        broken = tensors() | {"model.norm.weight": ("BF16", (32,)), "model.more.weight": ("BF16", (3,))}
        del broken["model.layers.1.mlp.up_proj.weight"]
        self.write("model.safetensors", broken)
        checkpoint = self.checkpoint(NOTHING_FITS)
        self.assertEqual(checkpoint["verdict"], "differs")
        comparison = checkpoint["comparison"]
        self.assertEqual([t["name"] for t in comparison["missing"]], ["model.layers.1.mlp.up_proj.weight"])
        self.assertEqual([t["name"] for t in comparison["unexpected"]], ["model.more.weight"])
        self.assertEqual([t["found"] for t in comparison["other_shape"]], [[32]])
        self.assert_says(self.mekiki("model", self.folder, code=NOTHING_FITS), "model.norm.weight [64] -> [32]")

    def test_a_quantised_checkpoint_holds_the_weights_of_its_original(self):
        config = {**CONFIG, "quantization_config": {"quant_method": "gptq", "bits": 4, "group_size": 32}}
        (self.folder / "config.json").write_text(json.dumps(config))
        self.write("model.safetensors", gptq(tensors()))
        checkpoint = self.checkpoint()
        self.assertEqual(checkpoint["verdict"], "agrees")
        self.assertEqual(checkpoint["quantization"], "gptq")
        self.assertEqual(checkpoint["weights"], WEIGHTS)
        packed = {entry["packing"]: entry for entry in checkpoint["by_packing"]}
        self.assertEqual(packed["gptq"]["weights"], 2 * (4 * 64 * 64 + 3 * 64 * 128))
        self.assertLess(packed["gptq"]["bits_per_weight"], 5.5)
        self.assertGreater(packed["gptq"]["bits_per_weight"], 4)

    def test_every_bad_file_is_refused_with_its_name(self):
        for sample in sorted(SAMPLES.glob("bad_*.safetensors")):
            with self.subTest(sample=sample.name):
                (self.folder / "model.safetensors").write_bytes(sample.read_bytes())
                error = self.mekiki_error("model", self.folder, code=BAD_INPUT)
                self.assertTrue(error["subject"].startswith(str(self.folder / "model.safetensors")), error)
                self.assertTrue(error["message"] and error["hint"], error)

    def test_the_licence_of_the_model_card(self):
        self.assertIsNone(self.mekiki_json("model", self.folder)["license"])
        (self.folder / "README.md").write_text("---\nlicense: apache-2.0\n---\n# A model\n")
        self.assertEqual(self.mekiki_json("model", self.folder)["license"], "apache-2.0")
        self.assert_says(self.mekiki("model", self.folder), "apache-2.0")


class Pairs(harness.ProgramTest):
    def test_two_models_side_by_side(self):
        value = self.mekiki_json("model", "llama-3.2-1b", "llama-3.1-8b")
        self.assertEqual([model["model"] for model in value["models"]], ["llama-3.2-1b", "llama-3.1-8b"])
        for model in value["models"]:
            self.assertEqual(model["counts"], self.mekiki_json("model", model["model"])["counts"])
        differences = {entry["key"]: entry for entry in value["differences"]}
        self.assertEqual(differences["hidden_size"]["values"], [2048, 4096])
        self.assertEqual(differences["hidden_size"]["ratio"], 2)
        self.assertEqual(differences["layer_count"]["values"], [16, 32])
        self.assertEqual(differences["unusual"]["values"], [["tied_head"], []])
        self.assertNotIn("vocab_size", differences)
        answer = self.mekiki("model", "llama-3.2-1b", "llama-3.1-8b")
        self.assert_says(answer, "1,235,814,400", "8,030,261,248", "x 6.50", "Only llama-3.2-1b: output head tied")
        self.assert_says(self.mekiki("model", "llama-3.2-1b", "llama-3.1-8b", "--lang", "ja"), "学習対象の重み")

    def test_the_same_model_twice_differs_in_nothing(self):
        self.assertEqual(self.mekiki_json("model", "qwen3-8b", "qwen3-8b")["differences"], [])

    def test_a_wrong_second_name(self):
        self.assertEqual(self.mekiki_error("model", "qwen3-8b", "nonesuch", code=BAD_INPUT)["code"], "not_found")


class All(harness.ProgramTest):
    def test_all_bundled_models_at_once(self):
        value = self.mekiki_json("model", "--all", seconds=20)
        rows = (harness.ROOT / "data/models/index.csv").read_text().count("\n") - 1
        self.assertEqual(len(value["models"]) + len(value["refused"]), rows)
        self.assertEqual(value["refused"], [])
        one = next(model for model in value["models"] if model["model"] == "qwen3-30b-a3b")
        alone = self.mekiki_json("model", "qwen3-30b-a3b")
        self.assertEqual({key: alone[key] for key in one}, one)
        self.assert_says(self.mekiki("model", "--all"), "qwen3-30b-a3b", "30,532,122,624")

    def test_all_and_a_name_contradict(self):
        self.mekiki_error("model", "qwen3-8b", "--all", code=USAGE)


if __name__ == "__main__":
    unittest.main()
