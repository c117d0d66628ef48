# SPDX-License-Identifier: Apache-2.0
"""Runs the points of a sweep, each in a process of its own: all of them, or as many as a budget allows."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from aclimb.errors import InvalidArgument
from aclimb.fleet import Done, Fleet, Limits, Task, open_fleet
from aclimb.fleet.progress import Tell, progress
from aclimb.fleet.task import Folder
from aclimb.report.sweep.file import SweepFile
from aclimb.report.sweep.objective import Objective
from aclimb.report.sweep.one import outcome_of
from aclimb.report.sweep.points import Axis, Point, combinations, point_at
from aclimb.report.sweep.result import SweepOutcome
from aclimb.report.sweep.search import GAIN, Search


@dataclass(frozen=True, slots=True)
class Budget:
    """How much a search may cost; early stop after `patience` runs in a row that gain less than a percent."""

    runs: int | None = None
    seconds: float | None = None
    patience: int = 10

    @staticmethod
    def of(word: str, patience: int | None = None) -> Budget:
        """40: so many runs; 90s, 5m, 1h: so long."""
        found = re.fullmatch(r"(\d+)([smh]?)", word)
        if found is None or int(found[1]) < 1:
            raise InvalidArgument(f"--budget {word}: it takes a number of runs (40) or a time (90s, 5m, 1h)")
        amount = int(found[1])
        if found[2]:
            return Budget(seconds=amount * {"s": 1, "m": 60, "h": 3600}[found[2]], patience=patience or 10)
        return Budget(runs=amount, patience=patience or max(10, amount // 3))

    def has_room(self, runs: int, seconds: float) -> bool:
        return (self.runs is None or runs < self.runs) and (self.seconds is None or seconds < self.seconds)


@dataclass(frozen=True, slots=True)
class Swept:  # runs -> show
    outcomes: list[SweepOutcome]
    combinations: int
    ending: str = ""  # why a search ended, in words; "" where all were run


@dataclass(frozen=True, slots=True)
class Asked:  # command line -> runs
    """One program, and how each of its runs is made."""

    program: Path
    arguments: list[str]
    timing_only: bool = True
    jobs: int | None = None
    on: str | None = None  # a cluster
    limits: Limits = field(default_factory=Limits)
    needs: tuple[Path, ...] = ()  # what travels beside the program's folder
    leave_out: tuple[Path, ...] = ()  # of it, what does not


def run_all(asked: Asked, axes: Sequence[Axis], file: SweepFile) -> Swept:
    """Every combination, several at a time, with a progress bar. A program that fails takes its row, not the sweep."""
    points = combinations(axes)
    with _runner(asked, file, len(points)) as runner:
        outcomes = runner.outcomes(points)
    file.end("")
    return Swept(outcomes, len(points))


def run_search(asked: Asked, axes: Sequence[Axis], goal: Objective, budget: Budget, file: SweepFile) -> Swept:
    """As many combinations as the budget allows, the promising ones first."""
    count = len(combinations(axes, is_searched=True))
    most = min(count, budget.runs or count)
    with _runner(asked, file, most) as runner:
        outcomes, ending = search(axes, goal, budget, runner.workers, runner.outcomes)
    file.end(ending)
    return Swept(outcomes, count, ending)


def search(
    axes: Sequence[Axis], goal: Objective, budget: Budget, workers: int, evaluate: Callable[[list[Point]], list[SweepOutcome]]
) -> tuple[list[SweepOutcome], str]:
    """Outcomes in the order they were run, and why no more were."""
    looking = Search(axes)
    outcomes: list[SweepOutcome] = []
    first = 2 * len(axes) + 2 if budget.runs is None else max(2, min(2 * len(axes) + 2, budget.runs // 2))
    began, stale = time.monotonic(), 0
    while budget.has_room(len(outcomes), time.monotonic() - began):
        room = workers if budget.runs is None else min(workers, budget.runs - len(outcomes))
        chosen = looking.ask(room, first=first)
        if not chosen:
            return outcomes, f"all {len(outcomes)} combinations were run"
        for index, outcome in zip(chosen, evaluate([point_at(axes, index) for index in chosen]), strict=True):
            before, value = looking.best, goal.of(outcome)
            looking.tell(index, value)
            outcomes.append(outcome)
            is_spread = len(outcomes) <= first  # those are to learn from, not to gain
            stale = 0 if is_spread or (value is not None and value < before * (1 - GAIN)) else stale + 1
        if stale >= budget.patience:
            return outcomes, f"stopped early: {stale} runs in a row gained less than {GAIN:.0%}"
    return outcomes, "the budget is spent"


class _Runner:
    """Points in, outcomes out in the same order. The file has each as soon as it is known."""

    def __init__(self, asked: Asked, fleet: Fleet, file: SweepFile, tell: Tell) -> None:
        self._asked, self._fleet, self._file, self._tell = asked, fleet, file, tell
        self._folders: tuple[Folder, ...] | None = None
        self._before = 0  # points of earlier calls
        self.workers = fleet.workers

    def outcomes(self, points: list[Point]) -> list[SweepOutcome]:
        missing = [(self._before + at, point) for at, point in enumerate(points) if self._file.find(point) is None]
        self._before += len(points)
        if missing and self._folders is None:
            self._folders = self._fleet.carry([self._asked.program.absolute().parent, *self._asked.needs], self._asked.leave_out)
        for _ in self._fleet.run((self._task(point) for _, point in missing), lambda done: self._came(*missing[done.number], done)):
            pass
        return [outcome for point in points if (outcome := self._file.find(point)) is not None]

    def _task(self, point: Point) -> Task:
        asked = self._asked
        arguments = (str(asked.program.absolute()), asked.arguments, point.options, asked.timing_only, str(Path.cwd()))
        return Task("aclimb.report.sweep.one:run_point", arguments, str(point), self._folders or (), asked.limits)

    def _came(self, number: int, point: Point, done: Done) -> None:
        outcome = outcome_of(point, done)
        self._file.add(number, outcome, done)
        self._tell(str(point), outcome.task_us is not None)


@contextmanager
def _runner(asked: Asked, file: SweepFile, most: int) -> Iterator[_Runner]:
    with open_fleet(asked.on, asked.jobs) as fleet, progress("sweep", most, file.count) as tell:
        yield _Runner(asked, fleet, file, tell)


def require_program(program: Path) -> None:
    if not program.is_file():
        raise InvalidArgument(f"{program} does not exist; give the path of a Python program")
