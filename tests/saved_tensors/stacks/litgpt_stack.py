"""The models of litgpt, by its Config."""

import torch

from . import RANK, Setting
from .absent import stand_in

stand_in("torchmetrics", "jsonargparse")

import litgpt.lora  # noqa: E402
import litgpt.model  # noqa: E402
from litgpt.utils import chunked_cross_entropy  # noqa: E402
from lightning.fabric.strategies.fsdp import (  # noqa: E402
    _activation_checkpointing_kwargs,
    _setup_activation_checkpointing,
)

FRAMEWORK = "litgpt"
TYPES = ["llama", "mistral", "qwen2", "qwen3", "gemma", "gpt_neox"]
# Fabric's words: 32-true, bf16-mixed, bf16-true.
DTYPES = {"fp32": torch.float32, "bf16-mixed": torch.float32, "bf16-pure": torch.bfloat16}
SETTINGS = (
    *(Setting("full", "", 0.0, p, "sdpa", r) for p in ("bf16-mixed", "bf16-pure") for r in ("none", "full")),
    *(
        Setting("lora", targets, dropout, p, "sdpa", "none")
        for targets in ("all-linear", "attention", "query-value")
        for dropout in (0.0, 0.05)
        for p in ("bf16-mixed", "bf16-pure")
    ),
)
LOGIT_SETTINGS = ()  # the bytes depend on the length: chunks have 128 tokens of each sequence
# What is adapted, and the names of the same layers in the config's own library.
ADAPTED = {
    "all-linear": (("query", "key", "value", "projection", "mlp"), ["all-linear"]),
    "attention": (("query", "key", "value", "projection"), ["q_proj", "k_proj", "v_proj", "o_proj"]),
    "query-value": (("query", "value"), ["q_proj", "v_proj"]),
}
# The same for models whose own library fuses the projections.
FUSED_TARGETS = {"all-linear": ["all-linear"], "attention": ["query_key_value", "dense"]}
USUAL = {"norm_class_name": "RMSNorm", "mlp_class_name": "LLaMAMLP", "bias": False, "parallel_residual": False}
OWN = {
    "llama": USUAL,
    "mistral": USUAL,
    "qwen2": {**USUAL, "attn_bias": True},
    "qwen3": {**USUAL, "norm_qk": True},
    "gemma": {**USUAL, "name": "Gemma", "mlp_class_name": "GemmaMLP", "gelu_approximate": "tanh", "scale_embeddings": True},
    "gpt_neox": {"norm_class_name": "LayerNorm", "mlp_class_name": "GptNeoxMLP", "parallel_residual": True},
}


def versions():
    import lightning

    return f"torch {torch.__version__}; litgpt 0.5.13; lightning {lightning.__version__}"


def sizes(keys):
    heads = keys["num_attention_heads"]
    found = {
        "n_layer": keys["num_hidden_layers"],
        "n_head": heads,
        "n_query_groups": keys.get("num_key_value_heads", heads),
        "n_embd": keys["hidden_size"],
        "head_size": keys.get("head_dim", keys["hidden_size"] // heads),
        "intermediate_size": keys["intermediate_size"],
        "vocab_size": keys["vocab_size"],
        "padded_vocab_size": keys["vocab_size"],
        "block_size": keys["max_position_embeddings"],
        "rotary_percentage": 1.0,
    }
    if keys["model_type"] == "gpt_neox":
        found["rotary_percentage"] = keys.get("rotary_pct", 0.25)
    return {**found, **OWN[keys["model_type"]]}


def build(keys, setting):
    targets = []
    before = torch.get_default_dtype()
    torch.set_default_dtype(DTYPES[setting.precision])
    try:
        if setting.method == "full":
            model = litgpt.model.GPT(litgpt.model.Config(**sizes(keys)))
        else:
            parts, targets = ADAPTED[setting.targets]
            if keys["model_type"] == "gpt_neox":
                targets = FUSED_TARGETS[setting.targets]
            adapted = {"lora_r": RANK, "lora_dropout": setting.dropout, **{f"lora_{part}": True for part in parts}}
            model = litgpt.lora.GPT(litgpt.lora.Config(**sizes(keys), **adapted))
            litgpt.lora.mark_only_lora_as_trainable(model)
    finally:
        torch.set_default_dtype(before)
    if setting.recompute == "full":
        _setup_activation_checkpointing(model, _activation_checkpointing_kwargs(None, {litgpt.model.Block}))
    return model.train(), targets


def forward(model, shape):
    return model(torch.zeros((shape.batch, shape.length), dtype=torch.int64))


def loss(model, shape):
    """As the fine-tuning recipes do."""
    ids = torch.zeros((shape.batch, shape.length), dtype=torch.int64)
    logits = model(ids, lm_head_chunk_size=128)
    logits[-1] = logits[-1][..., :-1, :]
    return chunked_cross_entropy(logits, ids[..., 1:])


def autocast_dtype(setting):
    return torch.bfloat16 if setting.precision == "bf16-mixed" else None
