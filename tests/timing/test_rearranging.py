# SPDX-License-Identifier: Apache-2.0
"""What an instruction that puts elements elsewhere is charged: 256 bytes are a repeat, of a sort 256 bytes of pairs."""

from __future__ import annotations

import pytest

import aclimb
from aclimb import Kernel, LaunchConfig, Program, Stream, chips, launch

SOC = "Ascend910B1"
MODEL = chips.timing(SOC)

SOURCE = """
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void timed() {
    LocalTensor<float> a(TPosition::VECIN, 0, 4096), z(TPosition::VECOUT, 65536, 4096);
    LocalTensor<uint32_t> u(TPosition::VECCALC, 131072, 4096);
    LocalTensor<uint8_t> scratch(TPosition::VECCALC, 163840, 16384);
    uint64_t kept, list[16];
    uint16_t lengths[4] = {64, 64, 32, 32};
    for (uint32_t i = 0; i < 16; i++) list[i] = a[8 * i].GetPhyAddr();
    Duplicate(u, 0u, 4096);
    PipeBarrier<PIPE_ALL>();
    CALL
}
"""
# call, its name in the profile, repeats
CALLS = [
    ("Gather(z, a, u, 0, 1024);", "Gather", 16),
    ("Gather(z, a, u, 0, static_cast<uint64_t>(8), 5, 8);", "Gather", 5),
    ("Gatherb(z, a, u, 4, {1, 8});", "Gatherb", 4),
    ("GatherMask(z, a, 1, false, 0, {1, 8, 8, 0}, kept);", "GatherMask", 8),
    ("GatherMask(z, a, 1, true, 200, {1, 2, 32, 0}, kept);", "GatherMask", 8),
    ("CreateVecIndex(z, 1.0f, 1024);", "CreateVecIndex", 16),
    ("Transpose(z.ReinterpretCast<half>(), a.ReinterpretCast<half>());", "Transpose", 2),
    ("Transpose(z, a, scratch, {1, 16, 8, 8, TransposeType::TRANSPOSE_NCHW2NHWC});", "Transpose (4D)", 16),
    ("TransDataTo5HD<float>(list, list, {false, false, 3, 16, 16});", "TransDataTo5HD", 6),
    ("Sort32(z, a, u, 8);", "Sort32", 8),
    ("MrgSort(z, {a, a[128], a[256], a[320]}, {lengths, false, 15, 1});", "MrgSort", 6),
    ("SetDeqScale(1.0f, 0, true); CastDequant<int8_t, int16_t, false>(z.ReinterpretCast<int8_t>(), a.ReinterpretCast<int16_t>(), 1024);",
     "CastDequant", 8),
    ("AddDeqRelu(z.ReinterpretCast<half>(), a.ReinterpretCast<int32_t>(), a.ReinterpretCast<int32_t>(), 1024);", "AddDeqRelu", 16),
]  # fmt: skip


@pytest.mark.parametrize(("call", "name", "repeats"), CALLS)
def test_an_instruction_costs_its_repeats_and_its_fixed_part(call: str, name: str, repeats: int) -> None:
    kernel, stream = Kernel(Program(SOURCE.replace("CALL", call)).compile()), Stream()
    with aclimb.profile(soc=SOC) as timeline:
        launch(stream, LaunchConfig(num_blocks=1), kernel)
        stream.synchronize()
    [(pipe, start, end)] = timeline.query(f"select pipe, start, end from slice where name = '{name}'")
    cost, clock = MODEL.vector[name], MODEL.parameters["clock_mhz"].value
    narrow = any(word in call for word in ("<half>(), a", "int8_t"))
    expected = repeats * (cost.b16 if narrow else cost.b32) + cost.fixed
    # A count that is not whole repeats, or the counter mode itself, has a small extra.
    extra = MODEL.parameters["v_counter_extra"].value
    assert pipe == "V"
    assert expected - 0.5 <= (end - start) * clock / 1e6 <= expected + extra + 0.5
