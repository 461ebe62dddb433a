"""Tensors on a CUDA device that hold no data, on a machine without a GPU: what autocast casts and what each op keeps
for backward is decided by torch itself, as on a GPU, from shapes and dtypes alone. A backward pass wants a driver there; on
the CPU it does not.

Some things are done here in their place, since they ask a driver or look at data:
  the kernel of scaled_dot_product_attention is chosen, by the rules of
    aten/src/ATen/native/transformers/cuda/sdp_utils.cpp;
  each row of a batch is one sequence (transformers looks for several in the positions);
  modules that change their dtype get new parameters (torch would swap them in place, which others' references forbid);
  cuDNN counts as absent (its version is asked of the library that a driver loads).
"""

import contextlib
import unittest.mock

import torch
import transformers.masking_utils
from torch._subclasses.fake_tensor import FakeTensorMode

MOST_FLASH_CHANNELS = 256
HOPPER = (9, 0)  # the compute capability that grouped products are asked for


def _autocast(*tensors):
    if not torch.is_autocast_enabled("cuda"):
        return tensors
    return tuple(tensor.to(torch.get_autocast_dtype("cuda")) for tensor in tensors)


def _attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
    query, key, value = _autocast(query, key, value)
    same_heads = query.shape[1] == key.shape[1] == value.shape[1]
    same_width = query.shape[-1] == key.shape[-1] == value.shape[-1] <= MOST_FLASH_CHANNELS
    if attn_mask is None and same_width and query.dtype in (torch.bfloat16, torch.float16):
        kernel = torch.ops.aten._scaled_dot_product_flash_attention
        return kernel(query, key, value, dropout_p, is_causal, scale=scale)[0]
    if same_heads:
        bias = None
        if attn_mask is not None:
            zero = torch.zeros((), dtype=query.dtype, device=query.device)
            bias = attn_mask if attn_mask.dtype != torch.bool else torch.where(attn_mask, zero, float("-inf"))
            bias = bias.expand(query.shape[0], query.shape[1], query.shape[2], key.shape[2])
        kernel = torch.ops.aten._scaled_dot_product_efficient_attention
        return kernel(query, key, value, bias, True, dropout_p, is_causal, scale=scale)[0]
    raise NotImplementedError("shared key heads without a flash kernel: torch composes this attention of single ops")


def _converted(module, convert, recurse=True):
    for child in module.children() if recurse else ():
        _converted(child, convert)
    for name, parameter in module._parameters.items():
        if parameter is not None:
            with torch.no_grad():
                value = convert(parameter)
            if value is not parameter:
                module._parameters[name] = torch.nn.Parameter(value, parameter.requires_grad)
    for name, buffer in module._buffers.items():
        module._buffers[name] = None if buffer is None else convert(buffer)
    return module


REPLACED = (
    (torch.nn.functional, "scaled_dot_product_attention", _attention),
    (transformers.masking_utils, "find_packed_sequence_indices", lambda position_ids: None),
    (torch.nn.Module, "_apply", _converted),
    (torch.cuda, "get_device_capability", lambda device=None: HOPPER),
    (torch.backends.cudnn, "version", lambda: None),
)


@contextlib.contextmanager
def without_data(device="cuda"):
    with contextlib.ExitStack() as stack:
        for owner, name, value in REPLACED:
            stack.enter_context(unittest.mock.patch.object(owner, name, value))
        stack.enter_context(torch.backends.cudnn.flags(enabled=False))
        stack.enter_context(FakeTensorMode(allow_non_fake_inputs=True))
        stack.enter_context(torch.device(device))
        yield


@contextlib.contextmanager
def autocast(device, dtype):
    """torch.autocast, which for CUDA turns itself off where it finds no driver. None: nothing is cast."""
    if dtype is None:
        yield
        return
    torch.set_autocast_dtype(device, dtype)
    torch.set_autocast_enabled(device, True)
    torch.autocast_increment_nesting()
    try:
        yield
    finally:
        if torch.autocast_decrement_nesting() == 0:
            torch.clear_autocast_cache()
        torch.set_autocast_enabled(device, False)
