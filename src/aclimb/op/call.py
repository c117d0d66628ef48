# SPDX-License-Identifier: Apache-2.0
"""One call of an operator, up to the point where it runs: arguments, types, shapes, memory."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from aclimb.op.debug import guard
from aclimb.op.node import Node, OpTensor, Value
from aclimb.op.options import Options, ShownOptions
from aclimb.op.registration import MASK_BITS, OpImpl
from aclimb.op.shape import INVALID_DIM, Shape, StorageShape
from aclimb.op.shape_contexts import InferDataTypeContext, InferShapeContext, InferShapeRangeContext
from aclimb.op.stages import Stages
from aclimb.op.status import DT_UNDEFINED, OpError
from aclimb.runtime.buffer import Buffer
from aclimb.runtime.finish import finish
from aclimb.runtime.stream import Stream

_names = itertools.count(1)


def bits(mask: int) -> frozenset[int]:
    return frozenset(index for index in range(MASK_BITS) if mask >> index & 1) if mask else frozenset()


@dataclass
class Call:
    """The arguments of a call as tensors, and the memory that was made for it."""

    impl: OpImpl
    node: Node
    stream: Stream
    options: Options
    stages: Stages
    made: list[Buffer] = field(default_factory=list)  # outputs of this run
    placed: list[Buffer] = field(default_factory=list)  # copies of host inputs

    @property
    def shown_options(self) -> ShownOptions:
        return ShownOptions(self.options)

    # --- memory

    def allocate(self, tensor: OpTensor, *, what: list[Buffer]) -> None:
        dims = tensor.shape.storage.dims
        if any(dim < 0 for dim in dims):
            raise OpError(message=f"the shape {list(dims)} of an output is not known; infer_shape has to set every dim")
        tensor.buffer = Buffer(dims, tensor.dtype, self.stream.device)
        what.append(tensor.buffer)

    def place_inputs(self, host: frozenset[int]) -> None:
        """Host arrays are copied to the device, but for inputs that the callbacks want on the host."""
        for ir, value in enumerate(self.node.inputs):
            if ir in host:
                continue
            for tensor in _each(value):
                if tensor.buffer is None and tensor.host is not None:
                    self._to_device(tensor, tensor.host)

    def _to_device(self, tensor: OpTensor, array: Any) -> None:
        tensor.buffer = Buffer(array.shape, array.dtype, self.stream.device)
        self.placed.append(tensor.buffer)
        tensor.buffer.copy_in(array.ctypes.data, 0, array.nbytes)  # new memory: nobody uses it yet

    def place_on_host(self, wanted: frozenset[int], *, move: bool = False) -> None:
        """Values that callbacks read: copied from the device, after what is queued on the stream. With `move` they are there only."""
        for ir in wanted:
            for tensor in _each(self.node.inputs[ir] if ir < len(self.node.inputs) else None):
                if tensor.host is None and tensor.buffer is not None:
                    finish(self.stream.native)
                    array = np.empty(tensor.buffer.shape, tensor.buffer.dtype)
                    tensor.buffer.copy_out(array.ctypes.data, 0, array.nbytes)
                    tensor.host = array
                if move:
                    tensor.buffer = None

    def discard_outputs(self) -> None:
        """The run failed: what it made for its outputs goes at once, whoever holds the exception."""
        for buffer in (*self.made, *self.placed):
            buffer.discard()

    def forget_inputs(self) -> None:
        """Copies of host inputs go when the device is done with them."""
        for buffer in self.placed:
            buffer.discard()
        self.placed.clear()


def _each(value: Value) -> list[OpTensor]:
    return value if isinstance(value, list) else [value] if value is not None else []


class Inference:
    """Types and shapes of outputs, from the registered functions or from what the prototype says."""

    def __init__(self, call: Call, follows: dict[int, int], dtypes: dict[int, Any]) -> None:
        self._call, self._follows, self._dtypes = call, follows, dtypes

    def run(self) -> None:
        call = self._call
        impl, stages = call.impl, call.stages
        dependent = bits(impl.inputs_data_dependency)
        stages("infer_data_type", self._data_types)
        if impl.infer_shape is not None or not impl.output_shape_depend_on_compute:
            stages("infer_shape", self._shapes, dependent)
        if impl.output_shape_depend_on_compute:
            stages("infer_shape_range", self._ranges, dependent)
        stages("allocate_outputs", self._allocate)

    def _data_types(self) -> None:
        node, impl = self._call.node, self._call.impl
        for ir, dtype in self._dtypes.items():
            for tensor in _each(node.outputs[ir]):
                tensor.dtype = dtype
        if impl.infer_data_type is not None:
            self._call.stages.callback("infer_data_type", impl.infer_data_type, InferDataTypeContext(node))
        inputs = node.instances(node.inputs)
        for tensor in node.instances(node.outputs):
            if tensor.dtype is DT_UNDEFINED and inputs:
                tensor.dtype = inputs[0].dtype

    def _shapes(self, dependent: frozenset[int]) -> None:
        node, impl = self._call.node, self._call.impl
        for ir, source in self._follows.items():
            followed = _each(node.inputs[source])
            for tensor in _each(node.outputs[ir]):
                if followed:
                    tensor.shape.origin.assign(followed[0].shape.origin)
                    tensor.format = followed[0].format
        if impl.infer_shape is not None:
            self._call.place_on_host(dependent)
            if guard():
                for tensor in node.instances(node.outputs):
                    tensor.shape.origin.assign([INVALID_DIM])
            self._call.stages.callback("infer_shape", impl.infer_shape, InferShapeContext(node, dependent))
        elif len(self._follows) < len(node.outputs):
            raise OpError(message="there is no infer_shape function, and not every output follows an input; give outputs, or register one")
        for tensor in node.instances(node.outputs):
            dims = tensor.shape.origin.dims
            if INVALID_DIM in dims:
                raise OpError(message="infer_shape left the shape of an output unset: set its rank before its dims")
            if not impl.output_shape_depend_on_compute and (any(dim < 0 for dim in dims) or tensor.shape.origin.size < 0):
                raise OpError(message=f"infer_shape set the shape of an output to {list(dims)}; every dim takes 0 and more, their product "
                                      "has to fit into 64 bits")  # fmt: skip
            tensor.shape.storage.assign(tensor.shape.origin)

    def _ranges(self, dependent: frozenset[int]) -> None:
        node, impl = self._call.node, self._call.impl
        if impl.infer_shape_range is None:
            raise OpError(message="the kernel decides the shape of an output, so its memory has to fit the largest one: register "
                                  "infer_shape_range")  # fmt: skip
        self._call.place_on_host(dependent)
        context = InferShapeRangeContext(node, dependent)
        self._call.stages.callback("infer_shape_range", impl.infer_shape_range, context)
        for ir, found in context._ranges.items():
            for tensor in _each(node.outputs[ir]):
                tensor.shape = StorageShape.of(found.max)

    def _allocate(self) -> None:
        for tensor in self._call.node.instances(self._call.node.outputs):
            if tensor.buffer is None:
                self._call.allocate(tensor, what=self._call.made)


def unknown_output() -> OpTensor:
    """An output before anything is known of it."""
    return OpTensor(StorageShape(Shape(), Shape()), DT_UNDEFINED)


def next_name(op_type: str) -> str:
    return f"{op_type}_{next(_names)}"
