# SPDX-License-Identifier: Apache-2.0
"""Tiling runs, or is remembered: what it decided for a call."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from aclimb.op.call import OpCall, bits
from aclimb.op.declare.impl import DEFAULT_IMPL, DEFAULT_TILING_CAPACITY
from aclimb.op.declare.space import find_tiling, find_tiling_parse
from aclimb.op.node.node import tensors_at
from aclimb.op.options import ShownOptions
from aclimb.op.status import OpError
from aclimb.op.tiling.contexts import Platform, Tiling, TilingContext, TilingParseContext
from aclimb.op.tiling.data import TilingData
from aclimb.op.workspace import checked_sizes
from aclimb.runtime.requests import MAX_BLOCKS

CACHE_ENTRIES, CACHE_DROPS, CACHE_KEY_BYTES = 120, 8, 8192


@dataclass
class TilingDecision:
    """What tiling said, in a form that can be kept."""

    tiling: Tiling
    data: bytes


class TilingCache:
    """Decisions by the shapes and values they were made for; the least recently used leave, eight at a time."""

    def __init__(self) -> None:
        self._entries: OrderedDict[Any, TilingDecision] = OrderedDict()

    def get(self, key: Any) -> TilingDecision | None:
        found = self._entries.get(key)
        if found is not None:
            self._entries.move_to_end(key)
        return found

    def put(self, key: Any, decision: TilingDecision) -> None:
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


def platform_of(call: OpCall) -> Platform:
    (aic, aiv), options = call.stream.cores, call.options
    return Platform.of(call.stream.device.chip, options.aicore_num or aic, options.vectorcore_num or aiv)


def decide(call: OpCall, loaded: Loaded, *, cached: bool) -> TilingDecision:
    """Runs tiling, or remembers what it said last time."""
    platform = platform_of(call)
    if not loaded.parsed and (parse := call.impl.tiling_parse or find_tiling_parse(DEFAULT_IMPL)) is not None:
        call.stages("tiling_parse", _parse, call, loaded, parse, platform)
    dependent = bits(call.impl.inputs_data_dependency | call.impl.tiling_inputs_data_dependency)
    key = _key(call, dependent, platform) if cached and call.options.tiling_cache else None
    found = loaded.cache.get(key) if key is not None else None
    if found is None:
        found = call.stages("tiling", _tile, call, loaded, platform, dependent)
        if key is not None:
            loaded.cache.put(key, found)
    return found


def _parse(call: OpCall, loaded: Loaded, parse: Any, platform: Platform) -> None:
    info = call.impl.compile_info() if call.impl.compile_info is not None else None
    call.stages.callback("tiling_parse", parse, TilingParseContext(call.node, platform, info, "{}"))
    loaded.compile_info, loaded.parsed = info, True


def _key(call: OpCall, dependent: frozenset[int], platform: Platform) -> Any:
    node = call.node
    call.place_on_host(dependent)
    values = b"".join(
        tensor.host.tobytes() for ir in sorted(dependent) for tensor in tensors_at(node.inputs, ir) if tensor.host is not None
    )
    shapes = tuple((each.shape.origin.dims, str(each.dtype), each.format) for each in node.instances(node.inputs))
    present = tuple(len(value) if isinstance(value, list) else value is not None for value in node.inputs)
    if len(values) + sum(8 * len(dims) for dims, _, _ in shapes) > CACHE_KEY_BYTES:
        return None
    shown = call.shown_options
    outputs = tuple(each.shape.origin.dims for each in node.instances(node.outputs))
    return (
        shapes,
        present,
        node.counts_absent,
        outputs,
        values,
        repr(node.attrs),
        platform,
        shown.deterministic,
        shown.deterministic_level,
    )


def _tile(call: OpCall, loaded: Loaded, platform: Platform, dependent: frozenset[int]) -> TilingDecision:
    function = call.impl.tiling or find_tiling(DEFAULT_IMPL)
    assert function is not None
    call.place_on_host(dependent)
    tiling = Tiling(TilingData(call.impl.max_tiling_data_size or DEFAULT_TILING_CAPACITY))
    context = TilingContext(call.node, dependent, tiling, platform, loaded.compile_info, ShownOptions(call.options))
    call.stages.callback("tiling", function, context)
    tiling.data = TilingData.of(tiling.data)
    if not 1 <= tiling.num_blocks <= MAX_BLOCKS:
        raise OpError(message=f"tiling set {tiling.num_blocks} blocks; it takes 1 to {MAX_BLOCKS}")
    tiling.workspace_sizes = checked_sizes(tiling.workspace_sizes)  # a list of get_workspace_sizes is filled without a check
    return TilingDecision(tiling, tiling.data.data)
