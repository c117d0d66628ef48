# SPDX-License-Identifier: Apache-2.0
"""Whatever goes wrong in whatever stage: nothing is left, the error says where it was, and the next call works."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from op_parts import (
    FOUR,
    Counted,
    Find,
    Register,
    add_scaled,
    device,
    floats,
    launch_six,
    prepare_six,
    ran,
    same_shape,
    six_times,
    tile_add,
)

import aclimb
from aclimb import LaunchConfig, Stream, launch, op
from aclimb.errors import KernelTrap


class Fault:
    """Goes wrong the first time it is called in a stage, in the way it was made for."""

    def __init__(self, act: Callable[[], Any]) -> None:
        self._act, self.armed = act, True

    def before(self, then: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def call(ctx: Any) -> Any:
            if self.armed:
                self.armed = False
                return self._act()
            return then(ctx)

        return call

    def behind(self, then: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def call(ctx: Any) -> Any:
            result = then(ctx)
            if self.armed:
                self.armed = False
                return self._act()
            return result

        return call


def boom() -> None:
    raise ArithmeticError("boom")


def returns(value: Any) -> Callable[[], Any]:
    return lambda: value


WAYS: dict[str, tuple[Callable[[], Any], int | None]] = {
    "raises": (boom, op.GRAPH_FAILED),
    "returns 42": (returns(42), 42),
    "returns -1": (returns(-1), None),
    "returns a text": (returns("no status"), op.GRAPH_FAILED),
    "returns a list": (returns([0]), op.GRAPH_FAILED),
}
TWO_STAGE = ("infer_data_type", "infer_shape", "prepare", "launch")
TILED = ("infer_data_type", "infer_shape", "tiling_parse", "tiling")


def wrapped(place: str, fault: Fault, stage: str, name: str, function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    if name != stage:
        return function
    return fault.before(function) if place == "at the start" else fault.behind(function)


def same_type(ctx: Any) -> None:
    ctx.output_dtype[0] = ctx.input_dtype[0]


def two_stage(kernel: Find, stage: str, place: str, fault: Fault, params: Counted) -> Any:
    def prepare(ctx: Any) -> int:
        ctx.set_op_api_params(params)
        ctx.set_workspace_sizes([4 * (ctx.inputs["x"].nbytes // 4), 64])
        return 0

    scale = kernel("scale")

    def run(ctx: Any) -> None:
        count = ctx.inputs["x"].nbytes // 4
        launch(ctx.stream, FOUR, scale, ctx.inputs["x"], ctx.workspaces[0], count, 2.0)
        launch(ctx.stream, FOUR, scale, ctx.workspaces[0], ctx.outputs["y"], count, 3.0)

    functions = {"infer_shape": same_shape, "prepare": prepare, "launch": run}
    made = six_times(kernel, **{name: wrapped(place, fault, stage, name, each) for name, each in functions.items()})
    made.infer_data_type(wrapped(place, fault, stage, "infer_data_type", same_type))
    return made


@pytest.mark.requirement("op-27", "op-33", "op-37", "op-38", "op-41")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("place", ["at the start", "at the end"])
@pytest.mark.parametrize("stage", TWO_STAGE)
def test_a_fault_in_a_two_stage_operator_leaves_nothing(
    kernel: Find, stream: Stream, register: Register, stage: str, place: str, way: str
) -> None:
    act, code = WAYS[way]
    params = Counted()
    made = two_stage(kernel, stage, place, Fault(act), params)
    register(made)
    x = device(floats(300))
    before = aclimb.live()
    with pytest.raises(op.OpError, match=rf"SixTimes.*{stage}") as caught:
        made(x, stream=stream)
    assert (caught.value.operator, caught.value.stage) == ("SixTimes", stage)
    assert code is None or caught.value.code == code
    assert isinstance(caught.value.__cause__, ArithmeticError) == (way == "raises")
    op.release_workspaces()
    assert aclimb.live() == before
    opened = stage == "launch" or (stage == "prepare" and place == "at the end")
    assert params.closed == opened
    np.testing.assert_array_equal(ran(stream, made(x, stream=stream)), 6 * floats(300))


@pytest.mark.requirement("op-38", "op-41")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("place", ["at the start", "at the end"])
@pytest.mark.parametrize("stage", TILED)
def test_a_fault_in_a_tiling_operator_leaves_nothing(
    kernel: Find, stream: Stream, register: Register, stage: str, place: str, way: str
) -> None:
    act, code = WAYS[way]
    fault = Fault(act)

    def tiling(ctx: Any) -> None:
        tile_add(ctx)
        ctx.compile_info["seen"] = True

    functions = {"infer_shape": same_shape, "tiling": tiling}
    made = add_scaled(kernel, **{name: wrapped(place, fault, stage, name, each) for name, each in functions.items()})
    made.infer_data_type(wrapped(place, fault, stage, "infer_data_type", same_type))
    made.tiling_parse(dict)(wrapped(place, fault, stage, "tiling_parse", lambda ctx: None))
    register(made)
    x = device(floats(300))
    before = aclimb.live()
    with pytest.raises(op.OpError, match=rf"AddScaled.*{stage}") as caught:
        made(x, x, stream=stream)
    assert caught.value.stage == stage
    assert code is None or caught.value.code == code
    op.release_workspaces()
    assert aclimb.live() == before
    np.testing.assert_array_equal(ran(stream, made(x, x, stream=stream)), 2 * floats(300))


@pytest.mark.requirement("op-38", "op-48")
@pytest.mark.parametrize("way", WAYS)
def test_a_fault_in_a_single_stage_operator_leaves_nothing(kernel: Find, stream: Stream, register: Register, way: str) -> None:
    act, _ = WAYS[way]
    scale = kernel("scale")

    def execute(ctx: Any) -> None:
        count = ctx.inputs["x"].nbytes // 4
        workspace = ctx.malloc_workspace(4 * count)
        launch(ctx.stream, FOUR, scale, ctx.inputs["x"], workspace, count, 5.0)
        launch(ctx.stream, FOUR, scale, workspace, ctx.outputs["y"], count, 1.0)

    made = op.define("Single")
    made.input("x", dtype=["float32"])
    made.output("y", follow="x")
    made.execute(Fault(act).behind(execute))
    register(made)
    x = device(floats(300))
    before = aclimb.live()
    with pytest.raises(op.OpError) as caught:
        made(x, stream=stream)
    assert caught.value.stage == "execute"
    op.release_workspaces()
    assert aclimb.live() == before
    np.testing.assert_array_equal(ran(stream, made(x, stream=stream)), 5 * floats(300))


@pytest.mark.requirement("op-33", "op-38")
@pytest.mark.parametrize("stage", ["infer_shape", "prepare", "launch"])
def test_an_interrupt_passes_as_it_is_and_leaves_nothing(kernel: Find, stream: Stream, register: Register, stage: str) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    params = Counted()
    made = two_stage(kernel, stage, "at the end", Fault(interrupt), params)
    register(made)
    x = device(floats(300))
    before = aclimb.live()
    with pytest.raises(KeyboardInterrupt):
        made(x, stream=stream)
    op.release_workspaces()
    assert aclimb.live() == before
    assert params.closed == (stage != "infer_shape")
    np.testing.assert_array_equal(ran(stream, made(x, stream=stream)), 6 * floats(300))


@pytest.mark.requirement("op-33", "op-38")
def test_a_deleter_that_raises_is_logged_and_the_result_stands(
    kernel: Find, stream: Stream, register: Register, caplog: pytest.LogCaptureFixture
) -> None:
    def prepare(ctx: Any) -> int:
        ctx.set_op_api_params(ctx.inputs["x"].nbytes // 4, lambda params: boom())
        ctx.set_workspace_sizes([ctx.inputs["x"].nbytes])
        return 0

    made = six_times(kernel, prepare=prepare)
    register(made)
    with caplog.at_level(logging.ERROR, "aclimb"):
        result = made(floats(30), stream=stream)
    np.testing.assert_array_equal(ran(stream, result), 6 * floats(30))
    assert "SixTimes" in caplog.text
    assert "boom" in caplog.text


@pytest.mark.requirement("op-38")
def test_an_observer_that_raises_does_not_change_the_run(
    kernel: Find, stream: Stream, register: Register, caplog: pytest.LogCaptureFixture
) -> None:
    made = six_times(kernel)
    register(made)
    with caplog.at_level(logging.ERROR, "aclimb"), op.observe(lambda step: boom()):
        result = made(floats(30), stream=stream)
    np.testing.assert_array_equal(ran(stream, result), 6 * floats(30))
    assert "boom" in caplog.text


@pytest.mark.requirement("op-37", "op-38")
def test_a_kernel_that_fails_is_told_by_the_stream_and_the_next_run_works(kernel: Find, stream: Stream, register: Register) -> None:
    traps, usual, broken = kernel("traps"), launch_six(kernel), [True]

    def run(ctx: Any) -> None:
        usual(ctx)
        if broken:
            launch(ctx.stream, LaunchConfig(1), traps, ctx.workspaces[0])

    made = six_times(kernel, launch=run)
    register(made)
    x = device(floats(30))
    result = made(x, stream=stream)
    with pytest.raises(KernelTrap):
        stream.synchronize()
    broken.clear()
    result = made(x, stream=stream)
    np.testing.assert_array_equal(ran(stream, result), 6 * floats(30))


@pytest.mark.requirement("op-38")
def test_many_failures_in_a_row_leave_nothing(kernel: Find, stream: Stream, register: Register) -> None:
    turns = iter(range(10_000))

    def prepare(ctx: Any) -> Any:
        return 3 if next(turns) % 2 else prepare_six(ctx)

    made = six_times(kernel, prepare=prepare)
    register(made)
    x = device(floats(100))
    made(x, stream=stream)
    op.release_workspaces()
    before = aclimb.live()
    for _ in range(100):
        with pytest.raises(op.OpError):
            made(x, stream=stream)
        made(x, stream=stream)
    op.release_workspaces()
    stream.synchronize()
    assert aclimb.live() == before
