"""The models of torchtune, by its builders."""

import torch

from . import RANK, Setting
from .absent import stand_in

stand_in("datasets", "datasets.distributed", "kagglehub", "blobfile", "omegaconf", "tiktoken", "tiktoken.load", "sentencepiece")

import torchao  # noqa: E402
import torchtune.models.gemma  # noqa: E402
import torchtune.models.llama2  # noqa: E402
import torchtune.models.llama3  # noqa: E402
import torchtune.models.mistral  # noqa: E402
import torchtune.models.phi3  # noqa: E402
import torchtune.models.qwen2  # noqa: E402
from torchtune.modules.loss import CEWithChunkedOutputLoss  # noqa: E402
from torchtune.modules.peft import get_adapter_params, set_trainable_params  # noqa: E402
from torchtune.training import set_activation_checkpointing  # noqa: E402

FRAMEWORK = "torchtune"
TYPES = ["llama", "qwen2", "gemma"]
DTYPES = {"fp32": torch.float32, "bf16-pure": torch.bfloat16}
SETTINGS = (
    *(Setting("full", "", 0.0, p, "sdpa", r) for p in DTYPES for r in ("none", "full") if p != "fp32"),
    *(
        Setting("lora", targets, dropout, "bf16-pure", "sdpa", "none")
        for targets in ("all-linear", "attention")
        for dropout in (0.0, 0.05)
    ),
)
LOGIT_SETTINGS = (SETTINGS[0],)
BUILDERS = {
    "llama": (torchtune.models.llama3._component_builders, "llama3"),
    "qwen2": (torchtune.models.qwen2._component_builders, "qwen2"),
    "gemma": (torchtune.models.gemma._component_builders, "gemma"),
}
ATTENTION = ["q_proj", "k_proj", "v_proj", "output_proj"]
# Names of the same layers in the config's own library.
ATTENTION_TARGETS = ["q_proj", "k_proj", "v_proj", "o_proj"]


def versions():
    return f"torch {torch.__version__}; torchtune {torchtune.__version__}; torchao {torchao.__version__}"


def sizes(keys):
    found = {
        "vocab_size": keys["vocab_size"],
        "num_layers": keys["num_hidden_layers"],
        "num_heads": keys["num_attention_heads"],
        "num_kv_heads": keys["num_key_value_heads"],
        "embed_dim": keys["hidden_size"],
        "max_seq_len": keys["max_position_embeddings"],
        "intermediate_dim": keys["intermediate_size"],
    }
    if keys["model_type"] == "gemma":
        found["head_dim"] = keys["head_dim"]
    elif keys["hidden_size"] != keys["num_attention_heads"] * keys.get("head_dim", 0) and "head_dim" in keys:
        raise ValueError("heads of their own width are unknown here")
    return found


def build(keys, setting):
    module, name = BUILDERS[keys["model_type"]]
    targets = []
    before = torch.get_default_dtype()
    torch.set_default_dtype(DTYPES[setting.precision])
    try:
        if setting.method == "full":
            model = getattr(module, name)(**sizes(keys))
        else:
            all_linear = setting.targets == "all-linear"
            targets = ["all-linear"] if all_linear else ATTENTION_TARGETS
            options = {"lora_rank": RANK, "lora_alpha": 16.0, "lora_dropout": setting.dropout}
            model = getattr(module, "lora_" + name)(ATTENTION, all_linear, **sizes(keys), **options)
            set_trainable_params(model, get_adapter_params(model))
    finally:
        torch.set_default_dtype(before)
    if setting.recompute == "full":
        layer = torchtune.modules.TransformerSelfAttentionLayer
        set_activation_checkpointing(model, auto_wrap_policy={layer})
    return model.train(), targets


def forward(model, shape):
    # Recipes of one sequence a row pass no mask.
    return model(torch.zeros((shape.batch, shape.length), dtype=torch.int64))


def loss(model, shape):
    chunked = CEWithChunkedOutputLoss()
    model.set_num_output_chunks(chunked.num_output_chunks)
    return chunked(forward(model, shape), torch.zeros((shape.batch, shape.length), dtype=torch.int64))


def autocast_dtype(setting):
    return None
