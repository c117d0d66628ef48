# SPDX-License-Identifier: Apache-2.0
"""The dcci options of a SuperKernel: where its steps flush the data cache, and that the check's model of the cache sees it."""

from __future__ import annotations

import numpy as np
import pytest

import aclimb
from aclimb import Buffer, Kernel, KernelBinary, LaunchConfig, Program, Stream, launch
from aclimb.fuse import Member, fuse, plan_of

# The word that `writes` leaves in the data cache of each core is fetched by MTE2 in `reads`.
SOURCE = """
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __vector__ void writes(GM_ADDR y) {
    ((__gm__ int32_t*)y)[GetBlockIdx() * 16] = 7; // SetValue would flush its line itself
}
extern "C" __global__ __vector__ void reads(GM_ADDR y, GM_ADDR z) {
    GlobalTensor<int32_t> from, to;
    from.SetGlobalBuffer((__gm__ int32_t*)y + GetBlockIdx() * 16, 16);
    to.SetGlobalBuffer((__gm__ int32_t*)z + GetBlockIdx() * 16, 16);
    LocalTensor<int32_t> in(TPosition::VECIN, 0, 16);
    DataSyncBarrier<MemDsbT::ALL>(); // what a flush has begun ends here
    SetFlag<HardEvent::S_MTE2>(EVENT_ID0);
    WaitFlag<HardEvent::S_MTE2>(EVENT_ID0);
    DataCopy(in, from, 16);
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    DataCopy(to, in, 16);
}
"""
NONE, BEFORE, AFTER = "", "dcci-before-kernel-start=reads", "dcci-after-kernel-end=writes"
DISABLED = f"{AFTER}:dcci-disable-on-kernel=writes"
ALL = "debug-dcci-all=1"


@pytest.fixture(scope="module")
def binary() -> KernelBinary:
    return Program(SOURCE, name="cached").compile()


def fused(binary: KernelBinary, options: str) -> KernelBinary:
    return fuse([Member(binary, 2, "writes"), Member(binary, 2, "reads")], options, name="both")


@pytest.mark.requirement("sk-24")
@pytest.mark.parametrize(
    ("options", "steps"),
    [
        (NONE, "call 0, call 1"),
        (BEFORE, "call 0, clean 1, call 1"),
        (AFTER, "call 0, clean 0, call 1"),
        ("dcci-before-kernel-start=writes,reads:dcci-after-kernel-end=reads", "clean 0, call 0, clean 1, call 1, clean 1"),
        (DISABLED, "call 0, call 1"),
        (ALL, "call 0, barrier 0, clean 0, call 1, barrier 1, clean 1"),
    ],
)
def test_the_cache_is_flushed_where_the_options_say_and_nowhere_else(binary: KernelBinary, options: str, steps: str) -> None:
    kinds = ("call", "clean", "barrier") if options == ALL else ("call", "clean")
    found = [f"{step.kind} {step.sub}" for step in plan_of(fused(binary, options)).aiv if step.kind in kinds]
    assert [each for each in ", ".join(found).split(", ") if each] == steps.split(", ")


@pytest.mark.requirement("sk-24")
@pytest.mark.parametrize(("options", "rules"), [(NONE, {"X1"}), (BEFORE, set()), (AFTER, set()), (DISABLED, {"X1"}), (ALL, set())])
def test_a_word_that_the_cache_holds_is_found_unless_an_option_flushes_it(binary: KernelBinary, options: str, rules: set[str]) -> None:
    y, z = (Buffer.from_array(np.zeros(32, np.int32)) for _ in range(2))
    kernel = Kernel(fused(binary, options))
    with aclimb.check() as checked:
        stream = Stream()
        launch(stream, LaunchConfig(2), kernel, y, y, z)
        stream.synchronize()
    assert {each.rule for each in checked.findings} == rules, checked.report()
    assert z.to_numpy()[::16].tolist() == [7, 7]
