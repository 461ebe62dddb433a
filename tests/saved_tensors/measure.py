#!/usr/bin/env python3
"""measure.py STACK FOLDER [TYPE...]: writes FOLDER/configs.csv, layers.csv and logits.csv, the bytes that the real modules
of a training stack (stacks/STACK_stack.py) keep of one layer for backward.

measure.py STACK --show TYPE METHOD PRECISION ATTENTION RECOMPUTE: the tensors of one layer, one a line.
"""

import csv
import importlib
import itertools
import json
import os
import sys
from pathlib import Path

os.environ["CUDA_VISIBLE_DEVICES"] = ""

import shapes  # noqa: E402
from cuda_without_gpu import autocast, without_data  # noqa: E402
from recorder import LiveBytes, Saved  # noqa: E402
from stacks import RANK, Setting  # noqa: E402


def saved(stack, keys, setting, shape):
    with without_data():
        model, targets = stack.build(keys, setting)
        recorder = Saved(model)
        with recorder.recording(), autocast("cuda", stack.autocast_dtype(setting)):
            output = stack.forward(model, shape)
        return recorder, targets, output


def failure(error):
    return f"{type(error).__name__}: {' '.join(str(error).split())[:120]}"


def layer_row(stack, model_type, shape, layer, setting):
    config = f"{model_type}-{shape.name}-{layer}"
    row = {"id": "/".join((config, *(str(part) for part in setting if part != ""))), "config": config}
    row.update(micro_batch_size=shape.batch, length=shape.length, rank=RANK)
    row.update(setting._asdict(), targets="", bytes="", error="", versions=stack.versions())
    try:
        without, _, kept_alive = saved(stack, shapes.config(model_type, shape, layer), setting, shape)
        small = without.bytes()
        del without, kept_alive
        whole, targets, _ = saved(stack, shapes.config(model_type, shape, layer + 1), setting, shape)
        row["bytes"] = whole.bytes() - small
        row["targets"] = ";".join(targets)
    except Exception as error:  # what the library refuses is an answer too
        row["error"] = failure(error)
    return row


def peak_bytes(stack, keys, setting, batch, length, vocabulary):
    shape = shapes.Shape("", batch, length, {})
    with without_data("cpu"):
        model, _ = stack.build({**keys, "vocab_size": vocabulary}, setting)
        with LiveBytes() as live:
            with autocast("cpu", stack.autocast_dtype(setting)):
                loss = stack.loss(model, shape)
            loss.backward()
        return live.peak


def bytes_per_logit(stack, keys, setting):
    """Second difference by tokens and vocabulary: what grows with one of them alone falls out."""
    vocabularies, batches, length = (20000, 30000), (2, 4), 256
    peaks = {(v, b): peak_bytes(stack, keys, setting, b, length, v) for v in vocabularies for b in batches}
    (v, w), (b, c) = vocabularies, batches
    return (peaks[w, c] - peaks[w, b] - peaks[v, c] + peaks[v, b]) / ((w - v) * (c - b) * length)


def logit_row(stack, model_type, shape, setting):
    row = {"config": f"{model_type}-{shape.name}-2", "method": setting.method, "precision": setting.precision}
    row.update(versions=stack.versions(), bytes_per_logit="", error="")
    try:
        row["bytes_per_logit"] = bytes_per_logit(stack, shapes.config(model_type, shape, 2), setting)
    except Exception as error:
        row["error"] = failure(error)
    return row


def write(path, rows):
    if not rows:
        return
    with open(path, "w", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def show(stack, model_type, method, precision, attention, recompute):
    setting = Setting(method, "all-linear" if method == "lora" else "", 0.0, precision, attention, recompute)
    shape, layer = shapes.SHAPES[0], shapes.measured_layers(model_type)[0]
    recorder, _, _ = saved(stack, shapes.config(model_type, shape, layer + 1), setting, shape)
    for size, module, dtype, dims in recorder.entries():
        if f".{layer}." in f"{module}.":
            print(f"{size:8} {dtype:9} {str(dims):20} {module.split(f'.{layer}', 1)[1]}")
    print(layer_row(stack, model_type, shape, layer, setting)["bytes"], "bytes in all")


def main(arguments):
    stack = importlib.import_module(f"stacks.{arguments[0]}_stack")
    if arguments[1] == "--show":
        show(stack, *arguments[2:])
        return
    folder = Path(arguments[1])
    types = arguments[2:] or stack.TYPES
    configs, layers, logits = [], [], []
    for model_type, shape in itertools.product(types, shapes.SHAPES):
        for layer in shapes.measured_layers(model_type):
            keys = shapes.config(model_type, shape, layer + 1)
            configs.append({"name": f"{model_type}-{shape.name}-{layer}", "json": json.dumps(keys)})
            layers += [layer_row(stack, model_type, shape, layer, setting) for setting in stack.SETTINGS]
        if shape is shapes.SHAPES[0]:
            logits += [logit_row(stack, model_type, shape, setting) for setting in stack.LOGIT_SETTINGS]
        print(model_type, shape.name, sum(not row["error"] for row in layers), "of", len(layers), file=sys.stderr)
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / "configs.csv", configs)
    write(folder / "layers.csv", layers)
    write(folder / "logits.csv", logits)


if __name__ == "__main__":
    main(sys.argv[1:])
