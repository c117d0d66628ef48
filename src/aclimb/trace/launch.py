# SPDX-License-Identifier: Apache-2.0
"""One launch as the model saw it: its cores, their pipes, their stalls and their slices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from aclimb import _engine
from aclimb.binary.source_lines import user_frame
from aclimb.flow import PIPES, KernelType

if TYPE_CHECKING:
    from aclimb.trace.path import CriticalPath

PIPES_OF = {"AIC": ("S", "M", "MTE1", "MTE2", "MTE3", "FIX"), "AIV": ("S", "V", "MTE2", "MTE3")}
ENTRY, RESULT = _engine.record_dtypes()  # of an instruction as recorded, and as timed
PARTS = tuple(part.name for part in _engine.Part)
Cause = _engine.Cause
EntryKind = _engine.EntryKind
NO_LINK = _engine.NO_LINK


@dataclass(frozen=True, slots=True)
class Site:
    """A line of the kernel; file "" where none is known."""

    file: str = ""
    line: int = 0

    def __str__(self) -> str:
        return f"{self.file.rpartition('/')[2]}:{self.line}" if self.file else ""


@dataclass(frozen=True, slots=True)
class PipeTiming:
    """Picoseconds; the four parts sum to the time of the core."""

    busy: int
    memory: int  # an instruction waits for its data
    flag: int  # waits for a flag, a barrier, room in a queue
    empty: int  # nothing in its queue
    instructions: int
    bytes: int

    @property
    def active(self) -> int:
        return self.busy + self.memory

    @property
    def total(self) -> int:
        return self.busy + self.memory + self.flag + self.empty


@dataclass(frozen=True, slots=True)
class CoreTiming:
    unit: int
    name: str  # "AIV 3": the block's index among cores of this kind
    type: str
    block: int
    sub: int
    slot: int  # which modelled core ran it
    start: int  # picoseconds after the start of the launch
    end: int
    pipes: dict[str, PipeTiming]
    counters: dict[str, int]

    @property
    def time(self) -> int:
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class Stall:
    pipe: str
    kind: str  # memory, flag, empty
    cause: str  # "MTE2_V 0", "PipeBarrier", "queue of V full", "memory", ...
    ps: int  # over all cores
    count: int
    at: Site
    set_by: Site
    core: str = "AIV"  # kind of core

    def __str__(self) -> str:
        what = {"memory": "waits for memory", "empty": "has nothing queued"}.get(self.kind, f"waits for {self.cause}")
        return f"{self.pipe} {what}"


@dataclass
class LaunchTiming:
    """One launch; times in picoseconds unless the name says otherwise."""

    id: int
    kernel: str
    kernel_type: KernelType
    num_blocks: int
    tiling_key: int
    stream: int
    device: int
    start: int
    task: int
    instructions: int
    cut: bool
    timing_only: bool
    failed: bool  # the kernel ended with an error; what it did before is here
    cores: list[CoreTiming]
    stalls: list[Stall]
    _native: _engine.ProfiledLaunch = field(repr=False)
    _images: dict[tuple[str, int], bytes | None] = field(repr=False)
    sub_kernels: list[str] = field(default_factory=list)  # of a fused kernel, by number
    clock: str = "unused"  # what GetSystemCycle said: follows (the model), strays (what it does depends on it), host (this host's clock)
    _sites: dict[tuple[str, int], Site] = field(repr=False, default_factory=dict)

    @property
    def task_us(self) -> float:
        return self.task / 1e6

    def retimed_us(self, moves: Sequence[tuple[int, int, int]]) -> float:
        """How long it would take with instructions moved, each (core, from, before which). From an empty L2: compare it with no moves."""
        return self._native.retimed(list(moves)) / 1e6

    @property
    def core_us(self) -> float:
        """Mean over the cores that ran, each from the start of its first block to the end of its last."""
        return float(np.mean(list(self.core_times().values()))) / 1e6 if self.cores else 0.0

    def core_times(self) -> dict[tuple[str, int], int]:
        """Time of each modelled core: the sum over its blocks."""
        times: dict[tuple[str, int], int] = {}
        for core in self.cores:
            key = (core.type, core.slot)
            times[key] = times.get(key, 0) + core.time
        return times

    def pipe_us(self, pipe: str, part: str = "active") -> float:
        """Mean over modelled cores of the time a pipe was active (busy and waiting for memory), or of one part."""
        mine = [core for core in self.cores if pipe in core.pipes]
        slots = len({(core.type, core.slot) for core in mine})
        return sum(getattr(core.pipes[pipe], part) for core in mine) / slots / 1e6 if slots else 0.0

    def counter(self, name: str) -> int:
        """A counter summed over all cores."""
        return sum(core.counters[name] for core in self.cores)

    def biggest_stalls(self, count: int = 3) -> list[Stall]:
        """The stalls that cost most, without those that only mirror another one."""
        from aclimb.trace.advice import biggest_stalls

        return biggest_stalls(self, count)

    def site(self, core_type: str, offset: int) -> Site:
        key = (core_type, offset)
        if key not in self._sites:
            image = self._images.get((core_type, offset >> 24))
            frame = user_frame(image, offset & 0xFFFFFF) if image and offset else None
            self._sites[key] = Site(frame.file, frame.line) if frame else Site()
        return self._sites[key]

    def slices(self, core: CoreTiming) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """The recorded entries of a core and their times, in the order of issue. Empty when the trace was off."""
        return self._native.slices(core.unit)

    @cached_property
    def bound(self) -> str:
        """What most of the time goes to, in words."""
        from aclimb.trace.advice import bound_of

        return bound_of(self)

    @cached_property
    def critical_path(self) -> CriticalPath | None:
        """The chain that makes the time of the core that ends last; None where the trace is off."""
        from aclimb.trace.path import critical_path

        return critical_path(self)


def read_launches(native: _engine.Profile) -> list[LaunchTiming]:
    return [_read(each, index) for index, each in enumerate(native.launches)]


def _read(raw: _engine.ProfiledLaunch, index: int) -> LaunchTiming:
    launch = LaunchTiming(
        id=index,
        kernel=raw.kernel,
        kernel_type=raw.kernel_type,
        num_blocks=raw.num_blocks,
        tiling_key=raw.tiling_key,
        stream=raw.stream,
        device=raw.device,
        start=raw.start,
        task=raw.task,
        instructions=raw.instructions,
        cut=raw.cut,
        timing_only=raw.timing_only,
        failed=raw.failed,
        cores=[_core(row, raw.kernel_type) for row in raw.cores],
        stalls=[],
        _native=raw,
        _images=raw.images,
        sub_kernels=raw.sub_kernels,
        clock=raw.clock.name,
    )
    launch.stalls = _stalls(launch, raw.stalls)
    return launch


def _core(row: Any, kernel_type: KernelType) -> CoreTiming:
    unit, slot, block, sub, kind, start, end = row.item()[:7]
    name = _engine.CoreType(kind).name
    ratio = kernel_type.task_ration[1] if name == "AIV" else 1
    pipes = {pipe: PipeTiming(*row["pipes"][pipe].item()) for pipe in PIPES_OF[name]}
    counters = dict(zip(row["counters"].dtype.names, row["counters"].item(), strict=True))
    return CoreTiming(unit, f"{name} {block * ratio + sub}", name, block, sub, slot, start, end, pipes, counters)


def _stalls(launch: LaunchTiming, rows: Any) -> list[Stall]:
    """One row for each pipe, cause and line: several calls on one line are one place to look at."""
    sums: dict[tuple[str, str, str, Site, Site, str], list[int]] = {}
    for pipe, part, cause, core_type, what, site, set_site, total, count in rows.tolist():
        core = _engine.CoreType(core_type).name
        setter = core if cause not in (Cause.cross, Cause.message) else "AIC" if what & _engine.BY_AIC else "AIV"
        set_by = launch.site(setter, set_site) if set_site else Site()
        key = (PIPES[pipe], _engine.Part(part).name, _cause(cause, what), launch.site(core, site), set_by, core)
        sums.setdefault(key, [0, 0])
        sums[key][0] += total
        sums[key][1] += count
    stalls = [Stall(pipe, kind, cause, ps, count, at, set_by, core) for (pipe, kind, cause, at, set_by, core), (ps, count) in sums.items()]
    return sorted(stalls, key=lambda each: (-each.ps, each.pipe, each.cause, str(each.at)))


def _cause(cause: int, what: int) -> str:
    if cause == Cause.flag and what:
        return f"{PIPES[what >> 8 & 15]}_{PIPES[what >> 4 & 15]} {what & 15}"
    if cause == Cause.queue_full:
        return f"queue of {PIPES[what]} full"
    if cause == Cause.cross:
        return f"cross-core flag {what & 15}"
    if cause == Cause.message:
        return "AIC's answer to a Matmul call" if what & _engine.BY_AIC else "Matmul call of an AIV"
    return {Cause.barrier: "PipeBarrier", Cause.sync: "synchronisation", Cause.dependency: "result of the vector instruction before",
            Cause.empty: "nothing queued", Cause.memory: "memory", Cause.flag: "order"}[Cause(cause)]  # fmt: skip
