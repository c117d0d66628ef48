# SPDX-License-Identifier: Apache-2.0
"""The clock rule, written down plainly: the interface of the engine's OrderModel, and what it answers.

    model = ClockModel([("AIV", 0), ...], auto_sync="on")
    model.issue(core, index, event)   the scalar unit comes to it; what it does itself is done with that
    model.run(core, index)            the pipe comes to what was issued to its queue
    model.races, model.supplied       pairs of places

A clock says of each agent (core, pipe) how many of its instructions have ended. An instruction knows what its pipe knew when it began
and what the scalar unit knew when it was issued.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Hashable
from dataclasses import dataclass

from events import (
    GM,
    Access,
    Barrier,
    Clean,
    Core,
    CrossSet,
    CrossWait,
    DataBarrier,
    Event,
    Pair,
    Post,
    Set,
    Take,
    Touch,
    Wait,
    Where,
    conflict,
    group_of,
    queue_of,
    touches_conflict,
)

Agent = tuple[Hashable, ...]
Clock = dict[Agent, int]
HELPED = ("V", "MTE2", "MTE3")
LINE = 64


@dataclass
class Done:
    """An access that has run."""

    where: Where
    access: Access
    agent: Agent
    count: int
    clock: Clock
    seen: tuple[Agent, int]  # for other agents
    filled: Clock  # a cached load: the clock when its line came in
    line: Clock  # a cached store: ... when the other bytes of its line did


def join(*clocks: Clock) -> Clock:
    joined: Clock = {}
    for clock in clocks:
        for agent, count in clock.items():
            if joined.get(agent, 0) < count:
                joined[agent] = count
    return joined


class _CoreClocks:
    def __init__(self) -> None:
        self.control: Clock = {}
        self.pipe: dict[str, Clock] = defaultdict(dict)
        self.count: dict[str, int] = defaultdict(int)
        self.stamps: dict[int, Clock] = {}
        self.scalars: dict[int, tuple[Clock, int]] = {}  # what S knew and had done when an instruction was issued
        self.in_memory: dict[str, int] = {}  # the last scalar access there
        self.filled: dict[int, Clock] = {}
        self.dirty: list[tuple[int, int, Agent]] = []
        self.cleaned: list[Agent] = []


class ClockModel:
    def __init__(self, cores: list[tuple[str, int]], auto_sync: str = "on") -> None:
        self.shapes = tuple(Core(kind, block, ()) for kind, block in cores)
        self.helps = auto_sync != "off"
        self.cores = [_CoreClocks() for _ in cores]
        self.events: dict[Where, Event] = {}
        self.history: list[Done] = []
        self.flags: dict[Hashable, deque[Clock]] = defaultdict(deque)
        self.sets: dict[Hashable, deque[Clock]] = defaultdict(deque)
        self.tokens: dict[Hashable, deque[Clock]] = defaultdict(deque)
        self.words: dict[Hashable, deque[Clock]] = defaultdict(deque)
        self.races: set[Pair] = set()
        self.supplied: set[Pair] = set()

    def issue(self, core: int, index: int, event: Event) -> None:
        own = self.cores[core]
        self.events[core, index] = event
        own.stamps[index] = own.control
        own.scalars[index] = own.pipe["S"], own.count["S"]
        if queue_of(event) is None:
            self.run(core, index)

    def run(self, core: int, index: int) -> None:
        own, event = self.cores[core], self.events[core, index]
        stamp = own.stamps[index]
        match event:
            case Access():
                self.access(core, index, event)
            case Set(source, target, number):
                self.flags[core, source, target, number].append(self.fired(core, source, stamp))
            case Wait(source, "S", number):
                own.control = join(own.control, self.flags[core, source, "S", number].popleft())
            case Wait(source, target, number):
                own.pipe[target] = join(own.pipe[target], stamp, self.flags[core, source, target, number].popleft())
            case Barrier("ALL"):
                own.control = join(own.control, *(self.of_pipe(core, pipe) for pipe in [*own.count, *own.pipe]))
            case Barrier(pipe):
                own.pipe[pipe] = join(stamp, self.of_pipe(core, pipe))
            case CrossSet(mode, pipe, number):
                self.cross_set(core, mode, number, self.fired(core, pipe, stamp))
            case CrossWait(number):
                own.control = join(own.control, self.tokens[core, number].popleft())
            case DataBarrier(of):
                self.data_barrier(core, of)
            case Clean(begin, end):
                self.clean(core, begin, end)
            case Post(key):
                self.words[key].append(own.control)
            case Take(key):
                own.control = join(own.control, self.words[key].popleft())

    def of_pipe(self, core: int, pipe: str) -> Clock:
        """What it knows, and that all it had is done."""
        own = self.cores[core]
        return {**own.pipe[pipe], (core, pipe): own.count[pipe]}

    def fired(self, core: int, pipe: str, stamp: Clock) -> Clock:
        return join(stamp, self.of_pipe(core, pipe))

    def cross_set(self, core: int, mode: int, number: int, clock: Clock) -> None:
        members, targets = group_of(self.shapes, core, mode)
        group = mode, number, members
        self.sets[group, core].append(clock)
        if members and targets and all(self.sets[group, member] for member in members):
            token = join(*(self.sets[group, member].popleft() for member in members))
            for target in targets:
                self.tokens[target, number].append(token)

    # --- accesses

    def access(self, core: int, index: int, access: Access) -> None:
        own, pipe = self.cores[core], access.pipe
        clock = join(own.pipe[pipe], own.stamps[index] if pipe != "S" else own.control)
        is_helped = self.helps and access.tensor and self.shapes[core].kind == "AIV"
        if pipe == "S":
            clock[core, "S"] = own.count["S"]
        if pipe == "V" and is_helped:
            clock[core, "V"] = own.count["V"]
        if is_helped:
            clock = self.with_compiler(core, index, access, clock)
        own.count[pipe] += 1
        own.pipe[pipe] = clock
        agent: Agent = (core, pipe)
        done = Done((core, index), access, agent, own.count[pipe], clock, (agent, own.count[pipe]), clock, clock)
        if pipe == "S":
            for touch in access.touches:
                own.in_memory[touch.memory] = own.count["S"]
            if access.cached:
                self.through_cache(core, done)
        self.check(done)
        self.history.append(done)

    def with_compiler(self, core: int, index: int, access: Access, clock: Clock) -> Clock:
        own = self.cores[core]
        from_pipes = HELPED if access.pipe == "S" else ("S",) if access.pipe in HELPED else ()
        rivals = [each for each in self.history if each.where[0] == core and each.access.tensor and each.access.pipe in from_pipes]
        rivals = [each for each in rivals if conflict(each.access, access) and clock.get(each.agent, 0) < each.count]
        last = [each for each in rivals if not self.is_superseded(each, rivals, access)]
        self.supplied |= {(each.where, (core, index)) for each in last}
        for pipe in {each.access.pipe for each in last}:
            if pipe == "S":
                knew, count = own.scalars[index]
                clock = join(clock, knew, {(core, "S"): count})
            else:
                own.control = join(own.control, self.of_pipe(core, pipe))
                clock = join(clock, own.control)
        return clock

    def is_superseded(self, each: Done, rivals: list[Done], access: Access) -> bool:
        left = _common(each.access, access)
        for other in rivals:
            if other is not each and other.clock.get(each.agent, 0) >= each.count:
                left -= _common(other.access, access)
        return not left

    def check(self, y: Done) -> None:
        for x in self.history:
            in_one_core = x.where[0] == y.where[0]
            if in_one_core and x.access.pipe == y.access.pipe == "S":
                continue
            agent, count = x.seen
            meetings = {_meet(x, a, y, b) for a in x.access.touches for b in y.access.touches}
            in_order = y.filled.get(agent, 0) >= count, y.line.get(agent, 0) >= count
            if ("bytes" in meetings and not in_order[0]) or ("line" in meetings and not in_order[1]):
                self.races.add((min(x.where, y.where), max(x.where, y.where)))

    # --- the data cache

    def through_cache(self, core: int, done: Done) -> None:
        own = self.cores[core]
        for touch in done.access.touches:
            if touch.memory != GM:
                continue
            for line in range(touch.begin // LINE, (touch.end - 1) // LINE + 1):
                done.filled = done.line = own.filled.setdefault(line, done.clock)
            if touch.writes:
                done.seen = ((core, "D", done.count), 1)
                own.dirty.append((touch.begin, touch.end, done.seen[0]))
                done.filled = done.clock

    def clean(self, core: int, begin: int, end: int) -> None:
        own = self.cores[core]
        own.filled = {line: clock for line, clock in own.filled.items() if not (begin < (line + 1) * LINE and line * LINE < end)}
        covered = [each for each in own.dirty if begin <= each[0] and each[1] <= end]
        own.dirty = [each for each in own.dirty if each not in covered]
        own.cleaned += [agent for _, _, agent in covered]

    def data_barrier(self, core: int, of: str) -> None:
        own = self.cores[core]
        memories = {"ALL": (GM, "UB"), "DDR": (GM,), "UB": ("UB",)}.get(of, ())
        last = max((own.in_memory.get(each, 0) for each in memories), default=0)
        if last:
            heard = {
                agent: count for agent, count in own.pipe["S"].items() if agent != (core, "S")
            }  # later accesses may have other memories
            own.control = join(own.control, heard, {(core, "S"): last})
        if GM in memories:
            own.control = join(own.control, dict.fromkeys(own.cleaned, 1))
            own.cleaned = []


def _common(x: Access, y: Access) -> set[tuple[str, int]]:
    return {
        (a.memory, byte)
        for a in x.touches
        for b in y.touches
        if touches_conflict(a, b)
        for byte in range(max(a.begin, b.begin), min(a.end, b.end))
    }


def _meet(x: Done, a: Touch, y: Done, b: Touch) -> str:
    if a.memory != b.memory or (a.memory != GM and x.where[0] != y.where[0]):
        return ""
    if touches_conflict(a, b):
        return "" if _by_cube(x.access, y.access, a, b, x.where < y.where) else "bytes"
    wide_a, wide_b = _wide(x, a), _wide(y, b)
    is_line = a.writes and b.writes and (wide_a, wide_b) != (a, b) and touches_conflict(wide_a, wide_b)
    return "line" if is_line else ""


def _wide(x: Done, touch: Touch) -> Touch:
    if x.access.cached and touch.writes and touch.memory == GM:
        return touch._replace(begin=touch.begin // LINE * LINE, end=(touch.end + LINE - 1) // LINE * LINE)
    return touch


def _by_cube(x: Access, y: Access, a: Touch, b: Touch, x_first: bool) -> bool:
    if a.memory != "L0C":
        return False
    if {x.pipe, y.pipe} == {"M", "FIX"}:
        return x.unit_flag and y.unit_flag
    return x.pipe == y.pipe == "M" and (b if x_first else a).role == "u" and min(x.fractals, y.fractals) >= 10
