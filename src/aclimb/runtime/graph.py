# SPDX-License-Identifier: Apache-2.0
"""Captured work: `with stream.capture() as graph:` records what would run, `graph.launch(stream)` runs it, as often as asked."""

from __future__ import annotations

import itertools
import threading
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from aclimb import _engine, engine
from aclimb.errors import InvalidArgument, Refused
from aclimb.runtime import guard
from aclimb.runtime.captured import CapturedLaunch, CapturedMove, Crossing, Decision, Mark, unjoined

if TYPE_CHECKING:
    from aclimb.runtime.kernel import Kernel
    from aclimb.runtime.stream import Stream

CAPTURING, OTHER_KIND = 107027, 107040  # codes of the runtime, for those who ask for numbers

KERNELS: weakref.WeakValueDictionary[int, Kernel] = weakref.WeakValueDictionary()  # by the engine's number
_numbers = itertools.count()


@dataclass(frozen=True, slots=True)
class _Where:
    """Where a recorded launch is now: position, first byte of its arguments, whether it is fused with others."""

    position: int
    offset: int
    fused: bool


class Graph:
    """Launches recorded on a stream, with a copy of their argument bytes. Buffers that they use live as long as the graph."""

    def __init__(self, stream: Stream) -> None:
        self.native = _engine.Capture()
        self.device = stream.device
        self.origin = stream
        self.thread = threading.get_ident()
        self.number = next(_numbers)
        self.streams: list[Stream] = [stream]
        self.marks: list[tuple[int, Any]] = []  # from this launch on, that scope
        self.finishers: list[Callable[[Graph], None]] = []
        self.crossings: list[Crossing] = []
        self.report: tuple[Decision, ...] = ()
        self._is_destroyed = False
        self.is_capturing = True
        self.any_thread = False  # may end it
        self._held: list[Any] = []
        self._moves: list[CapturedMove] = []
        self._where: list[_Where] = []
        self._listed: tuple[CapturedLaunch, ...] = ()

    # --- recording

    def hold(self, *objects: Any) -> None:
        """Keeps them alive as long as the graph."""
        self._held += objects

    def join(self, stream: Stream) -> None:
        stream.graph = self
        stream.native.set_capture(self.native)
        if stream not in self.streams:
            self.streams.append(stream)

    def leave(self) -> None:
        """No stream records any more."""
        for stream in self.streams:
            stream.native.set_capture(None)
            stream.graph = None
        self.is_capturing = False

    def add(self, kind: str, size: int, stream: Stream, queue: Callable[[Stream], None]) -> None:
        """A copy or fill, to be queued by each replay."""
        self._moves.append(CapturedMove(kind, size, len(self.native), stream.native.number, queue))

    @property
    def mark(self) -> Mark:
        """Behind everything that was recorded so far."""
        return Mark(len(self.native), len(self.native) + len(self._moves))

    @property
    def in_order(self) -> list[CapturedLaunch | CapturedMove]:
        """Launches and moves as they were recorded."""
        found: list[CapturedLaunch | CapturedMove] = list(self.launches)
        for move in reversed(self._moves):
            found.insert(move.before, move)
        return found

    def unjoined(self) -> int:
        tasks = self.native.streams()
        for move in reversed(self._moves):
            tasks.insert(move.before, move.stream)
        return unjoined(self.origin.native.number, [each.native.number for each in self.streams], tasks, self.crossings)

    def finish(self) -> None:
        self._listed = tuple(self._list())
        self._where = [_Where(index, 0, False) for index in range(len(self._listed))]
        self.hold(*(each.kernel for each in self._listed))
        for finish in self.finishers:
            finish(self)

    def _list(self) -> Iterator[CapturedLaunch]:
        for each, stream in zip(self.native.launches(), self.native.streams(), strict=True):
            yield CapturedLaunch(
                each.name, KERNELS.get(each.kernel), each.num_blocks, each.tiling_key or None, each.args, bool(each.args_at),
                each.workspace, stream, each,
            )  # fmt: skip

    # --- afterwards

    @property
    def launches(self) -> tuple[CapturedLaunch, ...]:
        """In the order they were recorded."""
        return self._listed if not self.is_capturing else tuple(self._list())

    def __len__(self) -> int:
        return len(self.launches)

    @property
    def moves(self) -> tuple[CapturedMove, ...]:
        """Copies and fills, in the order they were recorded."""
        return tuple(self._moves)

    @property
    def tasks(self) -> int:
        """How many tasks a replay queues: fewer than were recorded, where launches were fused."""
        return len(self.native) + len(self._moves)

    def launch(self, stream: Stream) -> None:
        """Queues everything that was recorded, in that order."""
        engine.require_own_process()
        guard.require_device_work("launch a graph")
        self.require_ready()
        if stream.device is not self.device:
            raise InvalidArgument(f"the graph was captured on {self.device}; the stream is of {stream.device}")
        done = 0
        for move in self._moves:
            position = self._where[move.before].position if move.before < len(self._where) else len(self.native)
            self._replay(stream, done, position)
            move.queue(stream)
            done = position
        self._replay(stream, done, len(self.native))

    def _replay(self, stream: Stream, begin: int, end: int) -> None:
        if self.native.replay(stream.native, begin, end) is not None:
            raise InvalidArgument("the context of the stream has stopped")

    def require_ready(self) -> None:
        if self.is_capturing:
            raise Refused(CAPTURING, "the graph is still being captured; leave the `with` block first")
        if self._is_destroyed:
            raise InvalidArgument("the graph was destroyed; capture it again")

    def fuse(self, begin: int, end: int, kernel: Kernel, offsets: list[int], args: bytes) -> None:
        """Recorded launches [begin, end) become one launch of a kernel that runs them all."""
        from aclimb.runtime.requests import request

        plan = kernel.binary.plan
        assert plan is not None
        first, last = self._where[begin].position, self._where[end - 1].position
        self.native.replace(first, last + 1, request(self.device, kernel, plan.num_blocks).with_args(args))
        self.hold(kernel)
        for index in range(begin, end):
            self._where[index] = _Where(first, offsets[index - begin], True)
        for index in range(end, len(self._where)):
            old = self._where[index]
            self._where[index] = _Where(old.position - (last - first), old.offset, old.fused)

    def update(self, index: int, config: Any, kernel: Kernel, *args: Any) -> None:
        """Gives launch `index` new arguments, and where it is not fused also another block count or another kernel of the same kind."""
        self.require_ready()
        if not 0 <= index < len(self._listed):
            raise InvalidArgument(f"launch {index} does not exist; the graph has {len(self._listed)}")
        self.replace(index, recorded(self.device, config, kernel, args))
        self.hold(kernel, *args)

    def replace(self, index: int, new: CapturedLaunch) -> None:
        """As update, with a launch that was recorded elsewhere. Nothing changes when it is refused."""
        old, where = self._listed[index], self._where[index]
        require_same_kind(index, old, new)
        if new.kernel is None:
            raise Refused(OTHER_KIND, f"{new.name} is gone; keep its Kernel")
        if not where.fused:
            self.native.replace(where.position, where.position + 1, new.request)
        else:
            if (new.kernel.info, new.num_blocks, new.tiling_key) != (
                old.kernel.info if old.kernel else None,
                old.num_blocks,
                old.tiling_key,
            ):
                raise Refused(OTHER_KIND, f"launch {index}, {old.name}, is part of a SuperKernel: only its arguments can change")
            fused = self.native.launches()[where.position]
            args = bytearray(fused.args)
            size = new.kernel.info.args_size
            args[where.offset : where.offset + size] = new.args[:size]
            self.native.replace(where.position, where.position + 1, fused.with_args(bytes(args)))
        self.hold(new.kernel)
        self._listed = (*self._listed[:index], new, *self._listed[index + 1 :])

    def destroy(self) -> None:
        """Lets go of the launches and of what they use."""
        self._is_destroyed = True
        self.native.clear()
        self._held.clear()
        self._moves.clear()
        self._listed, self._where = (), []

    def __repr__(self) -> str:
        return f"<Graph of {len(self)} launches in {self.tasks} tasks on {self.device}>"


def require_same_kind(index: int, old: CapturedLaunch, new: CapturedLaunch) -> None:
    kinds = [each.kernel.info.type_for(each.tiling_key) if each.kernel else None for each in (old, new)]
    if kinds[0] != kinds[1] or new.in_device_memory != old.in_device_memory:
        names = [kind.name if kind is not None else "unknown" for kind in kinds]
        raise Refused(OTHER_KIND, f"launch {index} is {old.name}, a {names[0]} kernel; {new.name}, {names[1]}, cannot take its place")


def recorded(device: Any, config: Any, kernel: Kernel, args: tuple[Any, ...]) -> CapturedLaunch:
    """What a launch would record."""
    from aclimb.runtime.launch import launch
    from aclimb.runtime.stream import Stream

    with Stream(device).capture() as graph:
        launch(graph.origin, config, kernel, *args)
    return graph.launches[0]
