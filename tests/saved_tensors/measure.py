#!/usr/bin/env python3
"""measure.py FOLDER [TYPE...]: writes FOLDER/configs.csv, layers.csv and logits.csv, the bytes that the real modules of
transformers and peft keep for backward.

measure.py --show TYPE METHOD PRECISION ATTENTION RECOMPUTE: the tensors of one layer, one a line.
"""

import csv
import itertools
import json
import os
import sys
from pathlib import Path
from typing import NamedTuple

os.environ.update(
    HF_HUB_OFFLINE="1", HF_HUB_DISABLE_PROGRESS_BARS="1", TRANSFORMERS_VERBOSITY="critical", CUDA_VISIBLE_DEVICES=""
)

import peft  # noqa: E402
import torch  # noqa: E402
import transformers  # noqa: E402
from transformers.models.auto.configuration_auto import CONFIG_MAPPING  # noqa: E402

import shapes  # noqa: E402
from cuda_without_gpu import autocast, without_data  # noqa: E402
from recorder import LiveBytes, Saved  # noqa: E402

VERSIONS = f"torch {torch.__version__}; transformers {transformers.__version__}; peft {peft.__version__}"
RANK = 8

# Word of a job file: dtype of a model that trains whole, dtype of a frozen base, dtype of autocast.
PRECISIONS = {
    "fp32": (torch.float32, torch.float32, None),
    "bf16-mixed": (torch.float32, torch.bfloat16, torch.bfloat16),
    "bf16-pure": (torch.bfloat16, torch.bfloat16, None),
}


class Setting(NamedTuple):
    method: str  # full or lora
    targets: str  # of adapters: all-linear, or attention
    dropout: float
    precision: str
    attention: str
    recompute: str


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
    """The model as a training program would hold it, and the names of what is adapted."""
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


def batch_of(shape):
    ids = torch.zeros((shape.batch, shape.length), dtype=torch.int64)
    return {"input_ids": ids, "labels": ids, "use_cache": False}


def saved(keys, setting, shape):
    with without_data():
        model, targets = build(keys, setting)
        recorder = Saved(model)
        with recorder.recording(), autocast("cuda", PRECISIONS[setting.precision][2]):
            output = model(**batch_of(shape))
        return recorder, targets, output


def layer_row(model_type, shape, layer, setting):
    config = f"{model_type}-{shape.name}-{layer}"
    row = {"id": "/".join((config, *(str(part) for part in setting if part != ""))), "config": config}
    row.update(micro_batch_size=shape.batch, length=shape.length, rank=RANK)
    row.update(setting._asdict(), targets="", bytes="", error="", versions=VERSIONS)
    try:
        without, _, kept_alive = saved(shapes.config(model_type, shape, layer), setting, shape)
        small = without.bytes()
        del without, kept_alive
        whole, targets, _ = saved(shapes.config(model_type, shape, layer + 1), setting, shape)
        row["bytes"] = whole.bytes() - small
        row["targets"] = ";".join(targets)
    except Exception as error:  # what the library refuses is an answer too
        row["error"] = f"{type(error).__name__}: {' '.join(str(error).split())[:120]}"
    return row


def peak_bytes(keys, setting, batch, length, vocabulary):
    shape = shapes.Shape("", batch, length, {})
    with without_data("cpu"):
        model, _ = build({**keys, "vocab_size": vocabulary}, setting)
        with LiveBytes() as live:
            with autocast("cpu", PRECISIONS[setting.precision][2]):
                loss = model(**batch_of(shape)).loss
            loss.backward()
        return live.peak


def bytes_per_logit(keys, setting):
    """Second difference by tokens and vocabulary: what grows with one of them alone falls out."""
    vocabularies, batches, length = (20000, 30000), (2, 4), 256
    peaks = {(v, b): peak_bytes(keys, setting, b, length, v) for v in vocabularies for b in batches}
    (v, w), (b, c) = vocabularies, batches
    return (peaks[w, c] - peaks[w, b] - peaks[v, c] + peaks[v, b]) / ((w - v) * (c - b) * length)


def logit_row(model_type, shape, setting):
    row = {"config": f"{model_type}-{shape.name}-2", "method": setting.method, "precision": setting.precision}
    row.update(versions=VERSIONS, bytes_per_logit="", error="")
    try:
        row["bytes_per_logit"] = bytes_per_logit(shapes.config(model_type, shape, 2), setting)
    except Exception as error:
        row["error"] = f"{type(error).__name__}: {' '.join(str(error).split())[:120]}"
    return row


def write(path, rows):
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def show(model_type, method, precision, attention, recompute):
    setting = Setting(method, "all-linear", 0.0, precision, attention, recompute)
    shape, layer = shapes.SHAPES[0], shapes.measured_layers(model_type)[0]
    recorder, _, _ = saved(shapes.config(model_type, shape, layer + 1), setting, shape)
    for size, module, dtype, dims in recorder.entries():
        if f".{layer}." in f"{module}.":
            print(f"{size:8} {dtype:9} {str(dims):20} {module.split(f'.{layer}', 1)[1]}")
    print(layer_row(model_type, shape, layer, setting)["bytes"], "bytes in all")


def main(arguments):
    if arguments and arguments[0] == "--show":
        show(*arguments[1:])
        return
    folder = Path(arguments[0])
    types = arguments[1:] or shapes.DENSE + shapes.SPARSE + shapes.HYBRID
    configs, layers, logits = [], [], []
    for model_type, shape in itertools.product(types, shapes.SHAPES):
        for layer in shapes.measured_layers(model_type):
            keys = shapes.config(model_type, shape, layer + 1)
            configs.append({"name": f"{model_type}-{shape.name}-{layer}", "json": json.dumps(keys)})
            layers += [layer_row(model_type, shape, layer, setting) for setting in SETTINGS]
        if shape is shapes.SHAPES[0]:
            logits += [logit_row(model_type, shape, Setting("full", "", 0.0, p, "eager", "none")) for p in PRECISIONS]
        print(model_type, shape.name, sum(not row["error"] for row in layers), "of", len(layers), file=sys.stderr)
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / "configs.csv", configs)
    write(folder / "layers.csv", layers)
    write(folder / "logits.csv", logits)


if __name__ == "__main__":
    main(sys.argv[1:])
