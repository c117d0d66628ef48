# SPDX-License-Identifier: Apache-2.0
"""In the process of the program: each of its launches under a part of the schedules. The program itself sees the plain run only."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from aclimb.check.places import whose
from aclimb.check.schedules.parts import Part
from aclimb.check.schedules.tried import Changed, Tried
from aclimb.errors import InvalidArgument
from aclimb.flow import Fault
from aclimb.report.faults import explained
from aclimb.runtime import device as devices
from aclimb.runtime.fused_runs import Begun, Priorities, ProvokedLaunch, ProvokeSession
from aclimb.schedules.cores import LaunchCores
from aclimb.schedules.difference import Difference
from aclimb.schedules.schedule import Schedule
from aclimb.schedules.search import Search
from aclimb.schedules.shrink import Shrinker

_CHANGES = (
    "{kernel}: two plain runs from the same memory leave different bytes, so schedules cannot be compared; does it read a clock, or what "
    "nobody wrote?"
)
_NO_CORES = "{kernel} was not run under {schedule}: it has no such cores"
_PASSED_OVER = "{count} under a profile, a check or a schedule of the program's own, or with several ranks: not run under schedules"


class Provoking:
    """What is queued between open and close."""

    def __init__(self, part: Part) -> None:
        self.part = part
        self._native = ProvokeSession(self._launch)
        self._launches = 0
        self._changed: list[Changed] = []
        self._notes: dict[str, None] = {}
        self._failure: Exception | None = None
        self._known: set[tuple[object, ...]] = set()

    def open(self) -> None:
        self._native.open()

    def close(self) -> Tried:
        for device in devices.opened():
            device.native.wait_idle()
        self._native.close()
        if self._failure is not None:
            raise self._failure
        if count := self._native.passed_over:
            launches = f"{count} launch{'es' if count > 1 else ''}"
            self._notes[_PASSED_OVER.format(count=launches)] = None
        return Tried(self.part.total, self._launches + count, tuple(self._changed), tuple(self._notes))

    def write(self, path: Path) -> None:
        path.write_text(self.close().to_json())

    def _launch(self, native: ProvokedLaunch) -> None:
        """Called by the engine, instead of running the launch; what is raised here would be lost there."""
        number, self._launches = self._launches, self._launches + 1
        try:
            begun = native.begin()
            if begun is Begun.changes:
                self._notes[_CHANGES.format(kernel=native.kernel)] = None
            elif begun is Begun.ready and self._failure is None:
                self._changed += self._under_schedules(native, number)
        except Exception as error:
            self._failure = self._failure or error

    def _under_schedules(self, native: ProvokedLaunch, launch: int) -> Iterator[Changed]:
        trial = LaunchTrial(native)
        for number, schedule in self._chosen(trial):
            if native.interrupted:
                return
            found = trial.run(schedule)
            if found is None:
                continue
            group = native.kernel, native.place, found.parameter
            if group not in self._known and not self.part.replay:
                self._known.add(group)
                found = Shrinker(trial.run, trial.cores).shrink(found)
            yield trial.changed(found, launch, number)

    def _chosen(self, trial: LaunchTrial) -> Iterator[tuple[int, Schedule]]:
        """With their numbers. Change points lie within the steps that the first schedule takes, which every part runs for that."""
        if self.part.replay:
            schedule = Schedule.parse(self.part.replay)
            if trial.has_cores_of(schedule):
                return iter([(0, schedule)])
            self._notes[_NO_CORES.format(kernel=trial.cores.kernel, schedule=schedule)] = None
            return iter(())
        search = Search(trial.cores, self.part.total)
        first = next(search.schedules())
        search.steps = max(1, trial.steps_of(first))
        return islice(enumerate(search.schedules()), self.part.first, self.part.end)


class LaunchTrial:
    """One launch, as schedules.shrink asks for its runs."""

    def __init__(self, native: ProvokedLaunch) -> None:
        self._native = native
        self.cores = LaunchCores(native.kernel, native.kernel_type, native.num_blocks)

    def has_cores_of(self, schedule: Schedule) -> bool:
        try:
            schedule.engine(self.cores)
        except InvalidArgument:
            return False
        return True

    def steps_of(self, schedule: Schedule) -> int:
        order = schedule.engine(self.cores)
        self._run(order)
        return order.steps if isinstance(order, Priorities) else 1

    def _run(self, order: Any) -> tuple[int, int, int] | Fault | None:
        return self._native.run_order(order) if isinstance(order, Priorities) else self._native.run_seed(*order)

    def run(self, schedule: Schedule) -> Difference | None:
        found = self._run(schedule.engine(self.cores))
        if found is None:
            return None
        seed = schedule.seed if schedule.kind == "seed" else None
        if isinstance(found, Fault):
            told = explained(found)
            error = f"{told.words.headline}{f', {told.where}' if told.where else ''}"
            return Difference(seed, "", 0, 0, (), (), (), error, is_fused=False, schedule=schedule)
        base, begin, end = found
        _, parameter, offset = whose(begin, self._native)
        first = offset if parameter else begin - base
        return Difference(seed, parameter, first, first + end - begin - 1, (), (), (), is_fused=False, schedule=schedule)

    def changed(self, found: Difference, launch: int, number: int) -> Changed:
        native = self._native
        return Changed(
            launch=launch, number=number, kernel=native.kernel, place=native.place, schedule=found.replay, words=found.how,
            parameter=found.parameter, begin=found.first, end=found.last + 1, error=found.error, adds_floats=native.adds_floats,
        )  # fmt: skip
