# SPDX-License-Identifier: Apache-2.0
"""A call that came through torch: with tensors on the CPU, on the npu, or with shapes only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from aclimb.errors import AclimbError, InvalidArgument
from aclimb.op.call import bits
from aclimb.op.execute.operator import Operator
from aclimb.op.execute.run import own_stream
from aclimb.op.node.node import OpTensor, tensors_of
from aclimb.runtime.buffer import Buffer
from aclimb.runtime.stream import Stream
from aclimb.torch import tensors

Results = Any  # a tensor, or a tuple of them: as the schema says


class Calls:
    """The three ways in which torch calls one operator."""

    def __init__(self, operator: Operator) -> None:
        self.operator = operator
        inputs, outputs = operator._declaration.inputs, operator._declaration.outputs
        names = [each.name for each in inputs]
        # Outputs that are inputs, too: torch's operator gives a new tensor and leaves its argument as it is.
        self.updated = {index: names.index(each.name) for index, each in enumerate(outputs) if each.name in names}

    # --- tensors on the CPU

    def on_cpu(self, *values: Any, **attrs: Any) -> Results:
        stream = own_stream()
        device, staged, taken = stream.device, list[tensors.Staged](), list[Any]()
        for value in values:  # this is asked for every call: no helper between it and the tensor
            if isinstance(value, torch.Tensor):
                taken.append(tensors.on_device(value, device, staged))
            else:
                taken.append(None if value is None else [tensors.on_device(each, device, staged) for each in value])
        made = self.launch(stream, taken, attrs)
        stream.synchronize()
        if staged:
            tensors.give_back(staged)
        return tensors.as_torch(made[0]) if len(made) == 1 else tuple(map(tensors.as_torch, made))

    def launch(self, stream: Stream, values: list[Any], attrs: dict[str, Any]) -> list[Buffer]:
        """Queues it; the results are there when the stream is done."""
        out = None
        if self.updated:
            out = [Buffer(each.shape.storage.dims, each.dtype, stream.device) for each in self.inferred(values, attrs)]
            for index, place in self.updated.items():
                values[place] = _copied(values[place], out[index])
        return self.operator._run(values, attrs, out, stream, None)

    # --- tensors on the npu, which lie in device memory

    def on_npu(self, *values: Any, **attrs: Any) -> Results:
        import torch_npu

        from aclimb.runtime.context import STREAMS

        given = next(each for value in values for each in (value if isinstance(value, list | tuple) else [value]) if each is not None)
        stream = STREAMS[int(torch_npu.npu.current_stream(given.device).npu_stream)]
        arguments = _each(values, lambda each: _in_place(each.contiguous(), stream))
        kept = list(_flat(arguments))  # contiguous copies live until the call is queued
        made = []
        for index, each in enumerate(self.inferred(arguments, attrs)):
            if index in self.updated:
                made.append(values[self.updated[index]].clone(memory_format=torch.contiguous_format))
                arguments[self.updated[index]] = _in_place(made[-1], stream)
            else:
                made.append(torch.empty(tuple(each.shape.storage.dims), dtype=tensors.TORCH[each.dtype], device=given.device))
        out = [_in_place(each, stream) for each in made]
        self.operator._run(arguments, attrs, out, stream, None)
        for each in kept:
            each.given.record_stream(torch_npu.npu.current_stream(given.device))
        return _results(made)

    # --- shapes only

    def fake(self, *values: Any, **attrs: Any) -> Results:
        given = next(_tensors(values))
        found = self.inferred(_each(values, tensors.without_memory), attrs)
        return _results([given.new_empty(tuple(each.shape.storage.dims), dtype=tensors.TORCH[each.dtype]) for each in found])

    def inferred(self, values: Sequence[Any], attrs: dict[str, Any]) -> list[OpTensor]:
        """Outputs with type and shape, and without memory."""
        operator = self.operator
        without = [[_shape_only(each) for each in value] if isinstance(value, list) else _shape_only(value) for value in values]
        call = operator._call(without, dict(attrs), None, None, None)
        if call.impl.output_shape_depend_on_compute or bits(call.impl.inputs_data_dependency):
            raise InvalidArgument(f"{operator.type}: the shape of an output depends on values, which are not known before it runs; call it "
                                  "outside torch.compile")  # fmt: skip
        inference = operator._inference(call)
        inference._data_types()
        inference._shapes(frozenset())
        return [each for value in call.node.outputs for each in tensors_of(value)]


def _in_place(tensor: torch.Tensor, stream: Stream) -> OpTensor:
    return tensors.at_address(tensor, tensor.data_ptr(), stream.device)


def _shape_only(value: OpTensor | None) -> OpTensor | None:
    return None if value is None else OpTensor(value.shape, value.dtype, value.format)


def _each(values: Sequence[Any], change: Callable[[torch.Tensor], OpTensor]) -> list[Any]:
    return [None if value is None else [change(each) for each in value] if isinstance(value, list | tuple) else change(value)
            for value in values]  # fmt: skip


def _flat(values: Sequence[Any]) -> Any:
    for value in values:
        yield from tensors_of(value)


def _tensors(values: Sequence[Any]) -> Any:
    for value in values:
        yield from value if isinstance(value, list | tuple) else [] if value is None else [value]
    raise AclimbError("an operator without a tensor among its inputs cannot be called from torch: nothing says where it runs")


def _copied(value: OpTensor, to: Buffer) -> OpTensor:
    if value.nbytes:
        to.copy_in(value.address, 0, value.nbytes)  # which the host can read
    return OpTensor(value.shape, value.dtype, value.format, to, None, to)


def _results(made: list[torch.Tensor]) -> Results:
    return made[0] if len(made) == 1 else tuple(made)
