# SPDX-License-Identifier: Apache-2.0
"""The critical path of a launch: the chain of instructions, flags and issue that ends with the core that ends last.

It is walked backwards from that end. What an instruction waited for is what ended at the moment it began: the instruction before it on its
pipe, the set of the flag it stood behind, or the scalar unit that issued it. Each link gets the time it covers; they sum to the core's.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from aclimb.flow import PIPES
from aclimb.trace.launch import NO_LINK, CoreTiming, EntryKind, LaunchTiming, Site
from aclimb.trace.tables import instruction_names

S = PIPES.index("S")
_NEAR = 2  # picoseconds: costs are rounded one by one
_FLAGS = (EntryKind.set_flag, EntryKind.wait_flag)
_WORKS = {EntryKind.vector, EntryKind.move, EntryKind.local, EntryKind.mmad}


@dataclass(frozen=True, slots=True)
class Link:
    """One piece of the path, in picoseconds after the start of the launch."""

    pipe: str
    kind: str  # works, memory, hands over, issues, waits
    name: str
    start: int
    end: int
    at: Site


@dataclass(frozen=True, slots=True)
class PathPart:
    """Links of one pipe, kind and line together."""

    pipe: str
    kind: str
    name: str
    at: Site
    ps: int
    count: int
    share: float  # of the time of the core

    def __str__(self) -> str:
        what = {"works": self.name, "memory": f"{self.name} waits for memory", "hands over": "flags", "issues": "scalar unit issues",
                "waits": f"{self.name} waits for another core"}[self.kind]  # fmt: skip
        return f"{self.pipe:<4} {what}"


@dataclass(frozen=True)
class CriticalPath:
    core: str
    links: list[Link]  # from the end to the start
    parts: list[PathPart]  # largest first


def critical_path(launch: LaunchTiming) -> CriticalPath | None:
    """None where the trace was off, or nothing ran."""
    cores = [core for core in launch.cores if core.end > core.start]
    if not cores:
        return None
    last = max(cores, key=lambda core: core.end)
    entries, results = launch.slices(last)
    if not len(entries):
        return None
    links = _Walk(launch, last, entries, results).run()
    return CriticalPath(last.name, links, _summed(links, last.end - last.start))


def _summed(links: list[Link], total: int) -> list[PathPart]:
    sums: dict[tuple[str, str, str, Site], list[int]] = {}
    for link in links:
        kept = sums.setdefault((link.pipe, link.kind, link.name, link.at), [0, 0])
        kept[0] += link.end - link.start
        kept[1] += 1
    parts = [PathPart(*key, ps, count, ps / total) for key, (ps, count) in sums.items() if ps]
    return sorted(parts, key=lambda part: (-part.ps, part.pipe, part.name, str(part.at)))


class _Walk:
    """Entries of one core by their number in the order of issue."""

    def __init__(self, launch: LaunchTiming, core: CoreTiming, entries: Any, results: Any) -> None:
        self.launch, self.core = launch, core
        self.kind, self.pipe, self.op, self.site = (entries[name].tolist() for name in ("kind", "pipe", "op", "site"))
        self.start, self.free, self.done, self.waits, self.link = (
            results[name].tolist() for name in ("start", "free", "done", "waits", "link")
        )
        self.names = instruction_names()
        self.before = self._before()
        self.links: list[Link] = []

    def _before(self) -> list[int]:
        """The entry before each one on its pipe; -1: none."""
        last: dict[int, int] = {}
        before = []
        for number, pipe in enumerate(self.pipe):
            before.append(last.get(pipe, -1))
            last[pipe] = number
        return before

    def end_of(self, number: int) -> int:
        return int(self.start[number]) + int(self.done[number])

    def run(self) -> list[Link]:
        ran = [number for number in range(len(self.kind)) if self.start[number] >= 0 and self.kind[number] not in _FLAGS]
        if not ran:
            self._add(S, "issues", -1, self.core.start, self.core.end)
            return self.links
        number, now = max(ran, key=self.end_of), self.core.end
        steps = 0
        while number >= 0 and now > self.core.start and steps < 4 * len(self.kind):
            number, now = self._step(number, now)
            steps += 1
        self._add(S, "issues", -1, self.core.start, now)
        return self.links

    def _step(self, number: int, now: int) -> tuple[int, int]:
        """Accounts for the time up to `now`, which this entry ended or held; the entry before it on the path, and until when."""
        kind = EntryKind(self.kind[number])
        if kind == EntryKind.wait_flag and self.link[number] != NO_LINK and self.end_of(number) > self.start[number] + _NEAR:
            set_at = self.link[number]
            fired = min(now, self.end_of(set_at))
            self._add(self.pipe[number], "hands over", number, fired, now)
            return set_at, fired
        if kind == EntryKind.set_flag and self.pipe[number] != S:
            return self._held_by(number, now, done=True)
        if kind in _WORKS:
            begin = min(now, int(self.start[number]))
            by_itself = self.end_of(number) - int(self.waits[number])  # its end, had memory been there at once
            waited = max(0, now - max(begin, by_itself)) if kind == EntryKind.move else 0
            self._add(self.pipe[number], "memory", number, now - waited, now)
            self._add(self.pipe[number], "works", number, begin, now - waited)
            return self._held_by(number, begin, done=False)
        return self._scalar(number, now)

    def _held_by(self, number: int, now: int, *, done: bool) -> tuple[int, int]:
        """What ended at `now` on the pipe of this entry: an instruction that it was busy with, or a wait; else the scalar unit was late."""
        at = self.before[number]
        for _ in range(64):
            if at < 0:
                break
            if self.start[at] >= 0:
                ends = self.end_of(at) if done or self.kind[at] == EntryKind.wait_flag else int(self.start[at]) + int(self.free[at])
                if self.kind[at] != EntryKind.set_flag and (abs(ends - now) <= _NEAR or abs(self.end_of(at) - now) <= _NEAR):
                    return at, now
            at = self.before[at]
        if PIPES[self.pipe[number]] == "FIX":  # by the unit flag it follows M
            product = next((each for each in range(number - 1, -1, -1) if self.kind[each] == EntryKind.mmad), -1)
            if product >= 0 and abs(self.end_of(product) - now) <= _NEAR:
                return product, now
        return self._issued(number, now)

    def _issued(self, number: int, now: int) -> tuple[int, int]:
        """The last entry before this one at which the scalar unit stood: what it issued since then is issue."""
        at = number - 1
        while at >= 0 and not (self.pipe[at] in (S, len(PIPES)) and self.start[at] >= 0 and self.end_of(at) <= now):
            at -= 1
        until = self.end_of(at) if at >= 0 else self.core.start
        self._add(S, "issues", number, until, now)
        return at, until

    def _scalar(self, number: int, now: int) -> tuple[int, int]:
        """An entry of the scalar unit: its own work, or what it waited for."""
        begin, kind = max(self.core.start, min(now, int(self.start[number]))), EntryKind(self.kind[number])
        if kind in (EntryKind.cross_wait, EntryKind.meet, EntryKind.wait_round, EntryKind.exchange, EntryKind.take):
            self._add(S, "waits", number, begin, now)
            return self._issued(number, begin)
        if kind in (EntryKind.barrier, EntryKind.scalar_ub) and int(self.waits[number]) > _NEAR:
            ended = self._last_ending(number, now)
            if ended >= 0:
                until = min(now, self.end_of(ended))
                self._add(S, "works", number, until, now)
                return ended, until
        self._add(S, "memory" if kind == EntryKind.scalar_gm and self.waits[number] else "works", number, begin, now)
        return self._issued(number, begin)

    def _last_ending(self, number: int, now: int) -> int:
        """Of what was issued before a barrier, what ended last: the last of each pipe is enough."""
        found, seen = -1, set()
        for at in range(number - 1, max(-1, number - 2000), -1):
            if self.kind[at] in _WORKS and self.pipe[at] not in seen and self.start[at] >= 0:
                seen.add(self.pipe[at])
                if self.end_of(at) <= now + _NEAR and (found < 0 or self.end_of(at) > self.end_of(found)):
                    found = at
        return found

    def _add(self, pipe: int, kind: str, number: int, start: int, end: int) -> None:
        if end <= start:
            return
        name = self.names[self.op[number]] if number >= 0 and kind in ("works", "memory", "waits") else ""
        site = self.launch.site(self.core.type, self.site[number]) if number >= 0 and kind != "issues" else Site()
        self.links.append(Link(PIPES[pipe] if pipe < len(PIPES) else "S", kind, name, start, end, site))
