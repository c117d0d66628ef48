# SPDX-License-Identifier: Apache-2.0
"""The timing model: instructions a second from issue to their place on the timeline, what a profile costs, and how fast it is written."""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

import aclimb
from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch
from aclimb.trace.launch import ENTRY, RESULT
from benchmarks.bench_instructions import KERNELS
from benchmarks.harness import Row, bench, best

ADDED = 8192 * 8192
TILE = 4096
SLICES = 100_000


@bench("timing")
def timing() -> Iterable[Row]:
    binary = Program(KERNELS / "add.cpp").compile()
    yield from _rates(binary)
    yield Row("timing.bytes_per_instruction", ENTRY.itemsize + RESULT.itemsize, "bytes", 64, note="as recorded and as timed, trace on")
    yield _large_add(binary)
    yield _overhead(binary)
    yield from _files(binary)


def _rates(binary: Any) -> Iterable[Row]:
    """One host core: blocks run on one thread of the process, and the model has one by itself."""
    for trace, bar in ((False, 3), (True, 1)):
        kernel, stream = Kernel(binary, "add_half"), Stream()
        buffers = [Buffer(ADDED, np.float16) for _ in range(3)]
        counts: list[int] = []

        def run(trace: bool = trace) -> None:
            with aclimb.profile(trace=trace, timing_only=True) as profile:
                launch(stream, LaunchConfig(num_blocks=48), kernel, *buffers, ADDED // 8, 128)  # noqa: B023 - called before the next round
            counts.append(profile.launches[0].instructions)  # noqa: B023

        with _one_core():
            seconds = best(run, rounds=5, pause=0.1)
        word = "on" if trace else "off"
        rate = counts[0] / seconds / 1e6
        note = f"{counts[0]:,} instructions of a half add, timing only, one host core"
        yield Row(f"timing.rate.trace_{word}", rate, "million instructions/s", bar, at_least=True, note=note)


@contextmanager
def _one_core() -> Iterator[None]:
    """Everything of this process on one core of the host."""
    threads = [int(each) for each in os.listdir("/proc/self/task")]
    before = {thread: os.sched_getaffinity(thread) for thread in threads}
    for thread, cores in before.items():
        os.sched_setaffinity(thread, {min(cores)})
    yield
    for thread, cores in before.items():
        if Path("/proc/self/task", str(thread)).exists():
            os.sched_setaffinity(thread, cores)


def _large_add(binary: Any) -> Row:
    kernel, stream = Kernel(binary, "add_half"), Stream()
    buffers = [Buffer(ADDED, np.float16) for _ in range(3)]
    started = time.perf_counter()
    with aclimb.profile(timing_only=True) as profile:
        launch(stream, LaunchConfig(num_blocks=48), kernel, *buffers, ADDED, TILE)
    seconds = time.perf_counter() - started
    note = f"{profile.launches[0].instructions:,} instructions, trace on; modelled {profile.launches[0].task_us:.0f} us"
    return Row("timing.add_8192x8192", seconds, "s", 10, note=note)


def _overhead(binary: Any) -> Row:
    """A launch that computes, alone and inside a profile."""
    kernel, stream, count = Kernel(binary, "add_half"), Stream(), 16 * 2**20
    buffers = [Buffer.from_array(np.zeros(count, np.float16)) for _ in range(3)]

    def plain() -> None:
        launch(stream, LaunchConfig(num_blocks=48), kernel, *buffers, count, TILE)
        stream.synchronize()

    def profiled() -> None:
        with aclimb.profile(trace=False):
            plain()

    alone, inside = best(plain, rounds=7), best(profiled, rounds=7)
    note = f"half add of 16 Mi, computed: {alone * 1e3:.1f} and {inside * 1e3:.1f} ms"
    return Row("timing.overhead", inside / alone, "x unprofiled", peer="the same launch, unprofiled", note=note)


def _files(binary: Any) -> Iterable[Row]:
    from aclimb.report import html
    from aclimb.trace import chrome

    kernel, stream = Kernel(binary, "add_half"), Stream()
    count = SLICES // 4 * 128
    buffers = [Buffer(count, np.float16) for _ in range(3)]
    with aclimb.profile(timing_only=True) as profile:
        launch(stream, LaunchConfig(num_blocks=48), kernel, *buffers, count, 128)
    _ = profile.launches
    document = best(profile.json, rounds=2, pause=0.1)
    whole = profile.json()
    note = f"{len(whole['slices']['lane']):,} slices"
    yield Row("timing.document", document, "s", note=note)
    with tempfile.TemporaryDirectory() as folder:
        dump = best(lambda: Path(folder, "plain.json").write_text(json.dumps(whole["slices"])), rounds=2, pause=0.1)
        trace = best(lambda: chrome.write_trace(whole, Path(folder, "trace.json")), rounds=2, pause=0.1)
        page = best(lambda: html.write(whole, Path(folder, "report.html")), rounds=2, pause=0.1)
        size = Path(folder, "trace.json").stat().st_size / 2**20
        yield Row("timing.write_trace", trace, "s", peer=f"json.dumps of the columns: {dump:.2f} s", note=f"{note}, {size:.0f} MiB")
        yield Row("timing.write_html", page, "s", note=f"{note}, {Path(folder, 'report.html').stat().st_size / 2**20:.1f} MiB")
