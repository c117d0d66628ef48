# SPDX-License-Identifier: Apache-2.0
"""A clean that comes before the others are told is C5 without its barrier; one that comes behind, or before the last store, is none: C1."""

from __future__ import annotations

import numpy as np
import pytest

import aclimb
from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch

CLEAN = "DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(word[GetBlockIdx() * 16]);"
BARRIER = "DataSyncBarrier<MemDsbT::DDR>();"
STORE = "word.SetValue(GetBlockIdx() * 16, 7);"
SOURCE = """
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void tells(GM_ADDR words, GM_ADDR z) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
    GlobalTensor<int32_t> word, out;
    word.SetGlobalBuffer((__gm__ int32_t*)words, 64);
    out.SetGlobalBuffer((__gm__ int32_t*)z, 64);
    LocalTensor<int32_t> l(TPosition::VECCALC, 0, 8);
    BEFORE
    SyncAll();
    DataCopy(l, word[(GetBlockIdx() + 1) % GetBlockNum() * 16], 8);
    SetFlag<HardEvent::MTE2_MTE3>(0);
    WaitFlag<HardEvent::MTE2_MTE3>(0);
    DataCopy(out[GetBlockIdx() * 16], l, 8);
    PipeBarrier<PIPE_ALL>();
    BEHIND
}
"""


def rules_of(before: list[str], behind: list[str]) -> list[str]:
    source = SOURCE.replace("BEFORE", "\n    ".join(before)).replace("BEHIND", "\n    ".join(behind))
    kernel, stream = Kernel(Program(source, name="tells").compile()), Stream()
    words, z = (Buffer.from_array(np.zeros(64, np.int32)) for _ in range(2))
    with aclimb.check() as check:
        launch(stream, LaunchConfig(num_blocks=4), kernel, words, z)
        stream.synchronize()
    assert z.to_numpy()[::16].tolist() == [7] * 4
    return [finding.rule for finding in check.findings]


@pytest.mark.parametrize(
    ("before", "behind", "expected"),
    [
        ([STORE, CLEAN, BARRIER], [], []),
        ([STORE, CLEAN], [], ["C5"]),
        ([STORE, CLEAN], [BARRIER], ["C5"]),
        ([STORE], [CLEAN, BARRIER], ["C1"]),
        ([STORE, CLEAN, STORE], [], ["C1"]),
        ([STORE], [], ["C1"]),
    ],
)
def test_who_waits_for_a_write_back(before: list[str], behind: list[str], expected: list[str]) -> None:
    assert rules_of(before, behind) == expected
