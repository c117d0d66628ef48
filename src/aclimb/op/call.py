# SPDX-License-Identifier: Apache-2.0
"""One call of an operator, up to the point where it runs: arguments, types, shapes, memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from aclimb.op.declare.impl import MASK_BITS, OpImpl
from aclimb.op.node.node import Node, OpTensor, tensors_of
from aclimb.op.options import Options, ShownOptions
from aclimb.op.stages import Stages
from aclimb.op.status import OpError
from aclimb.runtime.buffer import Buffer
from aclimb.runtime.finish import finish
from aclimb.runtime.stream import Stream


def bits(mask: int) -> frozenset[int]:
    return frozenset(index for index in range(MASK_BITS) if mask >> index & 1) if mask else frozenset()


@dataclass
class OpCall:
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
            for tensor in tensors_of(value):
                if tensor.buffer is None and tensor.host is not None:
                    self._to_device(tensor, tensor.host)

    def _to_device(self, tensor: OpTensor, array: Any) -> None:
        tensor.buffer = Buffer(array.shape, array.dtype, self.stream.device)
        self.placed.append(tensor.buffer)
        tensor.buffer.copy_in(array.ctypes.data, 0, array.nbytes)  # new memory: nobody uses it yet

    def place_on_host(self, wanted: frozenset[int], *, move: bool = False) -> None:
        """Values that callbacks read: copied from the device, after what is queued on the stream. With `move` they are there only."""
        for ir in wanted:
            for tensor in tensors_of(self.node.inputs[ir] if ir < len(self.node.inputs) else None):
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


def results_of(call: OpCall) -> list[Any]:
    """The buffers of the outputs; None for one that is absent."""
    return [[each.buffer for each in value] if isinstance(value, list) else value.buffer if value is not None else None
            for value in call.node.outputs]  # fmt: skip
