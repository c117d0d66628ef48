# SPDX-License-Identifier: Apache-2.0
"""Soft synchronisation in time: a second IBSet waits until the first was taken, WaitPreBlock makes a chain of the cores, GroupBarrier waits
for the last that arrives."""

from __future__ import annotations

from itertools import pairwise

import aclimb
from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch

SOURCE = """
#include "kernel_operator.h"
using namespace AscendC;

// Block 0 sets twice; block 1 works first, and then takes both.
extern "C" __global__ __aicore__ void two_events(GM_ADDR words, int32_t work) {
    InitSocState();
    GlobalTensor<int32_t> gm;
    gm.SetGlobalBuffer((__gm__ int32_t*)words);
    LocalTensor<int32_t> ub(TPosition::VECCALC, 0, 64);
    LocalTensor<float> x(TPosition::VECCALC, 1024, 4096);
    if (GetBlockIdx() == 0) {
        IBSet(gm, ub, 0, 0);
        IBSet(gm, ub, 0, 0);
    } else {
        for (int32_t i = 0; i < work; i++) Adds(x, x, 1.0f, 4096);
        IBWait(gm, ub, 0, 0);
        IBWait(gm, ub, 0, 0);
    }
}

extern "C" __global__ __aicore__ void chain(GM_ADDR words, int32_t work) {
    InitSocState();
    GlobalTensor<int32_t> gm;
    gm.SetGlobalBuffer((__gm__ int32_t*)words);
    LocalTensor<int32_t> ub(TPosition::VECCALC, 0, 128);
    LocalTensor<float> x(TPosition::VECCALC, 1024, 4096);
    InitDetermineComputeWorkspace(gm, ub);
    WaitPreBlock(gm, ub);
    for (int32_t i = 0; i < work; i++) Adds(x, x, 1.0f, 4096);
    PipeBarrier<PIPE_ALL>();
    NotifyNextBlock(gm, ub);
}

// Blocks 0 and 1 arrive, the second after its work; the others wait for both, round by round.
extern "C" __global__ __aicore__ void group(GM_ADDR words, int32_t work) {
    InitSocState();
    LocalTensor<float> x(TPosition::VECCALC, 1024, 4096);
    const uint32_t block = static_cast<uint32_t>(GetBlockIdx()), waiting = static_cast<uint32_t>(GetBlockNum()) - 2;
    GroupBarrier<PipeMode::MTE3_MODE> barrier(words, 2, waiting);
    for (int32_t round = 0; round < 2; round++) {
        if (block == 1)
            for (int32_t i = 0; i < work; i++) Adds(x, x, 1.0f, 4096);
        if (block < 2) barrier.Arrive(block);
        else barrier.Wait(block - 2);
    }
}
"""


def timed(name: str, blocks: int, work: int) -> aclimb.Profile:
    with aclimb.profile(soc="Ascend910B1") as timeline:
        launch(
            Stream(),
            LaunchConfig(num_blocks=blocks),
            Kernel(Program(SOURCE, soc="Ascend910B1").compile(), name),
            Buffer(1024, "int32"),
            work,
        )
    return timeline


def test_a_second_set_ends_when_the_first_was_taken() -> None:
    for work in (1, 100):
        timeline = timed("two_events", 2, work)
        sets = timeline.query("select end from slice where name = 'IBSet' order by end")
        waits = timeline.query("select end from slice where name = 'IBWait' order by end")
        assert len(sets) == len(waits) == 2
        assert sets[0] < waits[0] <= sets[1] < waits[1]


def test_blocks_that_come_in_order_do_not_overlap() -> None:
    timeline = timed("chain", 4, 20)
    spans = timeline.query("select block, min(start), max(end) from slice where name = 'Adds' group by block order by block")
    assert [block for block, _, _ in spans] == [0, 1, 2, 3]
    assert all(before[2] <= after[1] for before, after in pairwise(spans))


def test_a_group_waits_for_the_last_that_arrives() -> None:
    ends = {}
    for work in (1, 100):
        timeline = timed("group", 4, work)
        arrived = timeline.query("select max(end) from slice where name = 'Adds' and block = 1")[0][0]
        waits = timeline.query("select block, start, end from slice where name = 'GroupBarrier::Wait' order by block, end")
        assert [block for block, _, _ in waits] == [2, 2, 3, 3]
        assert all(end >= arrived for _, _, end in waits[1::2])
        assert all(before[2] <= after[1] for before, after in ((waits[0], waits[1]), (waits[2], waits[3])))
        ends[work] = waits[-1][2]
    assert ends[100] > 5 * ends[1]
