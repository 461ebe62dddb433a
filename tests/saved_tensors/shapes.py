"""Small configs of every model type that is measured, in two shapes whose sizes differ from each other, so that the
coefficients of tokens x hidden, tokens x intermediate, tokens x heads x length and so on can be told apart.

They start from tests/transformers/bases.json.
"""

import json
from pathlib import Path
from typing import NamedTuple

BASES = Path(__file__).parent.parent / "transformers" / "bases.json"

DENSE = """llama mistral qwen2 qwen3 gemma gemma2 gemma3_text phi phi3 gpt_neox gpt2 falcon olmo olmo2 starcoder2 cohere
cohere2 granite glm glm4 stablelm opt bloom smollm3 nemotron ernie4_5 hunyuan_v1_dense""".split()
SPARSE = """mixtral qwen2_moe qwen3_moe gpt_oss deepseek_v2 deepseek_v3 glm4_moe olmoe phimoe granitemoe
llama4_text""".split()
HYBRID = ["qwen3_next"]

# The layer (counted from 0) that is measured: the first few of a type may be of another kind.
MEASURED_LAYERS = {"qwen3_next": (2, 3), "llama4_text": (2, 3)}
USUAL_LAYERS = (2,)

LAYER_COUNTS = ("num_hidden_layers", "n_layer", "n_layers")
PER_LAYER = ("layer_types", "mlp_layer_types", "no_rope_layers")


class Shape(NamedTuple):
    name: str
    batch: int
    length: int
    sizes: dict  # of the config, where it has the key


SHAPES = (
    Shape("narrow", 2, 64, {"intermediate_size": 320, "moe_intermediate_size": 56, "sliding_window": 512}),
    Shape(
        "wide",
        3,
        96,
        {
            "hidden_size": 128,
            "n_embd": 128,
            "num_attention_heads": 8,
            "n_head": 8,
            "num_key_value_heads": 4,
            "num_kv_heads": 4,
            "intermediate_size": 296,
            "ffn_dim": 296,
            "ffn_hidden_size": 296,
            "moe_intermediate_size": 72,
            "shared_expert_intermediate_size": 88,
            "sliding_window": 512,
        },
    ),
)


def config(model_type, shape, layers):
    keys = json.loads(BASES.read_text())[model_type]
    equal_heads = keys.get("num_attention_heads") == keys.get("num_key_value_heads")
    for key, value in shape.sizes.items():
        if keys.get(key) is not None:
            keys[key] = value
    if equal_heads and "num_key_value_heads" in keys:
        keys["num_key_value_heads"] = keys["num_attention_heads"]
    for key in LAYER_COUNTS:
        if key in keys:
            keys[key] = layers
    for key in PER_LAYER:
        if keys.get(key) is not None:
            keys[key] = (keys[key] * layers)[:layers]
    for key in ("max_position_embeddings", "n_positions"):
        if key in keys:
            keys[key] = 512
    return keys


def measured_layers(model_type):
    return MEASURED_LAYERS.get(model_type, USUAL_LAYERS)
