# SPDX-License-Identifier: Apache-2.0
"""A context of ours as a library reads it: tensors and attributes packed into words."""

from __future__ import annotations

import ctypes
import struct
from array import array
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from aclimb.op.native.attributes import attributes_block
from aclimb.op.native.wire import OUTPUT_WORDS, REQUEST_HEAD, Answer, Request
from aclimb.op.node.context import NodeContext
from aclimb.op.node.dtypes import GE_DTYPES, dtype_of
from aclimb.op.node.node import Node, OpTensor, Value
from aclimb.op.status import DT_UNDEFINED, OpError, TensorPlacement

DT_UNDEFINED_NUMBER = 28
DTYPE_NAMES = {number: name for name, number in GE_DTYPES.items()} | {16: "complex64", 17: "complex128"}
_NUMBERS = {np.dtype(dtype_of(name)): number for number, name in DTYPE_NAMES.items()}
_GUARD = b"\xa5" * 64
_NONE: frozenset[int] = frozenset()
_ABSENT = (43, 0, 0, 0, 0, 0, 0, 0, 0)  # DT_MAX: an absent tensor that has a number
_ON_HOST, _ON_DEVICE = int(TensorPlacement.ON_HOST), int(TensorPlacement.ON_DEVICE_HBM)


class Sent:
    """A request and the answer to it. The records are lent: `with` gives them back, and everything they point to lives until then."""

    __slots__ = ("_kept", "_records", "answer", "request")

    def __init__(self, context: NodeContext) -> None:
        node = context._node
        self._kept: list[Any] = []
        self._records = records = _free.pop() if _free else Records()
        self.answer, self.request = records.answer, records.request
        words = node_words(node, context._readable, addressed=context._addressed)
        attrs, name = attributes_block(node.attrs), node.name.encode()
        at = records.write(b"%b%b%b\0%b" % (words, attrs, name, type_text(node.op_type)))
        behind = at + len(words) + len(attrs)
        REQUEST_HEAD.pack_into(records.view, 0, behind + len(name) + 1, behind, at, at + len(words))

    def keep(self, memory: Any) -> int:
        """Its address, as long as this object lives."""
        self._kept.append(memory)
        return ctypes.addressof(memory)

    def outputs(self, count: int) -> array[int]:
        """Room for what is said of that many outputs."""
        words = array("q", bytes(8 * OUTPUT_WORDS * max(count, 1)))
        self._kept.append(words)
        self.answer.outputs = words.buffer_info()[0]
        return words

    def tiling_memory(self, capacity: int) -> TilingMemory:
        records = self._records
        if records.memory is None or records.memory.capacity != capacity:
            records.memory = TilingMemory(capacity)
        return records.memory

    def __enter__(self) -> Sent:
        return self

    def __exit__(self, failed: Any, *_: Any) -> None:
        records = self._records
        records.view[:] = _ZEROS
        if records.memory is not None:
            records.memory.wipe()
            if failed is not None and not records.memory.is_whole:
                records.memory = None
        if len(_free) < _MOST_FREE:
            _free.append(records)


class _Pair(ctypes.Structure):
    _fields_ = (("request", Request), ("answer", Answer))


_ZEROS = bytes(_Pair.answer.offset + Answer.said.offset + 1)  # a text ends at its first 0


