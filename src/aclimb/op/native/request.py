# SPDX-License-Identifier: Apache-2.0
"""A context of ours as a library reads it: tensors and attributes packed into words."""

from __future__ import annotations

import ctypes
from array import array
from typing import Any

import numpy as np

from aclimb.op.native.attributes import attributes_block
from aclimb.op.native.wire import Answer, Request
from aclimb.op.node.context import NodeContext
from aclimb.op.node.dtypes import GE_DTYPES, dtype_of
from aclimb.op.node.node import Node, OpTensor, Value
from aclimb.op.status import DT_UNDEFINED, OpError, TensorPlacement

DT_UNDEFINED_NUMBER = 28
DTYPE_NAMES = {number: name for name, number in GE_DTYPES.items()} | {16: "complex64", 17: "complex128"}
_NUMBERS = {np.dtype(dtype_of(name)): number for number, name in DTYPE_NAMES.items()}
_ON_HOST, _ON_DEVICE = int(TensorPlacement.ON_HOST), int(TensorPlacement.ON_DEVICE_HBM)


class Sent:
    """A request, and what it points to: all of it lives as long as this object."""

    __slots__ = ("_kept", "_words", "answer", "request")

    def __init__(self, context: NodeContext) -> None:
        node = context._node
        self._words = node_words(node, context._readable, addressed=context._addressed)
        self._kept: list[Any] = []
        self.answer = Answer()
        self.request = request = Request()
        request.type, request.name = node.op_type.encode(), node.name.encode()
        request.node = self._words.buffer_info()[0]
        request.attrs = attributes_block(node.attrs)

    def keep(self, memory: Any) -> int:
        """Its address, as long as this object lives."""
        self._kept.append(memory)
        return ctypes.addressof(memory)


def node_words(node: Node, readable: frozenset[int], *, addressed: bool) -> array[int]:
    """See Request in wire.h."""
    words: list[int] = []
    for values in (node.inputs, node.outputs):
        _add_anchors(words, values)
    _add_tensors(words, node.inputs, readable, addressed)
    _add_tensors(words, node.outputs, frozenset(), addressed)
    return array("q", words)


def _add_anchors(words: list[int], values: list[Value]) -> None:
    words.append(len(values))
    at = 0
    for value in values:
        count = len(value) if isinstance(value, list) else 0 if value is None else 1
        words += (at, count)
        at += count


def _add_tensors(words: list[int], values: list[Value], readable: frozenset[int], addressed: bool) -> None:
    place = len(words)
    words.append(0)
    for ir, value in enumerate(values):
        for each in value if isinstance(value, list) else () if value is None else (value,):
            words[place] += 1
            _add_tensor(words, each, ir in readable, addressed)


def _add_tensor(words: list[int], tensor: OpTensor, is_readable: bool, addressed: bool) -> None:
    host = tensor.host
    if is_readable and host is not None:  # the value, wherever else it is
        placement, address = _ON_HOST, host.ctypes.data
    else:
        placement = _ON_HOST if tensor.buffer is None else _ON_DEVICE
        address = tensor.address if addressed else 0
    origin, storage = tensor.shape.origin._dims, tensor.shape.storage._dims
    number = dtype_number(tensor.dtype)
    size = 0 if number == DT_UNDEFINED_NUMBER else max(tensor.shape.storage.size, 0) * tensor.dtype.itemsize
    words += (number, tensor.format, tensor.format, 0, placement, address, size, len(origin), *origin, len(storage), *storage)


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
