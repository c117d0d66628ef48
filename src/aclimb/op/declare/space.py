# SPDX-License-Identifier: Apache-2.0
"""Several registries as one: what is found where, and in which order."""

from __future__ import annotations

import threading
from collections.abc import Callable

from aclimb.op.declare.impl import DEFAULT_IMPL, Callback, OpImpl
from aclimb.op.declare.registry import OpImplRegistry


class OpImplSpaceRegistry:
    """`gert::OpImplSpaceRegistryV2`: libraries merged in load order, the first one wins for each field; the program's own registry is
    looked at last."""

    def __init__(self) -> None:
        self._merged: dict[str, OpImpl] = {}
        self._added: list[OpImplRegistry] = []
        self._lock = threading.Lock()

    def add_registry(self, registry: OpImplRegistry) -> None:
        """AddSoToRegistry. The same registry a second time changes nothing."""
        with self._lock:
            if any(each is registry for each in self._added):
                return
            self._added.append(registry)
            for op_type in registry.types():
                theirs = registry.get(op_type)
                if theirs is not None:
                    self._merged.setdefault(op_type, OpImpl(op_type)).merge(theirs, keep=True)

    def remove_registry(self, registry: OpImplRegistry) -> None:
        """The library is closed: what the others say holds again. One that was not added changes nothing."""
        with self._lock:
            left = [each for each in self._added if each is not registry]
        made = OpImplSpaceRegistry()
        for each in left:
            made.add_registry(each)
        with self._lock:
            self._added, self._merged = made._added, made._merged

    def types(self) -> list[str]:
        """Those of the libraries, and of the program."""
        return list(dict.fromkeys((*self._merged, *OpImplRegistry.instance().types())))

    def get_op_impl(self, op_type: str) -> OpImpl | None:
        """GetOpImpl: None for a type that nobody registered."""
        return self._merged.get(op_type) or OpImplRegistry.instance().get(op_type)


_default: dict[str, OpImplSpaceRegistry | None] = {}


def default_space_registry(version: str = "opp") -> OpImplSpaceRegistry:
    """DefaultOpImplSpaceRegistryV2: the one that runs look into, one for each version tag."""
    found = _default.get(version)
    if found is None:
        found = _default[version] = OpImplSpaceRegistry()
    return found


def set_default_space_registry(registry: OpImplSpaceRegistry | None, version: str = "opp") -> None:
    """SetSpaceRegistry; None clears it."""
    _default[version] = registry


# Asked for a type that nobody registered; one of them may, and says so by what it returns.
FINDERS: list[Callable[[str], object]] = []


def find_op_impl(op_type: str) -> OpImpl | None:
    """What is registered for a type, or in a package that the environment names."""
    found = default_space_registry().get_op_impl(op_type)
    if found is None and any(find(op_type) is not None for find in FINDERS):
        found = default_space_registry().get_op_impl(op_type)
    return found


def find_tiling(op_type: str) -> Callback | None:
    """The tiling function of a type: its own, else that of DefaultImpl. Only tiling falls back like this."""
    return _own_or_default(op_type, "tiling")


def find_tiling_parse(op_type: str) -> Callback | None:
    """As find_tiling, for the parser of the compile info."""
    return _own_or_default(op_type, "tiling_parse")


def _own_or_default(op_type: str, what: str) -> Callback | None:
    registry = default_space_registry()
    for name in (op_type, DEFAULT_IMPL) if op_type != DEFAULT_IMPL else (op_type,):
        found = registry.get_op_impl(name)
        function: Callback | None = getattr(found, what) if found is not None else None
        if function is not None:
            return function
    return None
