# SPDX-License-Identifier: Apache-2.0
"""Local memory that nobody wrote is poison: 0xff in every byte, so that using it shows in the result."""

from __future__ import annotations

import numpy as np
import pytest

from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch

SOURCE = """
#include "kernel_operator.h"
using namespace AscendC;
template <typename T, bool written> __global__ __vector__ void sum(GM_ADDR y) {
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 1024);
    LocalTensor<T> local = buffer.Get<T>();
    GlobalTensor<T> out;
    out.SetGlobalBuffer((__gm__ T*)y, 256);
    if (written) Duplicate(local, T(2), 256);
    PipeBarrier<PIPE_V>();
    Adds(local, local, T(1), 256);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(out, local, 256);
}
"""
INSTANCES = [f"sum<{kind},{written}>" for kind in ("float", "int32_t") for written in ("true", "false")]


@pytest.mark.parametrize(("instance", "expected"), list(zip(INSTANCES, [3.0, np.nan, 3, 0], strict=True)))
def test_an_unwritten_value_that_is_used_shows(instance: str, expected: float) -> None:
    kernel = Kernel(Program(SOURCE, instances=INSTANCES).compile(), instance)
    y = Buffer.from_array(np.full(256, 7, np.float32 if "float" in instance else np.int32))
    stream = Stream()
    launch(stream, LaunchConfig(num_blocks=1), kernel, y)
    stream.synchronize()
    np.testing.assert_array_equal(y.to_numpy(), expected)
