# SPDX-License-Identifier: Apache-2.0
"""Accesses of the scalar unit under a schedule: what the compiler orders waits, and nothing else does."""

from __future__ import annotations

import numpy as np
import pytest

from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, errors, launch
from aclimb.fuse import Report, stress
from aclimb.runtime.fused_runs import Priorities, ScheduleMode, ordered, scheduled
from aclimb.schedules.cores import LaunchCores
from aclimb.schedules.schedule import Schedule
from aclimb.schedules.search import extremes

ONE = LaunchConfig(num_blocks=1)

# a and b lie in UB, in and out in global memory; what BODY stores is the result.
AIV = """
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __vector__ void k(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 512);
    LocalTensor<float> a = buffer.Get<float>(), b = a[64];
    GlobalTensor<float> in, out;
    in.SetGlobalBuffer((__gm__ float*)x, 64);
    out.SetGlobalBuffer((__gm__ float*)y, 64);
    BODY
}
"""
AIC = """
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __cube__ void k(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    TBuf<TPosition::A1> buffer;
    pipe.InitBuffer(buffer, 512);
    LocalTensor<float> a = buffer.Get<float>();
    GlobalTensor<float> in, out;
    in.SetGlobalBuffer((__gm__ float*)x, 64);
    out.SetGlobalBuffer((__gm__ float*)y, 64);
    BODY
}
"""
LOAD = "DataCopy(a, in, 64);"
LOADED = "SetFlag<HardEvent::MTE2_V>(EVENT_ID0); WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);"
STORE = "SetFlag<HardEvent::V_MTE3>(EVENT_ID1); WaitFlag<HardEvent::V_MTE3>(EVENT_ID1); DataCopy(out, b, 64);"


def kernel_of(body: str, core: str = AIV) -> Kernel:
    return Kernel(Program(core.replace("BODY", body)).compile())


def buffers() -> tuple[Buffer, Buffer]:
    return Buffer.from_array(np.arange(1, 65, dtype=np.float32)), Buffer.from_array(np.full(64, -1, np.float32))


def stressed(body: str, core: str = AIV) -> Report:
    return stress(kernel_of(body, core), *buffers(), config=ONE, schedules=40)


# The result depends on an access that the compiler orders: on AIV, with tensors, of its list.
LISTED = {
    "a local GetValue behind V": f"{LOAD} {LOADED} Adds(b, a, 1.0f, 64); float v = b.GetValue(3); Duplicate(b, v, 64); {STORE}",
    "a local t(i) behind V": f"{LOAD} {LOADED} Adds(b, a, 1.0f, 64); float v = b(3); Duplicate(b, v, 64); {STORE}",
    "a local GetValue behind MTE2": f"{LOAD} float v = a.GetValue(3); Duplicate(b, v, 64); {STORE}",
    "a local SetValue behind MTE3's read": f"Duplicate(b, 1.0f, 64); {STORE} b.SetValue(0, 9.0f);",
    "a local SetValue before V": f"Duplicate(a, 1.0f, 64); a.SetValue(3, 5.0f); Adds(b, a, 1.0f, 64); {STORE}",
    "a GM GetValue behind MTE3": f"Duplicate(b, 2.0f, 64); {STORE} float v = out.GetValue(1); out.SetValue(40, v + 1.0f);",
    "a GM t(i) = v behind MTE2's read": f"{LOAD} in(3) = 70.0f; {LOADED} Adds(b, a, 0.0f, 64); {STORE}",
}
# ... and on one that it does not order.
UNLISTED = {
    "a GM SetValue behind MTE2's read": f"{LOAD} in.SetValue(3, 70.0f); {LOADED} Adds(b, a, 0.0f, 64); {STORE}",
    "a GM store past the cache behind MTE2's read":
        f"{LOAD} WriteGmByPassDCache(in.GetPhyAddr(3), 70.0f); {LOADED} Adds(b, a, 0.0f, 64); {STORE}",
    "a plain pointer behind MTE2's read": f"{LOAD} *in.GetPhyAddr(3) = 70.0f; {LOADED} Adds(b, a, 0.0f, 64); {STORE}",
    "a GM load past the cache behind MTE3":
        f"Duplicate(b, 2.0f, 64); {STORE} float v = ReadGmByPassDCache(out.GetPhyAddr(1)); in.SetValue(40, v);",
    "an access of another tensor as if it were a barrier":
        f"Duplicate(b, 2.0f, 64); {LOAD} float v = b.GetValue(0); Adds(b, a, v, 64); {STORE}",
    "other bytes of the same tensor as if they were a barrier":
        f"Duplicate(b, 2.0f, 64); DataCopy(a, in, 32); float v = a.GetValue(40); Adds(b, a, v == v ? 1.0f : 2.0f, 32); {STORE}",
}  # fmt: skip