class Records:
    """A Request and an Answer, made once and used again: all zeros in between."""

    def __init__(self) -> None:
        pair = _Pair()
        self.request, self.answer = pair.request, pair.answer
        self.addresses = ctypes.addressof(self.request), ctypes.addressof(self.answer)
        self.view = memoryview(pair).cast("B")[: len(_ZEROS)]
        self.memory: TilingMemory | None = None
        self._make_room(512)

    def _make_room(self, size: int) -> None:
        room = (ctypes.c_uint64 * (size // 8 + 1))()
        self._room, self._room_at = memoryview(room).cast("B"), ctypes.addressof(room)

    def write(self, data: bytes) -> int:
        """Where a copy of it lies until the records are given back; at a multiple of 8."""
        if len(data) > len(self._room):
            self._make_room(2 * len(data))
        self._room[: len(data)] = data
        return self._room_at


_free: list[Records] = []
_MOST_FREE = 16  # as many as threads that tile at once, and callbacks that call operators


class TilingMemory:
    """Where a library writes tiling data, with a guard behind it: whoever writes there is told."""

    __slots__ = ("_data", "_guard", "_zeros", "address", "capacity")

    def __init__(self, capacity: int) -> None:
        memory = (ctypes.c_uint8 * (capacity + len(_GUARD)))()
        self.capacity, self.address = capacity, ctypes.addressof(memory)
        view = memoryview(memory).cast("B")
        self._data, self._guard, self._zeros = view[:capacity], view[capacity:], bytes(capacity)
        self._guard[:] = _GUARD

    @property
    def is_whole(self) -> bool:
        return self._guard.tobytes() == _GUARD

    def data(self, size: int) -> bytearray:
        return bytearray(self._data[:size])

    def wipe(self) -> None:
        self._data[:] = self._zeros


@lru_cache(maxsize=1024)
def type_text(op_type: str) -> bytes:
    return op_type.encode() + b"\0"


def node_words(node: Node, readable: frozenset[int], *, addressed: bool) -> bytes:
    """See Request in wire.h."""
    inputs, outputs = node.inputs, node.outputs
    words = list(_anchors(node.counts_absent, tuple(map(_count, inputs)), tuple(map(_count, outputs))))
    for values in (inputs, outputs):
        place, number = len(words), 0
        words.append(0)
        for ir, value in enumerate(values):
            if value is None:  # as Node.numbered has it, which takes longer
                number += node.counts_absent and values is inputs
                words += _ABSENT if node.counts_absent and values is inputs else ()
                continue
            for each in value if type(value) is list else (value,):
                number += 1
                words += _tensor(each, values is inputs and ir in readable, addressed)  # type: ignore[arg-type]
        words[place] = number
    return _packed(len(words))(*words)


@lru_cache(maxsize=1024)
def _packed(count: int) -> Callable[..., bytes]:
    return struct.Struct(f"<{count}q").pack


def _count(value: Value) -> int | None:
    """None: absent, and no list."""
    return len(value) if type(value) is list else None if value is None else 1


@lru_cache(maxsize=1024)
def _anchors(counts_absent: bool, inputs: tuple[int | None, ...], outputs: tuple[int | None, ...]) -> tuple[int, ...]:
    """Of each side: how many places the prototype has; the number of the first tensor of each, and how many there are."""
    words: list[int] = []
    for counts in (inputs, outputs):
        words.append(len(counts))
        at, absent = 0, int(counts_absent and counts is inputs)
        for count in counts:
            words += (at, count or 0)
            at += absent if count is None else count
    return tuple(words)


def _tensor(tensor: OpTensor, is_readable: bool, addressed: bool) -> tuple[int, ...]:
    shape, dtype, kind = tensor.shape, tensor.dtype, tensor.format
    if is_readable and tensor.host is not None:  # the value, wherever else it is
        placement, address = _ON_HOST, tensor.host.ctypes.data
    else:
        placement = _ON_HOST if tensor.buffer is None else _ON_DEVICE
        address = tensor.address if addressed else 0
    origin, storage = shape.origin._dims, shape.storage._dims
    number = dtype_number(dtype)
    size = 0 if number == DT_UNDEFINED_NUMBER else max(shape.storage.size, 0) * dtype.itemsize
    return (number, kind, kind, 0, placement, address, size, len(origin), *origin, len(storage), *storage)


def dtype_number(dtype: Any) -> int:
    """As ge counts types."""
    if dtype is DT_UNDEFINED:
        return DT_UNDEFINED_NUMBER
    found = _NUMBERS.get(dtype)
    if found is None:
        raise OpError(message=f"type {dtype} has no number in ge; there are {', '.join(DTYPE_NAMES.values())}")
    return found


def dtype_of_number(number: int) -> Any:
    if number == DT_UNDEFINED_NUMBER:
        return DT_UNDEFINED
    if number not in DTYPE_NAMES:
        raise OpError(
            message=f"data type {number} is not modelled; there are {', '.join(f'{n} ({name})' for n, name in DTYPE_NAMES.items())}"
        )
    return dtype_of(DTYPE_NAMES[number])
