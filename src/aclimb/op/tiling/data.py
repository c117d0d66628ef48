# SPDX-License-Identifier: Apache-2.0
"""Tiling data: the bytes a tiling function hands to its kernel, laid out as the C++ struct there."""

from __future__ import annotations

import ctypes
import dataclasses
import typing
from functools import cache
from typing import Any

import numpy as np

from aclimb.errors import InvalidArgument
from aclimb.op.node.dtypes import dtype_of

_MAX_BYTES = 2**63
_KINDS = {"int": "i", "float": "f", "bool": "b"}  # of an attribute, as NumPy calls them


class TilingData:
    """`gert::TilingData`: a buffer of a fixed capacity that is filled from the front."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._bytes = bytearray()
        self.lease: Any = None  # of the context that shows it

    @classmethod
    def of(cls, other: TilingData) -> TilingData:
        """The same content, nobody's view."""
        made = cls(other._capacity)
        made._bytes = other._bytes
        return made

    @property
    def capacity(self) -> int:
        """GetCapacity."""
        return self._capacity

    @property
    def _data(self) -> bytearray:
        if self.lease is not None:
            self.lease.check()
        return self._bytes

    @_data.setter
    def _data(self, data: bytearray) -> None:
        self._bytes = data

    @property
    def data_size(self) -> int:
        """GetDataSize."""
        return len(self._data)

    @data_size.setter
    def data_size(self, size: int) -> None:
        """SetDataSize: what comes new is 0."""
        if not 0 <= size <= self.capacity:
            raise InvalidArgument(f"tiling data of {size} bytes; the capacity is {self.capacity}: give a larger max_tiling_data_size")
        self._data = (self._data + bytes(max(0, size - len(self._data))))[:size]

    @property
    def buffer(self) -> bytearray:
        """The bytes themselves, to be written through a view."""
        return self._data

    @property
    def data(self) -> bytes:
        return bytes(self._data)

    def append(self, value: Any, count: int | None = None) -> None:
        """Append: bytes, a NumPy value or array, a ctypes object or a dataclass. Nothing changes when it does not fit."""
        data = pack_tiling(value)
        if count is not None:
            if count < 0 or count * max(len(data), 1) >= _MAX_BYTES:
                raise InvalidArgument(f"{count} times {len(data)} bytes of tiling data")
            data *= count
        if len(self._data) + len(data) > self.capacity:
            raise InvalidArgument(f"{len(data)} bytes of tiling data do not fit behind {len(self._data)}: the capacity is {self.capacity}; "
                             "give Tiling a larger max_tiling_data_size")  # fmt: skip
        self._data += data

    def expand(self, size: int) -> memoryview:
        """Expand: reserves bytes and gives a view to write them."""
        start = self.data_size
        self.data_size = start + size
        return memoryview(self._data)[start:]

    def append_converted_attr(self, attrs: Any, index: int, src_type: str, dst_type: str) -> None:
        """AppendConvertedAttrVal: an attribute, or a list of them, as another type."""
        if not 0 <= index < attrs.get_attr_num():
            raise InvalidArgument(f"attribute {index} does not exist; there are {attrs.get_attr_num()}")
        flat = np.asarray(attrs.value(index))
        wanted_list, kind = src_type.startswith("list_"), src_type.removeprefix("list_")
        if (flat.ndim > 0) != wanted_list or flat.dtype.kind != _KINDS.get(kind):
            raise InvalidArgument(f"attribute {index} is {attrs.value(index)!r}, which is not of type {src_type}")
        flat = flat.reshape(-1)
        with np.errstate(over="ignore", invalid="ignore"):
            self.append(flat.astype(dtype_of(dst_type)))


