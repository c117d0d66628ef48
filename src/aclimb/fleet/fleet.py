# SPDX-License-Identifier: Apache-2.0
"""Tasks in, results out in the same order. What crashes, hangs or needs too much memory is tried elsewhere, then told with its reason."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Protocol

from aclimb.errors import InvalidArgument
from aclimb.fleet.local import LocalHands
from aclimb.fleet.task import Answer, Done, Ending, Folder, Task

ATTEMPTS = 2  # of a task that does something to its worker
ATTEMPTS_WHEN_LOST = 6  # a node that goes away says little about the task
AHEAD = 20_000  # results that may wait for an earlier one
RAY = "ray"


class Hands(Protocol):
    """Who does the work."""

    workers: int

    def carry(self, paths: Iterable[Path], leave_out: Sequence[Path] = ()) -> tuple[Folder, ...]:
        """Makes folders of the user's known to the places where tasks run."""

    def give(self, ticket: int, task: Task, avoid: frozenset[str]) -> bool:
        """False: nobody is free now. `avoid`: nodes that another attempt was made on."""

    def wait(self) -> list[tuple[int, Answer]]:
        """What came in, by ticket; waits for something to happen."""

    def close(self) -> None: ...


@dataclass(slots=True)
class _Try:
    number: int
    task: Task
    attempts: int = 0
    avoid: set[str] = field(default_factory=set)


class Fleet:
    """`with open_fleet() as fleet: results = list(fleet.run(tasks))`"""

    def __init__(self, hands: Hands) -> None:
        self._hands = hands
        self._tickets = 0

    @property
    def workers(self) -> int:
        return self._hands.workers

    def carry(self, paths: Iterable[Path], leave_out: Sequence[Path] = ()) -> tuple[Folder, ...]:
        """What tasks need of these files and folders, for `Task.folders`; without what lies in `leave_out`."""
        return self._hands.carry([each.absolute() for each in paths], [each.absolute() for each in leave_out])

    def run(self, tasks: Iterable[Task], came: Callable[[Done], object] = lambda done: None) -> Iterator[Done]:
        """Results in the order of the tasks; `came` is told of each as it comes. Tasks are taken as there is somebody for them."""
        rest, again, running = enumerate(tasks), deque[_Try](), dict[int, _Try]()
        waiting: dict[int, Done] = {}
        told, new = 0, next(rest, None)
        while new is not None or again or running:
            while again and self._give(again[0], running):
                again.popleft()
            while new is not None and new[0] - told < AHEAD and self._give(_Try(*new), running):
                new = next(rest, None)
            for ticket, answer in self._hands.wait():
                tried = running.pop(ticket)
                tried.attempts += 1
                if _is_worth_another(answer, tried):
                    tried.avoid.add(answer.node)
                    again.append(tried)
                    continue
                done = _done(tried, answer)
                came(done)
                waiting[done.number] = done
            while told in waiting:
                yield waiting.pop(told)
                told += 1

    def _give(self, tried: _Try, running: dict[int, _Try]) -> bool:
        if not self._hands.give(self._tickets, tried.task, frozenset(tried.avoid)):
            return False
        running[self._tickets] = tried
        self._tickets += 1
        return True

    def close(self) -> None:
        self._hands.close()

    def __enter__(self) -> Fleet:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def _is_worth_another(answer: Answer, tried: _Try) -> bool:
    if answer.ending in (Ending.good, Ending.raised):
        return False
    return tried.attempts < (ATTEMPTS_WHEN_LOST if answer.ending in (Ending.lost, Ending.elsewhere) else ATTEMPTS)


def _done(tried: _Try, answer: Answer) -> Done:
    reason = answer.reason
    if reason and tried.attempts > 1:
        reason += f" ({tried.attempts} attempts)"
    return Done(tried.number, tried.task, answer.value, reason, tried.attempts, answer.seconds, answer.node)


def open_fleet(on: str | None = None, jobs: int | None = None) -> Fleet:
    """Processes of this machine, `jobs` at a time (its cores); or `on` "ray", the cluster that runs here, or "ray://host:port"."""
    if jobs is not None and jobs < 1:
        raise InvalidArgument(f"--jobs is {jobs}; it takes how many tasks run at a time, 1 and up")
    if on is None:
        return Fleet(LocalHands(jobs if jobs is not None else os.cpu_count() or 1))
    if on != RAY and not on.startswith("ray://"):
        raise InvalidArgument(f"--on {on}: it takes ray, the Ray cluster that this machine belongs to, or ray://host:port, a remote one")
    from aclimb.fleet.on_ray import ray_hands

    return Fleet(ray_hands(on, jobs))
