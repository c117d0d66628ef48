# SPDX-License-Identifier: Apache-2.0
"""One call of an operator: its tensors by their place in the prototype, and its attributes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aclimb.errors import InvalidArgument
from aclimb.op.node.shape import MAX_DIMS, Shape, StorageShape
from aclimb.op.status import DT_UNDEFINED, Format, TensorPlacement
from aclimb.runtime.buffer import Buffer, as_numpy

ND = int(Format.ND)
_names = itertools.count(1)


@dataclass(slots=True)
class OpTensor:
    """A tensor of a call: where it lies, and what it looks like."""

    shape: StorageShape
    dtype: Any  # a NumPy dtype
    format: int = Format.ND
    buffer: Buffer | None = None  # in device memory
    host: NDArray[Any] | None = None  # in host memory
    given: Any = None  # what the caller passed

    @property
    def placement(self) -> TensorPlacement:
        return TensorPlacement.ON_DEVICE_HBM if self.buffer is not None else TensorPlacement.ON_HOST

    @property
    def nbytes(self) -> int:
        return max(self.shape.storage.size, 0) * int(self.dtype.itemsize)

    @property
    def address(self) -> int:
        if self.buffer is not None:
            return self.buffer.address
        return self.host.ctypes.data if self.host is not None else 0


@dataclass(frozen=True)
class Argument:
    """A tensor with a format, as op.tensor() makes it."""

    data: Any
    format: int
    origin_shape: tuple[int, ...] | None


def tensor(data: Any, *, format: str | int = "ND", origin_shape: Sequence[int] | None = None) -> Argument:
    """An argument whose format is not ND: the shape of the data is the storage shape, `origin_shape` the one before."""
    number = Format[format] if isinstance(format, str) else format
    return Argument(data, number, tuple(origin_shape) if origin_shape is not None else None)


def as_tensor(value: Any) -> OpTensor:
    """A Buffer stays where it is; a NumPy or DLPack array is host memory."""
    if type(value) is Buffer and value.address and len(value.shape) <= MAX_DIMS:  # most of them
        dims = value.shape
        return OpTensor(StorageShape(Shape.known(dims), Shape.known(dims)), value.dtype, ND, value, None, value)
    if isinstance(value, OpTensor):
        return value
    wrapped = value if isinstance(value, Argument) else Argument(value, Format.ND, None)
    data = wrapped.data
    if isinstance(data, Buffer):
        if not data.address:
            raise InvalidArgument(f"{data!r} cannot be an argument")
        shape, dtype, buffer, host = data.shape, data.dtype, data, None
    else:
        array = as_numpy(data)
        host = np.ascontiguousarray(array).reshape(array.shape)  # NumPy makes a scalar one-dimensional
        shape, dtype, buffer = host.shape, host.dtype, None
    storage = StorageShape(Shape(wrapped.origin_shape or shape), Shape(shape))
    return OpTensor(storage, dtype, wrapped.format, buffer, host, value)


Value = OpTensor | None | list[OpTensor]


def tensors_of(value: Value) -> list[OpTensor]:
    """Those that are there: a list's, the one, or none."""
    return value if isinstance(value, list) else [value] if value is not None else []


def tensors_at(values: Sequence[Value], ir: int) -> list[OpTensor]:
    return tensors_of(values[ir]) if ir < len(values) else []


@dataclass(frozen=True, slots=True)
class OpParameter:
    """An input or output of the prototype."""

    name: str
    optional: bool = False
    dynamic: bool = False


@dataclass(slots=True)
class Node:
    """What the contexts of one call show. Inputs and outputs are in the order of the prototype ("IR"): a tensor, None for one that is
    absent, a list for a dynamic one."""

    op_type: str
    name: str
    input_parameters: Sequence[OpParameter]
    output_parameters: Sequence[OpParameter]
    inputs: list[Value]
    outputs: list[Value] = field(default_factory=list)
    attrs: list[tuple[str, Any]] = field(default_factory=list)
    counts_absent: bool = False  # in a call of aclnn an absent input keeps its number: the ones after it are counted by declaration

    def instances(self, values: list[Value]) -> list[OpTensor]:
        """Return the tensors that are there, in order."""
        return [each for value in values for each in tensors_of(value)]

    def numbered(self, values: list[Value]) -> Iterator[tuple[int, OpTensor | None]]:
        """Yield what contexts count: the place in the prototype and the tensor, None for an absent input that keeps its number."""
        for ir, value in enumerate(values):
            if value is None and self.counts_absent and values is self.inputs:
                yield ir, None
            for each in tensors_of(value):
                yield ir, each

    def instance_of(self, values: list[Value], ir: int) -> tuple[int, int] | None:
        """(number of the first tensor, how many) of a place in the prototype."""
        if not 0 <= ir < len(values):
            return None
        return sum(place < ir for place, _ in self.numbered(values)), len(tensors_of(values[ir]))


def unknown_output() -> OpTensor:
    """An output before anything is known of it."""
    return OpTensor(StorageShape(Shape(), Shape()), DT_UNDEFINED)


def next_name(op_type: str) -> str:
    return f"{op_type}_{next(_names)}"
