# SPDX-License-Identifier: Apache-2.0
"""One launch as the model saw it: its cores, their pipes, their stalls and their slices."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from aclimb import _engine
from aclimb.binary.source_lines import user_frame
from aclimb.compile.headers import include_dir
from aclimb.flow import KernelType

PIPES = ("S", "V", "M", "MTE1", "MTE2", "MTE3", "FIX")
PIPES_OF = {"AIC": ("S", "M", "MTE1", "MTE2", "MTE3", "FIX"), "AIV": ("S", "V", "MTE2", "MTE3")}
PARTS = ("busy", "memory", "flag", "empty")
ENTRY = np.dtype(
    [("addr", "u8"), ("stride", "i8"), ("site", "u4"), ("a", "u4"), ("b", "u4"), ("c", "u4"), ("op", "u1"), ("pipe", "u1"),
     ("kind", "u1"), ("info", "u1"), ("path", "u1"), ("reserved", "u1", 3)]
)  # fmt: skip
RESULT = np.dtype([("start", "i8"), ("free", "u4"), ("done", "u4"), ("waits", "u4"), ("link", "u4")])
NO_LINK = 0xFFFFFFFF
_BY_AIC = 1 << 16  # who set a flag between cores


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
    _native: _engine.Profile = field(repr=False)
    _images: dict[tuple[str, int], bytes | None] = field(repr=False)
    sub_kernels: list[str] = field(default_factory=list)  # of a fused kernel, by number
    _has_slices: bool = field(repr=False, default=True)
    _sites: dict[tuple[str, int], Site] = field(repr=False, default_factory=dict)

    @property
    def task_us(self) -> float:
        return self.task / 1e6

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
            frame = user_frame(image, offset & 0xFFFFFF, include_dir()) if image and offset else None
            self._sites[key] = Site(frame.file, frame.line) if frame else Site()
        return self._sites[key]

    def slices(self, core: CoreTiming) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """The recorded entries of a core and their times, in the order of issue. Empty when the trace was off."""
        if not self._has_slices:
            return np.zeros(0, ENTRY), np.zeros(0, RESULT)
        entries, results = self._native.slices(self.id, core.unit)
        return np.frombuffer(entries, ENTRY), np.frombuffer(results, RESULT)

    @cached_property
    def bound(self) -> str:
        """What most of the time goes to, in words."""
        from aclimb.trace.advice import bound_of

        return bound_of(self)


def read_launches(native: _engine.Profile, has_slices: bool) -> list[LaunchTiming]:
    return [_read(native, index, has_slices) for index in range(native.launches)]


_PLAIN = ("num_blocks", "tiling_key", "stream", "device", "start", "task", "instructions", "cut", "timing_only", "failed")


def _read(native: _engine.Profile, index: int, has_slices: bool) -> LaunchTiming:
    raw = native.launch(index)
    kernel_type = KernelType(raw["kernel_type"])
    launch = LaunchTiming(
        id=index,
        kernel=raw["kernel"],
        kernel_type=kernel_type,
        **{key: raw[key] for key in _PLAIN},
        cores=[_core(each, kernel_type) for each in raw["cores"]],
        stalls=[],
        _native=native,
        _images=raw["images"],
        sub_kernels=raw["sub_kernels"],
        _has_slices=has_slices,
    )
    launch.stalls = _stalls(launch, raw["stalls"])
    return launch


def _core(raw: dict[str, Any], kernel_type: KernelType) -> CoreTiming:
    ratio = kernel_type.task_ration[1] if raw["type"] == "AIV" else 1
    pipes = {name: PipeTiming(*(raw["pipes"][name][part] for part in (*PARTS, "instructions", "bytes"))) for name in PIPES_OF[raw["type"]]}
    name = f"{raw['type']} {raw['block'] * ratio + raw['sub']}"
    return CoreTiming(
        raw["unit"], name, raw["type"], raw["block"], raw["sub"], raw["slot"], raw["start"], raw["end"], pipes, raw["counters"]
    )


def _stalls(launch: LaunchTiming, rows: list[dict[str, Any]]) -> list[Stall]:
    """One row for each pipe, cause and line: several calls on one line are one place to look at."""
    sums: dict[tuple[str, str, str, Site, Site, str], list[int]] = {}
    for row in rows:
        at = launch.site(row["type"], row["site"])
        setter = row["type"] if row["cause"] != "cross" else "AIC" if row["what"] & _BY_AIC else "AIV"
        set_by = launch.site(setter, row["set_site"]) if row["set_site"] else Site()
        total = sums.setdefault((row["pipe"], row["part"], _cause(row), at, set_by, row["type"]), [0, 0])
        total[0] += row["ps"]
        total[1] += row["count"]
    stalls = [Stall(pipe, kind, cause, ps, count, at, set_by, core) for (pipe, kind, cause, at, set_by, core), (ps, count) in sums.items()]
    return sorted(stalls, key=lambda each: (-each.ps, each.pipe, each.cause, str(each.at)))


def _cause(row: dict[str, Any]) -> str:
    what = row["what"]
    if row["cause"] == "flag" and what:
        return f"{PIPES[what >> 8 & 15]}_{PIPES[what >> 4 & 15]} {what & 15}"
    if row["cause"] == "queue_full":
        return f"queue of {PIPES[what]} full"
    if row["cause"] == "cross":
        return f"cross-core flag {what & 15}"
    return {"barrier": "PipeBarrier", "sync": "synchronisation", "dependency": "result of the vector instruction before",
            "empty": "nothing queued", "memory": "memory", "flag": "order"}[row["cause"]]  # fmt: skip
