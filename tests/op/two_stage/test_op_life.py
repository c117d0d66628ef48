# SPDX-License-Identifier: Apache-2.0
"""How long things live: parameters and their deleters, outputs of runs that fail, work that was queued, and the run after it."""

from __future__ import annotations

import traceback
from typing import Any

import numpy as np
import pytest
from op_parts import FOUR, Counted, Find, Register, device, elements, floats, launch_six, prepare_six, ran, same_shape, six_times, watched

import aclimb
from aclimb import Buffer, Stream, launch, op


class Deleted(list[Any]):
    """Called with what is deleted."""

    def __call__(self, params: Any) -> None:
        self.append(params)


def owning(kernel: Find, params: Any, deleter: Any, **options: Any) -> Any:
    def prepare(ctx: Any) -> Any:
        ctx.set_op_api_params(params, deleter)
        ctx.set_workspace_sizes([])
        return op.GRAPH_SUCCESS

    return six_times(kernel, prepare=prepare, **{"launch": lambda ctx: None, **options})


@pytest.mark.requirement("op-33")
def test_the_deleter_runs_once_when_the_run_is_over(kernel: Find, stream: Stream, register: Register) -> None:
    deleted, params = Deleted(), object()
    made = owning(kernel, params, deleted, launch=lambda ctx: deleted.append("launch"))
    register(made)
    made(floats(2), stream=stream)
    assert deleted == ["launch", params]


@pytest.mark.requirement("op-33")
def test_parameters_that_can_be_closed_are_closed(kernel: Find, stream: Stream, register: Register) -> None:
    params = Counted()
    made = six_times(kernel, prepare=lambda ctx: op.Prepared(params, []), launch=lambda ctx: None)
    register(made)
    for turn in range(1, 4):
        made(floats(2), stream=stream)
        assert params.closed == turn


@pytest.mark.requirement("op-18", "op-33")
def test_parameters_that_are_replaced_are_deleted_once(kernel: Find, stream: Stream, register: Register) -> None:
    deleted = Deleted()

    def prepare(ctx: Any) -> int:
        for each in ("first", "second", "third"):
            ctx.set_op_api_params(each, deleted)
        deleted.append("prepared")
        ctx.set_workspace_sizes([])
        return op.GRAPH_SUCCESS

    made = six_times(kernel, prepare=prepare, launch=lambda ctx: deleted.append(f"launch {ctx.params}"))
    register(made)
    made(floats(2), stream=stream)
    assert deleted == ["first", "second", "prepared", "launch third", "third"]


@pytest.mark.requirement("op-33")
@pytest.mark.parametrize("stage", ["prepare", "launch"])
def test_the_deleter_runs_after_a_failure_too(kernel: Find, stream: Stream, register: Register, stage: str) -> None:
    deleted = Deleted()

    def prepare(ctx: Any) -> int:
        ctx.set_op_api_params("params", deleted)
        ctx.set_workspace_sizes([64])
        return 5 if stage == "prepare" else 0

    made = six_times(kernel, prepare=prepare, launch=lambda ctx: 5)
    register(made)
    with pytest.raises(op.OpError):
        made(floats(2), stream=stream)
    assert deleted == ["params"]


@pytest.mark.requirement("op-33")
def test_closing_a_plan_that_never_ran_deletes_its_parameters_once(kernel: Find, register: Register) -> None:
    deleted = Deleted()
    made = owning(kernel, "params", deleted)
    register(made)
    plan = made.plan(floats(2))
    assert deleted == []
    plan.close()
    plan.close()
    assert deleted == ["params"]
    prepared = op.prepare(made, floats(2))
    prepared.close()
    assert deleted == ["params", "params"]
    with op.prepare(made, floats(2)):
        pass
    assert len(deleted) == 3


@pytest.mark.requirement("op-27")
def test_prepare_that_fails_leaves_no_output_and_nothing_is_launched(kernel: Find, stream: Stream, register: Register) -> None:
    launched: list[Any] = []
    made = six_times(kernel, prepare=lambda ctx: 7, launch=launched.append)
    register(made)
    x = device(floats(1000))
    before = aclimb.live()
    with watched() as steps, pytest.raises(op.OpError) as caught:
        made(x, stream=stream)
    assert aclimb.live() == before, "the error is still held, and no output with it"
    assert (caught.value.operator, caught.value.stage, caught.value.code) == ("SixTimes", "prepare", 7)
    assert launched == []
    assert not {"allocate_workspaces", "launch"} & {step.stage for step in steps}
    assert [step.stage for step in steps if step.error is not None] == ["prepare"]


@pytest.mark.requirement("op-27")
def test_outputs_that_were_given_stay_when_prepare_fails(kernel: Find, stream: Stream, register: Register) -> None:
    made = six_times(kernel, prepare=lambda ctx: 7)
    register(made)
    out = device(floats(4))
    with pytest.raises(op.OpError):
        made(floats(4), out=out, stream=stream)
    np.testing.assert_array_equal(out.to_numpy(), floats(4))


