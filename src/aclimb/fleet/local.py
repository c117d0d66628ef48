# SPDX-License-Identifier: Apache-2.0
"""Workers of this machine: a thread for each, which waits for its process."""

from __future__ import annotations

import os
import platform
import queue
import threading
from collections.abc import Iterable, Sequence
from pathlib import Path

from aclimb import knobs
from aclimb.fleet.seat import Seat
from aclimb.fleet.task import Answer, Folder, Task


class LocalHands:
    """So many tasks at a time. A process that a task brought down is replaced: another attempt has a new one."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._busy = 0
        self._requests: queue.SimpleQueue[tuple[int, Task] | None] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[tuple[int, Answer]] = queue.SimpleQueue()
        self._seats: list[Seat] = []
        self._threads: list[threading.Thread] = []

    def carry(self, paths: Iterable[Path], leave_out: Sequence[Path] = ()) -> tuple[Folder, ...]:
        """Nothing has to be brought to where it is."""
        return ()

    def give(self, ticket: int, task: Task, avoid: frozenset[str]) -> bool:
        if self._busy >= self.workers:
            return False
        if self._busy >= len(self._threads):
            self._hire()
        self._busy += 1
        self._requests.put((ticket, task))
        return True

    def _hire(self) -> None:
        share = max(1, (os.cpu_count() or 1) // self.workers)
        seat = Seat({**os.environ, knobs.threads.variable: str(share)}, platform.node())
        thread = threading.Thread(target=self._work, args=(seat,), daemon=True)
        self._seats.append(seat)
        self._threads.append(thread)
        thread.start()

    def _work(self, seat: Seat) -> None:
        while (request := self._requests.get()) is not None:
            ticket, task = request
            self._answers.put((ticket, seat.do(task)))

    def wait(self) -> list[tuple[int, Answer]]:
        """At least one answer, and those that are there by then."""
        found = [self._answers.get()]
        while not self._answers.empty():
            found.append(self._answers.get())
        self._busy -= len(found)
        return found

    def close(self) -> None:
        for _ in self._threads:
            self._requests.put(None)
        for seat in self._seats:
            seat.close()
        for thread in self._threads:
            thread.join()
        for seat in self._seats:
            seat.end()
        self._seats.clear()
        self._threads.clear()
