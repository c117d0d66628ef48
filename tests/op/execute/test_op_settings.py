# SPDX-License-Identifier: Apache-2.0
"""Settings of one run: deterministic or not, and how many cores; where they hold, and that they are taken back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from op_parts import Find, Register, add_scaled, device, floats, prepare_six, same_shape, six_times, tile_add

from aclimb import Stream, op

OWN = op.Options(deterministic=True, deterministic_level=2)
FEW_CORES = op.Options(aicore_num=2, vectorcore_num=4)


def looking(kernel: Find, look: Callable[[], Any], fail: str = "") -> tuple[Any, dict[str, Any]]:
    """An operator that looks round in prepare and in launch, and may fail there."""
    seen: dict[str, Any] = {}

    def prepare(ctx: Any) -> Any:
        seen["prepare"] = look()
        return 9 if fail == "prepare" else prepare_six(ctx)

    def launch(ctx: Any) -> int:
        seen["launch"] = look()
        return 9 if fail == "launch" else 0

    return six_times(kernel, prepare=prepare, launch=launch), seen


@pytest.mark.requirement("op-39")
@pytest.mark.parametrize("fail", ["", "prepare", "launch"])
def test_an_own_deterministic_setting_holds_in_prepare_and_is_taken_back(
    kernel: Find, stream: Stream, register: Register, fail: str
) -> None:
    op.set_deterministic(0, 1)
    made, seen = looking(kernel, op.get_deterministic, fail)
    register(made)
    if fail:
        with pytest.raises(op.OpError):
            made(floats(2), stream=stream, options=OWN)
    else:
        made(floats(2), stream=stream, options=OWN)
    assert seen["prepare"] == (1, 2)
    assert seen.get("launch", (0, 1)) == (0, 1)
    assert op.get_deterministic() == (0, 1)


@pytest.mark.requirement("op-39")
def test_of_two_deterministic_values_one_may_be_the_processs(kernel: Find, stream: Stream, register: Register) -> None:
    op.set_deterministic(0, 3)
    made, seen = looking(kernel, op.get_deterministic)
    register(made)
    made(floats(2), stream=stream, options=op.Options(deterministic=True))
    assert seen["prepare"] == (1, 3)
    op.set_deterministic(1, 3)
    made(floats(2), stream=stream, options=op.Options(deterministic_level=1))
    assert seen["prepare"] == (1, 1)
    assert op.get_deterministic() == (1, 3)


@pytest.mark.requirement("op-39")
def test_without_an_own_setting_nothing_is_written(kernel: Find, stream: Stream, register: Register) -> None:
    """What prepare itself sets is still there afterwards: nobody put anything back."""

    def prepare(ctx: Any) -> Any:
        op.set_deterministic(1, 3)
        return prepare_six(ctx)

    made = six_times(kernel, prepare=prepare)
    register(made)
    made(floats(2), stream=stream)
    assert op.get_deterministic() == (1, 3)


@pytest.mark.requirement("op-39")
@pytest.mark.parametrize("code", [0, 9])
def test_an_own_setting_holds_in_a_single_stage_operator(stream: Stream, register: Register, code: int) -> None:
    seen: list[Any] = []
    made = op.define("SingleStage")
    made.input("x", dtype=["float32"])
    made.output("y", follow="x")
    made.infer_shape(same_shape)

    @made.execute
    def execute(ctx: Any) -> int:
        seen.append((op.get_deterministic(), bool(ctx.options.deterministic)))
        return code

    register(made)
    if code:
        with pytest.raises(op.OpError) as caught:
            made(floats(2), stream=stream, options=OWN)
        assert (caught.value.stage, caught.value.code) == ("execute", code)
    else:
        made(floats(2), stream=stream, options=OWN)
    assert seen == [((1, 2), True)]
    assert op.get_deterministic() == (0, 0)


@pytest.mark.requirement("op-39")
def test_tiling_sees_the_setting_of_the_run(kernel: Find, stream: Stream, register: Register) -> None:
    seen: list[Any] = []

    def tiling(ctx: Any) -> None:
        seen.append((int(ctx.deterministic), int(ctx.deterministic_level)))
        tile_add(ctx)

    made = add_scaled(kernel, tiling=tiling, tiling_cache=False)
    register(made)
    for options in (None, OWN):
        made(floats(2), floats(2), stream=stream, options=options)
    assert seen == [(0, 0), (1, 2)]


@pytest.mark.requirement("op-39")
@pytest.mark.parametrize("wrong", [{"deterministic_level": 4}, {"deterministic_level": -1}, {"allow_hf32": "2"}, {"allow_hf32": "000"}])
def test_a_setting_that_does_not_exist_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        op.Options(**wrong)


@pytest.mark.requirement("op-40")
@pytest.mark.parametrize("fail", ["", "prepare", "launch"])
def test_own_core_limits_hold_for_the_stream_in_prepare_and_are_taken_back(
    kernel: Find, stream: Stream, register: Register, fail: str
) -> None:
    chip = stream.device.chip
    whole = (chip.aic_cores, chip.aiv_cores)
    assert tuple(op.core_limits(stream)) == whole
    made, seen = looking(kernel, lambda: tuple(op.core_limits(stream)), fail)
    register(made)
    if fail:
        with pytest.raises(op.OpError):
            made(floats(2), stream=stream, options=FEW_CORES)
    else:
        made(floats(2), stream=stream, options=FEW_CORES)
    assert seen["prepare"] == (2, 4)
    assert seen.get("launch", whole) == whole
    assert tuple(op.core_limits(stream)) == whole


@pytest.mark.requirement("op-40")
def test_one_limit_leaves_the_other_alone(kernel: Find, stream: Stream, register: Register) -> None:
    made, seen = looking(kernel, lambda: tuple(op.core_limits(stream)))
    register(made)
    made(floats(2), stream=stream, options=op.Options(vectorcore_num=3))
    assert seen["prepare"] == (stream.device.chip.aic_cores, 3)


@pytest.mark.requirement("op-40")
def test_tiling_counts_the_cores_of_the_run(kernel: Find, stream: Stream, register: Register) -> None:
    seen: list[Any] = []

    def tiling(ctx: Any) -> None:
        seen.append((ctx.platform.cube_core_num, ctx.platform.vector_core_num))
        tile_add(ctx)

    made = add_scaled(kernel, tiling=tiling, tiling_cache=False)
    register(made)
    x = device(floats(2))
    for options in (FEW_CORES, None):
        made(x, x, stream=stream, options=options)
    assert seen == [(2, 4), (stream.device.chip.aic_cores, stream.device.chip.aiv_cores)]


@pytest.mark.requirement("op-40")
@pytest.mark.parametrize("limit", [{"aicore_num": 0}, {"vectorcore_num": -1}, {"vectorcore_num": 10_000}])
def test_a_limit_beyond_the_chip_is_refused(kernel: Find, stream: Stream, register: Register, limit: dict[str, int]) -> None:
    made = six_times(kernel)
    register(made)
    with pytest.raises((op.OpError, ValueError)):
        made(floats(2), stream=stream, options=op.Options(**limit))
