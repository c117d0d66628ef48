# SPDX-License-Identifier: Apache-2.0
"""Host time from launch() to the end of an empty kernel, and of launch() alone."""

from __future__ import annotations

import time
from collections.abc import Iterable

from aclimb import Kernel, LaunchConfig, Program, Stream, launch
from benchmarks.bench_instructions import KERNELS, ONE
from benchmarks.harness import Row, after_idle, bench, best, median


@bench("launch")
def launches() -> Iterable[Row]:
    kernel = Kernel(Program(KERNELS / "instructions.cpp").compile(), "nothing")
    stream = Stream()
    for blocks, warm, idle in ((1, 5, 25), (48, 20, 60)):
        config = LaunchConfig(num_blocks=blocks)

        def run(config: LaunchConfig = config) -> None:
            launch(stream, config, kernel, 0)
            stream.synchronize()

        yield Row(f"launch.blocks_{blocks}.warm", best(run, rounds=20, inner=200, pause=0.05) * 1e6, "us", warm)
        yield Row(f"launch.blocks_{blocks}.after_idle", after_idle(run) * 1e6, "us", idle)
    # After a pause everything is cold: this is what a dataclass of one field costs then, without any engine.
    yield Row("launch.python_alone.after_idle", after_idle(lambda: LaunchConfig(num_blocks=1)) * 1e6, "us", note="no launch at all")
    yield Row("launch.enqueue.warm", _enqueue(stream, kernel) * 1e6, "us", 3)
    yield Row("launch.enqueue.after_idle", _enqueue_after_idle(stream, kernel) * 1e6, "us", 25)


def _enqueue(stream: Stream, kernel: Kernel) -> float:
    times = []
    for _ in range(20):
        started = time.perf_counter()
        for _ in range(200):
            launch(stream, ONE, kernel, 0)
        times.append((time.perf_counter() - started) / 200)
        stream.synchronize()
    return median(times)


def _enqueue_after_idle(stream: Stream, kernel: Kernel) -> float:
    times = []
    for _ in range(15):
        stream.synchronize()
        time.sleep(0.05)
        started = time.perf_counter()
        launch(stream, ONE, kernel, 0)
        times.append(time.perf_counter() - started)
    stream.synchronize()
    return median(times)
