"""The models of transformers, with peft around them."""

import itertools
import os

os.environ.update(HF_HUB_OFFLINE="1", HF_HUB_DISABLE_PROGRESS_BARS="1", TRANSFORMERS_VERBOSITY="critical")

import peft  # noqa: E402
import torch  # noqa: E402
import transformers  # noqa: E402
from transformers.models.auto.configuration_auto import CONFIG_MAPPING  # noqa: E402

import shapes  # noqa: E402

from . import RANK, Setting  # noqa: E402

FRAMEWORK = "hf-trainer"
TYPES = shapes.DENSE + shapes.SPARSE + shapes.HYBRID

# Word of a job file: dtype of a model that trains whole, dtype of a frozen base, dtype of autocast.
PRECISIONS = {
    "fp32": (torch.float32, torch.float32, None),
    "bf16-mixed": (torch.float32, torch.bfloat16, torch.bfloat16),
    "bf16-pure": (torch.bfloat16, torch.bfloat16, None),
}
SETTINGS = (
    *(Setting("full", "", 0.0, p, "eager", "none") for p in PRECISIONS),
    *(Setting("full", "", 0.0, p, "sdpa", "none") for p in ("bf16-mixed", "bf16-pure")),
    *(Setting("full", "", 0.0, p, "sdpa", "full") for p in ("bf16-mixed", "bf16-pure")),
    *(
        Setting("lora", targets, dropout, p, "sdpa", "none")
        for targets, dropout, p in itertools.product(
            ("all-linear", "attention"), (0.0, 0.05), ("bf16-mixed", "bf16-pure")
        )
    ),
)
LOGIT_SETTINGS = tuple(Setting("full", "", 0.0, p, "eager", "none") for p in PRECISIONS)


def versions():
    return f"torch {torch.__version__}; transformers {transformers.__version__}; peft {peft.__version__}"


def attention_targets(model):
    """Last names of the linear layers inside attention modules."""
    inside, beside = set(), set()
    for name, module in model.named_modules():
        if isinstance(module, (torch.nn.Linear, transformers.pytorch_utils.Conv1D)):
            *parents, last = name.split(".")
            (inside if any("attn" in part or "attention" in part for part in parents) else beside).add(last)
    if inside & beside:
        raise ValueError("a projection of the network is called like one of attention")
    return sorted(inside)


def build(keys, setting):
    whole, frozen, _ = PRECISIONS[setting.precision]
    configuration = CONFIG_MAPPING[keys["model_type"]].from_dict(keys)
    model = transformers.AutoModelForCausalLM.from_config(
        configuration, dtype=whole if setting.method == "full" else frozen, attn_implementation=setting.attention
    )
    targets = []
    if setting.recompute == "full":
        model.activation_checkpointing_enable()
    if setting.method == "lora":
        targets = ["all-linear"]
        if setting.targets == "attention":
            targets = attention_targets(model)
        wanted = "all-linear" if targets == ["all-linear"] else targets
        model = peft.get_peft_model(
            model, peft.LoraConfig(r=RANK, lora_dropout=setting.dropout, target_modules=wanted, task_type="CAUSAL_LM")
        )
    return model.train(), targets


def forward(model, shape):
    ids = torch.zeros((shape.batch, shape.length), dtype=torch.int64)
    return model(input_ids=ids, labels=ids, use_cache=False)


def loss(model, shape):
    return forward(model, shape).loss


def autocast_dtype(setting):
    return PRECISIONS[setting.precision][2]
