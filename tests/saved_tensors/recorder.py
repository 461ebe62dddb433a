"""What a forward pass keeps for backward, and what is alive while a step runs."""

import contextlib
import weakref

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_iter

# Seeds and offsets of dropout inside attention kernels, two numbers a layer.
SEEDS = (torch.uint64,)


class Saved:
    """Storages that autograd keeps, each once, in the order in which they were kept. Parameters and buffers are not
    counted: they stay anyway."""

    def __init__(self, model):
        self._resident = {tensor.untyped_storage()._cdata for tensor in (*model.parameters(), *model.buffers())}
        self._seen = {}  # storage to (bytes, module, dtype, shape); the graph keeps the storages alive
        self._modules = []
        self._handles = []
        for name, module in model.named_modules():
            self._handles.append(module.register_forward_pre_hook(lambda *_, name=name: self._modules.append(name)))
            self._handles.append(
                module.register_forward_hook(lambda *_: self._modules.pop() and None, always_call=True)
            )

    def _pack(self, tensor):
        storage = tensor.untyped_storage()
        key = storage._cdata
        if key not in self._resident and key not in self._seen and tensor.dtype not in SEEDS:
            module = self._modules[-1] if self._modules else ""
            self._seen[key] = (storage.nbytes(), module, str(tensor.dtype).removeprefix("torch."), tuple(tensor.shape))
        return tensor

    @contextlib.contextmanager
    def recording(self):
        with torch.autograd.graph.saved_tensors_hooks(self._pack, lambda tensor: tensor):
            yield
        for handle in self._handles:
            handle.remove()

    def bytes(self):
        return sum(entry[0] for entry in self._seen.values())

    def entries(self):
        return list(self._seen.values())


class LiveBytes(TorchDispatchMode):
    """The most bytes alive at once of what is made while the mode is on; temporaries inside one kernel are not seen."""

    def __init__(self):
        super().__init__()
        self.live = self.peak = 0
        self._known = weakref.WeakKeyDictionary()

    def _freed(self, size):
        self.live -= size

    def __torch_dispatch__(self, function, types, arguments=(), keywords=None):
        result = function(*arguments, **(keywords or {}))
        for tensor in tree_iter(result):
            if isinstance(tensor, torch.Tensor):
                self._add(tensor.untyped_storage())
        self.peak = max(self.peak, self.live)
        return result

    def _add(self, storage):
        if storage not in self._known:
            size = storage.nbytes()
            self._known[storage] = size
            self.live += size
            weakref.finalize(storage, self._freed, size)
