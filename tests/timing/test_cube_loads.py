# SPDX-License-Identifier: Apache-2.0
"""What the loads of L0A and L0B and the products of small integers cost: a fixed part that the next load waits for, and bytes by the path's
rate, slower over several filter rows."""

from __future__ import annotations

import pytest

import aclimb
from aclimb import Kernel, LaunchConfig, Program, Stream, chips, launch

SOC = "Ascend910B1"
MODEL, CYCLE_PS = chips.timing(SOC), 1e6 / 1850
FIXED = MODEL.parameters["mte1_fixed"].value
TIMES = 20
SOURCE = """
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void loads(uint32_t what, uint32_t filter, uint32_t stride) {
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
    InitSocState();
    LocalTensor<half> a1(TPosition::A1, 0, 131072), a2(TPosition::A2, 0, 32768), b2(TPosition::B2, 0, 32768);
    LocalTensor<int8_t> s1(TPosition::A1, 0, 131072), s2(TPosition::B2, 0, 32768), sa(TPosition::A2, 0, 65536);
    LocalTensor<uint8_t> index(TPosition::A1, 131072, 16384);
    LocalTensor<int32_t> c(TPosition::CO1, 0, 32768);
    LocalTensor<int4b_t> a4(TPosition::A2, 0, 131072), b4(TPosition::B2, 0, 131072);
    LoadData3DParamsV2<half> map;
    map.l1H = map.l1W = 32;
    map.channelSize = 16;
    map.filterW = map.filterH = static_cast<uint8_t>(filter);
    map.strideW = static_cast<uint8_t>(stride);
    map.kExtension = static_cast<uint16_t>(16 * filter * filter);
    map.mExtension = 64;
    for (int i = 0; i < 20; i++) {
        if (what == 0) LoadData(a2, a1, map);
        if (what == 1) LoadData(b2, a1, map);
        if (what == 2) LoadDataWithTranspose(b2, a1, LoadData2dTransposeParams(0, 64, 1, 0, 0));
        if (what == 3) LoadDataWithSparse(s2, s1, index, LoadData2dParams(0, 64, 1, 0, 0, false, 0));
        if (what == 4) Mmad(c, a4, b4, MmadParams(128, 128, 256, 0, false, true));
        if (what == 5) MmadWithSparse(c, sa, s2, MmadParams(64, 64, 128, 0, false, true));
    }
}
"""


def cycles_of_one(call: str, what: int, filter_: int = 1, stride: int = 1) -> float:
    """From the start of the first to that of the last, by their number: heads and tails overlap."""
    kernel = Kernel(Program(SOURCE, soc=SOC).compile())
    with aclimb.profile(soc=SOC) as timeline:
        launch(Stream(), LaunchConfig(num_blocks=1), kernel, what, filter_, stride)
    [(count, first, last)] = timeline.query(f"select count(*), min(start), max(start) from slice where name = '{call}'")
    assert count == TIMES
    return float(last - first) / CYCLE_PS / (TIMES - 1)


@pytest.mark.parametrize(
    ("what", "filter_", "stride", "expected"),
    [
        (0, 1, 1, 64 * 32 / 256),  # one row of the filter
        (1, 1, 1, 64 * 32 / 128),
        (0, 3, 1, 9 * 64 * 32 / (512 / 5)),  # three of them: 512 / (n + 2) bytes a cycle
        (1, 3, 1, 9 * 64 * 32 / (512 / 7)),  # ... and 512 / (n + 4)
        (0, 1, 2, 64 * 32 / (512 / 4)),
        (0, 1, 3, 64 * 32 / 32),
        (1, 1, 3, 64 * 32 / 28),
    ],
)
def test_load_data_3d_takes_the_published_rates(what: int, filter_: int, stride: int, expected: float) -> None:
    assert cycles_of_one("LoadData (3D)", what, filter_, stride) == pytest.approx(FIXED + expected, rel=0.02, abs=4.5)


def test_other_loads_take_the_rate_of_l0b() -> None:
    assert cycles_of_one("LoadDataWithTranspose", 2) == pytest.approx(FIXED + 64 * 512 / 128, rel=0.02)
    assert cycles_of_one("LoadDataWithSparse", 3) == pytest.approx(FIXED + 64 * 640 / 128, rel=0.02)


def test_small_integers_multiply_at_their_rate() -> None:
    step = MODEL.parameters["mmad_dt"].value
    assert cycles_of_one("Mmad", 4) == pytest.approx(8 * 8 * 4 + step, rel=0.02)  # 16 x 16 x 64 each cycle
    assert cycles_of_one("MmadWithSparse", 5) == pytest.approx(4 * 4 * 2 + step, rel=0.02)  # kept weights at the rate of int8
