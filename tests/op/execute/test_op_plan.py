# SPDX-License-Identifier: Apache-2.0
"""Two phases: a plan says how much workspace it needs, and runs in what the caller gives; once, or as often as it was made for."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest
from op_parts import Counted, Find, Register, add_scaled, device, floats, raised, ran, six_times, tile_add, watched, words, words_out

import aclimb
from aclimb import Buffer, Stream, op
from aclimb.errors import AclimbError

NULL, INVALID, INNER_NULL = 161001, 161002, 561103


def refusal(call: Any, *args: Any, **options: Any) -> int:
    with pytest.raises(op.OpError) as caught:
        call(*args, **options)
    assert len(str(caught.value)) > 20
    return int(caught.value.code)


@pytest.fixture
def six(kernel: Find, register: Register) -> Any:
    """y = 6 x: a two-stage operator that may be launched again."""
    made = six_times(kernel, relaunchable=True)
    register(made)
    return made


@pytest.mark.requirement("op-71")
def test_a_plan_says_what_it_needs_and_runs_in_what_it_is_given(six: Any, stream: Stream) -> None:
    x, out = device(floats(50)), Buffer(50, np.float32)
    with six.plan(x, out=out) as plan:
        assert plan.workspace_size == 200
        workspace = Buffer(plan.workspace_size)
        assert plan.run(workspace, stream) is out
        np.testing.assert_array_equal(ran(stream, out), 6 * floats(50))
        np.testing.assert_array_equal(workspace.to_numpy().view(np.float32), 2 * floats(50))


@pytest.mark.requirement("op-71")
def test_a_plan_allocates_outputs_and_workspace_where_none_are_given(six: Any, stream: Stream) -> None:
    with six.plan(floats(50)) as plan:
        result = plan.run(stream=stream)
        assert plan.outputs[0] is result
        np.testing.assert_array_equal(ran(stream, result), 6 * floats(50))


@pytest.mark.requirement("op-71")
def test_a_workspace_that_is_too_small_is_refused(six: Any, stream: Stream) -> None:
    with six.plan(floats(50)) as plan:
        assert refusal(plan.run, Buffer(199), stream) == INVALID
        plan.run(Buffer(200), stream)


@pytest.mark.requirement("op-71")
def test_several_workspaces_are_cut_from_the_one_that_is_given(kernel: Find, stream: Stream, register: Register) -> None:
    def tiling(ctx: Any) -> None:
        ctx.num_blocks, ctx.workspace_sizes, ctx.tiling_data = 1, [64, 128], bytes(16)

    made = words_out(kernel, "two_workspaces", tiling, inputs=("x", "y"))
    register(made)
    workspace = Buffer(192)
    with made.plan(floats(2), floats(2)) as plan:
        assert plan.workspace_size == 192
        first, second = words(plan.run(workspace, stream))[3:5]
    assert (first, second) == (workspace.address, workspace.address + 64)


@pytest.mark.requirement("op-70")
def test_a_missing_required_argument_gives_161001(kernel: Find, register: Register) -> None:
    made = add_scaled(kernel)
    register(made)
    assert refusal(made.plan, None, floats(2)) == NULL
    assert refusal(made.plan, floats(2), None) == NULL


@pytest.mark.requirement("op-70")
@pytest.mark.parametrize("dtype", [np.float16, np.int32, np.float64])
def test_a_type_that_is_not_supported_gives_161002(kernel: Find, register: Register, dtype: Any) -> None:
    made = add_scaled(kernel)
    register(made)
    with pytest.raises(op.OpError, match=rf"AddScaled.*{np.dtype(dtype)}") as caught:
        made.plan(np.ones(2, dtype), np.ones(2, dtype))
    assert caught.value.code == INVALID
    assert refusal(made.plan, floats(2), floats(2), out=Buffer(2, dtype)) == INVALID


@pytest.mark.requirement("op-72")
def test_a_plan_runs_once(six: Any, stream: Stream) -> None:
    with six.plan(floats(4)) as plan:
        plan.run(stream=stream)
        with pytest.raises(AclimbError, match="repeatable"):
            plan.run(stream=stream)


@pytest.mark.requirement("op-72")
def test_a_repeatable_plan_runs_as_often_as_one_likes(six: Any, stream: Stream) -> None:
    x, out = device(floats(4)), Buffer(4, np.float32)
    with six.plan(x, out=out, repeatable=True) as plan:
        for start in (1.0, 2.0, 3.0):
            x.copy_from(floats(4, start))
            plan.run(stream=stream)
            np.testing.assert_array_equal(ran(stream, out), 6 * floats(4, start))


@pytest.mark.requirement("op-72")
def test_a_repeatable_plan_of_a_tiling_operator_tiles_once(kernel: Find, stream: Stream, register: Register) -> None:
    tiled: list[int] = []

    def tiling(ctx: Any) -> None:
        tiled.append(1)
        tile_add(ctx)

    made = add_scaled(kernel, tiling=tiling)
    register(made)
    with made.plan(floats(4), floats(4), alpha=2.0, repeatable=True) as plan:
        for _ in range(3):
            np.testing.assert_array_equal(ran(stream, plan.run(stream=stream)), 3 * floats(4))
    assert tiled == [1]


@pytest.mark.requirement("op-72")
def test_a_two_stage_operator_has_to_say_that_it_can_be_repeated(kernel: Find, register: Register) -> None:
    made = six_times(kernel)
    register(made)
    with pytest.raises(AclimbError, match="relaunchable"):
        made.plan(floats(4), repeatable=True)


@pytest.mark.requirement("op-72")
def test_rebinding_changes_addresses(six: Any, stream: Stream) -> None:
    first, second = device(floats(4)), device(floats(4, 9.0))
    out, other = Buffer(4, np.float32), Buffer(4, np.float32)
    with six.plan(first, out=out, repeatable=True) as plan:
        plan.run(stream=stream)
        plan.rebind(x=second, y=other)
        assert plan.run(stream=stream) is other
        np.testing.assert_array_equal(ran(stream, out), 6 * floats(4))
        np.testing.assert_array_equal(ran(stream, other), 6 * floats(4, 9.0))


@pytest.mark.requirement("op-72")
def test_what_cannot_be_bound_is_refused_and_the_plan_still_runs(six: Any, stream: Stream) -> None:
    out = Buffer(4, np.float32)
    with six.plan(device(floats(4)), out=out, repeatable=True) as plan:
        assert refusal(plan.rebind, nobody=Buffer(4, np.float32)) == INVALID
        assert refusal(plan.rebind, x=None) == INNER_NULL
        assert refusal(plan.rebind, x=Buffer(5, np.float32)) == INVALID, "shapes are frozen"
        assert refusal(plan.rebind, x=Buffer(4, np.int32)) == INVALID, "and so are types"
        assert refusal(plan.rebind, x=out.address + 4) == INVALID, "addresses are multiples of 32"
        plan.run(stream=stream)
        np.testing.assert_array_equal(ran(stream, out), 6 * floats(4))


@pytest.mark.requirement("op-72", "op-33")
def test_a_closed_plan_neither_runs_nor_binds(six: Any, stream: Stream) -> None:
    plan = six.plan(floats(4), repeatable=True)
    plan.close()
    plan.close()
    assert "closed" in str(raised(AclimbError, plan.run, None, stream))
    assert "closed" in str(raised(AclimbError, lambda: plan.rebind(x=Buffer(4, np.float32))))


@pytest.mark.requirement("op-72", "op-33")
def test_a_plan_that_nobody_closes_leaves_nothing(kernel: Find, register: Register) -> None:
    params = Counted()
    made = six_times(kernel, prepare=lambda ctx: op.Prepared(params, [64]))
    register(made)
    x = device(floats(4))
    before = aclimb.live()
    plan = made.plan(x)
    assert aclimb.live() != before
    del plan
    gc.collect()
    assert aclimb.live() == before
    assert params.closed == 1


@pytest.mark.requirement("op-73")
def test_a_plan_with_nothing_but_empty_outputs_needs_no_workspace_and_launches_nothing(
    kernel: Find, stream: Stream, register: Register
) -> None:
    made = six_times(kernel, prepare=lambda ctx: op.Prepared(None, [4096]), launch=lambda ctx: 1)
    register(made)
    with watched("launch") as steps, made.plan(np.zeros((0, 3), np.float32)) as plan:
        assert plan.workspace_size == 0
        assert plan.run(stream=stream).shape == (0, 3)
    assert steps == []


@pytest.mark.requirement("op-73")
def test_an_operator_may_want_to_be_launched_for_empty_outputs(kernel: Find, stream: Stream, register: Register) -> None:
    launched: list[str] = []
    made = six_times(
        kernel,
        prepare=lambda ctx: op.Prepared(None, [4096]),
        launch=lambda ctx: launched.append("launch"),
        launch_with_zero_ele_output_tensors=True,
    )
    register(made)
    empty = np.zeros((0, 3), np.float32)
    with made.plan(empty) as plan:
        assert plan.workspace_size == 4096
        plan.run(stream=stream)
    made(empty, stream=stream)
    assert launched == ["launch"] * 2


@pytest.mark.requirement("op-70")
def test_a_callback_that_fails_while_planning_leaves_nothing(kernel: Find, register: Register) -> None:
    made = six_times(kernel, prepare=lambda ctx: 7)
    register(made)
    x = device(floats(4))
    before = aclimb.live()
    with pytest.raises(op.OpError) as caught:
        made.plan(x)
    assert (caught.value.stage, caught.value.code) == ("prepare", 7)
    assert aclimb.live() == before
