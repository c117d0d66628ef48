# SPDX-License-Identifier: Apache-2.0
"""super_kernel("decode"): a range of launches that is to become one. In a capture, or around launches on a stream."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Literal

from aclimb import chips
from aclimb.binary import KernelBinary
from aclimb.errors import FuseError, InvalidArgument
from aclimb.fuse import rules
from aclimb.fuse.fuse import fuse, plan_of
from aclimb.fuse.member import Member
from aclimb.fuse.options import FuseOptions
from aclimb.runtime import Kernel, Stream, capturing
from aclimb.runtime.captured import CapturedLaunch, Decision
from aclimb.runtime.graph import Graph
from aclimb.runtime.kernel import Images

_log = logging.getLogger("aclimb")
_thread = threading.local()
_loaded: OrderedDict[int, Kernel] = OrderedDict()  # by id of the binary, which the kernel keeps alive
_lock = threading.Lock()
_KEPT = 64


@dataclass(frozen=True, slots=True)
class Scope:
    name: str  # "" for "do not fuse"
    options: FuseOptions


class super_kernel:  # noqa: N801 - the name that programs know
    """`with super_kernel("decode", "early-start=1"):` marks the launches inside, to be fused when the capture ends.

    Scopes nest, and the inner name wins; None means "do not fuse". Equal names mean one scope, whose options are those of its first launch.
    Outside a capture give the stream: its launches are then fused and run when the block ends.
    """

    def __init__(self, scope: str | None, options: FuseOptions | str = "", *, stream: Stream | None = None) -> None:
        if scope is not None and (not isinstance(scope, str) or not scope.strip()):
            raise InvalidArgument(f"the name of a scope is {scope!r}; it takes a text, or None for what is not to be fused")
        if scope is not None and len(scope.encode()) > 255:
            raise InvalidArgument(f"the name of a scope has {len(scope.encode())} bytes; it takes at most 255")
        self._scope = Scope(scope or "", FuseOptions.of(options or None))
        self._stream = stream
        self._own: Graph | None = None
        self.graph: Graph | None = None  # what was recorded, with its report

    def __enter__(self) -> super_kernel:
        captured = self._stream.graph if self._stream is not None else capturing.active()
        self._own = capturing.begin(self._stream) if self._stream is not None and captured is None else None
        self.graph = captured if captured is not None else self._own
        if self.graph is None:
            raise InvalidArgument("super_kernel is used outside a capture; write `with stream.capture():` around it, or give stream=...")
        _stack().append(self._scope)
        _mark(self.graph)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> Literal[False]:
        _stack().pop()
        assert self.graph is not None
        if self._own is None:
            _mark(self.graph)
        elif kind is not None:
            capturing.abandon(self._own)
        else:
            assert self._stream is not None
            capturing.end(self._stream).launch(self._stream)
        return False


def _stack() -> list[Scope]:
    if not hasattr(_thread, "scopes"):
        _thread.scopes = []
    scopes: list[Scope] = _thread.scopes
    return scopes


def _mark(recording: Graph) -> None:
    recording.marks.append((len(recording.native), _stack()[-1] if _stack() else None))
    if fuse_scopes not in recording.finishers:
        recording.finishers.append(fuse_scopes)


# --- when the capture has ended


def fuse_scopes(recording: Graph) -> None:
    """Every scope of the graph becomes one launch, or several where something in between cannot be fused."""
    launches = recording.launches
    scopes = [_scope_at(recording, index) for index in range(len(launches))]
    decisions: dict[int, Decision] = {}
    pieces: list[tuple[int, int, str, FuseOptions]] = []
    for name in dict.fromkeys(scope.name for scope in scopes if scope is not None and scope.name):
        pieces += _pieces(name, launches, scopes, recording, decisions)
    for begin, end, name, options in sorted(pieces, reverse=True):
        _fuse_piece(recording, begin, end, name, options, decisions)
    for index, launch in enumerate(launches):
        scope = scopes[index]
        if index not in decisions:
            reason = (
                ("IN_UNFUSIBLE_SCOPE", "it stands in super_kernel(None)")
                if scope is not None
                else ("NOT_IN_SCOPE", "it stands in no scope")
            )
            decisions[index] = Decision(index, launch.name, "", "", *reason)
    recording.report = tuple(decisions[index] for index in sorted(decisions))


def _scope_at(recording: Graph, index: int) -> Scope | None:
    found: Scope | None = None
    for start, scope in recording.marks:
        if start <= index:
            found = scope
    return found


def _pieces(
    name: str, launches: tuple[CapturedLaunch, ...], scopes: list[Scope | None], recording: Graph, decisions: dict[int, Decision]
) -> list[tuple[int, int, str, FuseOptions]]:
    inside = [index for index, scope in enumerate(scopes) if scope is not None and scope.name == name]
    first = scopes[inside[0]]
    assert first is not None
    options, chip = first.options, recording.device.chip
    whole = range(inside[0], inside[-1] + 1)
    walls = {move.before: move.kind for move in recording.moves if whole.start < move.before < whole.stop}
    reasons = {index: _unfusible(launches[index], launches[inside[0]], chip) for index in inside}
    unfusible = {index: reason for index, reason in reasons.items() if reason is not None}
    others = {
        index: ("NOT_IN_SCOPE", f"{launches[index].name} stands between the launches of {name}") for index in whole if index not in inside
    }
    while alone := _made_for_one_aiv(launches, whole, {**unfusible, **others}, walls):  # one that is left out changes what the rest becomes
        unfusible |= alone
    decisions |= {index: Decision(index, launches[index].name, name, "", *reason) for index, reason in unfusible.items()}
    moved = {index: ("OP_UNSUPPORT", f"a {kind} stands before it") for index, kind in walls.items()}
    cuts = dict(sorted({**moved, **unfusible, **others}.items()))
    if cuts and options.strict_scope_check:
        index, (why, text) = next(iter(cuts.items()))
        sentence = f"scope {name!r} cannot be fused as one: launch {index}, {launches[index].name}: {why}: {text}"
        if options.strict_scope_check == "abort":
            raise FuseError(sentence)
        _log.warning("%s; strict-scope-check=bypass leaves all of it alone", sentence)
        for each in inside:
            decisions.setdefault(each, Decision(each, launches[each].name, name, "", "SCOPE_FUSE_PART", "strict-scope-check=bypass"))
        return []
    stretches = _between(whole, {**unfusible, **others}, walls)
    return [(start, stop, name if not cuts else f"{name}_split_{start}_{stop - 1}", options) for start, stop in stretches]


def _between(whole: range, left_out: Collection[int], walls: Collection[int]) -> Iterator[tuple[int, int]]:
    """The stretches of launches without those that are left out, and without a wall before any but the first."""
    start = whole.start
    for index in range(whole.start, whole.stop + 1):
        if index == whole.stop or index in left_out or index in walls:
            if index > start:
                yield start, index
            start = index + (index in left_out)


def _made_for_one_aiv(
    launches: tuple[CapturedLaunch, ...], whole: range, left_out: Collection[int], walls: Collection[int]
) -> dict[int, tuple[str, str]]:
    found: dict[int, tuple[str, str]] = {}
    for start, stop in _between(whole, left_out, walls):
        found |= _need_one_aiv({index: launches[index] for index in range(start, stop)})
    return found


def _unfusible(launch: CapturedLaunch, first: CapturedLaunch, chip: chips.Chip) -> tuple[str, str] | None:
    if launch.kernel is None:
        return "KERNEL_ATTR_GET_FAILED", "its kernel is not known any more"
    if launch.in_device_memory:
        return "OP_UNSUPPORT", "its arguments lie in device memory and are read when it runs"
    if launch.workspace != first.workspace:
        return "OP_UNSUPPORT", "its system workspace is another one"
    info = launch.kernel.info
    if launch.kernel.binary.plan is not None:
        return "OP_UNSUPPORT", "it is a SuperKernel already"
    if info.raw_block_index:
        return "OP_UNSUPPORT", "it uses block_idx, get_block_idx or get_block_num"
    aics, aivs = rules.cores_needed(info.type_for(launch.tiling_key), launch.num_blocks)
    if aics > chip.aic_cores or aivs > chip.aiv_cores:
        return "EXCEED_CORE_MAX", f"it needs {aics} AICs and {aivs} AIVs; {chip.name} has {chip.aic_cores} and {chip.aiv_cores}"
    return None


def _need_one_aiv(launches: dict[int, CapturedLaunch]) -> dict[int, tuple[str, str]]:
    """Those that a SuperKernel of all these launches would run on two AIVs a block, and that were written for one."""
    needs = {}
    for index, launch in launches.items():
        assert launch.kernel is not None
        needs[index] = launch.kernel.info.type_for(launch.tiling_key), launch.num_blocks, launch.kernel.info.expects_one_aiv
    if not needs:
        return {}
    merged, _ = rules.merged_type([(kind, blocks) for kind, blocks, _ in needs.values()])
    reason = "OP_UNSUPPORT", "it is MIX 1:1 and made for one AIV a block, and the SuperKernel would be MIX 1:2"
    return {index: reason for index, (kind, _, expects) in needs.items() if expects and rules.is_doubled(kind, merged)}


def _fuse_piece(recording: Graph, begin: int, end: int, name: str, options: FuseOptions, decisions: dict[int, Decision]) -> None:
    launches = recording.launches[begin:end]
    scope = name.partition("_split_")[0]
    if len(launches) == 1:
        text = "it would be alone in its SuperKernel"
        decisions[begin] = Decision(begin, launches[0].name, scope, "", "SCOPE_FUSE_PART", text)
        return
    members = _members(recording, begin, launches, options)
    binary = fuse(members, options, name=name)
    plan = plan_of(binary)
    kernel = loaded(binary)
    args = bytearray(kernel.info.args_size)
    offsets = [sub.args_offset for sub in plan.subs]
    for launch, sub in zip(launches, plan.subs, strict=True):
        size = sub.info.args_size
        args[sub.args_offset : sub.args_offset + size] = launch.args[:size]
    recording.fuse(begin, end, kernel, offsets, bytes(args))
    for index, launch in enumerate(launches, begin):
        decisions[index] = Decision(index, launch.name, scope, plan.name, "", f"member {index - begin} of {len(launches)}")


def _members(recording: Graph, begin: int, launches: tuple[CapturedLaunch, ...], options: FuseOptions) -> list[Member]:
    """In one stream they simply follow each other. For two, events say what comes behind what."""
    streams = list(dict.fromkeys(launch.stream for launch in launches))
    sends: dict[int, list[int]] = {}
    receives: dict[int, list[int]] = {}
    if options.stream_fusion and len(streams) == 2:
        for event, each in enumerate(recording.crossings):
            behind, before = each.behind.launches - begin, each.before.launches - begin
            sender = max((i for i, launch in enumerate(launches) if i < behind and launch.stream == each.source), default=None)
            receiver = min((i for i, launch in enumerate(launches) if i >= before and launch.stream == each.target), default=None)
            if sender is not None and receiver is not None and each.source != each.target:
                sends.setdefault(sender, []).append(event)
                receives.setdefault(receiver, []).append(event)
    else:
        streams = []
    members = []
    for index, launch in enumerate(launches):
        assert launch.kernel is not None
        stream = streams.index(launch.stream) if streams else -1
        members.append(Member(launch.kernel.binary, launch.num_blocks, launch.kernel.info.name, tiling_key=launch.tiling_key, stream=stream,
                              sends=tuple(sends.get(index, ())), receives=tuple(receives.get(index, ()))))  # fmt: skip
    return members


def loaded(binary: KernelBinary) -> Kernel:
    """The kernel of a fused binary, mapped once."""
    with _lock:
        found = _loaded.get(id(binary))
        if found is None or found.binary is not binary:
            found = _loaded[id(binary)] = Kernel.of(binary, Images(binary), binary.kernels[0], None)
            while len(_loaded) > _KEPT:
                _loaded.popitem(last=False)
        _loaded.move_to_end(id(binary))
    return found
