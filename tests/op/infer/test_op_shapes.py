# SPDX-License-Identifier: Apache-2.0
"""From shapes to a launch: the order of the stages, empty tensors, values that inference needs, and outputs that the kernel shapes."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from op_parts import Find, Register, add_scaled, device, floats, prepare_six, raised, ran, same_shape, six_times, tile_add, watched

from aclimb import Buffer, Stream, op
from aclimb.errors import DeviceError, OutOfMemory

STAGES = ("infer_data_type", "infer_shape", "tiling_parse", "tiling", "launch")


@pytest.mark.requirement("op-49")
def test_types_shapes_compile_information_tiling_memory_and_launch_follow_each_other(
    kernel: Find, stream: Stream, register: Register
) -> None:
    calls: list[str] = []

    def note(name: str, then: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def call(ctx: Any) -> Any:
            calls.append(name)
            return then(ctx)

        return call

    made = add_scaled(kernel, tiling=note("tiling", tile_add), infer_shape=note("infer_shape", same_shape))
    made.infer_data_type(note("infer_data_type", lambda ctx: ctx.output_dtype.__setitem__(0, ctx.input_dtype[0])))
    made.tiling_parse(dict)(note("tiling_parse", lambda ctx: None))
    register(made)
    with watched() as steps:
        result = made(device(floats(6)), device(floats(6)), stream=stream)
    np.testing.assert_array_equal(ran(stream, result), 2 * floats(6))
    stages = [step.stage for step in steps]
    assert [stage for stage in stages if stage in STAGES] == list(STAGES)
    assert calls == list(STAGES[:-1])
    for before, after in (("infer_shape", "allocate_outputs"), ("tiling", "allocate_workspaces"), ("allocate_outputs", "launch")):
        assert stages.index(before) < stages.index(after)
    assert stages.index("allocate_workspaces") < stages.index("launch") < stages.index("release_workspaces")


@pytest.mark.requirement("op-49")
@pytest.mark.parametrize("shape", [(1,), (7,), (3, 5), (2, 3, 4), (1000,), ()])
def test_one_operator_runs_for_any_shape(kernel: Find, stream: Stream, register: Register, shape: tuple[int, ...]) -> None:
    made = add_scaled(kernel)
    register(made)
    x = np.full(shape, 2.0, np.float32)
    result = made(x, x, alpha=0.5, stream=stream)
    assert result.shape == shape
    np.testing.assert_array_equal(ran(stream, result), 1.5 * x)


@pytest.mark.requirement("op-49")
def test_with_nothing_but_empty_outputs_there_is_no_tiling_and_no_launch(kernel: Find, stream: Stream, register: Register) -> None:
    calls: list[str] = []
    made = add_scaled(kernel, tiling=lambda ctx: calls.append("tiling"))
    register(made)
    empty = np.zeros((0, 4), np.float32)
    with watched("tiling", "launch") as steps:
        result = made(empty, empty, stream=stream)
    assert (result.shape, result.dtype) == ((0, 4), np.float32)
    assert ran(stream, result).size == 0
    assert (calls, steps) == ([], [])


@pytest.mark.requirement("op-49")
def test_a_two_stage_operator_is_not_launched_for_empty_outputs_either(kernel: Find, stream: Stream, register: Register) -> None:
    launched: list[Any] = []
    made = six_times(kernel, launch=launched.append)
    register(made)
    assert made(np.zeros(0, np.float32), stream=stream).shape == (0,)
    assert launched == []


@pytest.mark.requirement("op-50")
def test_in_debug_mode_a_shape_that_is_not_set_is_found(
    kernel: Find, stream: Stream, register: Register, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACLIMB_OP_DEBUG", "1")
    made = six_times(kernel, infer_shape=lambda ctx: None)
    register(made)
    with pytest.raises(op.OpError, match="SixTimes") as caught:
        made(floats(3), stream=stream)
    assert caught.value.stage == "infer_shape"
    appending = six_times(kernel, type="Appending", infer_shape=lambda ctx: ctx.get_output_shape(0).append_dim(3))
    register(appending)
    with pytest.raises(op.OpError) as caught:
        appending(floats(3), stream=stream)
    assert caught.value.stage == "infer_shape", "a side was appended to a shape whose rank was never set"


@pytest.mark.requirement("op-50")
def test_a_shape_is_set_by_rank_and_sides_or_as_a_whole(kernel: Find, stream: Stream, register: Register) -> None:
    def by_sides(ctx: Any) -> None:
        shape = ctx.get_output_shape(0)
        shape.set_dim_num(0)
        for side in ctx.get_input_shape(0).origin:
            shape.append_dim(side)

    def as_a_list(ctx: Any) -> None:
        ctx.output_shape["y"] = list(ctx.input_shape["x"].origin)

    for infer in (by_sides, as_a_list, same_shape):
        made = six_times(kernel, infer_shape=infer)
        with made.registered():
            assert made(floats(6).reshape(3, 2), stream=stream).shape == (3, 2)


@pytest.mark.requirement("op-50")
@pytest.mark.parametrize("shape", [(-1,), (2, -2), (2**62, 4), "wrong"])
def test_a_shape_that_is_none_is_an_error_of_inference(kernel: Find, stream: Stream, register: Register, shape: Any) -> None:
    made = six_times(kernel, infer_shape=lambda ctx: ctx.output_shape.__setitem__(0, shape))
    register(made)
    with pytest.raises(op.OpError, match="SixTimes") as caught:
        made(floats(2), stream=stream)
    assert caught.value.stage == "infer_shape"


@pytest.mark.parametrize("shape", [(2**62,), (2**31, 2**31), (2**63 - 1,), (2**40,)])
def test_a_shape_that_no_device_has_is_out_of_memory(kernel: Find, register: Register, shape: tuple[int, ...]) -> None:
    made = six_times(kernel, infer_shape=lambda ctx: ctx.output_shape.__setitem__(0, shape))
    register(made)
    count = math.prod(shape) * 4
    for run in (made, made.plan):
        with pytest.raises(op.OpError, match=rf"SixTimes failed in allocate_outputs: OutOfMemory: {count} bytes do not fit") as caught:
            run(floats(2))
        assert isinstance(caught.value.__cause__, OutOfMemory)


# --- values


def repeat(kernel: Find, depend: str | None, seen: dict[str, Any]) -> Any:
    """y = x + x, in the shape that the values of `sides` say, where they can be read."""
    made = op.define("ToShape")
    made.input("x", dtype=["float32"])
    made.input("sides", dtype=["int64"], value_depend=depend)
    made.output("z", follow="x")
    made.attr("alpha", float, default=1.0)

    def note(stage: str, ctx: Any) -> list[int] | None:
        tensor = ctx.get_input_tensor(1)
        if not tensor.address:
            seen[stage] = str(raised(DeviceError, tensor.to_numpy))
            return None
        seen[stage] = tensor.to_numpy().tolist()
        return seen[stage]

    def infer(ctx: Any) -> None:
        ctx.output_shape[0] = note("infer_shape", ctx) or ctx.input_shape[0]
        assert not ctx.get_input_tensor(0).address

    def tiling(ctx: Any) -> None:
        note("tiling", ctx)
        assert not ctx.get_input_tensor(0).address
        tile_add(ctx)

    made.infer_shape(infer)
    made.tiling(tiling)
    made.kernel(kernel("add_scaled"))
    return made


@pytest.mark.requirement("op-51", "op-52")
def test_values_declared_for_everything_are_read_in_inference_and_tiling(kernel: Find, stream: Stream, register: Register) -> None:
    seen: dict[str, Any] = {}
    made = repeat(kernel, "all", seen)
    register(made)
    assert op.get("ToShape").inputs_data_dependency == 0b10
    result = made(floats(4), device(np.array([2, 2])), stream=stream)
    assert seen == {"infer_shape": [2, 2], "tiling": [2, 2]}
    assert result.shape == (2, 2)


@pytest.mark.requirement("op-51", "op-52")
def test_values_declared_for_tiling_are_read_there_only(kernel: Find, stream: Stream, register: Register) -> None:
    seen: dict[str, Any] = {}
    made = repeat(kernel, "tiling", seen)
    register(made)
    assert op.get("ToShape").tiling_inputs_data_dependency == 0b10
    made(floats(4), np.array([2, 2]), stream=stream)
    assert seen["tiling"] == [2, 2]
    assert "sides" in seen["infer_shape"], "the sentence names the input"


@pytest.mark.requirement("op-51")
def test_without_a_declaration_the_data_is_null(kernel: Find, stream: Stream, register: Register) -> None:
    seen: dict[str, Any] = {}
    made = repeat(kernel, None, seen)
    register(made)
    made(floats(4), np.array([2, 2]), stream=stream)
    assert "depend" in seen["infer_shape"], "the sentence says what to declare"
    assert "depend" in seen["tiling"]


# --- shapes from the kernel


class CountTiling(ctypes.Structure):
    _fields_ = (("count", ctypes.c_uint32),)


def tile_count(ctx: Any) -> None:
    ctx.num_blocks = 1
    ctx.tiling_data = CountTiling(ctx.input_shape[0].storage.size)
    ctx.workspace_sizes = [0]


def positive(kernel: Find, name: str) -> Any:
    """What is above 0 in x; at most all of it."""
    made = op.define("Positive")
    made.input("x", dtype=["float32"])
    made.output("z", follow="x", shape_from_kernel=True)
    made.infer_shape(lambda ctx: ctx.output_shape.__setitem__(0, (-1,)))

    @made.infer_shape_range
    def infer_range(ctx: Any) -> None:
        most = ctx.get_input_shape_range(0).max
        ctx.output_shape_range[0] = ((0,), (most.size,))

    made.tiling(tile_count)
    made.kernel(kernel(name))
    return made


@pytest.mark.requirement("op-64")
@pytest.mark.parametrize("name", ["positive_wide", "positive_narrow"])
@pytest.mark.parametrize("above", [0, 3, 8])
def test_the_shape_of_an_output_comes_from_the_kernel(kernel: Find, stream: Stream, register: Register, name: str, above: int) -> None:
    made = positive(kernel, name)
    register(made)
    x = -floats(8)
    x[:above] = floats(above)
    with watched() as steps:
        result = made(x, stream=stream)
    assert (result.shape, result.dtype) == ((above,), np.float32)
    np.testing.assert_array_equal(result.to_numpy(), floats(above))
    stages = [step.stage for step in steps]
    assert stages.index("infer_shape_range") < stages.index("allocate_outputs") < stages.index("launch") < stages.index("refresh_shapes")


@pytest.mark.requirement("op-64")
def test_a_kernel_that_writes_more_than_8_sides_is_an_error(kernel: Find, stream: Stream, register: Register) -> None:
    made = positive(kernel, "too_many_sides")
    register(made)
    with pytest.raises(op.OpError, match=r"Positive.*9") as caught:
        made(floats(4), stream=stream)
    assert caught.value.stage == "refresh_shapes"


@pytest.mark.requirement("op-64")
def test_an_output_shaped_by_the_kernel_needs_a_range(kernel: Find, stream: Stream, register: Register) -> None:
    made = op.define("NoRange")
    made.input("x", dtype=["float32"])
    made.output("z", follow="x", shape_from_kernel=True)
    made.infer_shape(same_shape)
    made.tiling(tile_count)
    made.kernel(kernel("positive_wide"))
    register(made)
    with pytest.raises(op.OpError, match="NoRange") as caught:
        made(floats(4), stream=stream)
    assert caught.value.stage == "infer_shape_range"


# --- outputs with an initial value


@pytest.mark.requirement("op-65")
@pytest.mark.parametrize(("needed", "value", "expected"), [(True, 0, [1, 2, 3]), (True, 5, [6, 7, 8]), (False, 0, [11, 12, 13])])
def test_an_output_is_set_before_the_kernel_runs_unless_tiling_says_otherwise(
    kernel: Find, stream: Stream, register: Register, needed: bool, value: int, expected: list[int]
) -> None:
    def tiling(ctx: Any) -> None:
        tile_count(ctx)
        assert ctx.need_atomic is True
        ctx.need_atomic = needed

    made = op.define("Accumulate")
    made.input("x", dtype=["float32"])
    made.output("z", follow="x", init_value=value)
    made.infer_shape(same_shape)
    made.tiling(tiling)
    made.kernel(kernel("accumulate"))
    register(made)
    out = device(np.full(3, 10, np.float32))
    made(floats(3), out=out, stream=stream)
    assert ran(stream, out).tolist() == expected


@pytest.mark.requirement("op-65")
def test_an_output_without_an_initial_value_is_left_as_it_is(kernel: Find, stream: Stream, register: Register) -> None:
    made = op.define("JustAdds")
    made.input("x", dtype=["float32"])
    made.output("z", follow="x")
    made.infer_shape(same_shape)
    made.tiling(tile_count)
    made.kernel(kernel("accumulate"))
    register(made)
    out = device(np.full(3, 10, np.float32))
    made(floats(3), out=out, stream=stream)
    assert ran(stream, out).tolist() == [11, 12, 13]


@pytest.mark.requirement("op-49")
def test_an_output_of_another_shape_than_the_inferred_is_used_as_given(kernel: Find, stream: Stream, register: Register) -> None:
    """Who gives an output knows its shape; it has to be large enough for what the kernel writes, which is the kernel's matter."""
    made = six_times(kernel, prepare=prepare_six)
    register(made)
    out = Buffer((2, 3), np.float32)
    assert made(floats(6), out=out, stream=stream).shape == (2, 3)
    np.testing.assert_array_equal(ran(stream, out), 6 * floats(6).reshape(2, 3))
