# SPDX-License-Identifier: Apache-2.0
"""Attributes as gert::RuntimeAttrs reads them (host/include/exe_graph/runtime/runtime_attrs.h): one block of bytes."""

from __future__ import annotations

import ctypes
import struct
from functools import lru_cache
from typing import Any

from aclimb.errors import InvalidArgument

_ALIGNMENT = 8
_DOUBLE = struct.Struct("<d")


def attributes_block(attrs: list[tuple[str, Any]]) -> bytes:
    """How many, where each begins (0 for None), and the values."""
    return _block(tuple([_frozen(value) for _, value in attrs]))


def _frozen(value: Any) -> Any:
    """Types beside values, and floats as their bytes: 1 and True, 0.0 and -0.0 are equal, and lie differently."""
    kind = type(value)
    if kind is list or kind is tuple:
        return tuple([_frozen(each) for each in value])
    return (float, _DOUBLE.pack(value)) if isinstance(value, float) else (kind, value)


@lru_cache(maxsize=256)
def _block(values: tuple[Any, ...]) -> bytes:
    at = 8 * (1 + len(values))
    offsets, parts = [], []
    for value in values:
        part = _value(value)
        offsets.append(at if part else 0)
        parts.append(part)
        at += len(part)
    return struct.pack(f"<{1 + len(values)}Q", len(values), *offsets) + b"".join(parts)


def _value(frozen: Any) -> bytes:
    if frozen[:1] == (type(None),):
        return b""
    if not _is_scalar(frozen):
        return _lists(frozen) if frozen and not _is_scalar(frozen[0]) else _list(frozen)
    kind, value = frozen
    if kind is str:
        return _padded(value.encode() + b"\0")
    return _padded(_scalar(kind, value))


def _is_scalar(frozen: Any) -> bool:
    return len(frozen) == 2 and isinstance(frozen[0], type)


def _scalar(kind: type, value: Any) -> bytes:
    if kind is bool:
        return struct.pack("<?", value)
    if kind is int:
        if not -(2**63) <= value < 2**63:
            raise InvalidArgument(f"an attribute is {value}, which int64_t does not hold")
        return struct.pack("<q", value)
    return bytes(ctypes.c_float(*_DOUBLE.unpack(value)))  # a float's; what float does not hold is infinite


def _list(items: tuple[Any, ...]) -> bytes:
    """A ContinuousVector: capacity, size, elements."""
    return _padded(struct.pack("<QQ", len(items), len(items)) + b"".join(_scalar(*each) for each in items))


def _lists(items: tuple[Any, ...]) -> bytes:
    """A ContinuousVectorVector: how many, where each begins, the lists."""
    at, offsets, parts = 8 * (1 + len(items)), [], []
    for each in items:
        part = _list(each)
        offsets.append(at)
        parts.append(part)
        at += len(part)
    return struct.pack(f"<{1 + len(items)}Q", len(items), *offsets) + b"".join(parts)


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % _ALIGNMENT)
