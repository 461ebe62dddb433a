"""Stand-ins for packages that a training stack imports but that have no part in a layer: data, logging, kernels of other
devices."""

import importlib.machinery
import sys
import unittest.mock


def stand_in(*names):
    for name in names:
        module = unittest.mock.MagicMock(name=name)
        module.__spec__ = importlib.machinery.ModuleSpec(name, None)
        module.__path__ = []
        sys.modules.setdefault(name, module)
