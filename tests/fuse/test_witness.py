# SPDX-License-Identifier: Apache-2.0
"""Two instructions the other way round: it happens where nothing orders them, and what changes is told."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from chains import KERNELS

from aclimb import Buffer, Kernel, LaunchConfig, Program, errors
from aclimb.fuse import Member, Witness, fuse, stress, witness

ONE = LaunchConfig(num_blocks=1)
SOURCE = """
#include "kernel_operator.h"
using namespace AscendC;
template <HardEvent event> __aicore__ inline void Flag() { SetFlag<event>(EVENT_ID0); WaitFlag<event>(EVENT_ID0); }
extern "C" __global__ CORE void k(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    TBuf<TPosition::WHERE> buffer;
    pipe.InitBuffer(buffer, 512);
    LocalTensor<float> a = buffer.Get<float>(), b = a[64];
    GlobalTensor<float> in, out;
    in.SetGlobalBuffer((__gm__ float*)x, 128);
    out.SetGlobalBuffer((__gm__ float*)y, 64);
    BODY
}
"""
AIV = {"CORE": "__vector__", "WHERE": "VECCALC"}
AIC = {"CORE": "__cube__", "WHERE": "A1"}
LOAD, NEXT = "DataCopy(a, in, 64);", "DataCopy(a, in[64], 64);"
STORE = "Flag<HardEvent::MTE2_MTE3>(); DataCopy(out, a, 64);"


def tried(body: str, first: str, second: str, core: dict[str, str] = AIV) -> Witness:
    source = SOURCE
    for name, text in {**core, "BODY": body}.items():
        source = source.replace(name, text)
    x, y = Buffer.from_array(np.arange(128, dtype=np.float32)), Buffer.from_array(np.full(64, -1, np.float32))
    return witness(Kernel(Program(source).compile()), x, y, first=first, second=second, config=ONE)


SAID = {True: "y bytes ", False: "it cannot be, something orders the two", None: "the value does not change here"}

V_STORE = "Flag<HardEvent::V_MTE3>(); DataCopy(out, b, 64);"
ADD = "Adds(b, a, 1.0f, 64);"
M2, V, M3, S = "AIV0.MTE2.1", "AIV0.V.1", "AIV0.MTE3.1", "AIV0.S.1"

# What comes of first and second: True: other bytes; None: nothing orders them, but the value stays; False: they are ordered.
PAIRS: list[tuple[str, str, str, str, bool | None]] = [
    ("a load and what reads it", f"{LOAD} {ADD} {V_STORE}", M2, V, True),
    ("... with a flag", f"{LOAD} Flag<HardEvent::MTE2_V>(); {ADD} {V_STORE}", M2, V, False),
    ("... with a flag, through the scalar unit", f"{LOAD} Flag<HardEvent::MTE2_S>(); DataCopy(out, a, 64);", M2, M3, False),
    ("... with a barrier of the other pipe", f"{LOAD} PipeBarrier<PIPE_V>(); {ADD} {V_STORE}", M2, V, True),
    ("a load that nobody reads", f"{LOAD} Duplicate(b, 1.0f, 64); {V_STORE}", M2, V, None),
    # one pipe: both may be under way at once
    ("two loads to one place", f"{LOAD} {NEXT} {STORE}", M2, "AIV0.MTE2.2", True),
    ("... with a barrier between", f"{LOAD} PipeBarrier<PIPE_MTE2>(); {NEXT} {STORE}", M2, "AIV0.MTE2.2", False),
    ("... with a set, which is none",
     f"{LOAD} SetFlag<HardEvent::MTE2_V>(EVENT_ID1); {NEXT} {STORE} WaitFlag<HardEvent::MTE2_V>(EVENT_ID1);", M2, "AIV0.MTE2.2", True),
    ("... with a round trip",
     f"{LOAD} Flag<HardEvent::MTE2_V>(); {ADD} Flag<HardEvent::V_MTE2>(); {NEXT} {STORE}", M2, "AIV0.MTE2.2", False),
    ("... with another load between", f"{LOAD} DataCopy(b, in, 64); {NEXT} {STORE}", M2, "AIV0.MTE2.3", True),
    ("... with a barrier of all", f"{LOAD} PipeBarrier<PIPE_ALL>(); {NEXT} {STORE}", M2, "AIV0.MTE2.2", False),
    # stores of the scalar unit: its program goes on while they are under way
    ("SetValue and a load", f"in.SetValue(3, 70.0f); {LOAD} {STORE}", S, M2, True),
    ("... with its flag", f"in.SetValue(3, 70.0f); Flag<HardEvent::S_MTE2>(); {LOAD} {STORE}", S, M2, False),
    ("... with DataSyncBarrier", f"in.SetValue(3, 70.0f); DataSyncBarrier<MemDsbT::ALL>(); {LOAD} {STORE}", S, M2, False),
    ("... with another scalar access", f"in.SetValue(3, 70.0f); in.GetValue(100); {LOAD} {STORE}", S, M2, False),
    ("an element that the compiler orders", f"in(3) = 70.0f; {LOAD} {STORE}", S, M2, False),
    ("... of other bytes", f"in(100) = 70.0f; {LOAD} {STORE}", S, M2, None),
    ("a plain pointer and a load", f"*in.GetPhyAddr(3) = 70.0f; {LOAD} {STORE}", S, M2, True),
    ("... with a flag of the scalar unit", f"*in.GetPhyAddr(3) = 70.0f; Flag<HardEvent::S_MTE2>(); {LOAD} {STORE}", S, M2, False),
    ("... and a load elsewhere", f"*in.GetPhyAddr(100) = 70.0f; {LOAD} {STORE}", S, M2, None),
    ("a load before a plain pointer", f"{LOAD} *in.GetPhyAddr(3) = 70.0f; {STORE}", M2, S, True),
    ("a load before SetValue", f"{LOAD} in.SetValue(3, 70.0f); {STORE}", M2, S, True),
    ("a load before an element", f"{LOAD} in(3) = 70.0f; {STORE}", M2, S, False),
]  # fmt: skip


@pytest.mark.requirement("ord-40")
@pytest.mark.parametrize(("body", "first", "second", "wanted"), [pair[1:] for pair in PAIRS], ids=[pair[0] for pair in PAIRS])
def test_a_pair_runs_the_other_way_round_unless_something_orders_it(body: str, first: str, second: str, wanted: bool | None) -> None:
    found = tried(body, first, second)
    assert SAID[wanted] in str(found)
    assert (found.is_possible, found.difference is not None) == (wanted is not False, wanted is True)
    assert found.replay == f"1:witness:{first}>{second}"


def test_the_compiler_orders_no_element_on_the_aic() -> None:
    body = f"in(3) = 70.0f; {LOAD} {STORE}"
    assert tried(body, "AIC0.S.1", "AIC0.MTE2.1", AIC).difference is not None
    ordered = f"in(3) = 70.0f; Flag<HardEvent::S_MTE2>(); {LOAD} {STORE}"
    assert not tried(ordered, "AIC0.S.1", "AIC0.MTE2.1", AIC).is_possible


def neighbours(pipe: str) -> tuple[Kernel, list[Any]]:
    kernel = Kernel(Program(KERNELS / "orders.cpp", defines={"SET_ON": pipe}).compile(), "neighbours")
    return kernel, [*(Buffer.from_array(np.full(8 * 16, value, np.float32)) for value in (1, 50, 0)), 9]


@pytest.mark.requirement("ord-40")
def test_instructions_of_two_cores() -> None:
    kernel, arguments = neighbours("PIPE_V")
    first, second = "AIV3.MTE3.1", "AIV2.MTE2.2"
    found = witness(kernel, *arguments, first=first, second=second, config=LaunchConfig(8))
    assert str(found) == (
        'MTE3 instruction 1 of AIV 3 behind MTE2 instruction 2 of AIV 2: z bytes 128-191 differ; replay="1:witness:AIV3.MTE3.1>AIV2.MTE2.2"'
    )
    (again,) = stress(kernel, *arguments, config=LaunchConfig(8), replay=found.replay).differences
    assert again == found.difference
    kernel, arguments = neighbours("PIPE_MTE3")
    assert not witness(kernel, *arguments, first=first, second=second, config=LaunchConfig(8)).is_possible


def test_a_pair_that_runs_so_anyway_is_said_so() -> None:
    kernel, arguments = neighbours("PIPE_V")
    found = witness(kernel, *arguments, first="AIV3.MTE2.1", second="AIV2.MTE2.1", config=LaunchConfig(8))
    assert (found.is_possible, found.is_usual, found.difference) == (True, True, None)
    assert "so they run anyway; ask for the other way round" in str(found)
    found = witness(kernel, *arguments, first="AIV2.MTE2.1", second="AIV3.MTE2.1", config=LaunchConfig(8))
    assert (found.is_possible, found.is_usual, found.difference) == (True, False, None)


@pytest.mark.requirement("ord-40")
def test_instructions_of_two_members_of_a_superkernel() -> None:
    for pipe, possible in (("PIPE_V", True), ("PIPE_MTE3", False)):
        binary = Program(KERNELS / "orders.cpp", defines={"SET_ON": pipe}).compile()
        kernel = Kernel(fuse([Member(binary, 4, "early"), Member(binary, 4, "behind")], name="chain"))
        x, y, z = (Buffer.from_array(np.full(64, value, np.float32)) for value in (1, 50, 0))
        found = witness(kernel, x, y, 5, y, z, first="AIV1.MTE3.1", second="AIV0.MTE2.2")
        assert found.is_possible == possible
        assert (found.difference is not None) == possible
        assert "behind_1.out bytes 0-63 differ" in str(found) or not possible


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ("AIV0.MTE2.9", "AIV0.V.1", r"there is no instruction AIV0.MTE2.9: MTE2 of AIV 0 ran 1 in this launch of k"),
        ("AIV0.MTE2.1", "AIV0.V.7", r"there is no instruction AIV0.V.7: V of AIV 0 ran 1 in this launch of k"),
        ("AIV0.MTE2.1", "AIV4.V.1", r"there is no AIV 4: this launch of k has AIV 0 to 0"),
        ("AIV0.M.1", "AIV0.V.1", r"an AIV has no M; it has V, MTE2, MTE3, S"),
        ("AIV0.MTE2.0", "AIV0.V.1", r"'AIV0.MTE2.0' is no instruction: AIV0.MTE3.12 is the twelfth of MTE3 on AIV 0"),
        ("AIV0.V.1", "AIV0.V.1", r"it names one instruction twice; a pair has two"),
    ],
)
def test_an_instruction_that_is_not_there_is_said_so(first: str, second: str, said: str) -> None:
    with pytest.raises(errors.InvalidArgument, match=said):
        tried(PAIRS[1][1], first, second)
