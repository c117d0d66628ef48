# SPDX-License-Identifier: Apache-2.0
"""Hccl used against its rules, and ranks that never come: who is named, and that the next launch is right again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from aclimb import Buffer, Kernel, LaunchConfig, Program, launch, ranks
from aclimb.errors import AclimbError, Hang, Misuse, OutOfBounds
from aclimb.runtime.ranks import RankGroup

SOURCE = Path(__file__).with_name("collectives.cpp")
FP32, INT32, SUM = 4, 2, 0
Find = Callable[[str], Kernel]


@pytest.fixture(scope="module")
def kernel() -> Find:
    binary = Program(SOURCE).compile()
    return lambda name: Kernel(binary, name)


def floats(group: RankGroup, rank: int, count: int) -> Buffer:
    return Buffer.from_array(np.arange(count, dtype=np.float32), group[rank].device)


def start(group: RankGroup, rank: int, kernel: Kernel, *arguments: Any, strictness: str | None = None) -> None:
    launch(group[rank].stream, LaunchConfig(num_blocks=1, strictness=strictness), kernel, *arguments)


def reduce(
    group: RankGroup, rank: int, kernel: Find, count: int = 8, dtype: int = FP32, op: int = SUM, kind: int = 0, repeat: int = 1
) -> None:
    start(group, rank, kernel("collective"), floats(group, rank, 64), floats(group, rank, 128), kind, count, dtype, op, 0, repeat)


def message(group: RankGroup) -> tuple[AclimbError, str]:
    with pytest.raises(AclimbError) as found:
        group.synchronize()
    return found.value, str(found.value)


def is_right_again(group: RankGroup, kernel: Find) -> None:
    y = [floats(group, rank.index, 8) for rank in group]
    for rank in group:
        start(group, rank.index, kernel("collective"), floats(group, rank.index, 8), y[rank.index], 0, 8, FP32, SUM, 0, 1)
    group.synchronize()
    for each in y:
        np.testing.assert_array_equal(each.to_numpy(), np.arange(8) * len(group))


# --- ranks that do not come


def test_a_rank_that_never_comes_is_named_and_the_next_launches_meet(kernel: Find) -> None:
    with ranks(3, window=64, timeout=0.2) as group:
        reduce(group, 0, kernel)
        reduce(group, 1, kernel)
        error, text = message(group)
        assert isinstance(error, Hang)
        assert text.startswith("Wait waits for AllReduce 0 for ever: for 0.2 s nothing has happened. "
                               "rank 2: no kernel with Hccl was launched, collective block 0 (AIV 0)\n")  # fmt: skip
        assert "hccl.Wait(handle);" in text
        assert text.endswith("every rank runs the kernel, prepares the same tasks in the same order and commits each round")
        is_right_again(group, kernel)


def test_a_rank_that_ends_before_a_task_is_named_at_once(kernel: Find) -> None:
    with ranks(2, window=64, timeout=60) as group:
        start(group, 1, kernel("gives_up"), floats(group, 1, 8), floats(group, 1, 8), 0)
        reduce(group, 0, kernel)
        error, text = message(group)
        assert isinstance(error, Hang)
        assert text.startswith(
            "Wait waits for AllReduce 0 for ever: rank 1: gives_up has ended and did not prepare task 0, collective block 0"
        )
        is_right_again(group, kernel)


def test_a_rank_with_fewer_tasks_is_named_by_finalize(kernel: Find) -> None:
    with ranks(2, window=64, timeout=60) as group:
        for rank, tasks in ((0, 3), (1, 2)):
            start(group, rank, kernel("gives_up"), floats(group, rank, 8), floats(group, rank, 8), tasks)
        error, text = message(group)
        assert isinstance(error, Hang)
        assert text.startswith(
            "Finalize waits for AllReduce 2 for ever: rank 1: gives_up has ended and did not prepare task 2, gives_up block 0"
        )


@pytest.mark.parametrize(("one", "other", "sentence"), [
    ({"count": 8}, {"count": 16}, "AllReduce of 8 FP32 (sum) on rank 0, and AllReduce of 16 FP32 (sum) on rank 1"),
    ({}, {"dtype": INT32}, "AllReduce of 8 FP32 (sum) on rank 0, and AllReduce of 8 INT32 (sum) on rank 1"),
    ({}, {"op": 2}, "AllReduce of 8 FP32 (sum) on rank 0, and AllReduce of 8 FP32 (maximum) on rank 1"),
    ({}, {"kind": 1}, "AllReduce of 8 FP32 (sum) on rank 0, and AllGather of 8 FP32 on rank 1"),
    ({}, {"repeat": 2}, "AllReduce of 8 FP32 (sum) on rank 0, and AllReduce of 8 FP32 (sum) in 2 rounds on rank 1"),
])  # fmt: skip
def test_ranks_that_do_not_agree_are_told_what_each_prepared(kernel: Find, one: Any, other: Any, sentence: str) -> None:
    with ranks(2, window=64) as group:
        reduce(group, 0, kernel, **one)
        reduce(group, 1, kernel, **other)
        error, text = message(group)
        assert isinstance(error, Misuse)
        assert text.startswith(f"the ranks do not agree: {sentence}, collective block 0 (AIV 0)\n")
        assert text.endswith("all ranks prepare the same tasks in the same order")
        is_right_again(group, kernel)


def test_lists_of_all_to_all_v_that_do_not_fit_are_told(kernel: Find) -> None:
    with ranks(2, window=64, soc="Ascend910_9392") as group:
        for rank, received in ((0, [1, 2]), (1, [2, 2])):
            lists = Buffer.from_array(np.array([1, 2, 0, 4, *received, 0, 4], np.uint64), group[rank].device)
            start(group, rank, kernel("to_all_v"), floats(group, rank, 16), floats(group, rank, 16), lists, FP32, 1)
        _, text = message(group)
        assert text.startswith("the ranks do not agree: AlltoAllV: rank 1 sends 1 elements to rank 0, which receives 2 elements")


def test_all_to_all_v_is_refused_on_atlas_a2(kernel: Find) -> None:
    with ranks(1, window=64, soc="Ascend910B3") as group:
        lists = Buffer.from_array(np.array([1, 0, 1, 0], np.uint64), group[0].device)
        start(group, 0, kernel("to_all_v"), floats(group, 0, 8), floats(group, 0, 8), lists, FP32, 1)
        _, text = message(group)
        assert text.startswith("AlltoAllV is not on Atlas A2; AlltoAll is, with as much for every rank, to_all_v block 0 (AIV 0)")


# --- one rank's own mistakes

MISTAKES = {
    1: "the Hccl object was not initialised",
    2: "the context is none of this device's groups",
    3: "a wait for round 1 of AllReduce 0, of which 0 are committed",
    4: "AllReduce 0 is not committed at Finalize",
    5: "AllReduce 0 is committed more often than its 1 rounds",
    6: "Commit of handle 5, which no task has",
    7: "handle -1 is none of a task",
    8: "the kernel ends without Finalize of its Hccl object",
    9: "an Hccl object takes 63 tasks at most",
    10: "a task is prepared behind Finalize, when the server has gone",
    11: "a second Hccl object uses the same context",
    12: "AllReduce with a repeat of 0; it takes 1 and more",
    13: "AllReduce takes sum, maximum and minimum, of INT8, INT16, INT32, FP16, FP32 and BFP16",
    14: "AllReduce takes sum, maximum and minimum, of INT8, INT16, INT32, FP16, FP32 and BFP16",
    15: "AllGather with a strideCount less than the number of elements: the blocks overlap",
    16: "AllReduce needs",
    17: "AllReduce needs",
    18: "AllReduce of no elements, or of more than a device has",
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_named_with_its_line(kernel: Find, mistake: int) -> None:
    with ranks(1, window=64, timeout=0.2) as group:
        out = Buffer.from_array(np.zeros(1, np.int64), group[0].device)
        start(group, 0, kernel("mistaken"), floats(group, 0, 128), floats(group, 0, 64), mistake, out)
        error, text = message(group)
        assert isinstance(error, OutOfBounds if mistake in (16, 17) else Misuse)
        assert text.startswith(MISTAKES[mistake])
        assert "collectives.cpp:" in text
        is_right_again(group, kernel)


def test_without_a_mistake_the_same_kernel_is_right(kernel: Find) -> None:
    with ranks(1, window=64) as group:
        out, y = Buffer.from_array(np.full(1, 5, np.int64), group[0].device), floats(group, 0, 64)
        start(group, 0, kernel("mistaken"), floats(group, 0, 128), y, 0, out)
        group.synchronize()
        assert out.to_numpy()[0] == 0
        np.testing.assert_array_equal(y.to_numpy(), np.arange(64))


def test_as_lax_as_hardware_a_wrong_handle_answers_minus_one(kernel: Find) -> None:
    with ranks(1, window=64) as group:
        out = Buffer.from_array(np.zeros(1, np.int64), group[0].device)
        start(group, 0, kernel("mistaken"), floats(group, 0, 128), floats(group, 0, 64), 7, out, strictness="hardware")
        group.synchronize()
        assert out.to_numpy()[0] == -1


def test_as_lax_as_hardware_no_rank_sends_what_nobody_has_mapped(kernel: Find) -> None:
    with ranks(1, window=64) as group:
        y = floats(group, 0, 4096)
        start(group, 0, kernel("collective"), floats(group, 0, 64), y, 0, 4096, FP32, SUM, 0, 1, strictness="hardware")
        error, text = message(group)
        assert isinstance(error, Misuse)
        assert text.startswith("AllReduce sends more than its buffer has, collective block 0 (AIV 0)")
        is_right_again(group, kernel)


@pytest.mark.parametrize("place", range(8))
def test_lists_of_all_to_all_v_whose_sums_would_overflow_are_refused(kernel: Find, place: int) -> None:
    with ranks(2, window=64, soc="Ascend910_9392") as group:
        for rank in group:
            numbers = np.array([1, 2, 0, 4, 1, 2, 0, 4], np.uint64)
            numbers[place] = 2**64 - 2
            lists = Buffer.from_array(numbers, rank.device)
            start(group, rank.index, kernel("to_all_v"), floats(group, rank.index, 16), floats(group, rank.index, 16), lists, FP32, 2)
        error, text = message(group)
        assert isinstance(error, Misuse)
        assert text.startswith("AlltoAllV with a number in its lists that is more than a device has, to_all_v block 0 (AIV 0)")
        is_right_again(group, kernel)


def test_a_rank_that_exchanges_nothing_needs_no_buffers(kernel: Find) -> None:
    with ranks(1, window=64, soc="Ascend910_9392") as group:
        lists = Buffer.from_array(np.zeros(4, np.uint64), group[0].device)
        start(group, 0, kernel("to_all_v"), None, None, lists, FP32, 1)
        group.synchronize()


def test_a_missing_finalize_is_what_a_chip_does_not_notice(kernel: Find) -> None:
    with ranks(1, window=64) as group:
        out = Buffer.from_array(np.zeros(1, np.int64), group[0].device)
        start(group, 0, kernel("mistaken"), floats(group, 0, 128), floats(group, 0, 64), 8, out)
        _, text = message(group)
        assert 'a chip would run it; to allow it: LaunchConfig(strictness="hardware") for one launch' in text
        start(group, 0, kernel("mistaken"), floats(group, 0, 128), floats(group, 0, 64), 8, out, strictness="hardware")
        group.synchronize()
