# SPDX-License-Identifier: Apache-2.0
"""Executing a single operator: by its tensors and attributes, or by a handle that was made for them before."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from aclimb.errors import Refused
from aclimb.op.single import attributes, declared, infer
from aclimb.op.single.attributes import OpAttr
from aclimb.op.single.descriptors import BUFFERS, DESCS, DataBuffer, TensorDesc
from aclimb.op.single.kernels import Description
from aclimb.op.single.registry import NOT_SUPPORTED, lookup, on_this_chip
from aclimb.op.status import MAX_WORKSPACES
from aclimb.op.workspace import pool_of
from aclimb.runtime import dumps, launches
from aclimb.runtime.context import ContextStream, stream_of
from aclimb.runtime.handles import NULL, Handles

_Launch = Callable[[Sequence[DataBuffer], ContextStream], None]
PADDING = 32  # bytes: instructions move blocks of that size, and may touch one behind the end
INPUTS_DIFFER, OUTPUTS_DIFFER = 100021, 100022


class Tensors(NamedTuple):  # acl, capi -> run
    """The inputs or the outputs of an execution, by their handles: one buffer for each descriptor."""

    descs: Sequence[int]
    buffers: Sequence[int]


@on_this_chip
def execute(op_type: str, inputs: Tensors, outputs: Tensors, attr: int, stream: int, *, refresh: bool) -> None:
    """Queues the kernel. `refresh`: output descriptors whose shape is open get the real one."""
    sources, targets = [DESCS[each] for each in inputs.descs], [DESCS[each] for each in outputs.descs]
    buffers = [BUFFERS[each] for each in (*inputs.buffers, *outputs.buffers)]
    for what, (descs, given) in (("input", inputs), ("output", outputs)):
        if len(descs) != len(given):
            raise Refused(NULL, f"{len(descs)} {what} descriptors and {len(given)} buffers are given for {op_type}; they go in pairs")
    attrs, on = attributes.of(attr), stream_of(stream)
    if _all_empty(targets):
        return
    is_open = refresh and not all(each.is_known for each in targets)
    if is_open and declared.find(op_type) is not None:
        infer.refresh(op_type, sources, targets, attr)  # such an operator runs for outputs that are known
    _launcher(op_type, sources, targets, attrs)(buffers, on)
    if is_open:
        infer.refresh(op_type, sources, targets, attr)


def _launcher(op_type: str, sources: Sequence[TensorDesc], targets: Sequence[TensorDesc], attrs: OpAttr) -> _Launch:
    """What a selector of the program chose; for a type that has none, the stages of the operator that is declared under it."""
    operator = declared.find(op_type)
    if operator is not None:
        return declared.DeclaredRun(operator, sources, targets, attrs).launch
    _require_device_tensors(op_type, [*sources, *targets])
    description = lookup(op_type, sources, targets, attrs)
    tensors = [_Tensor.of("input", index, each) for index, each in enumerate(sources)]
    tensors += [_Tensor.of("output", index, each) for index, each in enumerate(targets)]

    def launch(buffers: Sequence[DataBuffer], stream: ContextStream) -> None:
        for tensor, buffer in zip(tensors, buffers, strict=True):
            if buffer.size < tensor.size:
                raise Refused(NULL, f"{tensor.stage} {tensor.index} of {op_type} takes {tensor.size} bytes, as its descriptor says; "
                                    f"its data buffer has {buffer.size}")  # fmt: skip
        settings = dumps.settings()
        if settings is None or not settings.of_operators or stream.graph is not None:
            _launch(op_type, description, buffers, stream)
            return
        pieces = [tensor.piece(buffer) for tensor, buffer in zip(tensors, buffers, strict=True) if buffer.size]
        with dumps.around(op_type, lambda: pieces, stream):
            _launch(op_type, description, buffers, stream)

    return launch


@dataclass(frozen=True, slots=True)
class _Tensor:
    """An input or an output of an operator that a selector chose a kernel for, as its descriptor was then: a program may change its own."""

    stage: str
    index: int
    name: str
    size: int  # bytes; 0: not known, or nothing
    dtype: Any
    dims: tuple[int, ...]

    @classmethod
    def of(cls, stage: str, index: int, desc: TensorDesc) -> _Tensor:
        size = 0 if desc.is_absent else desc.size_bytes
        return cls(stage, index, desc.name, size, declared.DTYPES.get(desc.dtype), desc.stored_dims)

    def piece(self, buffer: DataBuffer) -> dumps.Piece:
        name = f"{self.index}.{self.name}" if self.name else str(self.index)
        if not self.size or self.dtype is None:
            return dumps.Piece(name, buffer.data, self.size or buffer.size, stage=self.stage)
        return dumps.Piece(name, buffer.data, self.size, self.dtype, self.dims, self.stage)


def _all_empty(outputs: Sequence[TensorDesc]) -> bool:
    return bool(outputs) and all(each.is_empty for each in outputs)


def _require_device_tensors(op_type: str, tensors: Sequence[TensorDesc]) -> None:
    for index, each in enumerate(tensors):
        if each.on_host:
            raise Refused(
                NOT_SUPPORTED, f"tensor {index} of {op_type} is placed in host memory; its kernel reads device memory: copy it there"
            )


def _launch(op_type: str, description: Description, buffers: Sequence[DataBuffer], stream: ContextStream) -> None:
    """Inputs, outputs and workspaces as addresses, and right behind them the bytes of the selector."""
    sizes = description.workspace_sizes
    if len(sizes) > MAX_WORKSPACES:
        raise Refused(NULL, f"the selector of {op_type} asked for {len(sizes)} workspaces; at most {MAX_WORKSPACES} are possible")
    addresses = [each.data for each in buffers]
    if not sizes:
        _queue(description, addresses, stream)
        return
    with pool_of(stream).lend([size + PADDING for size in sizes]) as workspaces:
        _queue(description, addresses + workspaces, stream)


def _queue(description: Description, addresses: Sequence[int], stream: ContextStream) -> None:
    block = struct.pack(f"<{len(addresses)}Q", *addresses) + description.args
    host = ctypes.create_string_buffer(block, len(block) or 1)
    function = description.kernel.function(stream.device)
    launches.with_host_args(function, description.num_blocks, ctypes.addressof(host), len(host), (), 0, (), stream)


# --- handles


@dataclass(frozen=True, slots=True)
class OpHandle:
    """An operator for certain tensors; it keeps what it launches, whatever is stored or dropped later."""

    op_type: str
    num_inputs: int
    num_outputs: int
    launch: _Launch
    nothing_to_do: bool


OP_HANDLES: Handles[OpHandle] = Handles("handle of an operator")


@on_this_chip
def create_handle(op_type: str, in_descs: Sequence[int], out_descs: Sequence[int], attr: int) -> int:
    sources, targets = [DESCS[each] for each in in_descs], [DESCS[each] for each in out_descs]
    attrs = attributes.of(attr)
    launch = _launcher(op_type, sources, targets, attrs)
    return OP_HANDLES.add(OpHandle(op_type, len(sources), len(targets), launch, _all_empty(targets)))


@on_this_chip
def destroy_handle(handle: int) -> None:
    OP_HANDLES.end(handle)


@on_this_chip
def execute_with_handle(handle: int, inputs: Sequence[int], outputs: Sequence[int], stream: int) -> None:
    found = OP_HANDLES[handle]
    for code, what, given, wanted in (
        (INPUTS_DIFFER, "inputs", len(inputs), found.num_inputs),
        (OUTPUTS_DIFFER, "outputs", len(outputs), found.num_outputs),
    ):
        if given != wanted:
            raise Refused(code, f"{given} {what} are given; the handle of {found.op_type} was made for {wanted}")
    buffers = [BUFFERS[each] for each in (*inputs, *outputs)]
    on = stream_of(stream)
    if not found.nothing_to_do:
        found.launch(buffers, on)
