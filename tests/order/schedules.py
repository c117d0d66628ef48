# SPDX-License-Identifier: Apache-2.0
"""Orders in which a program of events may run. Each core issues its events one by one; what belongs to a pipe waits in its queue, in
order, until the schedule lets it run. A flag counts: a set may come before the wait for the one before it was reached.

A run is a list of steps: ("issue", core, index) and, for what takes its place in a queue, ("run", core, index) some time later. What the
scalar unit does itself has an issue step only.
"""

from __future__ import annotations

import random
from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterator

from events import Access, Barrier, CrossSet, CrossWait, Event, Meet, Post, Program, Set, Take, Wait, conflict, group_of, queue_of

Step = tuple[str, int, int]
Agent = tuple[int, str]  # core and pipe; "C": the scalar unit


class Stuck(Exception):
    """Nothing can go on, and the program has not ended."""


def at_issue(program: Program) -> list[Step]:
    """Everything as soon as it is issued and its pipe lets it, core after core."""
    return _run(program, lambda agents: min(agents, key=lambda agent: (agent[0], agent[1] == "C")))


def late(program: Program, pipe: str) -> list[Step]:
    """Everything of one pipe, on all cores, only when nothing else can go on."""
    return _run(program, lambda agents: min(agents, key=lambda agent: (agent[1] == pipe, agent[0], agent[1] == "C")))


def by_chance(program: Program, seed: int) -> list[Step]:
    rng = random.Random(seed)
    return _run(program, rng.choice)


def all_late(program: Program) -> Iterator[list[Step]]:
    for pipe in ("V", "M", "MTE1", "MTE2", "MTE3", "FIX", "C"):
        yield late(program, pipe)


class _State:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.next = [0] * len(program.cores)
        self.queues: dict[Agent, deque[int]] = defaultdict(deque)
        self.flags: dict[tuple[int, str, str, int], int] = defaultdict(int)
        self.sets: dict[Hashable, int] = defaultdict(int)
        self.tokens: dict[tuple[int, int], int] = defaultdict(int)
        self.words: dict[Hashable, int] = defaultdict(int)
        self.met: dict[Hashable, int] = defaultdict(int)

    def agents(self) -> list[Agent]:
        """Who can go on."""
        found = [(core, "C") for core in range(len(self.next)) if self.can_issue(core)]
        return found + [agent for agent, queue in self.queues.items() if queue and self.can_run(agent[0], self.event(agent[0], queue[0]))]

    def event(self, core: int, index: int) -> Event:
        return self.program.cores[core].events[index]

    def is_over(self) -> bool:
        ended = all(at == len(core.events) for at, core in zip(self.next, self.program.cores, strict=True))
        return ended and not any(self.queues.values())

    # --- may it

    def can_issue(self, core: int) -> bool:
        events = self.program.cores[core].events
        if self.next[core] == len(events):
            return False
        event = events[self.next[core]]
        return queue_of(event) is not None or self.can_do(core, event)

    def can_do(self, core: int, event: Event) -> bool:
        match event:
            case Barrier():
                return not any(self.queues[core, pipe] for pipe in ("V", "M", "MTE1", "MTE2", "MTE3", "FIX"))
            case Wait(source, target, number):
                return self.flags[core, source, target, number] > 0
            case CrossWait(number):
                return self.tokens[core, number] > 0
            case Take(key):
                return self.words[key] > 0
            case Meet(key, count):
                here = sum(self.at_meeting(each, key) for each in range(len(self.next)))
                return here >= count
            case Access() if event.tensor and self.program.auto_sync != "off" and self.program.cores[core].kind == "AIV":
                return not any(self.queues[core, pipe] for pipe in self.rivals(core, event))
        return True

    def at_meeting(self, core: int, key: Hashable) -> bool:
        events = self.program.cores[core].events
        at = self.next[core]
        return (at < len(events) and isinstance(event := events[at], Meet) and event.key == key) or self.met[core, key] > self.round(key)

    def round(self, key: Hashable) -> int:
        return min((self.met[core, key] for core in range(len(self.next)) if self.meets(core, key)), default=0)

    def meets(self, core: int, key: Hashable) -> bool:
        return any(isinstance(event, Meet) and event.key == key for event in self.program.cores[core].events)

    def rivals(self, core: int, access: Access) -> set[str]:
        """Pipes that the compiler's flag in front of a scalar access may have to wait for."""
        earlier = self.program.cores[core].events[: self.next[core]]
        return {each.pipe for each in earlier if isinstance(each, Access) and each.tensor and each.pipe != "S" and conflict(each, access)}

    def can_run(self, core: int, event: Event) -> bool:
        return not isinstance(event, Wait) or self.flags[core, event.source, event.target, event.id] > 0

    # --- do it

    def step(self, agent: Agent) -> Iterator[Step]:
        core, pipe = agent
        if pipe == "C":
            index = self.next[core]
            event = self.event(core, index)
            yield "issue", core, index
            queue = queue_of(event)
            if queue is None:
                self.do(core, event)
            else:
                self.queues[core, queue].append(index)
            self.next[core] += 1
        else:
            index = self.queues[agent].popleft()
            yield "run", core, index
            self.do(core, self.event(core, index))

    def do(self, core: int, event: Event) -> None:
        match event:
            case Set(source, target, number):
                self.flags[core, source, target, number] += 1
            case Wait(source, target, number):
                self.flags[core, source, target, number] -= 1
            case CrossSet(mode, _, number):
                self.release(core, mode, number)
            case CrossWait(number):
                self.tokens[core, number] -= 1
            case Post(key):
                self.words[key] += 1
            case Take(key):
                self.words[key] -= 1
            case Meet(key, _):
                self.met[core, key] += 1

    def release(self, core: int, mode: int, number: int) -> None:
        members, targets = group_of(self.program.cores, core, mode)
        group = (mode, number, members)
        before = min((self.sets[group, member] for member in members), default=0)
        self.sets[group, core] += 1
        if min((self.sets[group, member] for member in members), default=0) > before:
            for target in targets:
                self.tokens[target, number] += 1


def _run(program: Program, choose: Callable[[list[Agent]], Agent]) -> list[Step]:
    state, steps = _State(program), list[Step]()
    while not state.is_over():
        agents = state.agents()
        if not agents:
            raise Stuck
        steps += state.step(choose(agents))
    return steps
