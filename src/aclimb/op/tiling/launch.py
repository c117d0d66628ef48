# SPDX-License-Identifier: Apache-2.0
"""The dynamic-shape route: tiling has decided, the arguments are put together, one kernel is launched."""

from __future__ import annotations

import struct
from itertools import zip_longest
from typing import Any

import numpy as np

from aclimb.op.call import OpCall, bits
from aclimb.op.declare.definition import OpDef
from aclimb.op.node.node import tensors_at
from aclimb.op.stages import LaunchRecord, is_watched
from aclimb.op.status import OpError
from aclimb.op.tiling.args_block import ArgsBlock
from aclimb.op.tiling.decide import TilingDecision
from aclimb.op.workspace import ALIGNMENT, pool_of
from aclimb.runtime.finish import finish
from aclimb.runtime.kernel import Kernel
from aclimb.runtime.memory import read_device, write_later
from aclimb.runtime.requests import launch_bytes, request

BATCH = 1  # schedule mode: all blocks start together
SHAPE_WORDS = 9  # rank and up to 8 dims
WIDE_WORDS = 1 << 31  # set in the rank: the words are 64-bit
SYSTEM_WORKSPACE = 16 << 20  # GetLibApiWorkSpaceSize: what the library has of a workspace, before the kernel's own part


def rounded(sizes: list[int]) -> list[int]:
    return [-(-size // ALIGNMENT) * ALIGNMENT for size in sizes]


def launch_tiled(
    call: OpCall, decision: TilingDecision, operator: OpDef, kernel: Kernel, sizes: list[int], given: list[int] | None = None
) -> None:
    """Allocates workspaces (or takes those that were given) and launches the kernel."""
    stages, pool = call.stages, pool_of(call.stream)
    has_system_part = operator.has_system_workspace and len(sizes) == 1 and sizes[0] >= SYSTEM_WORKSPACE
    marked = sorted(bits(call.impl.output_shape_depend_on_compute))
    places = sizes or _unasked_workspace(call, kernel, marked)
    addresses: list[int] = []
    shapes: list[int] = []
    taken: list[int] = []

    def take() -> None:
        for size, there in zip_longest(places, given or (), fillvalue=0):
            if not there:
                taken.append(pool.take_valid(size))  # also for 0 bytes: kernels return without a word where it is null
            addresses.append(there or taken[-1])
        if marked:
            shapes.append(pool.take(8 * SHAPE_WORDS * len(marked)))

    try:
        stages("allocate_workspaces", take, sizes=lambda: sizes)
        system = addresses[0] if has_system_part else 0
        own = [system + SYSTEM_WORKSPACE] if has_system_part else addresses
        stages("launch", _launch, call, decision, kernel, operator._init_values(), system, own, shapes)
        if marked:
            stages("refresh_shapes", _refresh, call, marked, shapes[0])
    finally:
        pool.give([*taken, *shapes])
    stages("release_workspaces", lambda: None)


def _unasked_workspace(call: OpCall, kernel: Kernel, marked: list[int]) -> list[int]:
    """One of 0 bytes, where tiling asked for none and the kernel has two parameters after its outputs: a workspace, and tiling data.
    On a chip the parameter is never null, because the framework adds the workspace of the system."""
    others = len(call.node.inputs) + len(call.node.outputs) + bool(marked)
    return [0] if len(kernel.info.parameters) == others + 2 else []


def _launch(
    call: OpCall,
    decision: TilingDecision,
    kernel: Kernel,
    inits: dict[int, Any],
    system: int,
    workspaces: list[int],
    shapes: list[int],
) -> None:
    tiling = decision.tiling
    key = _require_key(kernel, tiling.tiling_key)
    asked = request(call.stream.device, kernel, tiling.num_blocks, key, workspace=system, at_once=tiling.schedule_mode == BATCH)
    if tiling.need_atomic:
        _clear(call, inits)
    block = ArgsBlock(call.impl.op_type)
    for value in call.node.inputs:
        block.add(value, "input")
    for value in call.node.outputs:
        block.add(value, "output")
    for address in shapes:
        block.slot(address, "shape")
    for address in workspaces:
        block.slot(address, "workspace")
    last = kernel.info.parameters[-1] if kernel.info.parameters else None
    if last is not None and last.kind == "struct":
        block.by_value(decision.data, last)
    elif decision.data or len(kernel.info.parameters) > len(block.slots):
        block.data(decision.data, "tiling")
    if len(block.roles) != len(kernel.info.parameters):
        raise OpError(message=f"{kernel.info.signature} takes {len(kernel.info.parameters)} parameters; the call has {len(block.roles)}: "
                              f"{', '.join(block.roles)}")  # fmt: skip
    host, placeholders = block.build()
    launch_bytes(call.stream, asked, host, placeholders)
    if is_watched():
        call.stages.launches.append(LaunchRecord(kernel.name, tiling.num_blocks, key or 0, tiling.schedule_mode, tuple(block.roles)))


def _require_key(kernel: Kernel, key: int) -> int | None:
    known = kernel.info.tiling_keys
    if not known and key == 0:
        return None
    if key not in known:
        raise OpError(message=f"tiling chose key {key}; {kernel.name} has {', '.join(map(str, known)) or 'none, which is key 0'}")
    return key


def _clear(call: OpCall, inits: dict[int, Any]) -> None:
    """Outputs with an initial value get it on the stream, before the kernel."""
    for ir, initial in inits.items():
        for tensor in tensors_at(call.node.outputs, ir):
            if tensor.buffer is None or tensor.nbytes == 0:
                continue
            content = np.full(tensor.shape.storage.dims, initial, tensor.dtype)
            write_later(call.stream, tensor.address, content)


def _refresh(call: OpCall, marked: list[int], address: int) -> None:
    """Outputs get the shape that the kernel wrote."""
    finish(call.stream.native)
    words = np.empty(8 * SHAPE_WORDS * len(marked), np.uint8)
    read_device(address, words)
    for position, ir in enumerate(marked):
        part = words[8 * SHAPE_WORDS * position :].tobytes()
        first = struct.unpack_from("<Q", part)[0]
        wide = bool(first & WIDE_WORDS)
        values = struct.unpack_from(f"<{SHAPE_WORDS}{'Q' if wide else 'I'}", part)
        rank = values[0] & 0x7F if wide else values[0] & ~WIDE_WORDS
        if rank > SHAPE_WORDS - 1:
            raise OpError(message=f"the kernel wrote rank {rank} for output {ir}; at most {SHAPE_WORDS - 1} are possible")
        for tensor in tensors_at(call.node.outputs, ir):
            tensor.shape.origin.assign(values[1 : 1 + rank])
            tensor.shape.storage.assign(values[1 : 1 + rank])
            if tensor.buffer is not None:
                tensor.buffer.shape = tuple(values[1 : 1 + rank])
