# SPDX-License-Identifier: Apache-2.0
"""The unit flag orders Mmad and Fixpipe: without it, and without a flag between their pipes, some schedule changes the result."""

from __future__ import annotations

import numpy as np
import pytest

from aclimb import Buffer, Kernel, LaunchConfig, Program
from aclimb.fuse import stress

# Three products of 16 x 16 through one buffer of L0C, each added up from two Mmads.
SOURCE = """
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void squares(GM_ADDR x, GM_ADDR y) {
    InitSocState();
    GlobalTensor<half> from;
    GlobalTensor<float> to;
    from.SetGlobalBuffer((__gm__ half*)x);
    to.SetGlobalBuffer((__gm__ float*)y);
    LocalTensor<half> a1(TPosition::A1, 0, 768), a2(TPosition::A2, 0, 768), b2(TPosition::B2, 0, 768);
    LocalTensor<float> c(TPosition::CO1, 0, 256);
    DataCopy(a1, from, 768);
    PipeBarrier<PIPE_ALL>();
    LoadData(a2, a1, LoadData2DParams(0, 3, 1, 0, 0, false, 0));
    LoadData(b2, a1, LoadData2DParams(0, 3, 1, 0, 0, true, 0));
    PipeBarrier<PIPE_ALL>();
    for (int i = 0; i < 3; i++) {
        Mmad(c, a2[i * 256], b2[i * 256], MmadParams(16, 16, 16, FLAG ? 2 : 0, false, true));
        PipeBarrier<PIPE_M>();
        Mmad(c, a2[i * 256], b2[i * 256], MmadParams(16, 16, 16, FLAG ? 3 : 0, false, false));
        FixpipeParamsV220 out(16, 16, 16, 16, false);
        out.unitFlag = FLAG ? 3 : 0;
        Fixpipe(to[i * 256], c, out);
    }
}
"""


@pytest.mark.parametrize("flag", [0, 1])
def test_the_unit_flag_makes_the_result_stable(flag: int) -> None:
    x = np.random.default_rng(1).integers(-8, 9, (3, 16, 16)).astype(np.float16)
    kernel = Kernel(Program(f"#define FLAG {flag}\n{SOURCE}").compile())
    y = Buffer((3, 16, 16), np.float32)
    report = stress(kernel, Buffer.from_array(x), y, config=LaunchConfig(1), seeds=range(40))
    assert report.is_stable == bool(flag), str(report)
