# SPDX-License-Identifier: Apache-2.0
"""The dynamic-shape route: tiling decides, the arguments are put together, one kernel is launched."""

from __future__ import annotations

import struct
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

import numpy as np

from aclimb.op.call import Call, bits
from aclimb.op.contexts import checked_sizes
from aclimb.op.node import OpTensor
from aclimb.op.options import ShownOptions
from aclimb.op.registration import DEFAULT_TILING_CAPACITY
from aclimb.op.space import find_tiling, find_tiling_parse
from aclimb.op.stages import LaunchRecord, is_watched
from aclimb.op.status import OpError
from aclimb.op.tiling_contexts import Platform, Tiling, TilingContext, TilingParseContext
from aclimb.op.tiling_data import TilingData
from aclimb.op.workspace import ALIGNMENT, pool_of
from aclimb.runtime.finish import finish
from aclimb.runtime.kernel import Kernel
from aclimb.runtime.memory import read_device, write_later
from aclimb.runtime.requests import MAX_BLOCKS, launch_bytes, request

CACHE_ENTRIES, CACHE_DROPS, CACHE_KEY_BYTES = 120, 8, 8192
BATCH = 1  # schedule mode: all blocks start together
SHAPE_WORDS = 9  # rank and up to 8 dims
WIDE_WORDS = 1 << 31  # set in the rank: the words are 64-bit


@dataclass
class Decision:
    """What tiling said, in a form that can be kept."""

    tiling: Tiling
    data: bytes


class TilingCache:
    """Decisions by the shapes and values they were made for; the least recently used leave, eight at a time."""

    def __init__(self) -> None:
        self._entries: OrderedDict[Any, Decision] = OrderedDict()

    def get(self, key: Any) -> Decision | None:
        found = self._entries.get(key)
        if found is not None:
            self._entries.move_to_end(key)
        return found

    def put(self, key: Any, decision: Decision) -> None:
        if len(self._entries) >= CACHE_ENTRIES:
            for _ in range(CACHE_DROPS):
                self._entries.popitem(last=False)
        self._entries[key] = decision

    def clear(self) -> None:
        self._entries.clear()


class Loaded:
    """What is made once for a registered operator: compile info and the tiling cache."""

    def __init__(self) -> None:
        self.cache = TilingCache()
        self.parsed = False
        self.compile_info: Any = None

    def close(self) -> None:
        close = getattr(self.compile_info, "close", None)
        self.compile_info, self.parsed = None, False
        self.cache.clear()
        if callable(close):
            close()


def platform_of(call: Call) -> Platform:
    chip, limits, options = call.stream.device.chip, call.stream.limits, call.options
    return Platform.of(chip, options.aicore_num or limits.get(0, chip.aic_cores), options.vectorcore_num or limits.get(1, chip.aiv_cores))


def decide(call: Call, loaded: Loaded, *, cached: bool) -> Decision:
    """Runs tiling, or remembers what it said last time."""
    platform = platform_of(call)
    parse = find_tiling_parse(call.impl.op_type)
    if parse is not None and not loaded.parsed:
        call.stages("tiling_parse", _parse, call, loaded, parse, platform)
    dependent = bits(call.impl.inputs_data_dependency | call.impl.tiling_inputs_data_dependency)
    key = _key(call, dependent, platform) if cached and call.options.tiling_cache else None
    found = loaded.cache.get(key) if key is not None else None
    if found is None:
        found = call.stages("tiling", _tile, call, loaded, platform, dependent)
        if key is not None:
            loaded.cache.put(key, found)
    return found


def _parse(call: Call, loaded: Loaded, parse: Any, platform: Platform) -> None:
    info = call.impl.compile_info() if call.impl.compile_info is not None else None
    call.stages.callback("tiling_parse", parse, TilingParseContext(call.node, platform, info, "{}"))
    loaded.compile_info, loaded.parsed = info, True


def _key(call: Call, dependent: frozenset[int], platform: Platform) -> Any:
    node = call.node
    call.place_on_host(dependent)
    values = b"".join(tensor.host.tobytes() for ir in sorted(dependent) for tensor in _tensors(node.inputs, ir) if tensor.host is not None)
    shapes = tuple((each.shape.origin.dims, str(each.dtype), each.format) for each in node.instances(node.inputs))
    present = tuple(len(value) if isinstance(value, list) else value is not None for value in node.inputs)
    if len(values) + sum(8 * len(dims) for dims, _, _ in shapes) > CACHE_KEY_BYTES:
        return None
    shown = call.shown_options
    outputs = tuple(each.shape.origin.dims for each in node.instances(node.outputs))
    return (shapes, present, outputs, values, repr(node.attrs), platform, shown.deterministic, shown.deterministic_level)


def _tensors(values: Any, ir: int) -> list[OpTensor]:
    value = values[ir] if ir < len(values) else None
    return value if isinstance(value, list) else [value] if value is not None else []


