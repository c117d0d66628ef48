# SPDX-License-Identifier: Apache-2.0
"""Host time of an operator call, from the call until its kernels are queued: two stages, two empty kernels, a workspace between them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch, op
from benchmarks.bench_instructions import KERNELS
from benchmarks.harness import Row, bench, median

ONE_BLOCK = LaunchConfig(num_blocks=1)
LENGTH = 1024


@bench("op")
def operators() -> Iterable[Row]:
    stream = Stream()
    x, y = Buffer(LENGTH, np.float32), Buffer(LENGTH, np.float32)
    binary = Program(KERNELS / "op.cpp").compile()
    first, second = Kernel(binary, "first_half"), Kernel(binary, "second_half")

    def launches() -> None:
        launch(stream, ONE_BLOCK, first, x, y, LENGTH)
        launch(stream, ONE_BLOCK, second, y, y, LENGTH)

    yield from _calls(two_halves(first, second, kept=True), "cached", x, y, stream, 40)
    yield from _calls(two_halves(first, second, kept=False), "uncached", x, y, stream, None)
    yield Row("op.two_launches", _enqueued(launches, stream), "us", note="the same two kernels, launched by hand")
    op.release_workspaces(stream)


def _calls(halves: op.Operator, name: str, x: Buffer, y: Buffer, stream: Stream, bar: float | None) -> Iterable[Row]:
    with halves.registered():
        given = _enqueued(lambda: halves(x, out=y, stream=stream), stream)
        yield Row(f"op.two_stage_{name}", given, "us", bar, note=f"two kernels, a workspace; prepare {'once' if bar else 'every time'}")
        made = _enqueued(lambda: halves(x, stream=stream), stream)
        yield Row(f"op.two_stage_{name}_new_output", made, "us", note="shape inferred, output allocated and dropped")


def two_halves(first: Kernel, second: Kernel, kept: bool) -> op.Operator:
    """y = f(x) by way of a workspace."""
    halves = op.define("TwoHalves", relaunchable=kept, cached=kept)
    halves.input("x", dtype=["float32"])
    halves.output("y", follow="x")

    @halves.prepare
    def prepare(ctx: op.OpExecutePrepareContext) -> op.Prepared:
        x = ctx.inputs["x"]
        return op.Prepared(x.size, workspace_sizes=[x.nbytes])

    @halves.launch
    def run(ctx: op.OpExecuteLaunchContext) -> None:
        workspace = ctx.workspaces[0]
        launch(ctx.stream, ONE_BLOCK, first, ctx.inputs["x"], workspace, ctx.params)
        launch(ctx.stream, ONE_BLOCK, second, workspace, ctx.outputs["y"], ctx.params)

    return halves


def _enqueued(run: Callable[[], Any], stream: Stream, count: int = 200) -> float:
    """Median microseconds of a call that queues; the queue is empty at the start and never full."""
    times = []
    for _ in range(30):
        started = time.perf_counter()
        for _ in range(count):
            run()
        times.append((time.perf_counter() - started) / count * 1e6)
        stream.synchronize()
    return median(times)
