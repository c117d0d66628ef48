# SPDX-License-Identifier: Apache-2.0
"""How copies share memory: pieces of long rows, parts of lines, one queue, sampled blocks, lines that several cores ask for."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from published import A2, ADDED, ADDED_B4, FULL_TILE, memory, one_add
from published import kernel as published_kernel

import aclimb
from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch

SOURCE = """
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t kCount = 65536, kTimes = 64;

extern "C" __global__ __aicore__ void reads(GM_ADDR x, uint32_t shift) {
    GlobalTensor<half> in;
    in.SetGlobalBuffer((__gm__ half*)x);
    LocalTensor<half> tile(TPosition::VECIN, 0, kCount);
    for (uint32_t i = 0; i < kTimes; ++i) DataCopy(tile, in[2 * i * kCount + shift], kCount);
}

// `blocks` of 32 bytes at the start of every kilobyte.
extern "C" __global__ __aicore__ void writes(GM_ADDR x, uint32_t blocks) {
    GlobalTensor<half> out;
    out.SetGlobalBuffer((__gm__ half*)x);
    LocalTensor<half> tile(TPosition::VECOUT, 0, kCount);
    for (uint32_t i = 0; i < kTimes; ++i) DataCopy(out[512 * 64 * i], tile, DataCopyParams(64, blocks, 0, 32 - blocks));
}
"""


@cache
def kernel(name: str) -> Kernel:
    return Kernel(Program(SOURCE, name="memory").compile(), name)


def profiled(which: Kernel, *args: Any, blocks: int = 1, launches: int = 1, **options: Any) -> Any:
    stream = Stream()
    with aclimb.profile(soc=A2, timing_only=True, **options) as profile:
        for _ in range(launches):
            launch(stream, LaunchConfig(num_blocks=blocks), which, *args)
        stream.synchronize()
    return profile.launches[-1]


def test_a_long_row_that_begins_inside_a_line_costs_one_line_more() -> None:
    asked = 64 * 131072
    x = Buffer(2 * asked + 4096)
    brought = [profiled(kernel("reads"), x, shift, l2="cold").counter("hbm_read") for shift in (0, 16)]
    assert brought[0] == asked
    assert brought[1] == asked + 64 * 512


def test_a_write_of_parts_of_lines_brings_the_rest_of_them() -> None:
    x = Buffer(64 * 64 * 1024)
    parts, whole = (profiled(kernel("writes"), x, blocks, l2="cold") for blocks in (8, 16))
    assert whole.counter("hbm_read") == 0
    assert parts.counter("hbm_read") == 64 * 64 * 512
    assert parts.task > whole.task / 2  # half of the bytes take more than half of the time


@pytest.mark.parametrize("buffers", [1, 2])
def test_a_sampled_block_takes_as_long_as_one_of_all(buffers: int) -> None:
    vectors = [memory(2 * max(ADDED, ADDED_B4), number) for number in range(3)]
    args = (published_kernel("add.cpp", "add_half"), *vectors, ADDED, 8192, FULL_TILE, buffers, 1, 0, 0)
    whole, one = (profiled(*args, blocks=48, launches=2, trace=False, sampled=sampled).task_us for sampled in (False, True))
    assert one == pytest.approx(whole, rel=0.05)


def test_bank_conflicts_are_looked_for_in_all_repeats() -> None:
    """One block a repeat meets the other source in every second one, wherever it begins."""
    assert one_add(0, 0x10100, 0x10100, 0, 1) == pytest.approx(one_add(0x100, 0x10100, 0x10100, 0, 1), rel=0.01)


def test_writes_wait_behind_the_reads_before_them() -> None:
    """Past the L2 the inputs fill the queue of the HBM; the results hit the L2 and wait in it all the same."""
    vectors = [memory(2 * max(ADDED, ADDED_B4), number) for number in range(3)]
    which = published_kernel("add.cpp", "add_half")
    alone, together = (
        profiled(which, *vectors, ADDED // 48 * blocks // 8192 * 8192, 8192, FULL_TILE, 2, 1, 1, 0, blocks=blocks, launches=2, trace=False)
        for blocks in (1, 48)
    )
    assert together.pipe_us("MTE3") > 2 * alone.pipe_us("MTE3")
