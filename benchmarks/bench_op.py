# SPDX-License-Identifier: Apache-2.0
"""Host time of an operator call, from the call until its kernels are queued: two stages, two empty kernels, a workspace between them;
and tiling with one kernel, the host code in Python and in C++.
"""

from __future__ import annotations

import ctypes
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch, op
from aclimb.op.project.build import build
from aclimb.op.project.new import new_project
from aclimb.op.tiling.decide import decide
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


@bench("op_cpp")
def host_code_in_cpp() -> Iterable[Row]:
    """The operator of `aclimb op new`, and the same one with its host code in Python: one small kernel each."""
    stream = Stream()
    x, y = Buffer.from_array(np.ones(64, np.float32)), Buffer(64, np.float32)
    with tempfile.TemporaryDirectory() as folder, build(new_project("ScaleBy", Path(folder) / "scale_by")).load() as library:
        cpp = library["ScaleBy"]
        assert cpp._kernels is not None
        python = scale_by(cpp._kernels.first)
        calls: tuple[tuple[str, Callable[[op.Operator], Callable[[], Any]]], ...] = (
            ("cached", lambda each: lambda: each(x, out=y, stream=stream)),
            ("cached_new_output", lambda each: lambda: each(x, stream=stream)),
        )
        with python.registered():
            for name, call in calls:
                ours, theirs = _side_by_side(call(cpp), call(python), stream)
                yield Row(f"op.cpp_{name}", ours, "us", note="host code in C++; tiling remembered")
                yield Row(f"op.python_{name}", theirs, "us", note="the same in Python")
                yield Row(f"op.cpp_to_python_{name}", ours / theirs, "x", 1.3, note="C++ over Python")
            ours, theirs = _side_by_side(_tiles(cpp, x, y, stream), _tiles(python, x, y, stream), stream)
            yield Row("op.cpp_tiling", ours, "us", 30, note="tiling anew, from the call's node to the decision")
            yield Row("op.python_tiling", theirs, "us", note="the same in Python")
    op.release_workspaces(stream)


class ScaleByTiling(ctypes.Structure):
    _fields_ = (("count", ctypes.c_uint32), ("share", ctypes.c_uint32), ("scale", ctypes.c_float))


def scale_by(kernel: Kernel) -> op.Operator:
    """What `aclimb op new ScaleBy` writes in C++."""
    made = op.define("ScaleByInPython")
    made.input("x", dtype=["float32"]).output("y", dtype=["float32"]).attr("scale", float, 2.0).kernel(kernel)

    @made.infer_shape
    def infer_shape(ctx: op.InferShapeContext) -> None:
        ctx.output_shape["y"] = ctx.input_shape["x"]

    @made.tiling
    def tile(ctx: op.TilingContext) -> None:
        count = ctx.input_shape["x"].storage.size
        blocks = max(1, min(ctx.platform.vector_core_num, -(-count // 1024)))
        ctx.tiling_data = ScaleByTiling(count, -(-count // blocks), ctx.attrs["scale"])
        ctx.num_blocks = blocks
        ctx.workspace_sizes = [0]

    return made


def _tiles(operator: op.Operator, x: Buffer, y: Buffer, stream: Stream) -> Callable[[], Any]:
    call = operator._call([x], {}, [y], stream, None)
    return lambda: decide(call, operator._loaded, cached=False)


def _side_by_side(first: Callable[[], Any], second: Callable[[], Any], stream: Stream) -> tuple[float, float]:
    """The median of many short rounds, in turn: what else the machine does falls on both."""
    rounds = [(_enqueued(first, stream, 20, rounds=1), _enqueued(second, stream, 20, rounds=1)) for _ in range(400)]
    return median([each for each, _ in rounds]), median([each for _, each in rounds])


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


def _enqueued(run: Callable[[], Any], stream: Stream, count: int = 200, rounds: int = 30) -> float:
    """Median microseconds of a call that queues; the queue is empty at the start and never full."""
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        for _ in range(count):
            run()
        times.append((time.perf_counter() - started) / count * 1e6)
        stream.synchronize()
    return median(times)
