# SPDX-License-Identifier: Apache-2.0
"""Device memory that runs out, at every allocation of a run: nothing is left, the error says where it was, and the next call works."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from op_parts import FOUR, Counted, Find, Register, add_scaled, device, floats, ran, six_times, tile_add

import aclimb
from aclimb import Buffer, Stream, launch, op
from aclimb.errors import OutOfMemory

MIB = 1 << 20
COUNT = MIB // 4  # floats in one MiB


Hog = Callable[[int], Buffer]


@pytest.fixture
def hog(stream: Stream) -> Iterator[Hog]:
    """hog(leave) takes all device memory but so many bytes; none of it is touched. A test that fails gives it back, too."""
    taken: list[Buffer] = []

    def take(leave: int) -> Buffer:
        taken.append(Buffer(stream.device.memory_total - stream.device.memory_used - leave))
        return taken[-1]

    yield take
    for each in taken:
        each.free()


@pytest.mark.requirement("op-27", "op-38")
@pytest.mark.parametrize(
    ("leave", "stage"),
    [(MIB // 2, "allocate_outputs"), (3 * MIB // 2, "allocate_workspaces"), (5 * MIB // 2, "allocate_workspaces")],
    ids=["no output", "no workspace", "one workspace"],
)
def test_memory_that_runs_out_in_a_two_stage_operator_leaves_nothing(
    kernel: Find, stream: Stream, register: Register, hog: Hog, leave: int, stage: str
) -> None:
    launched: list[str] = []
    params = Counted()
    made = six_times(kernel, prepare=lambda ctx: op.Prepared(params, [MIB, MIB]), launch=lambda ctx: launched.append("launch"))
    register(made)
    x = device(floats(COUNT))
    taken = hog(leave)
    before = aclimb.live()
    with pytest.raises(op.OpError, match="SixTimes") as caught:
        made(x, stream=stream)
    assert caught.value.stage == stage
    assert isinstance(caught.value.__cause__, OutOfMemory)
    op.release_workspaces()
    assert aclimb.live() == before
    assert launched == []
    assert params.closed == (stage == "allocate_workspaces")
    taken.free()
    made(x, stream=stream)
    assert launched == ["launch"]


@pytest.mark.requirement("op-38")
@pytest.mark.parametrize(
    ("leave", "stage"), [(MIB // 2, "allocate_outputs"), (3 * MIB // 2, "allocate_workspaces")], ids=["no output", "no workspace"]
)
def test_memory_that_runs_out_in_a_tiling_operator_leaves_nothing(
    kernel: Find, stream: Stream, register: Register, hog: Hog, leave: int, stage: str
) -> None:
    def tiling(ctx: Any) -> None:
        tile_add(ctx)
        ctx.workspace_sizes = [MIB]

    made = add_scaled(kernel, tiling=tiling)
    register(made)
    x = device(floats(COUNT))
    taken = hog(leave)
    before = aclimb.live()
    with pytest.raises(op.OpError, match="AddScaled") as caught:
        made(x, x, stream=stream)
    assert caught.value.stage == stage
    assert isinstance(caught.value.__cause__, OutOfMemory)
    op.release_workspaces()
    assert aclimb.live() == before
    taken.free()
    np.testing.assert_array_equal(ran(stream, made(x, x, stream=stream)), 2 * floats(COUNT))


@pytest.mark.requirement("op-38")
@pytest.mark.parametrize("way", ["call", "plan", "prepare"])
def test_wherever_memory_runs_out_nothing_is_left(kernel: Find, stream: Stream, register: Register, hog: Hog, way: str) -> None:
    """Inputs, output and workspace of 1 MiB each, with half a MiB more to spend each time."""
    made = six_times(kernel)
    register(made)
    x = floats(COUNT)

    def run() -> Any:
        if way == "call":
            return made(x, stream=stream).to_numpy()
        if way == "plan":
            with made.plan(x) as plan:
                return plan.run(stream=stream).to_numpy()
        with op.prepare(made, x) as prepared:
            return prepared.launch(stream).to_numpy()

    gc.collect()  # what an earlier test's exception still held is not this test's
    stages = []
    for halves in range(12):
        taken = hog(halves * MIB // 2 + 1)
        before = aclimb.live()
        try:
            np.testing.assert_array_equal(run(), 6 * x)
            stages.append("")
        except op.OpError as error:
            stages.append(error.stage if isinstance(error.__cause__, OutOfMemory) else repr(error.__cause__))
        op.release_workspaces()
        gc.collect()
        assert aclimb.live() == before, f"with {halves} halves of a MiB, {stages[-1]}"
        taken.free()
    assert {"place_inputs", "allocate_outputs", "allocate_workspaces"} <= set(stages)
    assert stages[0] != ""
    assert stages[-1] == "", "in the end there was enough"
    np.testing.assert_array_equal(run(), 6 * x)


@pytest.mark.requirement("op-48")
def test_a_single_stage_operator_may_do_with_less(kernel: Find, stream: Stream, register: Register, hog: Hog) -> None:
    """It gets None where memory runs out, and can go on."""
    seen: list[bool] = []
    scale = kernel("scale")
    made = op.define("Modest")
    made.input("x", dtype=["float32"])
    made.output("y", follow="x")

    @made.execute
    def execute(ctx: Any) -> None:
        seen.append(ctx.malloc_workspace(2 * MIB) is None)
        launch(ctx.stream, FOUR, scale, ctx.inputs["x"], ctx.outputs["y"], ctx.inputs["x"].nbytes // 4, 2.0)

    register(made)
    x, out = device(floats(8)), Buffer(8, np.float32)
    taken = hog(MIB)
    made(x, out=out, stream=stream)
    taken.free()
    made(x, out=out, stream=stream)
    assert seen == [True, False]
    np.testing.assert_array_equal(ran(stream, out), 2 * floats(8))
