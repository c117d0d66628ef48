# SPDX-License-Identifier: Apache-2.0
"""Matmul objects of mixed kernels: AIVs send their calls to the AIC. Results against NumPy; what is said about mistakes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matmul_runs import DTYPES, OUTSIDE, integers
from mixed_runs import Task, check, kernel, run

from aclimb import Profile, Stream, errors
from aclimb.runtime.fused_runs import ScheduleMode, scheduled

TO_UB = {"C_POSITION": "VECIN", "TO_UB": "1"}
IN_UB = {"AB_POSITION": "VECOUT", "IN_UB": "1"}


def task(seed: int, m: int, n: int, k: int, way: str = "all", dtype: Any = np.float16, *, has_bias: bool = False, **others: Any) -> Task:
    bias = integers(seed + 2, n, dtype=np.float32) if has_bias else None
    return Task(integers(seed, m, k, dtype=dtype), integers(seed + 1, k, n, dtype=dtype), way, bias, **others)


@pytest.mark.requirement("mm-17")
@pytest.mark.parametrize("way", ["all", "later", "nobody_waits", "blocks", "twice"])
def test_two_aivs_multiply_different_shapes(way: str) -> None:
    tasks = [task(1, 64, 64, 64, way, has_bias=True), task(5, 48, 80, 32, way)]
    check(kernel("half", "float"), tasks, "float", (32, 32, 32))


@pytest.mark.parametrize(("inputs", "output"), [("half", "half"), ("float", "float"), ("bfloat16_t", "float"), ("int8_t", "int32_t")])
def test_element_types(inputs: str, output: str) -> None:
    dtype = DTYPES[inputs]
    tasks = [task(1, 40, 70, 100, dtype=dtype, turn_a=True), task(5, 33, 31, 64, dtype=dtype, turn_b=True)]
    check(kernel(inputs, output), tasks, output, (32, 32, 64))


@pytest.mark.requirement("mm-14")
@pytest.mark.parametrize("ways", [("leaves", "all"), ("all", "leaves"), ("leaves", "leaves")])
def test_an_aiv_that_never_calls_lets_the_aic_end(ways: tuple[str, str]) -> None:
    tasks = [task(1, 32, 48, 32, ways[0]), task(5, 48, 32, 64, ways[1])]
    for each, got in zip(tasks, run(kernel("half", "float"), tasks, "float", (32, 32, 32)), strict=True):
        expected = np.full(got.shape, OUTSIDE) if each.way == "leaves" else each.expected(np.float32)
        np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("way", ["to_ub", "ahead"])
@pytest.mark.parametrize("shape", [(128, 128, 64), (100, 96, 48), (16, 40, 32)])
def test_blocks_come_to_ub(way: str, shape: tuple[int, int, int]) -> None:
    tasks = [task(1, *shape, way, has_bias=True), task(5, *shape, way)]
    check(kernel("half", "float", **TO_UB), tasks, "float", (64, 64, 32))


def test_blocks_lie_in_the_workspace_one_behind_the_other() -> None:
    tasks = [task(1, 128, 128, 64, "in_workspace"), task(5, 64, 128, 32, "in_workspace")]
    check(kernel("half", "float", **TO_UB), tasks, "float", (64, 64, 32))


def test_the_whole_product_comes_to_ub() -> None:
    tasks = [task(1, 64, 96, 64, "whole_in_ub"), task(5, 32, 40, 32, "whole_in_ub")]
    check(kernel("half", "float", **TO_UB), tasks, "float", (32, 32, 32))


@pytest.mark.parametrize("turn", [False, True])
def test_operands_lie_in_ub(turn: bool) -> None:
    tasks = [task(1, 32, 64, 48, has_bias=True, turn_a=turn, turn_b=turn), task(5, 64, 32, 64, turn_a=turn)]
    check(kernel("half", "float", **IN_UB), tasks, "float", (32, 32, 32))


def test_partial_sums_stay_in_l0c_while_both_aivs_ask() -> None:
    tasks = [task(1, 32, 32, 128, "in_parts"), task(5, 32, 32, 64, "in_parts")]
    check(kernel("half", "float"), tasks, "float", (32, 32, 32))


def test_many_blocks_of_cores() -> None:
    tasks = [task(i, 32, 48, 64) for i in range(16)]
    check(kernel("half", "float", CONFIG="CFG_MDL"), tasks, "float", (32, 16, 32), depthA1=4, depthB1=4, stepKa=2, stepKb=2)


@settings(max_examples=25, deadline=None)
@given(
    shapes=st.tuples(*[st.tuples(*[st.integers(1, 80)] * 3)] * 2),
    ways=st.tuples(*[st.sampled_from(["all", "later", "blocks", "nobody_waits"])] * 2),
    turns=st.tuples(*[st.booleans()] * 4),
)
def test_any_shape_in_any_way(shapes: Any, ways: Any, turns: Any) -> None:
    tasks = [task(10 * i, *shapes[i], ways[i], turn_a=turns[i], turn_b=turns[2 + i]) for i in range(2)]
    check(kernel("half", "float"), tasks, "float", (32, 32, 32), largest=(80, 80, 80))


@pytest.mark.requirement("mm-12")
def test_both_aivs_add_to_the_same_matrix() -> None:
    which = kernel("half", "float", ATOMIC="1")
    tasks = [task(1, 32, 32, 64, atomic=1), task(5, 32, 32, 64, atomic=2)]
    added, larger = run(which, tasks, "float", (32, 32, 32))
    np.testing.assert_array_equal(added, OUTSIDE + tasks[0].expected(np.float32))
    np.testing.assert_array_equal(larger, np.maximum(OUTSIDE, tasks[1].expected(np.float32)))
    assert which.info.float_atomics
    assert not kernel("half", "float").info.float_atomics


# --- what is said about mistakes


@pytest.mark.requirement("mm-16")
def test_more_results_than_blocks_are_an_error() -> None:
    which = kernel("half", "float", **TO_UB)
    says = "hang: GetTensorC of Matmul object 1 of REGIST_MATMUL_OBJ waits for a result that nobody makes"
    with pytest.raises(errors.Hang, match=says) as caught:
        run(which, [task(1, 128, 128, 64, "too_often"), task(5, 64, 64, 64, "ahead")], "float", (64, 64, 32))
    assert "mm_.template GetTensorC<false>(local);" in str(caught.value)
    assert "the object has made 4 results so far, and all are taken: call it once for each base block, behind Iterate" in str(caught.value)


@pytest.mark.requirement("mm-16")
def test_blocks_ahead_need_a_workspace() -> None:
    with pytest.raises(errors.Unsupported, match="Iterate<false> with C in UB needs SetWorkspace before it, with room for the whole of C"):
        run(kernel("half", "float", **TO_UB), [task(1, 64, 64, 64, "no_workspace"), task(5, 64, 64, 64, "ahead")], "float", (64, 64, 32))


@pytest.mark.requirement("mm-15")
def test_a_forgotten_wait_is_reported() -> None:
    with pytest.raises(errors.Unsupported, match="IterateAll<false> with waitIterateAll = true was never waited for: call WaitIterateAll"):
        run(kernel("half", "float"), [task(1, 32, 32, 32, "forgets"), task(5, 32, 32, 32)], "float", (32, 32, 32))


# --- time


@pytest.mark.requirement("mm-15")
def test_an_answer_is_waited_for_and_a_call_that_nobody_waits_for_is_not() -> None:
    which, spans = kernel("half", "float"), {}
    for way in ("all", "nobody_waits"):
        with Profile() as found:
            run(which, [task(1, 64, 64, 256, way), task(5, 64, 64, 256, way)], "float", (32, 32, 64))
        launch = found.launches[0]
        spans[way] = {core.name: core.end - core.start for core in launch.cores}
    assert spans["nobody_waits"]["AIV 0"] < spans["all"]["AIV 0"] / 2
    assert abs(spans["nobody_waits"]["AIC 0"] - spans["all"]["AIC 0"]) < spans["all"]["AIC 0"]


@pytest.mark.requirement("mm-17")
@pytest.mark.parametrize("mode", [ScheduleMode.late, ScheduleMode.early, ScheduleMode.random])
@pytest.mark.parametrize("ways", [("all", "later"), ("blocks", "in_parts")])
def test_every_schedule_gives_the_same_result(mode: ScheduleMode, ways: tuple[str, str]) -> None:
    tasks = [task(1, 32, 32, 96, ways[0], has_bias=True), task(5, 32, 32, 64, ways[1])]
    for seed in range(1, 6 if mode is ScheduleMode.random else 2):
        stream = Stream()
        with scheduled(stream, mode, seed):
            check(kernel("half", "float"), tasks, "float", (32, 32, 32), stream=stream)


def test_every_schedule_gives_the_same_result_in_ub() -> None:
    tasks = [task(1, 64, 64, 64, "ahead", has_bias=True), task(5, 64, 64, 64, "to_ub")]
    for mode in (ScheduleMode.late, ScheduleMode.early, ScheduleMode.random):
        stream = Stream()
        with scheduled(stream, mode, 3):
            check(kernel("half", "float", **TO_UB), tasks, "float", (32, 32, 32), stream=stream)


def test_time_does_not_depend_on_the_threads() -> None:
    ends = set()
    for _ in range(4):
        with Profile() as found:
            run(kernel("half", "float"), [task(i, 32, 48, 64, ("all", "blocks", "later")[i % 3]) for i in range(8)], "float", (32, 16, 32))
        ends.add(tuple(core.end for core in found.launches[0].cores))
    assert len(ends) == 1
