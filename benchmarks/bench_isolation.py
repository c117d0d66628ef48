# SPDX-License-Identifier: Apache-2.0
"""What isolation costs: the same figures with and without it, each in a process of its own, one run after the other."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable

import numpy as np

from benchmarks.bench_instructions import KERNELS, ONE
from benchmarks.harness import Row, bench, best, median

BYTES = 64 << 20
SETTLE_S = 2.0  # global memory of an isolated device gets its large pages from a thread, while kernels run


@bench("isolation")
def isolation() -> Iterable[Row]:
    plain, isolated = _figures("0"), _figures("1")
    for name, bar in (("launch", 6), ("enqueue", 1)):
        yield Row(f"isolation.{name}.warm", isolated[name] - plain[name], "us more", bar, note=f"{plain[name]:.2f} us without")
    # Both inputs hold values: what nobody wrote is one page of zeros, and reading it is reading the cache.
    for name, row in (("add", "add_64MiB.warm"), ("copy", "copy_64MiB.warm")):
        note = f"{plain[name]:.1f} ms without"
        yield Row(f"isolation.{row}", plain[name] / isolated[name], "of the speed without", 0.9, at_least=True, note=note)
    note = f"{plain['first']:.1f} ms without"
    yield Row("isolation.add_64MiB.first", isolated["first"] / plain["first"], "times as long as without", note=note)
    yield Row("isolation.start", isolated["start"], "ms", note="opening the device")


def _figures(isolated: str) -> dict[str, float]:
    words = [sys.executable, "-c", "from benchmarks import bench_isolation; bench_isolation.measure()"]
    ran = subprocess.run(words, env={**os.environ, "ACLIMB_ISOLATED": isolated}, check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(ran.stdout)
    return found


def measure() -> None:
    """In one of the two processes: microseconds and milliseconds."""
    from aclimb import Buffer, Device, Kernel, LaunchConfig, Program, Stream, launch

    begun = time.perf_counter()
    Device()
    figures = {"start": (time.perf_counter() - begun) * 1e3}
    nothing, add = (
        Kernel(Program(KERNELS / "instructions.cpp").compile(), "nothing"),
        Kernel(Program(KERNELS / "add.cpp").compile(), "add_float"),
    )
    stream, count = Stream(), BYTES // 4
    x, y, z = (Buffer(count, np.float32) for _ in range(3))
    host = np.ones(count, np.float32)
    eight = LaunchConfig(num_blocks=8)

    def run() -> None:
        launch(stream, ONE, nothing, 0)
        stream.synchronize()

    def bandwidth() -> None:
        launch(stream, eight, add, x, y, z, count, 4096)
        stream.synchronize()

    def copy() -> None:
        x.copy_in(host.ctypes.data, 0, BYTES)

    def enqueue() -> float:
        started = time.perf_counter()
        for _ in range(200):
            launch(stream, ONE, nothing, 0)
        taken = (time.perf_counter() - started) / 200
        stream.synchronize()
        return taken

    figures["launch"] = best(run, rounds=20, inner=200, pause=0.05) * 1e6
    figures["enqueue"] = median([enqueue() for _ in range(20)]) * 1e6
    for each in (x, y):
        each.copy_in(host.ctypes.data, 0, BYTES)
    begun = time.perf_counter()
    bandwidth()
    figures["first"] = (time.perf_counter() - begun) * 1e3
    while time.perf_counter() - begun < SETTLE_S:
        bandwidth()
    figures["add"] = best(bandwidth, rounds=40) * 1e3
    figures["copy"] = best(copy, rounds=40) * 1e3
    print(json.dumps(figures))