def pack_tiling(value: Any, pad_to: int | None = None) -> bytes:
    """The bytes of tiling data: of a ctypes.Structure, a dataclass with ctypes or NumPy types, a NumPy value, or bytes.

    The layout is that of the C++ struct with the same fields; `pad_to=8` that of BEGIN_TILING_DATA_DEF.
    """
    if isinstance(value, bytes | bytearray | memoryview | ctypes.Structure | ctypes.Array | ctypes._SimpleCData):
        data = bytes(value)
    elif isinstance(value, np.ndarray | np.generic):
        data = value.tobytes()
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        if pad_to:
            return _padded(value, pad_to)
        data = bytes(_fill(structure_of(type(value))(), value))
    else:
        raise InvalidArgument(f"{type(value).__name__} is no tiling data; give bytes, a ctypes.Structure, a NumPy value, or a dataclass "
                              "whose fields have ctypes or NumPy types")  # fmt: skip
    return data + bytes(-len(data) % pad_to) if pad_to else data


def _padded(value: Any, pad_to: int) -> bytes:
    """Parts that are structs, and the whole, begin and end at multiples of `pad_to`."""
    data = b""
    for name, kind in structure_of(type(value))._fields_:  # type: ignore[misc,arg-type]
        given = getattr(value, name)
        if dataclasses.is_dataclass(given) and not isinstance(given, type):
            data += bytes(-len(data) % pad_to) + _padded(given, pad_to)
            continue
        holder = type("Holder", (ctypes.Structure,), {"_fields_": [(name, kind)]})
        data += bytes(-len(data) % ctypes.alignment(kind)) + bytes(_fill(holder(), value))
    return data + bytes(-len(data) % pad_to)


def size_of(kind: Any) -> int:
    """sizeof: of a ctypes type, a NumPy dtype or a dataclass."""
    if dataclasses.is_dataclass(kind):
        return ctypes.sizeof(structure_of(kind))  # type: ignore[arg-type]
    if isinstance(kind, type) and issubclass(kind, ctypes.Structure | ctypes.Array | ctypes._SimpleCData):
        return ctypes.sizeof(kind)
    return int(np.dtype(kind).itemsize)


@cache
def structure_of(kind: Any) -> type[ctypes.Structure]:
    """A dataclass as the ctypes.Structure with its fields."""
    hints = typing.get_type_hints(kind)
    members = [(each.name, _ctype(kind, each.name, hints[each.name])) for each in dataclasses.fields(kind)]
    return type(kind.__name__, (ctypes.Structure,), {"_fields_": members})


def _ctype(kind: Any, name: str, hint: Any) -> Any:
    if isinstance(hint, type) and issubclass(hint, ctypes.Structure | ctypes.Array | ctypes._SimpleCData):
        return hint
    if dataclasses.is_dataclass(hint):
        return structure_of(hint)  # type: ignore[arg-type]
    if isinstance(hint, type) and issubclass(hint, np.generic):
        return np.ctypeslib.as_ctypes_type(np.dtype(hint))  # type: ignore[arg-type]
    raise InvalidArgument(f"field {name} of {kind.__name__} has type {hint!r}; it takes a ctypes or NumPy type, an array of one "
                          "(ctypes.c_uint16 * 3), or a dataclass")  # fmt: skip


def _fill(target: Any, value: Any) -> Any:
    for name, kind in target._fields_:
        given = getattr(value, name)
        if issubclass(kind, ctypes.Structure) and not isinstance(given, ctypes.Structure):
            _fill(getattr(target, name), given)
        elif issubclass(kind, ctypes.Array):
            items = list(given)
            if len(items) != kind._length_:
                raise InvalidArgument(f"field {name} has {kind._length_} elements; {len(items)} are given")
            getattr(target, name)[:] = [each.item() if isinstance(each, np.generic) else each for each in items]
        else:
            setattr(target, name, _in_range(name, kind, given))
    return target


def _in_range(name: str, kind: Any, given: Any) -> Any:
    number = given.value if isinstance(given, ctypes._SimpleCData) else given.item() if isinstance(given, np.generic) else given
    try:
        made = kind(number).value
    except TypeError as error:
        raise InvalidArgument(f"field {name}, {kind.__name__}, is {number!r}: {error}") from None
    if isinstance(number, int) and not isinstance(number, bool) and isinstance(made, int) and made != number:
        raise InvalidArgument(f"field {name} is {number}, which {kind.__name__[2:]} does not hold")
    return number
