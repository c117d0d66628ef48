# SPDX-License-Identifier: Apache-2.0
"""Everything outside its arguments that a kernel's text depends on: globals, closures, helpers and their globals.

The values are looked at again before every launch: a changed `TILE = 8` is another kernel.
"""

from __future__ import annotations

import builtins
from contextlib import suppress
from enum import Enum
from types import BuiltinFunctionType, CellType, FunctionType, ModuleType
from typing import Any

import numpy as np

from aclimb.asc.codegen.source import FunctionSource
from aclimb.asc.language.core.dtype import DataType
from aclimb.asc.language.device import DeviceFunction, DeviceObject, Special

_PLAIN = (int, float, str, bytes, bool, complex, type(None), Enum, DataType)
_SAFE = (DeviceFunction, Special, BuiltinFunctionType)


class Read:
    """One name, where it is looked up, and what was found."""

    __slots__ = ("chain", "is_plain", "mark", "name", "value", "where")

    def __init__(self, where: dict[str, Any] | CellType, name: str, chain: tuple[str, ...]) -> None:
        self.where, self.name, self.chain = where, name, chain
        self.value = self.now()
        # What cannot change while it is the same object; of a helper, what it reads has reads of its own.
        self.is_plain = isinstance(self.value, (*_PLAIN, *_SAFE, type, FunctionType)) or hasattr(self.value, "asc_source")
        self.mark = fingerprint(self.value)

    @property
    def is_plain_name(self) -> bool:
        """Whether there is no dot behind it, and being the same object is being unchanged."""
        return self.is_plain and not self.chain

    def now(self) -> Any:
        where = self.where
        try:
            found = where.get(self.name, _missing) if isinstance(where, dict) else where.cell_contents
        except ValueError:
            return _missing
        for each in self.chain:
            found = getattr(found, each, _missing)
        return found

    def is_same(self) -> bool:
        value = self.now()
        if value is self.value and self.is_plain:
            return True
        return bool(fingerprint(value) == self.mark)


_missing = object()


def fingerprint(value: Any) -> Any:
    """Equal for values that give the same kernel."""
    if isinstance(value, _PLAIN):
        return (type(value).__name__, repr(value))
    if isinstance(value, list | tuple):
        return (type(value).__name__, tuple(map(fingerprint, value)))
    if isinstance(value, dict):
        return ("dict", tuple((fingerprint(key), fingerprint(each)) for key, each in value.items()))
    if isinstance(value, np.ndarray):
        return ("array", str(value.dtype), value.shape, value.tobytes())
    if isinstance(value, np.generic):
        return (type(value).__name__, repr(value))
    if isinstance(value, FunctionType):
        return ("function", value.__code__)
    if hasattr(value, "asc_source"):
        return ("kernel", value.asc_source().text, value.asc_source().file, value.asc_source().first_line)
    text = "" if isinstance(value, type | ModuleType | DeviceObject) else repr(value)
    if text and " at 0x" not in text:
        return (type(value).__name__, text)
    own = getattr(value, "__dict__", None)
    return (
        (id(value), tuple((key, fingerprint(each)) for key, each in own.items()))
        if own and not isinstance(value, type | ModuleType)
        else id(value)
    )


def reads_of(source: FunctionSource, seen: set[Any] | None = None) -> list[Read]:
    """Of a function and of all it calls."""
    seen = set() if seen is None else seen
    if source.function in seen:
        return []
    seen.add(source.function)
    found: list[Read] = []
    function = source.function
    local = set(function.__code__.co_varnames) - set(function.__code__.co_freevars)
    for head, *chain in source.names:
        if head in local:
            continue
        where: dict[str, Any] | CellType
        if head in function.__code__.co_freevars and function.__closure__:
            where = function.__closure__[function.__code__.co_freevars.index(head)]
        elif head in function.__globals__:
            where = function.__globals__
        else:
            continue
        found += _reads(where, head, chain, seen)
    return found


def _reads(where: dict[str, Any] | CellType, head: str, chain: list[str], seen: set[Any]) -> list[Read]:
    value = Read(where, head, ()).value
    taken: list[str] = []
    while isinstance(value, ModuleType) and chain:
        if value.__name__.startswith(("aclimb.asc", "numpy", "torch")):
            return []
        taken.append(chain.pop(0))
        value = getattr(value, taken[-1], _missing)
    if value is _missing or isinstance(value, ModuleType) or (isinstance(value, type) and value.__module__ == builtins.__name__):
        return []
    if isinstance(value, DeviceObject | DeviceFunction | Special) or (isinstance(value, type) and issubclass(value, DeviceObject | Enum)):
        return []
    found = [Read(where, head, tuple(taken))]
    if hasattr(value, "asc_source"):
        found += reads_of(value.asc_source(), seen)
    elif isinstance(value, FunctionType) and not value.__module__.startswith("aclimb."):
        with suppress(Exception):  # no source: its code object counts
            found += reads_of(FunctionSource(value), seen)
    return found
