# SPDX-License-Identifier: Apache-2.0
"""An access beyond a bound is told with every limit there is, whichever of them it breaks."""

from __future__ import annotations

import numpy as np
import pytest

from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch
from aclimb.errors import OutOfBounds

SOURCE = """
#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __vector__ void bounds(GM_ADDR x) {
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 4096);
    LocalTensor<float> local = buffer.Get<float>(256), all = buffer.Get<float>();
    GlobalTensor<float> gm;
    gm.SetGlobalBuffer((__gm__ float*)x, 512);
    BODY;
}
"""
UB = 192 * 1024


@pytest.mark.requirement("ord-32")
@pytest.mark.parametrize(
    ("body", "limits"),
    [
        ("Adds(local, local, 1.0f, 320)", f"1024 bytes of the tensor, 4096 of its buffer, {UB} of UB"),
        ("Adds(local[64], local, 1.0f, 256)", f"768 bytes of the tensor, 3840 of its buffer, {UB - 256} of UB"),
        ("Adds(all, all, 1.0f, 2048)", f"4096 bytes of the tensor, 4096 of its buffer, {UB} of UB"),
        ("Adds(all, all, 1.0f, 64 * 1024)", f"4096 bytes of the tensor, 4096 of its buffer, {UB} of UB"),
        (
            "LocalTensor<float> bare(TPosition::VECCALC, 8192, 64); Adds(bare, bare, 1.0f, 128)",
            f"256 bytes of the tensor, {UB - 8192} of UB",
        ),
        ("DataCopy(all, gm, 1024)", "2048 bytes of the tensor, 8192 of its buffer"),
        ("DataCopy(all, gm[256], 512)", "1024 bytes of the tensor, 7168 of its buffer"),
        ("DataCopy(all, gm[512], 8)", "0 bytes of the tensor, 6144 of its buffer"),
    ],
)
def test_the_limits_of_tensor_buffer_and_memory_are_told(body: str, limits: str) -> None:
    kernel, stream = Kernel(Program(SOURCE.replace("BODY", body), name="bounds").compile()), Stream()
    launch(stream, LaunchConfig(1), kernel, Buffer.from_array(np.zeros(2048, np.float32)))
    with pytest.raises(OutOfBounds) as caught:
        stream.synchronize()
    assert f"\n    from there on: {limits}\n" in f"{caught.value.in_full()}\n"
