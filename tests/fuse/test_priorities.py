# SPDX-License-Identifier: Apache-2.0
"""Schedules by priority: each extreme finds the order it is made for, and a kernel that is right is right under all of them."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from chains import KERNELS

from aclimb import Buffer, Kernel, KernelBinary, LaunchConfig, Program, Stream, errors, launch
from aclimb.fuse import Member, fuse, stress
from aclimb.runtime.fused_runs import Priorities, ordered
from aclimb.schedules.cores import LaunchCores
from aclimb.schedules.schedule import Schedule
from aclimb.schedules.search import extremes


@cache
def built(**defines: str) -> KernelBinary:
    return Program(KERNELS / "orders.cpp", defines=defines).compile()


def case(name: str, blocks: int = 1, **defines: str) -> tuple[Kernel, list[Any], LaunchConfig]:
    kernel = Kernel(built(**defines), name)
    x = np.random.default_rng(5).integers(-8, 9, 512).astype(np.float16 if name == "squares" else np.float32)
    x = np.ones(blocks * 192, np.int32) if name == "unordered" else np.resize(x, 512 if name == "squares" else blocks * 192)
    y = np.zeros(512 if name == "squares" else blocks * 192, np.float32)
    buffers = [Buffer.from_array(each) for each in ([x, y, y] if name == "neighbours" else [x, y])]
    return kernel, buffers, LaunchConfig(blocks)


def finds(replay: str, name: str, blocks: int = 1, more: tuple[Any, ...] = (), **defines: str) -> bool:
    kernel, buffers, config = case(name, blocks, **defines)
    return not stress(kernel, *buffers, *more, config=config, replay=replay).is_stable


@pytest.mark.requirement("ord-44")
@pytest.mark.parametrize(
    ("kernel", "left_out", "late", "early"),
    [
        ("rows", "loaded", "MTE2", "V"),
        ("rows", "computed", "V", "MTE3"),
        ("rows", "read", "V", "MTE2"),
        ("rows", "stored", "MTE3", "V"),
        ("squares", "to_l1", "MTE2", "MTE1"),
        ("squares", "to_l0", "MTE1", "M"),
        ("squares", "multiplied", "M", "FIX"),
        ("squares", "fixed_again", "FIX", "M"),
    ],
)
def test_the_pipe_that_has_to_come_first_comes_last(kernel: str, left_out: str, late: str, early: str) -> None:
    assert finds(f"1:late:{late}", kernel, LEAVE_OUT=left_out)
    assert finds(f"1:early:{early}", kernel, LEAVE_OUT=left_out)
    assert not finds("1:late:S", kernel, LEAVE_OUT=left_out)  # behind every pipe: each record runs as it is issued


@pytest.mark.requirement("ord-44")
def test_the_scalar_unit_may_be_ahead_of_every_pipe() -> None:
    assert finds("1:early:S", "rows", LEAVE_OUT="loaded")
    assert finds("1:early:S", "rows", LEAVE_OUT="stored")
    assert not finds("1:early:S", "rows")


@pytest.mark.requirement("ord-44")
@pytest.mark.parametrize("replay", ["1:late-core@AIV0", "1:early-core@AIV3", "1:reverse", "1:late:S@AIV1", "1:early-core@AIV1-3"])
def test_cores_take_turns_in_another_order(replay: str) -> None:
    assert finds(replay, "unordered", 4)
    assert not finds("1:late-core@AIV3", "unordered", 4)
    assert not finds("1:early-core@AIV0", "unordered", 4)


@pytest.mark.requirement("ord-44")
def test_one_core_or_one_kind_of_core_may_be_late_alone() -> None:
    kernel, buffers, config = case("rows", 4, LEAVE_OUT="loaded")
    (found,) = stress(kernel, *buffers, config=config, replay="1:late:MTE2@AIV2").differences
    assert (found.first // 768, found.last // 768) == (2, 2)  # its rows and no others
    assert finds("1:late:MTE2@AIV", "rows", 4, LEAVE_OUT="loaded")
    with pytest.raises(errors.InvalidArgument, match=r"1:late:MTE2@AIC is about cores that this launch of rows does not have"):
        finds("1:late:MTE2@AIC", "rows", 4)


@pytest.mark.requirement("ord-44")
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_priorities_by_chance_find_a_missing_order(depth: int) -> None:
    kernel, buffers, config = case("rows", 2, LEAVE_OUT="loaded")
    changes = ["", ":9", ":9,20"][depth - 1]
    replays = [f"1:pct:{seed}:d{depth}{changes}" for seed in range(40)]
    report = stress(kernel, *buffers, config=config, replay=replays)
    # At least one run of 8 agents for each constraint less one; far more in fact.
    assert len(report.differences) >= 40 / 8
    kernel, buffers, config = case("rows", 2)
    report = stress(kernel, *buffers, config=config, replay=replays)
    assert report.is_stable
    (bound,) = report.bounds
    assert (bound.depth, bound.runs, bound.agents) == (depth, 40, 8)
    assert bound.missed == pytest.approx((1 - 1 / (8 * bound.steps ** (depth - 1))) ** 40)
    assert f"{bound.missed:.4g} at depth {depth} (8 agents, {bound.steps} steps)" in str(report)


@pytest.mark.parametrize("name", ["rows", "squares", "neighbours"])
def test_a_kernel_with_all_its_flags_is_the_same_in_every_order(name: str) -> None:
    blocks = 1 if name == "squares" else 5
    kernel, buffers, config = case(name, blocks)
    more = (3,) if name == "neighbours" else ()
    assert stress(kernel, *buffers, *more, config=config).is_stable


DISTANCES = (0, 1, 2, 3, 8, 40, 64, 255, 256)


@pytest.mark.requirement("ord-45")
@pytest.mark.parametrize("cores", [2, 3, 24, 48])
def test_late_mte3_finds_a_cross_core_set_on_another_pipe_at_every_distance(cores: int) -> None:
    for distance in DISTANCES:
        assert finds("1:late:MTE3", "neighbours", cores, (distance,), SET_ON="PIPE_V"), distance
        assert not finds("1:late:MTE3", "neighbours", cores, (distance,)), distance


@pytest.mark.requirement("ord-45")
@pytest.mark.parametrize("cores", [1, 2, 24, 48])
def test_late_mte3_finds_an_early_set_on_another_pipe_at_every_distance(cores: int) -> None:
    for pipe, distances, stable in (("PIPE_V", DISTANCES, False), ("PIPE_MTE2", (0, 64), False), ("PIPE_MTE3", (0, 64), True)):
        chain = Kernel(fuse([Member(built(SET_ON=pipe), cores, "early"), Member(built(SET_ON=pipe), cores, "behind")]))
        x, y, z = (Buffer.from_array(np.full(cores * 16, value, np.float32)) for value in (1, 50, 0))
        for distance in distances:
            report = stress(chain, x, y, distance, y, z, replay="1:late:MTE3")
            assert report.is_stable == stable, (pipe, distance)


# --- hangs and waits

HANGING = """
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void k(GM_ADDR x) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
    BODY
}
"""
WORDS = {
    "WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);": "hang at the end of the kernel",
    "WaitFlag<HardEvent::MTE2_S>(EVENT_ID0);": "hang at WaitFlag",
    "WaitFlag<HardEvent::MTE2_V>(EVENT_ID0); PipeBarrier<PIPE_ALL>();": r"hang at PipeBarrier<PIPE_ALL>",
    "if (GetBlockIdx() == 1) CrossCoreWaitFlag(3);": r"CrossCoreWaitFlag\(3\)",
    "for (int i = 0; i < 16; i++) CrossCoreSetFlag<0, PIPE_MTE3>(3);": "cross-core flag 3 is set more than 15 times",
    "SetFlag<HardEvent::MTE2_V>(EVENT_ID0); SetFlag<HardEvent::MTE2_V>(EVENT_ID0);": "MTE2_V",
}


def all_extremes(kernel: Kernel, blocks: int) -> list[Schedule]:
    cores = LaunchCores(kernel.name, kernel.info.kernel_type, blocks)
    return [*extremes(cores), *(Schedule("pct", seed=seed, changes=(3, 9)[: seed % 3]) for seed in range(6))]


@pytest.mark.parametrize("body", WORDS)
def test_a_hang_is_a_hang_in_every_order(body: str) -> None:
    kernel, stream, x = Kernel(Program(HANGING.replace("BODY", body)).compile()), Stream(), Buffer(64, np.float32)
    for schedule in all_extremes(kernel, 3):
        order = schedule.engine(LaunchCores("k", kernel.info.kernel_type, 3))
        assert isinstance(order, Priorities)
        with ordered(stream, order):
            launch(stream, LaunchConfig(3), kernel, x)
            with pytest.raises(errors.AclimbError, match=WORDS[body]):
                stream.synchronize()
    launch(stream, LaunchConfig(1), Kernel(built(), "rows"), Buffer(192, np.float32), Buffer(192, np.float32))
    stream.synchronize()


POLLING = """
#include "kernel_operator.h"
using namespace AscendC;
// Block 0 waits for a word that every other block has to have added to, one after the other; the last one is stored by MTE3.
extern "C" __global__ __vector__ void k(GM_ADDR x, GM_ADDR y) {
    GlobalTensor<int32_t> words, out;
    words.SetGlobalBuffer((__gm__ int32_t*)x);
    out.SetGlobalBuffer((__gm__ int32_t*)y);
    const int32_t me = GetBlockIdx(), all = GetBlockNum();
    while (ReadGmByPassDCache(words.GetPhyAddr(me * 16)) == 0) {}
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 64);
    LocalTensor<int32_t> local = buffer.Get<int32_t>();
    Duplicate(local, me + 1, 16);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(words[(me + 1) * 16], local, 16);
    DataCopy(out[me * 16], local, 16);
}
"""


def test_a_core_that_polls_lets_the_others_go_on() -> None:
    kernel, blocks = Kernel(Program(POLLING).compile()), 6
    words = np.zeros((blocks + 1, 16), np.int32)
    words[0] = 1
    x, y = Buffer.from_array(words), Buffer.from_array(np.zeros((blocks, 16), np.int32))
    replays = [str(each) for each in all_extremes(kernel, blocks)]
    assert stress(kernel, x, y, config=LaunchConfig(blocks), replay=replays).is_stable
