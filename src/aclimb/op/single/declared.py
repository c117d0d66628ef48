# SPDX-License-Identifier: Apache-2.0
"""Executing an operator that is declared, in Python or in a package of C++ host code: no selector chooses, its own stages do."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from aclimb.errors import Refused
from aclimb.op.declare.space import find_op_impl
from aclimb.op.execute.operator import Operator
from aclimb.op.node.borrowed import Borrowed
from aclimb.op.node.dtypes import GE_DTYPES, dtype_of
from aclimb.op.node.node import OpTensor, as_tensor
from aclimb.op.node.shape import Shape, StorageShape
from aclimb.op.single.attributes import OpAttr, as_lists
from aclimb.op.single.descriptors import DataBuffer, TensorDesc
from aclimb.op.single.registry import FAILURE, OP_NOT_FOUND, has_selector
from aclimb.op.status import OpError
from aclimb.runtime import addresses, dumps
from aclimb.runtime.buffer import Buffer
from aclimb.runtime.context import ContextStream
from aclimb.runtime.device import Device
from aclimb.runtime.handles import NULL
from aclimb.runtime.memory import bytes_behind

DTYPES = {number: dtype_of(name) for name, number in GE_DTYPES.items()}


def find(op_type: str) -> Operator | None:
    """What a program's own selector does not choose for. Packages that the environment names count."""
    if has_selector(op_type):
        return None
    found = find_op_impl(op_type)
    return found.prototype if found is not None else None


class DeclaredRun:
    """An operator for certain tensors and attributes: `launch` runs it with their memory."""

    def __init__(self, operator: Operator, inputs: Sequence[TensorDesc], outputs: Sequence[TensorDesc], attrs: OpAttr) -> None:
        self._operator = operator
        self._inputs, self._outputs = copy.deepcopy(list(inputs)), copy.deepcopy(list(outputs))  # a program may change its own
        self._attrs = {name: as_lists(each.value) for name, each in attrs.items()}
        for index, each in enumerate(self._outputs):
            if not each.is_known:
                raise Refused(NULL, f"output {index} of {operator.type} has the open shape {each.dims}; aclopInferShape says it")

    def launch(self, buffers: Sequence[DataBuffer], stream: ContextStream) -> None:
        """The buffers of the inputs, then those of the outputs."""
        dumps.say_left_out()
        count, op_type = len(self._inputs), self._operator.type
        pairs = list(zip(self._inputs, buffers[:count], strict=True))
        tensors = [(desc, _tensor(f"input {i} of {op_type}", desc, buffer, stream.device)) for i, (desc, buffer) in enumerate(pairs)]
        targets = [_tensor(f"output {i} of {op_type}", desc, buffer, stream.device)
                   for i, (desc, buffer) in enumerate(zip(self._outputs, buffers[count:], strict=True))]  # fmt: skip
        values = self._places(tensors)
        try:
            self._operator._run(values, dict(self._attrs), targets, stream, None)
        except OpError as error:
            raise Refused(OP_NOT_FOUND if error.stage == "plan" else FAILURE, str(error)) from error

    def _places(self, tensors: list[tuple[TensorDesc, OpTensor | None]]) -> list[Any]:
        """By their place in the prototype: those that aclSetTensorDynamicInput gave the same name are one list."""
        found: list[Any] = []
        for name, group in itertools.groupby(tensors, lambda each: each[0].other.get("dynamic_input")):
            members = [tensor for _, tensor in group]
            found += members if name is None else [members]
        wanted = self._operator._declaration.inputs
        if len(found) > len(wanted):
            raise Refused(OP_NOT_FOUND, f"{self._operator.type} has {len(wanted)} inputs; {len(found)} are given")
        return found + [[] if each.dynamic else None for each in wanted[len(found) :]]


def _tensor(what: str, desc: TensorDesc, buffer: DataBuffer, device: Device) -> OpTensor | None:
    if desc.is_absent:
        return None
    dtype = DTYPES.get(desc.dtype)
    if dtype is None:
        raise Refused(OP_NOT_FOUND, f"{what} has the data type {desc.dtype}; there are {', '.join(map(str, DTYPES))}")
    origin, storage = (Shape(desc.other.get(name, desc.dims)) for name in ("origin_shape", "storage_shape"))
    size = storage.size * dtype.itemsize
    if desc.on_host and what.startswith("input"):
        return as_tensor(np.frombuffer(addresses.read(buffer.data, size, what), dtype).reshape(storage.dims).copy())
    if buffer.size < size or (size and bytes_behind(device, buffer.data) < size):
        raise Refused(NULL, f"{what} takes {size} bytes of device memory; {buffer.size} at 0x{buffer.data:x} are given")
    memory = Borrowed(buffer.data, storage.dims, dtype, device)
    return OpTensor(StorageShape(origin, storage), dtype, desc.format, cast(Buffer, memory))
