# SPDX-License-Identifier: Apache-2.0
"""`import asc` means aclimb.asc, in this process, where pyasc itself is not installed. Nothing is loaded before somebody imports it."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

OURS = "aclimb.asc"


class _Finder(MetaPathFinder, Loader):
    """asc.x.y is aclimb.asc.x.y: the same module object, so that classes are the same too."""

    def __init__(self) -> None:
        self._specs: dict[str, ModuleSpec | None] = {}  # importing sets a module's spec to that of the name; it keeps its own

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name == "asc":
            return None if real_asc() else ModuleSpec(name, self, is_package=True)
        is_ours = name.startswith("asc.") and getattr(sys.modules.get("asc"), "__name__", "") == OURS
        return ModuleSpec(name, self, is_package=True) if is_ours and importlib.util.find_spec(OURS + name[3:]) else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module(OURS + spec.name[3:])
        self._specs[spec.name] = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        if module.__spec__ is not None and module.__spec__.name in self._specs:
            module.__spec__ = self._specs[module.__spec__.name]


def real_asc() -> str | None:
    """Where `import asc` finds a package that is not ours; a folder of that name without __init__.py is none."""
    spec = PathFinder.find_spec("asc")
    return spec.origin if spec is not None else None


def install() -> None:
    if not any(isinstance(each, _Finder) for each in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