@pytest.mark.parametrize("case", LISTED)
def test_what_the_compiler_orders_is_in_order_under_every_schedule(case: str) -> None:
    report = stressed(LISTED[case])
    assert report.is_stable, report


@pytest.mark.parametrize("case", UNLISTED)
def test_what_nobody_orders_changes_the_result_under_some_schedule(case: str) -> None:
    report = stressed(UNLISTED[case])
    assert not report.is_stable
    assert "late(MTE" in str(report)


def test_the_compiler_orders_nothing_on_the_aic() -> None:
    body = "DataCopy(a, in, 64); in(3) = 70.0f; {} DataCopy(out, a, 64);"
    flag = "SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0); WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);"
    assert not stressed(body.format(flag), AIC).is_stable
    waits = "SetFlag<HardEvent::MTE2_S>(EVENT_ID0); WaitFlag<HardEvent::MTE2_S>(EVENT_ID0); in(3) = 70.0f;"
    assert stressed(body.replace("in(3) = 70.0f;", waits).format(flag), AIC).is_stable


def test_a_count_of_the_vector_unit_waits_for_it() -> None:
    gather = "uint64_t n; GatherMaskParams p(1, 1, 8, 0); GatherMask(b, a, 1, false, 0, p, n);"
    assert stressed(f"{LOAD} {LOADED} {gather} Duplicate(b, (float)n, 64); {STORE}").is_stable


HANGING = (
    f"WaitFlag<HardEvent::MTE2_V>(EVENT_ID0); Adds(b, a, 1.0f, 64); float v = b.GetValue(3); {LOAD} SetFlag<HardEvent::MTE2_V>(EVENT_ID0);"
)
WAITING = (
    "b.SetValue(40, 7.0f); WaitFlag<HardEvent::MTE2_V>(EVENT_ID0); Adds(b, a, 1.0f, 32); float v = b.GetValue(40); "
    f"{LOAD} SetFlag<HardEvent::MTE2_V>(EVENT_ID0); {STORE}"
)


def under_all(kernel: Kernel) -> list[object]:
    """What comes of it at issue, under three seeds, and under each extreme."""
    stream, (x, y), found = Stream(), buffers(), list[object]()
    orders: list[object] = [None, *((mode, 5) for mode in ScheduleMode), *extremes(LaunchCores("k", kernel.info.kernel_type, 1))]
    for order in orders:
        made = order.engine(LaunchCores("k", kernel.info.kernel_type, 1)) if isinstance(order, Schedule) else order
        try:
            with ordered(stream, made) if isinstance(made, Priorities) else scheduled(stream, *(made or (None, 0))):  # type: ignore[misc]
                launch(stream, ONE, kernel, x, y)
                stream.synchronize()
            found.append(y.to_numpy()[[0, 40]].tolist())
        except errors.Hang as error:
            found.append(str(error).splitlines()[0])
    return found


def test_waiting_for_a_pipe_that_stands_is_a_hang_in_every_order() -> None:
    assert set(map(str, under_all(kernel_of(HANGING)))) == {"hang at GetValue: nothing left can set what is waited for, k block 0 (AIV 0)"}


def test_a_pipe_that_stands_does_not_stop_an_access_of_other_bytes_under_a_schedule() -> None:
    at_issue, *under_schedules = under_all(kernel_of(WAITING))
    assert str(at_issue).startswith("hang at GetValue")  # there the compiler's flag is taken to be needed
    assert under_schedules == [[2.0, 7.0]] * len(under_schedules)


@pytest.mark.parametrize("access", ["in.SetValue(3, 70.0f)", "ReadGmByPassDCache(in.GetPhyAddr(3))"])
def test_what_the_compiler_does_not_order_never_waits_for_a_pipe_that_stands(access: str) -> None:
    body = f"WaitFlag<HardEvent::MTE2_V>(EVENT_ID0); Adds(b, a, 1.0f, 64); {access}; {LOAD} SetFlag<HardEvent::MTE2_V>(EVENT_ID0); {STORE}"
    assert {str(each) for each in under_all(kernel_of(body))} == {"[2.0, 42.0]"}