def _tile(call: Call, loaded: Loaded, platform: Platform, dependent: frozenset[int]) -> Decision:
    function = find_tiling(call.impl.op_type)
    assert function is not None
    call.place_on_host(dependent)
    tiling = Tiling(TilingData(call.impl.max_tiling_data_size or DEFAULT_TILING_CAPACITY))
    context = TilingContext(call.node, dependent, tiling, platform, loaded.compile_info, ShownOptions(call.options))
    call.stages.callback("tiling", function, context)
    tiling.data = TilingData.of(tiling.data)
    if not 1 <= tiling.num_blocks <= MAX_BLOCKS:
        raise OpError(message=f"tiling set {tiling.num_blocks} blocks; it takes 1 to {MAX_BLOCKS}")
    tiling.workspace_sizes = checked_sizes(tiling.workspace_sizes)  # a list of get_workspace_sizes is filled without a check
    return Decision(tiling, tiling.data.data)


# --- running


def rounded(sizes: list[int]) -> list[int]:
    return [-(-size // ALIGNMENT) * ALIGNMENT for size in sizes]


def run(call: Call, decision: Decision, kernel: Kernel, inits: dict[int, Any], sizes: list[int], given: list[int] | None = None) -> None:
    """Allocates workspaces (or takes those that were given) and launches the kernel."""
    stream, stages, pool = call.stream, call.stages, pool_of(call.stream)
    marked = sorted(bits(call.impl.output_shape_depend_on_compute))
    addresses: list[int] = []
    shapes: list[int] = []

    def take() -> None:
        if given is not None:
            addresses.extend(given)
        else:
            addresses.extend(pool.take(size) for size in sizes)
        if marked:
            shapes.append(pool.take(8 * SHAPE_WORDS * len(marked)))

    try:
        stages("allocate_workspaces", take, sizes=lambda: sizes)
        stages("launch", _launch, call, decision, kernel, inits, addresses, shapes)
        if marked:
            stages("refresh_shapes", _refresh, call, marked, shapes[0])
    finally:
        back = shapes if given is not None else [*addresses, *shapes]
        pool.give(back)
    stages("release_workspaces", lambda: None)
    del stream


def _launch(call: Call, decision: Decision, kernel: Kernel, inits: dict[int, Any], workspaces: list[int], shapes: list[int]) -> None:
    tiling = decision.tiling
    key = _require_key(kernel, tiling.tiling_key)
    asked = request(call.stream.device, kernel, tiling.num_blocks, key, at_once=tiling.schedule_mode == BATCH)
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


def _clear(call: Call, inits: dict[int, Any]) -> None:
    """Outputs with an initial value get it on the stream, before the kernel."""
    for ir, initial in inits.items():
        for tensor in _tensors(call.node.outputs, ir):
            if tensor.buffer is None or tensor.nbytes == 0:
                continue
            content = np.full(tensor.shape.storage.dims, initial, tensor.dtype)
            write_later(call.stream, tensor.address, content)


def _refresh(call: Call, marked: list[int], address: int) -> None:
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
        for tensor in _tensors(call.node.outputs, ir):
            tensor.shape.origin.assign(values[1 : 1 + rank])
            tensor.shape.storage.assign(values[1 : 1 + rank])
            if tensor.buffer is not None:
                tensor.buffer.shape = tuple(values[1 : 1 + rank])


class ArgsBlock:
    """The argument block: slots of 8 bytes, and the data that some of them point to behind them."""

    def __init__(self, op_type: str) -> None:
        self._op_type = op_type
        self.slots: list[int] = []
        self.roles: list[str] = []
        self._data: list[tuple[int, bytes]] = []  # slot, content
        self._inline = b""

    def by_value(self, content: bytes, parameter: Any) -> None:
        """Tiling data that the kernel takes as a struct."""
        if len(content) != parameter.size:
            raise OpError(message=f"tiling data of {self._op_type} has {len(content)} bytes; the kernel's {parameter} has {parameter.size}")
        self._inline = content
        self.roles.append("tiling")

    def slot(self, address: int, role: str) -> None:
        self.slots.append(address)
        self.roles.append(role)

    def data(self, content: bytes, role: str) -> None:
        """A slot that points to data which travels with the block; 0 when there is none."""
        if content:
            self._data.append((len(self.slots), content))
        self.slot(0, role)

    def add(self, value: Any, role: str) -> None:
        if isinstance(value, list):
            self.data(list_descriptor(self._op_type, value), role)
        else:
            self.slot(value.address if value is not None else 0, role)

    def build(self) -> tuple[bytes, list[tuple[int, int]]]:
        host = struct.pack(f"<{len(self.slots)}Q", *self.slots) + self._inline
        placeholders = []
        for slot, content in self._data:
            host += bytes(-len(host) % 32)
            placeholders.append((8 * slot, len(host)))
            host += content
        return host or bytes(8), placeholders


def list_descriptor(op_type: str, tensors: list[OpTensor]) -> bytes:
    """A dynamic parameter as ListTensorDesc reads it: where the pointers are, rank and dims of each tensor, the pointers.

    The reader takes the first rank for all of them.
    """
    ranks = {max(tensor.shape.storage.dim_num, 1) for tensor in tensors}
    if len(ranks) > 1:
        raise OpError(message=f"the tensors of a list of {op_type} have {', '.join(map(str, sorted(ranks)))} dims; a kernel that reads "
                              "them needs the same number for all")  # fmt: skip
    rank = next(iter(ranks), 1)
    words = [8 * (1 + (1 + rank) * len(tensors))]
    for tensor in tensors:
        words += [rank | len(tensors) << 32, *(tensor.shape.storage.dims or (1,))]
    words += [tensor.address for tensor in tensors]
    return struct.pack(f"<{len(words)}Q", *words)
