"""The models of torchtitan, by its builders of layers. FSDP2 casts weights to bf16 before they are used and gathers them
into buffers of its own, so the modules are measured with bf16 weights."""

import functools
import importlib.metadata
import unittest.mock

import torch

from . import Setting
from .absent import stand_in

stand_in("datasets", "datasets.distributed", "torchtitan.trainer", "wandb", "tensorboard")

import torchtitan.distributed.activation_checkpoint as checkpoints  # noqa: E402
from torchtitan.components.loss import ChunkedLossWrapper  # noqa: E402
import torchtitan.models.llama3 as llama3  # noqa: E402
import torchtitan.models.qwen3 as qwen3  # noqa: E402
from torchtitan.models.common.attention import VarlenMetadata  # noqa: E402
from torchtitan.models.common import ComplexRoPE, CosSinRoPE, Embedding, Linear, RMSNorm  # noqa: E402

FRAMEWORK = "torchtitan"
TYPES = ["llama", "qwen3", "qwen3_moe"]
DTYPES = {"fp32": torch.float32, "bf16-mixed": torch.bfloat16}
SETTINGS = (
    Setting("full", "", 0.0, "fp32", "sdpa", "full"),
    *(Setting("full", "", 0.0, "bf16-mixed", "sdpa", r) for r in ("none", "selective", "full")),
)
LOGIT_SETTINGS = (SETTINGS[1],)


def versions():
    return f"torch {torch.__version__}; torchtitan {importlib.metadata.version('torchtitan')}"


def sizes(keys):
    heads = keys["num_attention_heads"]
    found = {
        "n_layers": keys["num_hidden_layers"],
        "dim": keys["hidden_size"],
        "n_heads": heads,
        "n_kv_heads": keys["num_key_value_heads"],
        "attn_backend": "varlen",
    }
    head_dim = keys.get("head_dim", keys["hidden_size"] // heads)
    kind = ComplexRoPE if keys["model_type"] == "llama" else CosSinRoPE
    found["rope"] = kind.Config(dim=head_dim, max_seq_len=keys["max_position_embeddings"])
    if keys["model_type"] != "llama":
        found["head_dim"] = head_dim
    if keys["model_type"] == "qwen3_moe":
        experts = {"num_experts": keys["num_experts"], "top_k": keys["num_experts_per_tok"]}
        return {**found, **experts, "moe_hidden_dim": keys["moe_intermediate_size"], "moe_comm_backend": "standard"}
    return {**found, "hidden_dim": keys["intermediate_size"]}


BUILDERS = {
    "llama": (llama3.Llama3Model, llama3._build_llama3_layers),
    "qwen3": (qwen3.Qwen3Model, qwen3._build_qwen3_layers),
    "qwen3_moe": (qwen3.Qwen3Model, qwen3._build_qwen3_moe_layers),
}


def build(keys, setting):
    kind, layers = BUILDERS[keys["model_type"]]
    dim, vocabulary = keys["hidden_size"], keys["vocab_size"]
    before = torch.get_default_dtype()
    torch.set_default_dtype(DTYPES[setting.precision])
    try:
        model = kind.Config(
            dim=dim,
            vocab_size=vocabulary,
            tok_embeddings=Embedding.Config(num_embeddings=vocabulary, embedding_dim=dim),
            norm=RMSNorm.Config(normalized_shape=dim),
            lm_head=Linear.Config(in_features=dim, out_features=vocabulary),
            layers=layers(**sizes(keys)),
        ).build()
    finally:
        torch.set_default_dtype(before)
    policy = {"none": None, "selective": checkpoints.SelectiveAC, "full": checkpoints.FullAC}[setting.recompute]
    if policy is not None:
        # What the policy keeps passes by the hooks like everything else.
        wrapper = functools.partial(checkpoints.ptd_checkpoint_wrapper, respect_saved_tensors_hooks=True)
        with unittest.mock.patch.object(checkpoints, "ptd_checkpoint_wrapper", wrapper):
            policy(policy.Config()).apply(model)
    return model.train(), []


def forward(model, shape):
    ids = torch.zeros((shape.batch, shape.length), dtype=torch.int64)
    bounds = torch.zeros(shape.batch + 1, dtype=torch.int32)
    return model(ids, attention_masks=VarlenMetadata(bounds, bounds, shape.length, shape.length))


def loss(model, shape):
    model._skip_lm_head = True
    chunked = ChunkedLossWrapper(ChunkedLossWrapper.Config())
    chunked.set_lm_head(model.lm_head)
    labels = torch.zeros((shape.batch, shape.length), dtype=torch.int64)
    return chunked(forward(model, shape), labels, torch.tensor(labels.numel()))[0]


def autocast_dtype(setting):
    return None
