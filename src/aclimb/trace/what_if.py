# SPDX-License-Identifier: Apache-2.0
"""Advice that was tried: each change that could help is made to the recording, timed again by the model, and given with what it gains.

A change is tried where the launch could use it and does not have it yet. What gains less than 3 percent is not given.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from aclimb.flow import PIPES
from aclimb.trace.launch import EntryKind, LaunchTiming, Site

if TYPE_CHECKING:
    from aclimb.trace.profiling import Profile

LEAST = 1.03
MOST_INSTRUCTIONS = 3_000_000  # of one try; a longer recording is not tried
LARGE_COPY, LARGER = 16 * 1024, 4
LINE = 512
_PER_COPY = ("mte_issue", "hbm_s0", "gm_rd_lat_miss_ns", "gm_rd_lat_hit_ns", "gm_wr_lat_ns", "flag_handover", "flag_issue", "api_issue")
_PER_CALL = ("api_issue", "flag_issue", "scalar_cycle", "matmul_step", "matmul_copy")
_FREES = {("V", "MTE2"), ("MTE3", "V"), ("MTE3", "MTE2"), ("MTE1", "MTE2"), ("M", "MTE1"), ("FIX", "M")}  # source and target
# bits of TapeEntry::info
_WRITES, _PAST_L2, _ND2NZ = 1, 2, 4


@dataclass(frozen=True, slots=True)
class Advice:
    what: str  # a short name that stays
    text: str
    gain: float  # the task takes so many times as long without it
    at: Site = field(default_factory=Site)

    def __str__(self) -> str:
        return f"{self.text}: about {self.gain:.1f} times" if self.gain >= 1.1 else f"{self.text}: about {self.gain - 1:.0%} faster"


@dataclass(frozen=True)
class _Change:
    what: str
    text: str
    options: Mapping[str, Any] = field(default_factory=dict)
    set: Mapping[str, float] = field(default_factory=dict)
    at: Site = field(default_factory=Site)


def advice_of(profile: Profile, launch: LaunchTiming) -> list[Advice]:
    """What to change, the largest gain first. Empty where the trace is off, or nothing would help."""
    if not profile.trace or profile.sampled or not launch.cores or launch.failed or launch.instructions > MOST_INSTRUCTIONS:
        return []
    seen = _Seen(profile, launch)
    found = [Advice(each.what, each.text, gain, each.at) for each in _changes(seen) if (gain := seen.gain(each)) >= LEAST]
    return sorted(found, key=lambda each: -each.gain)


class _Seen:
    """What a launch does already."""

    def __init__(self, profile: Profile, launch: LaunchTiming) -> None:
        self.profile, self.launch = profile, launch
        self.value = {name: row.value for name, row in profile.model.parameters.items()}
        self.warm = any(each.kernel == launch.kernel for each in profile.launches[: launch.id])
        kinds = [kind for kind in ("AIC", "AIV") if any(core.type == kind for core in launch.cores)]
        longest = {kind: max(core.time for core in launch.cores if core.type == kind) for kind in kinds}
        self.kind = max(longest, key=lambda kind: longest[kind] * _activity(launch, kind))  # of the cores that hold the others up
        self.core = max((core for core in launch.cores if core.type == self.kind), key=lambda core: core.time)
        self.entries, self.results = launch.slices(self.core)

    # --- times

    @cached_property
    def now(self) -> float:
        return self._task(None)

    def _task(self, change: _Change | None) -> float:
        options = dict(change.options) if change else {}
        copies = options.get("copies", 1)
        task, core, head = self.launch._native.what_if(dict(change.set) if change else {}, warm=self.warm, **options)
        if copies == 1:
            return float(task)
        started = self.value["dispatch_ns"] * 1e3 * (self.launch.num_blocks * copies - 1)
        return float(head + started + core / copies)  # the same work by more cores: each has a part of it

    def gain(self, change: _Change) -> float:
        if self.launch.instructions * change.options.get("copies", 1) > MOST_INSTRUCTIONS:
            return 1.0
        return self.now / self._task(change)

    # --- what is there

    @cached_property
    def together(self) -> int:
        """Blocks that run at once on this chip."""
        aics, aivs = self.launch.kernel_type.task_ration
        chip = self.profile.chip
        return min(there // needed for there, needed in ((chip.aic_cores, aics), (chip.aiv_cores, aivs)) if needed)

    def of_kind(self, *kinds: EntryKind) -> np.ndarray[Any, Any]:
        found: np.ndarray[Any, Any] = self.entries[np.isin(self.entries["kind"], kinds)]
        return found

    @cached_property
    def moves(self) -> np.ndarray[Any, Any]:
        return self.of_kind(EntryKind.move)

    @cached_property
    def reads(self) -> np.ndarray[Any, Any]:
        found: np.ndarray[Any, Any] = self.moves[self.moves["info"] & _WRITES == 0]
        return found

    @cached_property
    def frees(self) -> dict[tuple[str, str], set[int]]:
        """Ids of the flags that say a buffer is free, by their pipes."""
        found: dict[tuple[str, str], set[int]] = {}
        for code in np.unique(self.of_kind(EntryKind.wait_flag)["a"]).tolist():
            pipes = PIPES[code >> 8 & 15], PIPES[code >> 4 & 15]
            if pipes in _FREES:
                found.setdefault(pipes, set()).add(code & 15)
        return found

    def line(self, entries: np.ndarray[Any, Any]) -> Site:
        """Where most of these were issued."""
        sites = Counter(entries["site"].tolist()).most_common(1)
        return self.launch.site(self.core.type, sites[0][0]) if sites else Site()

    def mean_bytes(self, entries: np.ndarray[Any, Any]) -> float:
        return float(np.mean(entries["a"].astype(np.float64) * entries["b"])) if len(entries) else 0.0

    def scaled(self, names: tuple[str, ...], factor: float) -> dict[str, float]:
        return {name: self.value[name] / factor for name in names}


def _activity(launch: LaunchTiming, kind: str) -> float:
    """How active the busiest pipe of a kind of core is."""
    cores = [core for core in launch.cores if core.type == kind and core.time]
    pipes = {pipe for core in cores for pipe in core.pipes if pipe != "S"}
    return max((sum(core.pipes[pipe].active / core.time for core in cores) / len(cores) for pipe in pipes), default=0.0)


# --- changes


def _changes(seen: _Seen) -> list[_Change]:
    tried: list[Callable[[_Seen], _Change | None]] = [
        _more_blocks, _second_buffer, _no_barriers, _larger_copies, _longer_rows, _past_l2, _no_conflicts, _vector_instead, _apart,
        _aligned, _fewer_instructions,
    ]  # fmt: skip
    return [change for each in tried if (change := each(seen)) is not None]


def _more_blocks(seen: _Seen) -> _Change | None:
    copies = seen.together // seen.launch.num_blocks
    if copies < 2:
        return None
    used, there = seen.launch.num_blocks, seen.together
    text = (
        f"more blocks: {used} now, {there} can run at once" if used > 1 else f"more blocks: one core works, {there - 1} have nothing to do"
    )
    return _Change("more blocks", text, {"copies": copies})


def _second_buffer(seen: _Seen) -> _Change | None:
    """Where flags hand buffers back, and no two of them are in use yet."""
    into = {pipes: ids for pipes, ids in seen.frees.items() if pipes[1] in ("MTE2", "MTE1")} or seen.frees
    if not into or max(map(len, into.values())) > 1:
        return None
    waits = seen.of_kind(EntryKind.wait_flag)
    codes = [code for code in np.unique(waits["a"]).tolist() if (PIPES[code >> 8 & 15], PIPES[code >> 4 & 15]) in into]
    loads, works = ("MTE2", "V") if seen.core.type == "AIV" else ("MTE2 and MTE1", "M")
    text = f"double buffering: two buffers let {loads} load the next tile while {works} works"
    return _Change("second buffer", text, {"second_buffer": True}, at=seen.line(waits[np.isin(waits["a"], codes)]))


def _no_barriers(seen: _Seen) -> _Change | None:
    barriers = seen.of_kind(EntryKind.barrier)
    whole = barriers[barriers["pipe"] >= len(PIPES)]
    if len(whole) < 3 or len(seen.moves) < 2:  # one at the end costs nothing
        return None
    text = "flags between the pipes that depend on each other, and two buffers, in place of PipeBarrier<PIPE_ALL>"
    return _Change("flags", text, {"no_barriers": True}, at=seen.line(whole))


def _larger_copies(seen: _Seen) -> _Change | None:
    mean = seen.mean_bytes(seen.moves)
    if len(seen.moves) < 2 * LARGER or mean >= LARGE_COPY:
        return None
    text = f"larger copies: {mean / 1024:.1f} KiB at a time now, {LARGE_COPY // 1024} KiB or more are better"
    return _Change("larger copies", text, set=seen.scaled(_PER_COPY, LARGER), at=seen.line(seen.moves))


def _longer_rows(seen: _Seen) -> _Change | None:
    rows = seen.reads[(seen.reads["info"] & _ND2NZ != 0) & (seen.reads["b"] < LINE)]
    if not len(rows):
        return None
    text = f"longer rows: {int(np.mean(rows['b']))} bytes of each row at a time now; more blocks of k in one copy to L1"
    return _Change("longer rows", text, set=seen.scaled(("nd2nz_row_min", *_PER_COPY), LARGER), at=seen.line(rows))


def _past_l2(seen: _Seen) -> _Change | None:
    count = seen.launch.counter
    read, there = count("read_hit") + count("read_miss"), count("read_hit")
    plain = seen.reads[seen.reads["info"] & _PAST_L2 == 0]
    if not len(plain) or there > 0.2 * read:
        return None
    text = "inputs that are read once past the L2 (SetL2CacheHint with CACHE_MODE_DISABLE): results keep their place in it"
    return _Change("past the L2", text, {"past_l2": True}, at=seen.line(plain))


def _no_conflicts(seen: _Seen) -> _Change | None:
    vectors = seen.of_kind(EntryKind.vector)
    slow = vectors[vectors["b"] > 16]
    if not len(slow):
        return None
    text = "operands in banks of their own: sources 256 bytes apart modulo 512, results in another bank"
    return _Change("no bank conflicts", text, {"no_conflicts": True}, at=seen.line(slow))


def _vector_instead(seen: _Seen) -> _Change | None:
    accesses = seen.of_kind(EntryKind.scalar_ub)
    if len(accesses) < 16:
        return None
    text = "vector instructions in place of a loop over GetValue and SetValue"
    return _Change("vector instructions", text, set={"ub_scalar": 0.0, "scalar_cycle": 0.0}, at=seen.line(accesses))


def _apart(seen: _Seen) -> _Change | None:
    if seen.launch.num_blocks < 2:
        return None
    text = "let the cores begin at different places: they ask for the same lines at the same time"
    return _Change("different places", text, set={"same_line": 0.0}, at=seen.line(seen.reads))


def _aligned(seen: _Seen) -> _Change | None:
    reads = seen.reads
    ragged = reads[(reads["addr"] % LINE != 0) | ((reads["a"] > 1) & (reads["stride"] % LINE != 0) & (reads["stride"] > LINE))]
    if len(ragged) < len(reads) / 4 or not len(ragged):
        return None
    return _Change("aligned rows", "rows that begin at multiples of 512 bytes: parts of lines are brought as wholes", {"aligned": True},
                   at=seen.line(ragged))  # fmt: skip


def _fewer_instructions(seen: _Seen) -> _Change | None:
    if len(seen.entries) < 64:
        return None
    text = "larger instructions, fewer of them: the scalar unit does not keep up"
    return _Change("fewer instructions", text, set=seen.scaled(_PER_CALL, LARGER))
