# SPDX-License-Identifier: Apache-2.0
"""The work space of reductions and the room that the system keeps for Select are written, and hold nothing afterwards.

Each mistake and the same kernel put right; a proof that forgets the work space would be wrong.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import aclimb
from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch
from aclimb.check import Finding, prove
from aclimb.fuse import Member, fuse

HERE = Path(__file__).parent
X = np.arange(1024, dtype=np.float32) % 31
CHAIN = """
#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t N = 512;
template <HardEvent event> __aicore__ inline void Order(int32_t id) {
    SetFlag<event>(id);
    WaitFlag<event>(id);
}
extern "C" __global__ __vector__ void first(GM_ADDR x, GM_ADDR y) {
    GlobalTensor<float> xg, yg;
    xg.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * N, N);
    yg.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * 8, 8);
    LocalTensor<float> a(TPosition::VECCALC, 0, N), sum(TPosition::VECCALC, 4096, 8), work(TPosition::VECCALC, 8192, N);
    DataCopy(a, xg, N);
    Order<HardEvent::MTE2_V>(0);
    Duplicate(sum, 0.0f, 8);
    ReduceSum(sum, a, work, N);
    Order<HardEvent::V_MTE3>(0);
    DataCopy(yg, sum, 8);
    SetNextTaskStart();
}
extern "C" __global__ __vector__ void second(GM_ADDR y, GM_ADDR w, GM_ADDR z) {
    GlobalTensor<float> yg, wg, zg;
    yg.SetGlobalBuffer((__gm__ float*)y + (GetBlockIdx() + 1) % GetBlockNum() * 8, 8);
    wg.SetGlobalBuffer((__gm__ float*)w + GetBlockIdx() * N, N);
    zg.SetGlobalBuffer((__gm__ float*)z + GetBlockIdx() * N, N);
    LocalTensor<float> b(TPosition::VECCALC, WEIGHTS, N), c(TPosition::VECCALC, 16384, 8);
    DataCopy(b, wg, N);
    WaitPreTaskEnd();
    DataCopy(c, yg, 8);
    Order<HardEvent::MTE2_V>(1);
    Add(b, b, c, 8);
    Order<HardEvent::V_MTE3>(1);
    DataCopy(zg, b, N);
}
"""


def found(name: str, fault: int) -> list[Finding]:
    kernel = Kernel(Program(HERE / "scratch.cpp", name=f"scratch_{fault}", defines={"FAULT": fault}).compile(), name)
    stream = Stream()
    with aclimb.check() as check:
        launch(stream, LaunchConfig(num_blocks=1), kernel, Buffer.from_array(X), Buffer(16, "float32"), Buffer(1024, "float32"))
        stream.synchronize()
    return list(check.findings)


@pytest.mark.parametrize("name", ["sums", "selects"])
def test_scratch_that_nobody_else_uses_is_fine(name: str) -> None:
    assert found(name, 0) == []


@pytest.mark.parametrize(
    ("name", "fault", "calls", "tensors"),
    [
        ("sums", 1, ("DataCopy", "ReduceSum"), ("next", "next")),
        ("sums", 3, ("DataCopy", "ReduceMax"), ("twice", "twice")),
        ("selects", 4, ("DataCopy", "Select"), ("last", "")),
    ],
)
def test_a_race_with_scratch_is_named(name: str, fault: int, calls: tuple[str, str], tensors: tuple[str, str]) -> None:
    race = found(name, fault)[0]
    assert race.rule == "O1"
    assert tuple(each.call for each in race.accesses) == calls
    assert tuple(each.tensor for each in race.accesses) == tensors
    assert race.accesses[1].role == "writes"


def test_values_that_scratch_overwrites_are_named() -> None:
    (lost,) = found("sums", 2)
    assert lost.rule == "I1"
    assert lost.headline == (
        "Never written: ReduceSum uses twice (UB bytes 0x4000-0x401f) as its work space, and what it leaves there reaches global memory, "
        "sums block 0 (AIV 0)"
    )
    assert lost.fix == "give ReduceSum in line 25 a work space of its own, or read twice before it"


@pytest.mark.parametrize(("weights", "answer"), [(8192, "refuted"), (24576, "proved")])
def test_a_proof_knows_the_work_space(weights: int, answer: str) -> None:
    rng = np.random.default_rng(1)
    x, w, z = (Buffer.from_array(rng.integers(-9, 9, (3, 512)).astype(np.float32)) for _ in range(3))
    y = Buffer.from_array(np.zeros((3, 8), np.float32))
    binary = Program(CHAIN, name=f"work_{weights}", defines={"WEIGHTS": weights}).compile()
    proof = prove(Kernel(fuse([Member(binary, 3, "first"), Member(binary, 3, "second")])), x, y, y, w, z)
    assert proof.answer == answer
    assert [each.rule for each in proof.refuted_by] == (["X4"] if answer == "refuted" else [])
