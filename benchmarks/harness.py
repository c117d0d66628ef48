# SPDX-License-Identifier: Apache-2.0
"""How a figure is taken: best of several rounds, a pause between contenders, one row a benchmark.

BLAS and OpenMP threads keep spinning for a while after a call and steal a core from whoever comes next; hence the pause.
"""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

PAUSE = 0.5
RESULTS = Path(__file__).parent / "results"


@dataclass(frozen=True)
class Row:
    """One figure. `bar` is what we ask of it, with the direction; a row without a bar is there to be looked at."""

    id: str
    value: float
    unit: str
    bar: float | None = None
    at_least: bool = False
    peer: str = ""
    note: str = ""

    @property
    def passed(self) -> bool | None:
        if self.bar is None:
            return None
        return self.value >= self.bar if self.at_least else self.value <= self.bar


Benchmark = Callable[[], Iterable[Row]]
BENCHMARKS: dict[str, Benchmark] = {}


def bench(name: str) -> Callable[[Benchmark], Benchmark]:
    """Registers a group of figures. Names are kept for good, so that two result files can be laid side by side."""

    def register(function: Benchmark) -> Benchmark:
        BENCHMARKS[name] = function
        return function

    return register


def best(run: Callable[[], Any], rounds: int = 7, inner: int = 1, pause: float = PAUSE) -> float:
    """Seconds of the fastest round, divided by `inner`; two rounds warm up."""
    time.sleep(pause)
    times = []
    for _ in range(rounds + 2):
        started = time.perf_counter()
        for _ in range(inner):
            run()
        times.append((time.perf_counter() - started) / inner)
    return min(times[2:])


def median(values: list[float]) -> float:
    return sorted(values)[len(values) // 2]


def in_turns(*works: Callable[[], Any], rounds: int = 1000) -> list[float]:
    """Microseconds of short calls, made in turns so that all meet the same machine: what nine of ten calls take or more, since the work of
    others can only add to it."""
    times: list[list[float]] = [[] for _ in works]
    for _ in range(rounds):
        for work, into in zip(works, times, strict=True):
            started = time.perf_counter()
            work()
            into.append((time.perf_counter() - started) * 1e6)
    return [sorted(each)[rounds // 10] for each in times]


def after_idle(run: Callable[[], Any], rounds: int = 15, idle: float = 0.05) -> float:
    """Median seconds of a call after a pause: threads have gone to sleep, cores have cooled down."""
    times = []
    for _ in range(rounds):
        time.sleep(idle)
        started = time.perf_counter()
        run()
        times.append(time.perf_counter() - started)
    return median(times)


def host() -> dict[str, Any]:
    from aclimb import _engine

    return {"cpu": _cpu(), "cores": os.cpu_count(), "simd": _engine.simd_level(), "python": platform.python_version()}


def _cpu() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def save(rows: list[Row], path: Path | None) -> Path:
    target = path or RESULTS / f"{time.strftime('%Y%m%d-%H%M%S')}.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps({"host": host(), "rows": [asdict(row) for row in rows]}, indent=1) + "\n")
    return target
