# SPDX-License-Identifier: Apache-2.0
"""GetSystemCycle in a profile: what the model says, and a note where a kernel decides by it."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import aclimb
from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch

TICK_PS = 20_000  # of a counter of 50 MHz
SOURCE = """
#include "kernel_operator.h"
using namespace AscendC;

// In place, so that a launch that ran twice would show.
extern "C" __global__ __aicore__ void timed(GM_ADDR x, GM_ADDR ticks, uint32_t adds) {
    GlobalTensor<float> gm;
    gm.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * 4096, 4096);
    GlobalTensor<int64_t> out;
    out.SetGlobalBuffer((__gm__ int64_t*)ticks + GetBlockIdx() * 2, 2);
    LocalTensor<float> tile(TPosition::VECCALC, 0, 4096);
    DataCopy(tile, gm, 4096);
    PipeBarrier<PIPE_ALL>();
    const int64_t before = GetSystemCycle();
    for (uint32_t i = 0; i < adds; ++i) Adds(tile, tile, 1.0f, 4096);
    PipeBarrier<PIPE_ALL>();
    const int64_t after = GetSystemCycle();
    DataCopy(gm, tile, 4096);
    out.SetValue(0, before);
    out.SetValue(1, after);
}

extern "C" __global__ __aicore__ void waits(GM_ADDR ticks, uint32_t ticks_to_wait) {
    const int64_t before = GetSystemCycle();
    while (GetSystemCycle() - before < ticks_to_wait) {
    }
    GlobalTensor<int64_t> out;
    out.SetGlobalBuffer((__gm__ int64_t*)ticks, 1);
    out.SetValue(0, GetSystemCycle() - before);
}

extern "C" __global__ __aicore__ void reads_results(GM_ADDR ticks) {
    LocalTensor<float> tile(TPosition::VECCALC, 0, 64);
    Duplicate(tile, 3.0f, 64);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<int64_t> out;
    out.SetGlobalBuffer((__gm__ int64_t*)ticks, 1);
    if (tile.GetValue(0) > 1) out.SetValue(0, GetSystemCycle());
}
"""


@cache
def kernel(name: str) -> Kernel:
    return Kernel(Program(SOURCE, name="clock").compile(), name)


@pytest.mark.parametrize("adds", [10, 100])
def test_two_readings_are_as_far_apart_as_the_timeline_says(adds: int) -> None:
    x, ticks, stream = Buffer.from_array(np.zeros(8192, np.float32)), Buffer((2, 2), np.int64), Stream()
    with aclimb.profile() as profile:
        launch(stream, LaunchConfig(num_blocks=2), kernel("timed"), x, ticks, adds)
    np.testing.assert_array_equal(x.to_numpy(), adds)
    assert profile.launches[0].clock == "follows"
    assert not profile.notes
    rows = profile.query("select block, min(start), max(end) from slice where name = 'Adds' group by block order by block")
    for block, start, end in rows:
        before, after = ticks.to_numpy()[block]
        assert after - before == pytest.approx((end - start) / TICK_PS, abs=2)


def test_the_same_program_hears_the_same_ticks() -> None:
    heard = []
    for _ in range(2):
        x, ticks, stream = Buffer(4096, np.float32), Buffer(2, np.int64), Stream()
        with aclimb.profile():
            launch(stream, LaunchConfig(num_blocks=1), kernel("timed"), x, ticks, 20)
        heard.append(ticks.to_numpy().tolist())
    assert heard[0] == heard[1]


def test_a_kernel_that_waits_for_the_clock_ends_and_is_noted() -> None:
    ticks, stream = Buffer(1, np.int64), Stream()
    with aclimb.profile() as profile:
        launch(stream, LaunchConfig(num_blocks=1), kernel("waits"), ticks, 1000)
    assert ticks.to_numpy()[0] >= 1000
    assert profile.launches[0].clock == "strays"
    assert profile.notes == ["what they do depends on GetSystemCycle, and the model's times with it: waits"]


def test_a_kernel_that_reads_its_results_hears_the_hosts_clock() -> None:
    ticks, stream = Buffer(1, np.int64), Stream()
    with aclimb.profile() as profile:
        launch(stream, LaunchConfig(num_blocks=1), kernel("reads_results"), ticks)
    assert profile.launches[0].clock == "host"
    assert "GetSystemCycle was this host's clock" in profile.notes[0]
    assert ticks.to_numpy()[0] > 0
