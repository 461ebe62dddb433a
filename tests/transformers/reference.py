#!/usr/bin/env python3
"""What transformers itself makes of a config.json: how many weights, under which names and shapes.

reference.py count PATH...             a CSV row per config.json (a PATH may be a folder of them)
reference.py tensors FOLDER NAME...    FOLDER/NAME.json: the tensors of the config NAME of bases.json

Models are built from the config alone, never from remote code. `count` builds on the meta device, so size does not
matter; `tensors` builds the model and saves it.
"""

import csv
import json
import os
import struct
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple, Optional

os.environ.update(
    HF_HUB_OFFLINE="1", HF_HUB_DISABLE_PROGRESS_BARS="1", TRANSFORMERS_VERBOSITY="critical", CUDA_VISIBLE_DEVICES=""
)

import torch  # noqa: E402
import transformers  # noqa: E402
from transformers.models.auto import modeling_auto  # noqa: E402
from transformers.models.auto.configuration_auto import CONFIG_MAPPING  # noqa: E402

# The model that a training program would load: with the image tower, where the type has one.
MAPPINGS = (
    modeling_auto.MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING,
    modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING,
    modeling_auto.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING,
)
# Buffers that follow from the config and that published checkpoints do without: the decays of linear attention, the
# constants of xIELU.
COMPUTED = {"slope_rate", "query_decay", "key_decay", "diagonal_decay", "beta", "eps"}
BASES = Path(__file__).with_name("bases.json")
VERSION = f"transformers {transformers.__version__}"


class Count(NamedTuple):
    trainable: Optional[int]  # elements with a gradient, shared tensors once
    fixed: Optional[int]  # stored elements without one: selection biases, fixed tables
    source: str
    error: str


def build(config_keys, device):
    """The model of the class that transformers maps this type to. Raises whatever transformers raises."""
    config_class = CONFIG_MAPPING[config_keys["model_type"]]
    config = config_class.from_dict(config_keys)
    model_class = next((mapping[config_class] for mapping in MAPPINGS if config_class in mapping), None)
    if model_class is None:
        raise ValueError(f"{config_class.__name__} has no language model")
    with torch.device(device):
        return model_class._from_config(config, dtype=torch.bfloat16, attn_implementation="eager")


def count(config_keys):
    try:
        model = build(config_keys, "meta")
    except Exception as error:  # whatever the config provokes is the answer
        line = " ".join(str(error).split())
        return Count(None, None, VERSION, f"{type(error).__name__}: {line[:120]}")
    trainable = sum(parameter.numel() for parameter in model.parameters() if parameter.requires_grad)
    fixed = {
        id(tensor): tensor.numel()
        for name, tensor in model.state_dict(keep_vars=True).items()
        if not tensor.requires_grad and name.split(".")[-1] not in COMPUTED
    }
    return Count(trainable, sum(fixed.values()), f"{VERSION}, {type(model).__name__}", "")


def header(path):
    """Tensors of a safetensors file by name, as [dtype, shape]."""
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        entries = json.loads(file.read(length))
    return {name: [entry["dtype"], entry["shape"]] for name, entry in entries.items() if name != "__metadata__"}


def saved_tensors(config_keys):
    """Name to [dtype, shape] of every tensor that save_pretrained writes, and the class that wrote it."""
    model = build(config_keys, "cpu")
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        tensors = {}
        for path in Path(folder).glob("*.safetensors"):
            tensors.update(header(path))
    return dict(sorted(tensors.items())), type(model).__name__


def tensor_list_text(config_keys):
    """One tensor a line, so that a difference between two versions reads well."""
    tensors, model_class = saved_tensors(config_keys)
    lines = ",\n".join(f"    {json.dumps(name)}: {json.dumps(entry)}" for name, entry in tensors.items())
    source, config_text = json.dumps(f"{VERSION}, {model_class}"), json.dumps(config_keys)
    return f'{{\n  "source": {source},\n  "config": {config_text},\n  "tensors": {{\n{lines}\n  }}\n}}\n'


def config_paths(arguments):
    for argument in map(Path, arguments):
        yield from sorted(argument.glob("**/*.json")) if argument.is_dir() else [argument]


def print_counts(paths):
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(("file", *Count._fields))
    for path in config_paths(paths):
        writer.writerow((path.name, *count(json.loads(path.read_text()))))


def write_tensor_lists(folder, names):
    folder.mkdir(parents=True, exist_ok=True)
    bases = json.loads(BASES.read_text())
    for name in names:
        (folder / f"{name}.json").write_text(tensor_list_text(bases[name]))


def main(arguments):
    if len(arguments) >= 2 and arguments[0] == "count":
        print_counts(arguments[1:])
    elif len(arguments) >= 3 and arguments[0] == "tensors":
        write_tensor_lists(Path(arguments[1]), arguments[2:])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
