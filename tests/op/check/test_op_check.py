# SPDX-License-Identifier: Apache-2.0
"""op.check: runs an operator over shapes and types, compares with NumPy, and says which stage broke."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from op_parts import FOUR, Find, Register, add_scaled, device, elements, floats, prepare_six, same_shape, six_times, tile_add

from aclimb import Buffer, Event, LaunchConfig, Stream, launch, op
from aclimb.errors import AclimbError


def six_of(x: Any) -> Any:
    return 6 * x


def kinds(report: Any) -> set[str]:
    return {finding.kind for finding in report.findings}


def sample(shape: tuple[int, ...], dtype: Any) -> tuple[Any, ...]:
    return (np.random.default_rng(1).standard_normal(shape).astype(dtype),)


@pytest.fixture
def check(register: Register) -> Any:
    """check(operator) registers it and checks it with two short samples."""

    def run(made: Any, reference: Any = six_of, samples: Any = None, **options: Any) -> Any:
        register(made)
        return op.check(made, samples or [(floats(5),), (floats(8),)], reference=reference, **options)

    return run


# --- operators that are fine


@pytest.mark.requirement("op-93")
def test_an_operator_that_is_right_passes_every_shape_and_type(kernel: Find, register: Register) -> None:
    made = six_times(kernel)
    register(made)
    report = op.check(made, sample, reference=six_of)
    assert report.ok, str(report)
    assert report.findings == []
    shapes = {tuple(row.shape) for row in report.rows}
    sizes = {int(np.prod(shape)) for shape in shapes}
    assert shapes == {tuple(shape) for shape in op.EDGE_SHAPES}
    assert {0, 1} <= sizes
    assert any(size % 8 for size in sizes if size > 8), "one that is not aligned"
    assert max(sizes) >= 10_000
    assert all(row.ok and row.stage in (None, "") for row in report.rows)


@pytest.mark.requirement("op-93")
def test_shapes_types_and_attributes_can_be_chosen(kernel: Find, register: Register) -> None:
    made = add_scaled(kernel)
    register(made)
    seen: list[Any] = []

    def pairs(shape: tuple[int, ...], dtype: Any) -> tuple[Any, ...]:
        seen.append((tuple(shape), np.dtype(dtype)))
        return sample(shape, dtype) * 2

    report = op.check(
        made,
        pairs,
        reference=lambda x, y, alpha: x + alpha * y,
        shapes=[(3,), (2, 2)],
        dtypes=["float32"],
        attrs={"alpha": 2.0},
    )
    assert report.ok, str(report)
    assert set(seen) == {((3,), np.dtype("float32")), ((2, 2), np.dtype("float32"))}


@pytest.mark.requirement("op-93")
def test_progress_is_told(kernel: Find, register: Register) -> None:
    made = six_times(kernel)
    register(made)
    steps: list[tuple[int, int]] = []
    op.check(made, sample, reference=six_of, shapes=[(1,), (2,), (3,)], progress=lambda done, total: steps.append((done, total)))
    assert steps[-1] == (3, 3)
    assert [done for done, _ in steps] == sorted(done for done, _ in steps)


@pytest.mark.requirement("op-93")
def test_a_report_is_a_table(kernel: Find, check: Any) -> None:
    text = str(check(six_times(kernel)))
    assert "SixTimes" in text
    assert "float32" in text
    assert len([line for line in text.splitlines() if re.search(r"\b[58]\b", line)]) >= 2


@pytest.mark.requirement("op-93")
def test_an_operator_has_to_be_registered(kernel: Find) -> None:
    with pytest.raises(AclimbError, match="SixTimes"):
        op.check(six_times(kernel), [(floats(3),)])


# --- operators that are not


@pytest.mark.requirement("op-93")
def test_a_wrong_result_is_found(kernel: Find, check: Any) -> None:
    report = check(six_times(kernel), reference=lambda x: 7 * x)
    assert not report.ok
    assert kinds(report) == {"wrong-result"}
    assert all(not row.ok for row in report.rows)


@pytest.mark.requirement("op-93")
def test_a_wrong_inferred_shape_is_found(kernel: Find, check: Any) -> None:
    made = six_times(kernel, infer_shape=lambda ctx: ctx.output_shape.__setitem__(0, (*ctx.input_shape[0].origin, 1)))
    report = check(made)
    assert not report.ok
    assert "wrong-shape" in kinds(report)
    assert {row.stage for row in report.rows} == {"infer_shape"}


@pytest.mark.requirement("op-93")
def test_an_index_beyond_the_declaration_is_found(kernel: Find, register: Register) -> None:
    made = six_times(kernel)
    register(made)
    register(op.OpImplRegisterV2("SixTimes").host_inputs([5]).nullable_outputs([3]))
    report = op.check(made, [(floats(4),)], reference=six_of)
    assert not report.ok
    assert "index-range" in kinds(report)
    texts = [finding.message for finding in report.findings if finding.kind == "index-range"]
    assert any("5" in text for text in texts)
    assert any("3" in text for text in texts)


@pytest.mark.requirement("op-93")
def test_tiling_data_over_capacity_is_found(kernel: Find, register: Register) -> None:
    def tiling(ctx: Any) -> None:
        tile_add(ctx)
        ctx.tiling_data = bytes(64)

    made = add_scaled(kernel, tiling=None)
    made.tiling(max_tiling_data_size=32)(tiling)
    register(made)
    report = op.check(made, [(floats(4), floats(4))])
    assert not report.ok
    assert "tiling-capacity" in kinds(report)
    assert [row.stage for row in report.rows] == ["tiling"]


@pytest.mark.requirement("op-93")
def test_a_device_read_in_prepare_is_found(kernel: Find, check: Any) -> None:
    def prepare(ctx: Any) -> Any:
        ctx.inputs["x"].to_numpy()
        return prepare_six(ctx)

    report = check(six_times(kernel, prepare=prepare))
    assert not report.ok
    assert "device-read-in-prepare" in kinds(report)
    assert {row.stage for row in report.rows} == {"prepare"}


@pytest.mark.requirement("op-93")
def test_a_workspace_of_somebody_else_is_found(kernel: Find, check: Any) -> None:
    own, scale = Buffer(64, np.float32), kernel("scale")

    def run(ctx: Any) -> None:
        launch(ctx.stream, FOUR, scale, ctx.inputs["x"], own, elements(ctx), 2.0)
        launch(ctx.stream, FOUR, scale, own, ctx.outputs["y"], elements(ctx), 3.0)

    report = check(six_times(kernel, launch=run))
    assert not report.ok
    assert "foreign-workspace" in kinds(report)
    assert {row.stage for row in report.rows} == {"launch"}


# --- workspaces that are too small, streams that nobody orders


@pytest.mark.requirement("op-93")
def test_a_workspace_that_is_too_small_is_found(kernel: Find, check: Any) -> None:
    """Without the guards it would be rounded up to 512 bytes, and both kernels would find room."""
    move, asked = kernel("move_bytes"), [32, 64]

    def prepare(ctx: Any) -> Any:
        return op.Prepared(elements(ctx), workspace_sizes=asked[:1])

    def run(ctx: Any) -> None:
        launch(ctx.stream, LaunchConfig(1), move, ctx.inputs["x"], ctx.workspaces[0], 0)
        launch(ctx.stream, LaunchConfig(1), move, ctx.workspaces[0], ctx.outputs["y"], 0)

    made = six_times(kernel, prepare=prepare, launch=run)
    report = check(made, reference=None, samples=[(floats(16),)])
    assert [row.stage for row in report.rows] == ["launch"]
    assert "OutOfBounds: DataCopy needs 64 bytes of to at " in report.rows[0].message
    assert "32 bytes beyond the buffer of 32 bytes" in report.rows[0].message
    asked.pop(0)
    assert op.check(made, [(floats(16),)], reference=lambda x: x).ok


@pytest.mark.requirement("op-93")
@pytest.mark.parametrize("missing", [4, 8])
def test_bare_pointers_beyond_a_workspace_leave_a_trace(kernel: Find, check: Any, missing: int) -> None:
    def prepare(ctx: Any) -> Any:
        return op.Prepared(elements(ctx), workspace_sizes=[4 * elements(ctx) - missing])

    report = check(six_times(kernel, prepare=prepare))
    assert kinds(report) == {"workspace-overrun"}
    said = f"a workspace of {20 - missing} bytes is written up to {missing} bytes behind its end; ask for as much as the kernels use"
    assert report.rows[0].message == said


@pytest.mark.requirement("op-93", "op-99")
@pytest.mark.parametrize("sizes", [[], [0]], ids=["none asked", "0 bytes"])
def test_a_workspace_that_nobody_asked_for_may_not_be_written(kernel: Find, check: Any, sizes: list[int]) -> None:
    """The kernel gets an address, and nothing behind it is its own."""

    def operator(type: str, sizes: list[int]) -> Any:
        def tiling(ctx: Any) -> None:
            ctx.num_blocks, ctx.workspace_sizes, ctx.tiling_data = 1, sizes, np.uint32(elements(ctx)).tobytes()

        made = op.define(type).input("x", dtype=["float32"]).output("y", follow="x")
        made.infer_shape(same_shape)
        made.tiling(tiling)
        made.kernel(kernel("through_workspace"))
        return made

    report = check(operator("Silent", sizes), lambda x: x)
    assert kinds(report) == {"workspace-overrun"}
    assert report.rows[0].message == "a workspace of 0 bytes is written up to 20 bytes behind its end; ask for as much as the kernels use"
    assert check(operator("Asking", [32]), lambda x: x).ok


def on_two_streams(kernel: Find, fork: str, join: bool) -> Any:
    """Six times x, with its second half on a stream of its own; `fork` says where the event is recorded that leads there."""
    scale, other = kernel("scale"), Stream()

    def run(ctx: Any) -> None:
        begin, end = Event(), Event()
        if fork == "before":
            ctx.stream.record(begin)
        launch(ctx.stream, FOUR, scale, ctx.inputs["x"], ctx.workspaces[0], ctx.params, 2.0)
        if fork == "behind":
            ctx.stream.record(begin)
        if fork == "host":
            ctx.stream.synchronize()
        elif fork:
            other.wait(begin)
        launch(other, FOUR, scale, ctx.workspaces[0], ctx.outputs["y"], ctx.params, 3.0)
        other.record(end)
        if join:
            ctx.stream.wait(end)

    return six_times(kernel, launch=run)


@pytest.mark.requirement("op-93")
@pytest.mark.parametrize(
    ("fork", "join", "said"),
    [
        ("", True, "scale is launched on another stream, and no event orders it behind the operator's own; record one on ctx.stream"),
        ("behind", False, "scale is launched on another stream, and ctx.stream does not wait for it; record an event behind it"),
        ("before", True, "output 0"),
    ],
)
def test_streams_that_no_event_orders_are_found(kernel: Find, check: Any, fork: str, join: bool, said: str) -> None:
    report = check(on_two_streams(kernel, fork, join))
    by_luck = {"wrong-result"} if fork == "before" else set()  # where the other stream was the faster one in the first run already
    assert kinds(report) - by_luck <= {"unordered-streams"}
    assert all(row.stage == "launch" and row.message.startswith(said) for row in report.rows), str(report)


@pytest.mark.requirement("op-93")
def test_a_slow_stream_shows_what_does_not_wait_for_it(kernel: Find, check: Any) -> None:
    """In the first run the other stream is told to wait for the right event, so that only the second one can be wrong."""
    scale, other, begin, turns = kernel("scale"), Stream(), Event(), iter(range(1000))

    def run(ctx: Any) -> None:
        is_first, end = next(turns) % 2 == 0, Event()
        if not is_first:
            ctx.stream.record(begin)
        launch(ctx.stream, FOUR, scale, ctx.inputs["x"], ctx.workspaces[0], ctx.params, 2.0)
        if is_first:
            ctx.stream.record(begin)
        other.wait(begin)
        launch(other, FOUR, scale, ctx.workspaces[0], ctx.outputs["y"], ctx.params, 3.0)
        other.record(end)
        ctx.stream.wait(end)

    report = check(six_times(kernel, launch=run))
    assert kinds(report) == {"unordered-streams"}
    assert report.rows[0].message.startswith("output 0 is another one when ctx.stream is slow: 5 of 5 elements differ")


@pytest.mark.requirement("op-93")
@pytest.mark.parametrize("fork", ["behind", "host"])
def test_streams_in_order_are_fine(kernel: Find, check: Any, fork: str) -> None:
    report = check(on_two_streams(kernel, fork, True))
    assert report.ok, str(report)


@pytest.mark.requirement("op-93")
def test_parameters_that_are_never_released_are_found(kernel: Find, check: Any) -> None:
    class Params:
        def __init__(self, count: int) -> None:
            self.count = count

        def __index__(self) -> int:
            return self.count

    kept: list[Params] = []

    def prepare(ctx: Any) -> Any:
        kept.append(Params(elements(ctx)))
        return op.Prepared(kept[-1], [4 * elements(ctx)], deleter=op.NO_DELETE)

    report = check(six_times(kernel, prepare=prepare))
    assert not report.ok
    assert "params-not-released" in kinds(report)


@pytest.mark.requirement("op-93")
def test_another_result_the_second_time_is_found(kernel: Find, check: Any) -> None:
    scale, turns = kernel("scale"), iter(range(1000))

    def run(ctx: Any) -> None:
        launch(ctx.stream, FOUR, scale, ctx.inputs["x"], ctx.outputs["y"], elements(ctx), 6.0 + next(turns) % 2)

    report = check(six_times(kernel, launch=run))
    assert not report.ok
    assert kinds(report) & {"not-repeatable", "wrong-result"}


@pytest.mark.requirement("op-93")
@pytest.mark.parametrize("stage", ["infer_shape", "prepare", "launch"])
def test_the_stage_that_raised_is_named(kernel: Find, check: Any, stage: str) -> None:
    def broken(ctx: Any) -> None:
        raise ZeroDivisionError("my own mistake")

    report = check(six_times(kernel, **{stage: broken}))
    assert not report.ok
    assert {row.stage for row in report.rows} == {stage}
    assert all("my own mistake" in row.message for row in report.rows)
    assert stage in str(report)


@pytest.mark.requirement("op-93")
def test_one_row_that_breaks_does_not_end_the_check(kernel: Find, register: Register) -> None:
    def prepare(ctx: Any) -> Any:
        return 4 if elements(ctx) == 2 else prepare_six(ctx)

    made = six_times(kernel, prepare=prepare)
    register(made)
    report = op.check(made, sample, reference=six_of, shapes=[(1,), (2,), (3,)])
    assert [(tuple(row.shape), row.ok) for row in report.rows] == [((1,), True), ((2,), False), ((3,), True)]


@pytest.mark.requirement("op-93")
def test_a_check_leaves_the_operators_inputs_alone(kernel: Find, register: Register) -> None:
    made = six_times(kernel)
    register(made)
    x = floats(5)
    report = op.check(made, [(x,), (device(x),)], reference=six_of)
    assert report.ok, str(report)
    np.testing.assert_array_equal(x, floats(5))
