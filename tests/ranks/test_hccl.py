# SPDX-License-Identifier: Apache-2.0
"""Collective operations of Hccl: what every rank has in the end, compared with NumPy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

from aclimb import Buffer, Kernel, LaunchConfig, Program, launch, ranks
from aclimb.fuse import Member, fuse
from aclimb.runtime.ranks import RankGroup

SOURCE = Path(__file__).with_name("collectives.cpp")
ALL_REDUCE, ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL = range(4)
SUM, MAX, MIN = 0, 2, 3
TYPES: dict[str, tuple[int, Any]] = {
    "INT8": (0, np.int8), "INT16": (1, np.int16), "INT32": (2, np.int32), "FP16": (3, np.float16), "FP32": (4, np.float32),
    "INT64": (5, np.int64), "UINT64": (6, np.uint64), "UINT8": (7, np.uint8), "UINT16": (8, np.uint16), "UINT32": (9, np.uint32),
    "FP64": (10, np.float64), "BFP16": (11, ml_dtypes.bfloat16),
}  # fmt: skip
SUMMED = ("INT8", "INT16", "INT32", "FP16", "FP32", "BFP16")
Find = Callable[[str], Kernel]
Arrays = list[NDArray[Any]]


@pytest.fixture(scope="module")
def kernel() -> Find:
    binary = Program(SOURCE).compile()
    return lambda name: Kernel(binary, name)


def sends(dtype: Any, count: int, length: int, seed: int = 1) -> Arrays:
    """What each rank has: numbers whose sums fit, and for floats need rounding."""
    random = np.random.default_rng(seed)
    if np.issubdtype(np.dtype(dtype), np.integer):
        return [random.integers(0, 30, length).astype(dtype) for _ in range(count)]
    return [random.normal(0, 3, length).astype(dtype) for _ in range(count)]


def run(group: RankGroup, kernel: Kernel, x: Arrays, out: int, *arguments: Any, blocks: int = 1) -> Arrays:
    """Every rank runs it with its own x and an output of `out` elements, which starts as sevens."""
    results = [Buffer.from_array(np.full(out, 7, x[0].dtype), rank.device) for rank in group]
    for rank in group:
        own = Buffer.from_array(x[rank.index], rank.device)
        launch(rank.stream, LaunchConfig(num_blocks=blocks), kernel, own, results[rank.index], *arguments)
    group.synchronize()
    return [each.to_numpy() for each in results]


def reduced(parts: Arrays, op: int) -> NDArray[Any]:
    """In the order of the ranks, rounded to the element after each."""
    total = parts[0]
    for part in parts[1:]:
        combined = {SUM: np.add, MAX: np.maximum, MIN: np.minimum}[op]
        wide = np.float32 if total.dtype == ml_dtypes.bfloat16 else total.dtype
        total = combined(total.astype(wide), part.astype(wide)).astype(total.dtype)
    return total


def same(found: Arrays, expected: Arrays) -> None:
    for index, (one, other) in enumerate(zip(found, expected, strict=True)):
        assert one.tobytes() == other.tobytes(), f"rank {index}: {one} is not {other}"


# --- each operation, in each type


@pytest.mark.parametrize("op", [SUM, MAX, MIN], ids=["sum", "max", "min"])
@pytest.mark.parametrize("name", SUMMED)
def test_all_reduce_gives_every_rank_the_same_result(kernel: Find, name: str, op: int) -> None:
    number, dtype = TYPES[name]
    x = sends(dtype, 3, 40)
    with ranks(3, window=64) as group:
        found = run(group, kernel("collective"), x, 40, ALL_REDUCE, 40, number, op, 0, 1)
    same(found, [reduced(x, op)] * 3)


@pytest.mark.parametrize("name", TYPES)
def test_all_gather_joins_what_the_ranks_have(kernel: Find, name: str) -> None:
    number, dtype = TYPES[name]
    x = sends(dtype, 3, 5)
    with ranks(3, window=64) as group:
        found = run(group, kernel("collective"), x, 15, ALL_GATHER, 5, number, SUM, 0, 1)
    same(found, [np.concatenate(x)] * 3)


@pytest.mark.parametrize("name", SUMMED)
def test_reduce_scatter_gives_each_rank_its_part_of_the_sum(kernel: Find, name: str) -> None:
    number, dtype = TYPES[name]
    x = sends(dtype, 4, 24)
    with ranks(4, window=64) as group:
        found = run(group, kernel("collective"), x, 6, REDUCE_SCATTER, 6, number, SUM, 0, 1)
    same(found, np.split(reduced(x, SUM), 4))


@pytest.mark.parametrize("name", ["INT8", "FP16", "INT64", "BFP16"])
def test_all_to_all_gives_block_j_of_rank_i_to_rank_j_as_block_i(kernel: Find, name: str) -> None:
    number, dtype = TYPES[name]
    x = sends(dtype, 3, 12)
    with ranks(3, window=64) as group:
        found = run(group, kernel("collective"), x, 12, ALL_TO_ALL, 4, number, SUM, 0, 1)
    same(found, [np.concatenate([each[4 * j : 4 * j + 4] for each in x]) for j in range(3)])


# --- rounds and strides


def test_rounds_of_all_reduce_lie_one_behind_the_other(kernel: Find) -> None:
    x = sends(np.float32, 2, 24)
    with ranks(2, window=64) as group:
        found = run(group, kernel("collective"), x, 24, ALL_REDUCE, 8, 4, SUM, 0, 3)
    same(found, [reduced(x, SUM)] * 2)


def test_all_gather_in_rounds_fills_rows_of_strides(kernel: Find) -> None:
    x = sends(np.int32, 2, 12)
    with ranks(2, window=64) as group:  # three rounds of four, the blocks of the ranks 16 apart
        found = run(group, kernel("collective"), x, 32, ALL_GATHER, 4, 2, SUM, 16, 3)
    expected = np.full(32, 7, np.int32)
    expected[:12], expected[16:28] = x
    same(found, [expected] * 2)


def test_reduce_scatter_in_rounds_reads_rows_of_strides(kernel: Find) -> None:
    x = sends(np.int32, 2, 32)
    with ranks(2, window=64) as group:
        found = run(group, kernel("collective"), x, 12, REDUCE_SCATTER, 4, 2, SUM, 16, 3)
    total = reduced(x, SUM)
    same(found, [total[:12], total[16:28]])


def test_all_to_all_in_rounds_moves_rows_of_strides(kernel: Find) -> None:
    x = sends(np.int32, 2, 20)
    with ranks(2, window=64) as group:
        found = run(group, kernel("collective"), x, 20, ALL_TO_ALL, 3, 2, SUM, 10, 2)
    expected = [np.full(20, 7, np.int32) for _ in range(2)]
    for j, made in enumerate(expected):
        for i, each in enumerate(x):
            made[10 * i : 10 * i + 6] = each[10 * j : 10 * j + 6]
    same(found, expected)


@pytest.mark.parametrize("seed", range(3))
def test_all_to_all_v_moves_what_the_lists_say(kernel: Find, seed: int) -> None:
    count, rounds = 3, 2
    random = np.random.default_rng(seed)
    amounts = random.integers(0, 6, (count, count))  # [from, to]
    starts = np.arange(count) * 12  # room for two rounds of each
    x, length = sends(np.int16, count, 36, seed), 36
    with ranks(count, window=64, soc="Ascend910_9392") as group:
        results = [Buffer.from_array(np.full(length, 7, np.int16), rank.device) for rank in group]
        for rank in group:
            lists = np.concatenate([amounts[rank.index], starts, amounts[:, rank.index], starts]).astype(np.uint64)
            own = [Buffer.from_array(each, rank.device) for each in (x[rank.index], lists)]
            launch(rank.stream, LaunchConfig(num_blocks=1), kernel("to_all_v"), own[0], results[rank.index], own[1], 1, rounds)
        group.synchronize()
        found = [each.to_numpy() for each in results]
    expected = [np.full(length, 7, np.int16) for _ in range(count)]
    for j, made in enumerate(expected):
        for i, each in enumerate(x):
            whole = amounts[i, j] * rounds
            made[starts[i] : starts[i] + whole] = each[starts[j] : starts[j] + whole]
    same(found, expected)


def test_a_buffer_may_be_sent_and_received_in_place(kernel: Find) -> None:
    x = sends(np.float32, 2, 16)
    with ranks(2, window=64) as group:
        own = [Buffer.from_array(x[rank.index], rank.device) for rank in group]
        for rank in group:
            buffer = own[rank.index]
            launch(rank.stream, LaunchConfig(num_blocks=1), kernel("collective"), buffer, buffer, ALL_REDUCE, 16, 4, SUM, 0, 1)
        group.synchronize()
        same([each.to_numpy() for each in own], [reduced(x, SUM)] * 2)


def test_windows_may_be_buffers(kernel: Find) -> None:
    x = sends(np.float32, 2, 16)
    with ranks(2, window=64) as group:
        for rank in group:
            rank.window.copy_from(x[rank.index].view(np.uint8))
            launch(
                rank.stream, LaunchConfig(num_blocks=1), kernel("collective"), rank.window, rank.window_out, ALL_REDUCE, 16, 4, SUM, 0, 1
            )
        group.synchronize()
        same([rank.window_out.to_numpy().view(np.float32) for rank in group], [reduced(x, SUM)] * 2)


# --- cores, answers, several launches


@pytest.mark.parametrize("blocks", [1, 4])
def test_all_blocks_wait_for_what_block_0_commits(kernel: Find, blocks: int) -> None:
    x = sends(np.float32, 3, 256)
    with ranks(3, window=64) as group:
        own = [[Buffer.from_array(each, rank.device) for each in (x[rank.index], x[0] * 0, x[0] * 0)] for rank in group]
        for rank in group:
            launch(rank.stream, LaunchConfig(num_blocks=blocks), kernel("add_reduce_add"), *own[rank.index], 256)
        group.synchronize()
        found = [each[2].to_numpy() for each in own]
    same(found, [reduced([each + np.float32(1) for each in x], SUM) * np.float32(2)] * 3)


def test_a_config_names_the_core_that_speaks(kernel: Find) -> None:
    x = sends(np.float32, 2, 8)
    with ranks(2, window=64) as group:
        found = run(group, kernel("from_block_one"), x, 8, blocks=3)
    same(found, [reduced(x, SUM)] * 2)


def test_an_hccl_object_tells_ranks_windows_handles_and_rounds(kernel: Find) -> None:
    x = sends(np.float32, 2, 16)
    with ranks(2, window=64) as group:
        out = [Buffer.from_array(np.zeros(12, np.uint64), rank.device) for rank in group]
        y = [Buffer.from_array(np.zeros(32, np.float32), rank.device) for rank in group]
        for rank in group:
            launch(rank.stream, LaunchConfig(num_blocks=1), kernel("tells"), out[rank.index],
                   Buffer.from_array(x[rank.index], rank.device), y[rank.index])  # fmt: skip
        group.synchronize()
        for rank in group:
            told = [int(each) for each in out[rank.index].to_numpy()]
            assert told[:5] == [rank.index, 2, group[1].window.address, group[0].window_out.address, 0]
            assert told[5:7] == [0, 0], "the first handle, and no round done before a commit"
            assert told[7] in (1, 2)
            assert told[8:] == [0, 0, 2, 1], "two waits that succeed, two rounds, the second handle"


def test_launches_of_the_ranks_meet_one_after_the_other(kernel: Find) -> None:
    with ranks(2, window=64) as group:
        for turn in range(20):
            x = sends(np.int32, 2, 8, seed=turn)
            same(run(group, kernel("collective"), x, 16, ALL_GATHER, 8, 2, SUM, 0, 1), [np.concatenate(x)] * 2)


def test_eight_ranks_meet_on_two_host_cores(kernel: Find) -> None:
    x = sends(np.float32, 8, 8)
    with ranks(8, window=64) as group:
        same(run(group, kernel("collective"), x, 64, ALL_GATHER, 8, 4, SUM, 0, 1), [np.concatenate(x)] * 8)


def test_two_groups_have_servers_of_their_own(kernel: Find) -> None:
    x = sends(np.float32, 3, 8)
    with ranks(3, window=64) as group, ranks(2, window=64, index=1):
        same(run(group, kernel("collective"), x, 8, ALL_REDUCE, 8, 4, SUM, 0, 1), [reduced(x, SUM)] * 3)


def test_a_count_of_whole_blocks_may_pass_the_end_of_a_buffer_as_on_a_chip(kernel: Find, caplog: pytest.LogCaptureFixture) -> None:
    x = sends(np.float32, 2, 13)
    with ranks(2, window=64) as group:
        found = run(group, kernel("collective"), x, 16, ALL_REDUCE, 16, 4, SUM, 0, 1)
    same(found, [np.concatenate([reduced(x, SUM), np.zeros(3, np.float32)])] * 2)
    assert all("in whole blocks, 12 bytes past the end of its buffer of 52" in each for each in caplog.messages)
    assert caplog.messages


def test_two_members_of_a_fused_kernel_may_communicate(kernel: Find) -> None:
    binary = kernel("from_block_one").binary
    fused = Kernel(fuse([Member(binary, 2, "from_block_one"), Member(binary, 2, "from_block_one")]))
    x = sends(np.float32, 2, 8)
    with ranks(2, window=64) as group:
        own = [[Buffer.from_array(each, rank.device) for each in (x[rank.index], x[0] * 0, x[0] * 0)] for rank in group]
        for rank in group:
            first, middle, last = own[rank.index]
            launch(rank.stream, LaunchConfig(num_blocks=2), fused, first, middle, middle, last)
        group.synchronize()
        once = [reduced(x, SUM)] * 2
        same([each[2].to_numpy() for each in own], [reduced(once, SUM)] * 2)
