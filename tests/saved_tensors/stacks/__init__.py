"""Training stacks whose modules are measured: one file each.

    FRAMEWORK       id of the profile that must agree
    TYPES           model types of tests/transformers/bases.json that it can build
    SETTINGS        what is measured of each
    LOGIT_SETTINGS  for which the loss is measured too
    versions()                  of the packages that the result depends on
    build(keys, setting)        the model as a training program would hold it, and the names of what is adapted
    forward(model, shape)       one forward pass; returns what must stay alive for its backward
    loss(model, shape)          one forward pass with the loss of the stack's own recipes
    autocast_dtype(setting)     None: nothing is cast
"""

from typing import NamedTuple

RANK = 8


class Setting(NamedTuple):
    method: str  # full or lora
    targets: str  # of adapters: all-linear, or attention
    dropout: float
    precision: str
    attention: str
    recompute: str
