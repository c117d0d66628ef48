# SPDX-License-Identifier: Apache-2.0
"""What a fleet costs: a task that does nothing, from tasks in to results in a file, workers running; and what a second worker is worth."""

from __future__ import annotations

import importlib
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from aclimb.fleet import Fleet, Places, Task, open_fleet
from aclimb.fleet.records import Records, Result
from benchmarks.harness import PAUSE, Row, bench, median

ROOT = Path(__file__).parents[1]
COUNT = 500
WORK_S, WORKS, ROUNDS = 0.15, 12, 5


def nothing(arguments: Any, places: Places) -> Any:
    return arguments


def work(rounds: int, places: Places) -> int:
    total = 0
    for number in range(rounds):
        total ^= number * number
    return total


def wait(seconds: float, places: Places) -> None:
    """Takes time and no core: what two workers are worth where the cores are not the limit."""
    time.sleep(seconds)


@bench("fleet")
def _() -> Iterator[Row]:
    with _tasks_are_found():
        yield Row("fleet.local_task", _per_task_ms(lambda: open_fleet(jobs=1)), "ms", 5.0, note=f"{COUNT} tasks, each kept in SQLite")
        if find_spec("ray") is not None:
            with _cluster():
                yield Row("fleet.ray_task", _per_task_ms(lambda: open_fleet("ray", 1)), "ms", 15.0, note=f"{COUNT} tasks, kept; Ray")
        yield _gain_row("fleet.two_workers", Task("benchmarks.bench_fleet:work", _rounds_for(WORK_S)), 1.7)
        yield _gain_row("fleet.two_workers_that_wait", Task("benchmarks.bench_fleet:wait", WORK_S), None)


def _gain_row(name: str, task: Task, bar: float | None) -> Row:
    """The median. Where it is above 2, or rounds lie far apart, it says more about the load than about us."""
    gains = _gains(task)
    note = f"{gains[0]:.2f} to {gains[-1]:.2f} in {ROUNDS} rounds; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    return Row(name, median(gains), "x", bar, at_least=True, peer="one worker", note=note)


def _per_task_ms(open_one: Callable[[], Fleet]) -> float:
    """The best of three rounds."""
    tasks = [Task("benchmarks.bench_fleet:nothing", number) for number in range(COUNT)]
    with open_one() as fleet, tempfile.TemporaryDirectory() as folder, Records(Path(folder, "a.sqlite")) as records:
        list(fleet.run(tasks[:20]))
        times = []
        for _ in range(3):
            run = records.begin("bench", {}, COUNT)
            began = time.perf_counter()
            for done in fleet.run(tasks):
                records.add(run, Result(done.number, str(done.number), {}, "", None, None, [], done.reason, done.value))
            times.append((time.perf_counter() - began) / COUNT * 1e3)
    return min(times)


def _gains(task: Task) -> list[float]:
    """How many times as fast two workers are as one, in rounds that take turns: what others do on this machine changes."""
    found = []
    with open_fleet(jobs=1) as one, open_fleet(jobs=2) as two:
        for fleet in (one, two):
            list(fleet.run([task] * 4))
        time.sleep(PAUSE)
        for _ in range(ROUNDS):
            alone, together = (_seconds(fleet, task) for fleet in (one, two))
            found.append(alone / together)
    return sorted(found)


def _seconds(fleet: Fleet, task: Task) -> float:
    began = time.perf_counter()
    list(fleet.run([task] * WORKS))
    return time.perf_counter() - began


def _rounds_for(seconds: float) -> int:
    began = time.process_time()
    work(1_000_000, Places())
    return int(1_000_000 * seconds / (time.process_time() - began))


@contextmanager
def _tasks_are_found() -> Iterator[None]:
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), before]))
    try:
        yield
    finally:
        os.environ["PYTHONPATH"] = before or ""


@contextmanager
def _cluster() -> Iterator[None]:
    """That of the tests: two nodes on this machine."""
    sys.path.insert(0, str(ROOT / "tests" / "fleet"))
    ray_cluster = importlib.import_module("ray_cluster")
    with tempfile.TemporaryDirectory() as folder:
        made = ray_cluster.Cluster(Path(folder))
        os.environ["RAY_ADDRESS"] = made.address
        try:
            yield
        finally:
            made.close()
            del os.environ["RAY_ADDRESS"]
