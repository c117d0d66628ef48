# SPDX-License-Identifier: Apache-2.0
"""The graph of a program of events: a node for each moment that matters, an edge for each sentence of the model of order.

Nodes of a core, walking along its list of events:
  control   what the scalar unit has waited for so far; whatever is issued later comes behind it
  gate[p]   what pipe p has waited for so far; whatever is queued there later comes behind it
  done[p]   everything queued on pipe p so far has ended
An end is a bit of its own. What is known at a node is what is known at those before it, and the bits the node stands for.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from dataclasses import dataclass, field

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
    Meet,
    Member,
    Post,
    Program,
    Set,
    Take,
    Wait,
    Where,
    conflict,
    group_of,
)

COMPILER_PIPES = ("V", "MTE2", "MTE3")  # what the compiler of an AIV orders with the scalar unit
LINE = 64  # bytes of the data cache
Sets = list[tuple[int, str]]  # node and pipe of each set of one flag by one core
CrossFlag = tuple[int, int, tuple[int, ...], tuple[int, ...]]  # mode, number, the cores that set it, those that it is for


class Hang(Exception):
    """A wait that nothing can end."""


@dataclass
class Placed:
    """An access and where it stands in the graph."""

    where: Where
    access: Access
    begin: int  # node
    end: int  # bit
    seen: int  # bit: ... for other agents than the core's own scalar unit; a cached store has to be written back first
    filled: int  # node: when other agents must be done; a cached load has what was there when the line came in
    line: int  # node: ... of the other bytes of its line, which a cached store writes back as they came in


@dataclass
class Slot:
    """In front of an access: the edges that the compiler may have to put there, by the pipe they come from."""

    access: int  # its index
    rivals: list[int]  # of earlier accesses that it conflicts with
    own: int  # node: what orders it anyway
    edges: dict[str, tuple[int, ...]]


@dataclass
class Graph:
    program: Program
    before: list[list[int]] = field(default_factory=list)  # of each node
    bits: dict[int, int] = field(default_factory=dict)
    slots: dict[int, Slot] = field(default_factory=dict)
    counts: dict[int, list[tuple[Sets, int]]] = field(default_factory=dict)  # releases: sets from several pipes, how many were counted
    placed: list[Placed] = field(default_factory=list)

    flags: dict[tuple[int, str, str, int], tuple[list[int], list[int]]] = field(default_factory=lambda: defaultdict(lambda: ([], [])))
    cross_sets: dict[CrossFlag, dict[int, Sets]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(list)))
    cross_waits: dict[tuple[int, int], list[int]] = field(default_factory=lambda: defaultdict(list))
    words: dict[Hashable, tuple[list[int], list[int]]] = field(default_factory=lambda: defaultdict(lambda: ([], [])))
    meetings: dict[tuple[Hashable, int], list[list[int]]] = field(default_factory=lambda: defaultdict(list))

    next_bit: int = 1

    def new_bit(self) -> int:
        self.next_bit <<= 1
        return self.next_bit >> 1

    def node(self, *before: int) -> int:
        self.before.append(list(before))
        return len(self.before) - 1


def graph_of(program: Program) -> Graph:
    graph = Graph(program)
    for index, core in enumerate(program.cores):
        walk = _Walk(graph, index, core)
        for at, event in enumerate(core.events):
            walk.step(at, event)
    _pair_flags(graph)
    _release(graph)
    _pair_words(graph)
    return graph


class _Walk:
    """Along the events of one core."""

    def __init__(self, graph: Graph, index: int, core: Core) -> None:
        self.graph, self.index, self.core = graph, index, core
        self.helped = core.kind == "AIV" and graph.program.auto_sync != "off"
        start = graph.node()
        self.control = start
        self.gate: dict[str, int] = defaultdict(lambda: start)
        self.done: dict[str, int] = defaultdict(lambda: start)
        self.done_in: dict[str, int] = {}  # the last scalar access to a memory has ended
        self.earlier: list[int] = []  # tensor accesses, by their index in graph.placed
        self.filled: dict[int, int] = {}  # cache line -> node
        self.dirty: list[tuple[int, int, int]] = []  # cached stores: begin, end, bit
        self.cleaned: list[int] = []  # bits of those on their way to memory
        self.met: dict[Hashable, int] = defaultdict(int)

    def step(self, at: int, event: Event) -> None:
        match event:
            case Access():
                self.access((self.index, at), event)
            case Set(source, target, number):
                self.graph.flags[self.index, source, target, number][0].append(self.fired(source))
            case Wait(source, target, number):
                wait = self.wait(target)
                self.graph.flags[self.index, source, target, number][1].append(wait)
            case Barrier("ALL"):
                pipes = [*self.gate.values(), *self.done.values()]
                self.control = self.graph.node(self.control, *pipes)
            case Barrier(pipe):
                self.gate[pipe] = self.graph.node(self.control, self.gate[pipe], self.done[pipe])
            case CrossSet(mode, pipe, number):
                members, targets = group_of(self.graph.program.cores, self.index, mode)
                if members and targets:
                    self.graph.cross_sets[mode, number, members, targets][self.index].append((self.fired(pipe), pipe))
            case CrossWait(number):
                self.graph.cross_waits[self.index, number].append(self.wait("S"))
            case DataBarrier(of):
                self.data_barrier(of)
            case Clean(begin, end):
                self.clean(begin, end)
            case Post(key, pipe):
                self.graph.words[key][0].append(self.graph.node(self.control) if pipe == "C" else self.fired(pipe))
            case Take(key):
                self.graph.words[key][1].append(self.wait("S"))
            case Meet(key, count):
                self.meet(key, count)
            case Member():
                pass

    def fired(self, pipe: str) -> int:
        """A set in the queue of `pipe`: behind what the pipe has waited for and what it has done; nobody waits for the set itself."""
        return self.graph.node(self.control, self.gate[pipe], self.done[pipe])

    def wait(self, pipe: str) -> int:
        if pipe == "S":
            self.control = self.graph.node(self.control)
            return self.control
        self.gate[pipe] = self.graph.node(self.control, self.gate[pipe])
        return self.gate[pipe]

    def meet(self, key: Hashable, count: int) -> None:
        rounds = self.graph.meetings[key, count]
        if self.met[key] == len(rounds):
            rounds.append([])
        rounds[self.met[key]].append(self.wait("S"))
        self.met[key] += 1

    # --- accesses

    def access(self, where: Where, access: Access) -> None:
        graph, pipe = self.graph, access.pipe
        rivals = self.rivals(access) if self.helped and access.tensor else []
        if pipe == "S":
            if rivals:
                self.control = graph.node(self.control)
                edges: dict[str, tuple[int, ...]] = {each: (self.gate[each], self.done[each]) for each in COMPILER_PIPES}
                graph.slots[self.control] = Slot(len(graph.placed), rivals, self.done["S"], edges)
            begin = graph.node(self.control, self.done["S"])
        else:
            begin = graph.node(self.control, self.gate[pipe])
            if pipe == "V" and self.helped and access.tensor:
                graph.before[begin].append(self.done["V"])
            if rivals:
                graph.slots[begin] = Slot(len(graph.placed), rivals, begin, {"S": (self.done["S"],)})
            self.gate[pipe] = begin
        bit = graph.new_bit()
        self.done[pipe] = graph.node(begin, self.done[pipe])
        graph.bits[self.done[pipe]] = bit
        placed = Placed(where, access, begin, bit, bit, begin, begin)
        if pipe == "S":
            for touch in access.touches:
                self.done_in[touch.memory] = self.done["S"]
            if access.cached:
                self.through_cache(placed)
        if access.tensor:
            self.earlier.append(len(graph.placed))
        graph.placed.append(placed)

    def rivals(self, access: Access) -> list[int]:
        """Earlier accesses of this core that the compiler has to order with this one, where nothing else does."""
        pipes = COMPILER_PIPES if access.pipe == "S" else ("S",) if access.pipe in COMPILER_PIPES else ()
        placed = self.graph.placed
        return [i for i in self.earlier if placed[i].access.pipe in pipes and conflict(placed[i].access, access)]

    # --- the data cache: one line comes in when it is first touched, and goes out when it is cleaned and a barrier has waited for that

    def through_cache(self, placed: Placed) -> None:
        for touch in placed.access.touches:
            if touch.memory != GM:
                continue
            for line in range(touch.begin // LINE, (touch.end - 1) // LINE + 1):
                placed.filled = placed.line = self.filled.setdefault(line, placed.begin)
            if touch.writes:
                placed.seen = self.graph.new_bit()
                self.dirty.append((touch.begin, touch.end, placed.seen))
                placed.filled = placed.begin

    def clean(self, begin: int, end: int) -> None:
        for line in [each for each in self.filled if begin < (each + 1) * LINE and each * LINE < end]:
            del self.filled[line]
        covered = [each for each in self.dirty if begin <= each[0] and each[1] <= end]
        self.dirty = [each for each in self.dirty if each not in covered]
        self.cleaned += [bit for _, _, bit in covered]

    def data_barrier(self, of: str) -> None:
        memories = {"ALL": (GM, "UB"), "DDR": (GM,), "UB": ("UB",)}.get(of, ())
        self.control = self.graph.node(self.control, *(self.done_in[each] for each in memories if each in self.done_in))
        if GM in memories:
            for bit in self.cleaned:
                self.graph.bits[self.control] = self.graph.bits.get(self.control, 0) | bit
            self.cleaned = []


# --- what joins pipes and cores


def _pair_flags(graph: Graph) -> None:
    for (core, source, target, number), (sets, waits) in graph.flags.items():
        if len(waits) > len(sets):
            raise Hang(f"core {core} waits for {source}_{target} id {number} {len(waits)} times and sets it {len(sets)} times")
        for first, second in zip(sets, waits, strict=False):
            graph.before[second].append(first)


def _release(graph: Graph) -> None:
    """When everybody in a group has set k times, each target has its k-th token; a core's k-th wait takes its k-th token."""
    tokens: dict[tuple[int, int], list[int]] = {}
    for (_, number, members, targets), by_core in graph.cross_sets.items():
        count = min(len(by_core[member]) for member in members)
        released = [_token(graph, [by_core[member] for member in members], k) for k in range(count)]
        for target in targets:
            if (target, number) in tokens and released:
                raise Hang(f"core {target} has tokens of two groups on flag {number}: which comes first depends on time")
            tokens[target, number] = released
    for (core, number), waits in graph.cross_waits.items():
        given = tokens.get((core, number), [])
        if len(waits) > len(given):
            raise Hang(f"core {core} waits for flag {number} {len(waits)} times, and it is released {len(given)} times")
        for token, wait in zip(given, waits, strict=False):
            graph.before[wait].append(token)


def _token(graph: Graph, sets_of_members: list[Sets], k: int) -> int:
    node = graph.node()
    for sets in sets_of_members:
        if len({pipe for _, pipe in sets}) == 1:
            graph.before[node].append(sets[k][0])
        else:
            graph.counts.setdefault(node, []).append((sets, k + 1))
    return node


def _pair_words(graph: Graph) -> None:
    for key, (posts, takes) in graph.words.items():
        if len(takes) > len(posts):
            raise Hang(f"{key} is taken {len(takes)} times and posted {len(posts)} times")
        for first, second in zip(posts, takes, strict=False):
            graph.before[second].append(first)
    for (key, count), rounds in graph.meetings.items():
        for waits in rounds:
            if len(waits) < count:
                raise Hang(f"{len(waits)} of {count} cores come to {key}")
            meeting = graph.node(*(graph.before[wait][0] for wait in waits))
            for wait in waits:
                graph.before[wait].append(meeting)
