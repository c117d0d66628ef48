# SPDX-License-Identifier: Apache-2.0
"""A run of a two-stage operator: the order of its steps, what launch gets from prepare, and what prepare must not do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from op_parts import (
    FOUR,
    Counted,
    Find,
    Register,
    device,
    elements,
    floats,
    launch_six,
    prepare_six,
    raised,
    ran,
    same_shape,
    six_times,
    watched,
)

from aclimb import Buffer, LaunchConfig, Stream, launch, op
from aclimb.errors import DeviceError, InvalidArgument

IN_ORDER = ["infer_shape", "allocate_outputs", "place_host_inputs", "prepare", "allocate_workspaces", "launch", "release_workspaces"]


def traced(kernel: Find, calls: list[str], **options: Any) -> Any:
    """y = 6 x; every callback leaves its name."""
    run = launch_six(kernel)

    def note(name: str, then: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def call(ctx: Any) -> Any:
            calls.append(name)
            return then(ctx)

        return call

    return six_times(
        kernel,
        infer_shape=note("infer_shape", same_shape),
        prepare=note("prepare", prepare_six),
        launch=note("launch", run),
        **options,
    )


@pytest.mark.requirement("op-23", "op-45")
def test_the_steps_of_a_run_follow_each_other_and_can_be_watched(kernel: Find, stream: Stream, register: Register) -> None:
    calls: list[str] = []
    made = traced(kernel, calls)
    register(made)
    with watched() as steps:
        result = made(device(floats(6)), stream=stream)
    assert [step.stage for step in steps if step.stage in IN_ORDER] == IN_ORDER
    assert {step.operator for step in steps} == {"SixTimes"}
    assert [step.error for step in steps] == [None] * len(steps)
    assert calls == ["infer_shape", "prepare", "launch"]
    np.testing.assert_array_equal(ran(stream, result), 6 * floats(6))


@pytest.mark.requirement("op-23")
def test_outputs_that_are_given_are_neither_inferred_nor_allocated(kernel: Find, stream: Stream, register: Register) -> None:
    calls: list[str] = []
    made = traced(kernel, calls)
    register(made)
    out = Buffer(6, np.float32)
    with watched() as steps:
        result = made(device(floats(6)), out=out, stream=stream)
    assert result is out
    assert not {"infer_shape", "allocate_outputs"} & {step.stage for step in steps}
    assert calls == ["prepare", "launch"]
    np.testing.assert_array_equal(ran(stream, out), 6 * floats(6))


@pytest.mark.requirement("op-23")
def test_an_observer_that_is_gone_sees_nothing(kernel: Find, stream: Stream, register: Register) -> None:
    made = six_times(kernel)
    register(made)
    with watched() as steps, watched("launch") as launches:
        made(floats(2), stream=stream)
    seen = len(steps)
    made(floats(2), stream=stream)
    assert (len(steps), len(launches)) == (seen, 1)


@pytest.mark.requirement("op-24")
def test_prepare_and_launch_are_called_once_for_each_run(kernel: Find, stream: Stream, register: Register) -> None:
    calls: list[str] = []
    made = traced(kernel, calls)
    register(made)
    x = device(floats(4))
    for turn in range(1, 4):
        made(x, stream=stream)
        assert (calls.count("prepare"), calls.count("launch")) == (turn, turn)


@pytest.mark.requirement("op-25")
def test_a_single_stage_function_comes_before_the_pair(kernel: Find, stream: Stream, register: Register) -> None:
    calls: list[str] = []
    made = traced(kernel, calls)
    scale = kernel("scale")

    @made.execute
    def execute(ctx: Any) -> None:
        calls.append("execute")
        launch(ctx.stream, FOUR, scale, ctx.inputs["x"], ctx.outputs["y"], elements(ctx), 7.0)

    register(made)
    np.testing.assert_array_equal(ran(stream, made(floats(5), stream=stream)), 7 * floats(5))
    assert calls == ["infer_shape", "execute"]


@pytest.mark.requirement("op-26")
def test_an_operator_without_an_execution_function_says_so(stream: Stream, register: Register) -> None:
    made = op.define("Idle")
    made.input("x", dtype=["float32"])
    made.output("y", follow="x")
    made.infer_shape(same_shape)
    register(made)
    with pytest.raises(op.OpError, match="Do not find op execute function") as caught:
        made(floats(3), stream=stream)
    assert caught.value.operator == "Idle"


@pytest.mark.requirement("op-26")
def test_a_type_nobody_registered_is_named(stream: Stream) -> None:
    with pytest.raises(op.OpError, match="Nobody"):
        op.run("Nobody", [floats(3)], stream=stream)


@pytest.mark.requirement("op-1", "op-24")
def test_an_operator_without_a_declaration_can_be_run(kernel: Find, stream: Stream, register: Register) -> None:
    scale = kernel("scale")

    def infer(ctx: Any) -> int:
        shape = ctx.get_output_shape(0)
        shape.set_dim_num(0)
        shape.append_dim(ctx.get_input_shape(0).origin[0])
        return op.GRAPH_SUCCESS

    def prepare(ctx: Any) -> int:
        assert ctx.set_workspace_sizes([]) == op.GRAPH_SUCCESS
        assert ctx.set_op_api_params({"factor": ctx.get_attrs().get_float(0)}) == op.GRAPH_SUCCESS
        return op.GRAPH_SUCCESS

    def run(ctx: Any) -> int:
        x, y = ctx.get_input_tensor(0), ctx.get_output_tensor(0)
        launch(ctx.stream, FOUR, scale, x, y, x.nbytes // 4, ctx.get_op_api_params()["factor"])
        return op.GRAPH_SUCCESS

    register(op.OpImplRegisterV2("Undeclared").infer_shape(infer).op_2stage_execute_funcs(prepare, run))
    (result,) = op.run("Undeclared", [floats(5)], attrs={"factor": 2.5}, stream=stream)
    np.testing.assert_array_equal(ran(stream, result), 2.5 * floats(5))
    out = Buffer(5, np.float32)
    assert op.run("Undeclared", [floats(5)], [out], attrs={"factor": 0.5}, stream=stream) == [out]
    np.testing.assert_array_equal(ran(stream, out), 0.5 * floats(5))


@pytest.mark.requirement("op-34")
def test_launch_gets_what_prepare_had_and_what_it_stored(kernel: Find, stream: Stream, register: Register) -> None:
    params = Counted()
    seen: dict[str, Any] = {}

    def note(ctx: Any) -> Any:
        tensors = [ctx.inputs["x"], ctx.outputs["y"]]
        return [(each.address, tuple(each.shape), each.dtype, int(each.format), int(each.placement), each.nbytes) for each in tensors]

    def prepare(ctx: Any) -> Any:
        seen["prepare"] = note(ctx)
        return op.Prepared(params, workspace_sizes=[64, 0, 4096])

    def run(ctx: Any) -> None:
        seen["launch"] = note(ctx)
        seen["same"] = ctx.params is params and ctx.get_op_api_params() is params
        seen["sizes"] = list(ctx.workspace_sizes), list(ctx.get_workspace_sizes()), [each.size for each in ctx.workspaces]
        seen["addresses"] = [each.ptr for each in ctx.workspaces] == [each.ptr for each in ctx.get_workspace_addrs()]
        seen["stream"] = ctx.stream is stream

    made = six_times(kernel, prepare=prepare, launch=run)
    register(made)
    x = device(floats(6).reshape(2, 3))
    y = made(x, stream=stream)
    assert seen["prepare"] == seen["launch"]
    assert seen["launch"] == [
        (x.address, (2, 3), np.float32, op.Format.ND, op.kOnDeviceHbm, 24),
        (y.address, (2, 3), np.float32, op.Format.ND, op.kOnDeviceHbm, 24),
    ]
    assert seen["same"]
    assert seen["sizes"] == ([64, 0, 4096],) * 3
    assert seen["addresses"]
    assert seen["stream"]


@pytest.mark.requirement("op-35")
def test_prepare_has_no_stream(kernel: Find, stream: Stream, register: Register) -> None:
    found: list[bool] = []

    def prepare(ctx: Any) -> Any:
        found.append(hasattr(ctx, "stream") or hasattr(ctx, "get_stream"))
        return prepare_six(ctx)

    made = six_times(kernel, prepare=prepare)
    register(made)
    made(floats(3), stream=stream)
    assert found == [False]


@pytest.mark.requirement("op-35")
def test_queueing_work_in_prepare_raises_and_nothing_runs(kernel: Find, stream: Stream, register: Register) -> None:
    digit, number = kernel("append_digit"), device(np.zeros(1, np.int64))

    def prepare(ctx: Any) -> Any:
        launch(stream, LaunchConfig(1), digit, number, 7)
        return prepare_six(ctx)

    made = six_times(kernel, prepare=prepare)
    register(made)
    with pytest.raises(op.OpError, match="prepare") as caught:
        made(floats(3), stream=stream)
    assert isinstance(caught.value.__cause__, DeviceError)
    assert ran(stream, number).tolist() == [0]
    launch(stream, LaunchConfig(1), digit, number, 8)
    assert ran(stream, number).tolist() == [8], "outside of prepare it works"


@pytest.mark.requirement("op-36")
def test_prepare_cannot_read_device_memory(kernel: Find, stream: Stream, register: Register) -> None:
    x = device(floats(3))
    errors: list[BaseException] = []

    def prepare(ctx: Any) -> Any:
        errors.append(raised(DeviceError, ctx.inputs["x"].to_numpy))
        errors.append(raised(DeviceError, x.to_numpy))
        return prepare_six(ctx)

    made = six_times(kernel, prepare=prepare)
    register(made)
    np.testing.assert_array_equal(ran(stream, made(x, stream=stream)), 6 * floats(3))
    assert "host" in str(errors[0]), "the sentence says how it could be read"


@pytest.mark.requirement("op-36")
def test_host_inputs_can_be_read_in_prepare_and_launch(kernel: Find, stream: Stream, register: Register) -> None:
    scale = kernel("scale")
    seen: list[Any] = []
    made = op.define("TimesHost")
    made.input("x", dtype=["float32"])
    made.input("factor", dtype=["float32"], host=True)
    made.output("y", follow="x")
    made.infer_shape(same_shape)

    @made.prepare
    def prepare(ctx: Any) -> Any:
        factor = ctx.inputs["factor"]
        seen.append((int(factor.placement), int(ctx.inputs["x"].placement), factor.to_numpy().tolist()))
        return op.Prepared(float(factor.to_numpy()[0]), [])

    @made.launch
    def run(ctx: Any) -> None:
        seen.append(ctx.inputs["factor"].to_numpy().tolist())
        launch(ctx.stream, FOUR, scale, ctx.inputs["x"], ctx.outputs["y"], elements(ctx), ctx.params)

    register(made)
    assert op.get("TimesHost").is_host_input(1)
    factor = Buffer(1, np.float32)
    launch(stream, LaunchConfig(1), scale, device(floats(1, 2.0)), factor, 1, 2.0)  # the value is made on the device, behind what is queued
    np.testing.assert_array_equal(ran(stream, made(floats(4), factor, stream=stream)), 4 * floats(4))
    assert seen == [(op.kOnHost, op.kOnDeviceHbm, [4.0]), [4.0]]


@pytest.mark.requirement("op-45")
def test_kernels_of_one_launch_run_in_order(kernel: Find, stream: Stream, register: Register) -> None:
    digit = kernel("append_digit")
    made = op.define("Digits")
    made.input("x", dtype=["int64"])
    made.output("y", follow="x")
    made.infer_shape(same_shape)
    made.prepare(lambda ctx: op.Prepared(None, []))

    @made.launch
    def run(ctx: Any) -> None:
        for number in range(1, 10):
            launch(ctx.stream, LaunchConfig(1), digit, ctx.outputs["y"], number)

    register(made)
    out = device(np.zeros(1, np.int64))
    made(np.zeros(1, np.int64), out=out, stream=stream)
    assert ran(stream, out).tolist() == [123456789]


@pytest.mark.requirement("op-23")
def test_a_run_is_asynchronous(kernel: Find, stream: Stream, register: Register, gate: Any) -> None:
    made = six_times(kernel)
    register(made)
    x = device(floats(4))
    gate.shut(stream)
    result = made(x, stream=stream)
    assert not stream.idle
    gate.open()
    np.testing.assert_array_equal(ran(stream, result), 6 * floats(4))


@pytest.mark.requirement("op-32")
def test_parameters_without_a_deleter_are_refused(kernel: Find, stream: Stream, register: Register) -> None:
    params = Counted()
    seen: list[Any] = []

    def prepare(ctx: Any) -> int:
        error = raised(InvalidArgument, ctx.set_op_api_params, params, None)
        seen.append("NO_DELETE" in str(error))
        ctx.set_workspace_sizes([])
        return op.GRAPH_SUCCESS

    made = six_times(kernel, prepare=prepare, launch=lambda ctx: seen.append(ctx.params))
    register(made)
    made(floats(2), stream=stream)
    assert seen == [True, None], "nothing was stored"
    assert params.closed == 0


@pytest.mark.requirement("op-32")
def test_no_delete_leaves_the_parameters_alone(kernel: Find, stream: Stream, register: Register) -> None:
    params = Counted()
    made = six_times(kernel, prepare=lambda ctx: op.Prepared(params, [], deleter=op.NO_DELETE), launch=lambda ctx: None)
    register(made)
    made(floats(2), stream=stream)
    assert params.closed == 0


@pytest.mark.requirement("op-28", "op-32")
def test_prepare_returns_or_sets_and_not_both(kernel: Find, stream: Stream, register: Register) -> None:
    params = Counted()

    def prepare(ctx: Any) -> Any:
        ctx.set_workspace_sizes([])
        return op.Prepared(params, [])

    made = six_times(kernel, prepare=prepare, launch=lambda ctx: None)
    register(made)
    with pytest.raises(op.OpError, match="prepare"):
        made(floats(2), stream=stream)
    assert params.closed == 1
