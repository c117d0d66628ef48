# SPDX-License-Identifier: Apache-2.0
"""Random programs of events, racy and correct, by seed.

A racy program is a few cores that touch a few bytes from all their pipes, with flags, barriers and cross-core flags strewn in. A correct
one is made of a racy one: as long as the search finds a pair in no order, a flag is put between the two, or one of them goes.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from events import (
    AIC_PIPES,
    AIV_PIPES,
    AUTO_SYNC,
    GM,
    Access,
    Barrier,
    Clean,
    Core,
    CrossSet,
    CrossWait,
    DataBarrier,
    Event,
    Member,
    Pair,
    Post,
    Program,
    Set,
    Take,
    Touch,
    Wait,
)
from reachability import Hang, order_of

MOST_EVENTS = 14  # of a core, before cross-core flags are strewn in
LOCAL = {"V": ("UB",), "MTE2": ("UB",), "MTE3": ("UB",), "S": ("UB",), "M": ("L0C", "L0A"), "MTE1": ("L0A", "L1"), "FIX": ("L0C",)}
ATOMICS = ("add float", "max float")


def random_program(seed: int, auto_sync: str | None = None, *, with_cache: bool = False, with_pointers: bool = True) -> Program:
    """Of 1 to 6 cores: AIVs alone, AICs alone, or blocks of one AIC and one or two AIVs. Never hangs."""
    rng = random.Random(seed)
    auto_sync = auto_sync or rng.choice(AUTO_SYNC[:2])
    while True:
        program = Program(_Strewn(rng, with_cache=with_cache, with_pointers=with_pointers).cores(), auto_sync)
        try:
            order_of(program)
        except Hang:
            continue
        return program


def correct_program(seed: int, auto_sync: str | None = None) -> Program:
    """The same with no two conflicting accesses in no order."""
    program, rng = random_program(seed, auto_sync), random.Random(seed)
    while races := sorted(order_of(program).races):
        program = _mend(program, races[0], rng)
    return program


class _Strewn:
    """One random program."""

    def __init__(self, rng: random.Random, *, with_cache: bool, with_pointers: bool) -> None:
        self.rng = rng
        self.pointers = 0.3 if with_pointers else 0.0  # share of scalar accesses that the compiler does not see
        self.with_cache = with_cache and rng.random() < 0.4
        self.fractals = rng.choice((1, 9, 10, 16))  # of every Mmad
        self.unit_flags = rng.random() < 0.4  # of every Mmad and Fixpipe
        self.with_words = rng.random() < 0.2

    def cores(self) -> tuple[Core, ...]:
        rng = self.rng
        blocks, kinds = rng.randint(1, 2), rng.choice((("AIV",), ("AIV", "AIV"), ("AIC",), ("AIC", "AIV"), ("AIC", "AIV", "AIV")))
        shapes = [(kind, block) for block in range(blocks) for kind in kinds]
        bodies = [self.body(kind) for kind, _ in shapes]
        for event_of in self.meetings(kinds):
            for (kind, block), body in zip(shapes, bodies, strict=True):
                _strew(rng, body, event_of(kind, block))
        if self.with_words and len(shapes) > 1:
            first, second = sorted(rng.sample(range(len(shapes)), 2))
            _strew(rng, bodies[first], [Post("word")])
            _strew(rng, bodies[second], [Take("word")])
        return tuple(Core(kind, block, tuple(body)) for (kind, block), body in zip(shapes, bodies, strict=True))

    # --- one core

    def body(self, kind: str) -> list[Event]:
        rng, events = self.rng, list[Event]()
        pipes = AIV_PIPES if kind == "AIV" else AIC_PIPES
        to_wait, to_set = list[tuple[str, str, int]](), list[tuple[str, str, int]]()
        for _ in range(rng.randint(4, MOST_EVENTS)):
            dice = rng.random()
            if dice < 0.5:
                events.append(self.access(rng.choice((*pipes, "S")), kind))
            elif dice < 0.72:
                flag = (*rng.sample((*pipes, "S"), 2), rng.randrange(4))
                if flag in to_wait or flag in to_set:
                    continue
                early = rng.random() < 0.1 and flag[1] != "S"  # the wait stands before its set
                events.append(Wait(*flag) if early else Set(*flag))
                (to_set if early else to_wait).append(flag)
            elif dice < 0.9 and to_wait + to_set:
                self.answer(events, to_wait, to_set)
            else:
                events.append(self.barrier(pipes))
        while to_wait + to_set:
            self.answer(events, to_wait, to_set)
        return events

    def answer(self, events: list[Event], to_wait: list[tuple[str, str, int]], to_set: list[tuple[str, str, int]]) -> None:
        at = self.rng.randrange(len(to_wait) + len(to_set))
        if at < len(to_wait):
            events.append(Wait(*to_wait.pop(at)))
        else:
            events.append(Set(*to_set.pop(at - len(to_wait))))

    def barrier(self, pipes: tuple[str, ...]) -> Event:
        dice = self.rng.random()
        if self.with_cache and dice < 0.5:
            line = self.rng.randrange(2) * 64
            return self.rng.choice((Clean(line, line + 64), DataBarrier("DDR"), DataBarrier("ALL"), DataBarrier("UB")))
        if dice < 0.2:
            return self.rng.choice((Barrier("ALL"), DataBarrier("ALL"), DataBarrier("DDR"), DataBarrier("UB"), Member(0)))
        return Barrier(self.rng.choice(pipes))

    def access(self, pipe: str, kind: str) -> Access:
        rng = self.rng
        touches = tuple(self.touch(pipe, kind) for _ in range(1 if pipe == "S" else rng.randint(1, 2)))
        is_cached = pipe == "S" and self.with_cache and rng.random() < 0.7
        fractals = self.fractals if pipe == "M" else 0
        return Access(
            pipe, touches, pipe != "S" or rng.random() >= self.pointers, pipe in ("M", "FIX") and self.unit_flags, fractals, is_cached
        )

    def touch(self, pipe: str, kind: str) -> Touch:
        rng = self.rng
        memory = GM if rng.random() < 0.35 else rng.choice(("UB",) if kind == "AIV" else LOCAL.get(pipe, ("L1",)))
        begin = rng.randrange(6)
        if memory == GM:
            if pipe == "V":
                memory = "UB"
            elif self.with_cache:
                begin += rng.randrange(2) * 64
        role = rng.choice("rw")
        if memory == "L0C":
            role = "u" if pipe == "M" else "r"
        if memory == GM and pipe in ("MTE3", "FIX") and role == "w" and rng.random() < 0.3:
            return Touch("a", memory, begin, begin + 2, rng.choice(ATOMICS))
        return Touch(role, memory, begin, begin + rng.randint(1, 2))

    # --- between cores

    def meetings(self, kinds: tuple[str, ...]) -> Iterator[Callable[[str, int], list[Event]]]:
        """For each a function from (kind, block) to the events that this core has to issue, in this order."""
        rng = self.rng
        modes = [0]
        if kinds.count("AIV"):
            modes.append(1)
        if len(set(kinds)) == 2:
            modes += [2, 3]
        by_id = dict[int, int]()
        for _ in range(rng.randint(0, 3)):
            number = rng.randrange(3)
            mode = by_id.setdefault(number, rng.choice(modes))  # one id, one group
            yield self.meeting(mode, number)

    def meeting(self, mode: int, number: int) -> Callable[[str, int], list[Event]]:
        rng, one_pipe = self.rng, self.rng.random() < 0.9
        pipe_of = {"AIV": rng.choice(AIV_PIPES), "AIC": rng.choice(AIC_PIPES)}

        def events(kind: str, block: int) -> list[Event]:
            pipe = pipe_of[kind] if one_pipe else rng.choice(AIV_PIPES if kind == "AIV" else AIC_PIPES)
            if mode == 0:
                return [CrossSet(0, pipe, number), CrossWait(number)]
            if mode == 1:
                return [CrossSet(1, pipe, number), CrossWait(number)] if kind == "AIV" else []
            sender = "AIC" if mode == 2 else "AIV"
            return [CrossSet(2, pipe, number)] if kind == sender else [CrossWait(number)]

        return events


def _strew(rng: random.Random, body: list[Event], events: list[Event]) -> None:
    """In this order, behind what was strewn before: cores then meet in the same order and cannot wait for each other in a ring."""
    at = max((i + 1 for i, event in enumerate(body) if isinstance(event, CrossSet | CrossWait | Post | Take)), default=0)
    for event in events:
        at = rng.randint(at, len(body))
        body.insert(at, event)
        at += 1


# --- mending


def _mend(program: Program, race: Pair, rng: random.Random) -> Program:
    """One pair less in no order: by a flag or a barrier on one core, else the second access goes."""
    (core, first), (other, second) = race
    if core == other and rng.random() < 0.8:
        x, y = (program.cores[core].events[i] for i in (first, second))
        assert isinstance(x, Access)
        assert isinstance(y, Access)
        for fix in _fixes(x, y, first, second):
            mended = _with(program, core, fix)
            try:
                if race_free(mended, core, fix, race):
                    return mended
            except Hang:
                continue
    return _without(program, (other, second))


def _fixes(x: Access, y: Access, first: int, second: int) -> list[list[tuple[int, Event]]]:
    """Events and where to put them, the last position first."""
    if x.cached or y.cached:
        return []
    if x.pipe == y.pipe:
        return [[(second, Barrier(x.pipe))]]
    return [[(second, Wait(x.pipe, y.pipe, number)), (first + 1, Set(x.pipe, y.pipe, number))] for number in (4, 5)]


def race_free(program: Program, core: int, fix: list[tuple[int, Event]], race: Pair) -> bool:
    """The pair is in order now. Other flags of the same id may have found other partners."""
    moved = [(core, i + sum(at <= i for at, _ in fix)) for (_, i) in race]
    return (moved[0], moved[1]) not in order_of(program).races


def _with(program: Program, core: int, events: list[tuple[int, Event]]) -> Program:
    changed = list(program.cores[core].events)
    for at, event in events:
        changed.insert(at, event)
    return _replaced(program, core, changed)


def _without(program: Program, where: tuple[int, int]) -> Program:
    changed = list(program.cores[where[0]].events)
    del changed[where[1]]
    return _replaced(program, where[0], changed)


def _replaced(program: Program, core: int, events: list[Event]) -> Program:
    cores = list(program.cores)
    cores[core] = cores[core]._replace(events=tuple(events))
    return program._replace(cores=tuple(cores))