@pytest.mark.requirement("op-37")
def test_launch_that_fails_gives_its_workspaces_back_and_queued_work_stays(kernel: Find, stream: Stream, register: Register) -> None:
    scale = kernel("scale")

    def run(ctx: Any) -> None:
        launch(ctx.stream, FOUR, scale, ctx.inputs["x"], ctx.outputs["y"], elements(ctx), 9.0)
        raise ValueError("half way")

    made = six_times(kernel, launch=run)
    register(made)
    x, out = device(floats(512)), Buffer(512, np.float32)
    before = aclimb.live()
    with watched() as steps, pytest.raises(op.OpError, match="half way") as caught:
        made(x, out=out, stream=stream)
    assert caught.value.stage == "launch"
    assert "release_workspaces" in [step.stage for step in steps]
    np.testing.assert_array_equal(ran(stream, out), 9 * floats(512))
    op.release_workspaces()
    assert aclimb.live() == before


@pytest.mark.requirement("op-37")
def test_outputs_of_a_run_whose_launch_failed_are_released(kernel: Find, stream: Stream, register: Register) -> None:
    made = six_times(kernel, launch=lambda ctx: 3)
    register(made)
    x = device(floats(512))
    before = aclimb.live()
    with pytest.raises(op.OpError) as caught:
        made(x, stream=stream)
    op.release_workspaces()
    assert aclimb.live() == before
    assert caught.value.code == 3


@pytest.mark.requirement("op-38")
@pytest.mark.parametrize("stage", ["infer_shape", "prepare", "launch"])
def test_a_run_after_a_failed_one_works(kernel: Find, stream: Stream, register: Register, stage: str) -> None:
    broken = [True]
    functions = {"infer_shape": same_shape, "prepare": prepare_six, "launch": launch_six(kernel)}

    def first_time(ctx: Any) -> Any:
        if broken:
            broken.clear()
            return 11
        return functions[stage](ctx)

    made = six_times(kernel, **{stage: first_time})
    register(made)
    with pytest.raises(op.OpError) as caught:
        made(floats(5), stream=stream)
    assert (caught.value.stage, caught.value.code) == (stage, 11)
    np.testing.assert_array_equal(ran(stream, made(floats(5), stream=stream)), 6 * floats(5))


@pytest.mark.requirement("op-41")
def test_an_error_has_the_callbacks_code_and_the_frameworks(kernel: Find, stream: Stream, register: Register) -> None:
    def raising(ctx: Any) -> None:
        raise op.OpError(op.GRAPH_PARAM_INVALID, "axis 9 is none")

    for prepare, code in ((lambda ctx: 42, 42), (lambda ctx: op.GRAPH_FAILED, op.GRAPH_FAILED), (raising, op.GRAPH_PARAM_INVALID)):
        made = six_times(kernel, prepare=prepare)
        with made.registered(), pytest.raises(op.OpError) as caught:
            made(floats(2), stream=stream)
        assert (caught.value.code, caught.value.framework_code) == (code, 1343225857)
        assert "SixTimes" in str(caught.value)
        assert "prepare" in str(caught.value)
    assert "axis 9 is none" in str(caught.value)


@pytest.mark.requirement("op-41", "op-95")
def test_an_exception_is_the_cause_of_the_error_with_its_traceback(kernel: Find, stream: Stream, register: Register) -> None:
    own = KeyError("my own")

    def deep() -> None:
        raise own

    def prepare(ctx: Any) -> None:
        deep()

    made = six_times(kernel, prepare=prepare)
    register(made)
    with pytest.raises(op.OpError) as caught:
        made(floats(2), stream=stream)
    assert caught.value.__cause__ is own
    assert caught.value.code == op.GRAPH_FAILED
    names = [frame.name for frame in traceback.extract_tb(own.__traceback__)]
    assert names[-2:] == ["prepare", "deep"]
    assert "my own" in str(caught.value)


@pytest.mark.requirement("op-95")
def test_callbacks_can_be_methods_and_callables(kernel: Find, stream: Stream, register: Register) -> None:
    class Prepare:
        def __call__(self, ctx: Any) -> Any:
            return op.Prepared(elements(ctx), [4 * elements(ctx)])

    class Shapes:
        def infer(self, ctx: Any) -> None:
            ctx.output_shape[0] = ctx.input_shape[0]

        @staticmethod
        def fixed(ctx: Any) -> None:
            ctx.output_shape[0] = ctx.input_shape[0]

    for shapes in (Shapes().infer, Shapes.fixed):
        made = six_times(kernel, infer_shape=shapes, prepare=Prepare())
        with made.registered():
            np.testing.assert_array_equal(ran(stream, made(floats(3), stream=stream)), 6 * floats(3))
