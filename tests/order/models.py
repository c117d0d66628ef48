# SPDX-License-Identifier: Apache-2.0
"""The models of order that are compared with the search, and how a program is fed to one."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Protocol

from clock_model import ClockModel
from events import (
    Access,
    Barrier,
    Clean,
    CrossSet,
    CrossWait,
    DataBarrier,
    Event,
    Meet,
    Pair,
    Post,
    Program,
    Set,
    Take,
    Touch,
    Wait,
    queue_of,
)  # fmt: skip
from schedules import Step

from aclimb import _engine


class Model(Protocol):
    @property
    def races(self) -> set[Pair]: ...
    @property
    def supplied(self) -> set[Pair]: ...

    def issue(self, core: int, index: int, event: Event) -> None: ...
    def run(self, core: int, index: int) -> None: ...


_WAYS = {"r": "reads", "w": "writes", "u": "updates", "a": "atomic"}
_SCOPES = {"ALL": 0, "DDR": 1, "UB": 2, "SEQ": 3}
_UNIT_FLAG, _RAW = 1, 4  # marks of an access


class EngineModel:
    """The engine's own, told the same events. Its pairs name the n-th instruction of an agent; here they are places in the program."""

    all_pairs = True

    def __init__(self, cores: list[tuple[str, int]], auto_sync: str) -> None:
        kinds = [(_engine.CoreType[kind], block) for kind, block in cores]
        self.model = _engine.OrderModel(kinds, _engine.AutoSync[auto_sync], self.all_pairs)
        self.events: dict[tuple[int, int], Event] = {}
        self.places: dict[tuple[int, str, int], int] = {}  # by core, agent and number
        self.keys: dict[Hashable, int] = {}
        self.found: list[Any] | None = None

    def issue(self, core: int, index: int, event: Event) -> None:
        self.events[core, index] = event
        queue = queue_of(event)
        if queue is None:
            self.run(core, index)  # what the scalar unit does, it does when it comes to it
        else:
            self.model.issued(core, _engine.Pipe[queue])

    def run(self, core: int, index: int) -> None:
        event, model, pipe = self.events[core, index], self.model, _engine.Pipe
        match event:
            case Access():
                self._access(core, index, event)
            case Set(source, target, number):
                model.set_flag(core, pipe[source], pipe[target], number)
            case Wait(source, target, number):
                model.wait_flag(core, pipe[source], pipe[target], number)
            case Barrier(of):
                model.barrier(core, pipe[of])
            case CrossSet(mode, of, number):
                model.cross_set(core, pipe[of], mode, number)
            case CrossWait(number):
                model.cross_wait(core, number)
            case DataBarrier(scope):
                model.scalar_barrier(core, _SCOPES[scope])
            case Clean(begin, end):
                model.clean(core, begin, end)
            case Post(key):
                model.post(core, self.keys.setdefault(key, len(self.keys)))
            case Take(key):
                model.take(core, self.keys.setdefault(key, len(self.keys)))

    def _access(self, core: int, index: int, event: Access) -> None:
        raw = 0 if event.tensor else _RAW
        touches = [self._bytes(each, raw | (_UNIT_FLAG if event.unit_flag and each.memory == "L0C" else 0)) for each in event.touches]
        if event.pipe == "S":
            number = self.model.scalar(core, touches[0], event.tensor, not event.cached)
        else:
            adds = any(each.role == "u" and each.memory == "L0C" for each in event.touches)
            number = self.model.run(core, _engine.Pipe[event.pipe], touches, event.fractals >= 10 and adds)
        self.places[core, event.pipe, number] = index

    def _bytes(self, touch: Touch, marks: int) -> tuple[Any, ...]:
        kind = 1 + sorted({"", touch.atomic, "add float", "max float", "add int", "min half"}).index(touch.atomic) if touch.atomic else 0
        return (_engine.Memory[touch.memory], _engine.Way[_WAYS[touch.role]], touch.begin, touch.end - touch.begin, 1, 0, marks, kind)

    def _pairs(self) -> list[Any]:
        if self.found is None:
            self.found = self.model.pairs()
        return self.found

    def _place(self, unit: int, agent: str, number: int) -> tuple[int, int]:
        """A line that the cache wrote back may be of several stores: it has no place of its own."""
        return unit, self.places.get((unit, agent, number), -1)

    def _of(self, *, by_compiler: bool) -> set[Pair]:
        found = set()
        for kind, _, unit, agent, number, other, by, which in self._pairs():
            if (kind.name == "compiler_edge") == by_compiler and not (by_compiler and agent == by == "V"):  # V behind V goes without saying
                x, y = self._place(unit, agent, number), self._place(other, by, which)
                found.add((min(x, y), max(x, y)))
        return found

    @property
    def races(self) -> set[Pair]:
        return self._of(by_compiler=False)

    @property
    def supplied(self) -> set[Pair]:
        return self._of(by_compiler=True)


class CheckModel(EngineModel):
    """The same as kernels are checked with it: one pair at least where there is any."""

    all_pairs = False


def is_beyond_the_engine(program: Program) -> bool:
    """Its instructions of pipes are all of tensors, and where cores meet is told by the engine below it."""
    events = [event for core in program.cores for event in core.events]
    return any(isinstance(event, Meet) or (isinstance(event, Access) and event.pipe != "S" and not event.tensor) for event in events)


MODELS: list[Callable[[list[tuple[str, int]], str], Model]] = [ClockModel, EngineModel]


def judge(make: Callable[[list[tuple[str, int]], str], Model], program: Program, steps: list[Step]) -> Model:
    model = make([(core.kind, core.block) for core in program.cores], program.auto_sync)
    for what, core, index in steps:
        if what == "issue":
            model.issue(core, index, program.cores[core].events[index])
        else:
            model.run(core, index)
    return model
