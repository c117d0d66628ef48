# SPDX-License-Identifier: Apache-2.0
"""Kernels with Matmul objects in a SuperKernel: messages stay with their sub-kernel, whatever comes before and behind it."""

from __future__ import annotations

from typing import Any

import numpy as np
from matmul_runs import HERE, integers, tiling

from aclimb import Buffer, Kernel, KernelBinary, LaunchConfig, Program, Stream, launch
from aclimb.fuse import Member, fuse, plan_of

SIDE = 64
ADD = """#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void one_more(GM_ADDR x, GM_ADDR y) {
    TPipe pipe;
    TBuf<TPosition::VECCALC> buffer;
    pipe.InitBuffer(buffer, 64 * 64 * 4);
    LocalTensor<float> local = buffer.Get<float>();
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float*)x + GetBlockIdx() * 64 * 64);
    to.SetGlobalBuffer((__gm__ float*)y + GetBlockIdx() * 64 * 64);
    DataCopy(local, from, 64 * 64);
    PipeBarrier<PIPE_ALL>();
    Adds(local, local, 1.0f, 64 * 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(to, local, 64 * 64);
}
"""


def binaries(folder: Any) -> tuple[KernelBinary, KernelBinary]:
    source = folder / "one_more.cpp"
    source.write_text(ADD)
    return Program(HERE / "mixed_objects.cpp").compile(), Program(source).compile()


def test_products_between_vector_kernels(tmp_path: Any) -> None:
    objects, vector = binaries(tmp_path)
    a, b = integers(1, 2, SIDE, SIDE, high=2), integers(2, SIDE, SIDE, high=1)
    shape, cut = (2, SIDE, SIDE), tiling(SIDE, SIDE, SIDE, (32, 32, 32))
    da, db, dcut = (Buffer.from_array(each) for each in (a, b, cut))
    c, d, e, f = (Buffer(shape, np.float16 if i == 0 else np.float32) for i in range(4))
    members = [
        Member(objects, 1, "two_objects"),
        Member(vector, 2, "one_more"),
        Member(objects, 1, "static_tiling"),
    ]
    fused = Kernel(fuse(members, name="products"))
    stream = Stream()
    launch(stream, LaunchConfig(plan_of(fused.binary).num_blocks), fused, da, db, c, d, dcut, d, e, da, db, f)
    stream.synchronize()
    product = a.astype(np.float32) @ b.astype(np.float32)
    np.testing.assert_array_equal(e.to_numpy(), product @ b.astype(np.float32) + 1)
    np.testing.assert_array_equal(f.to_numpy(), product)
