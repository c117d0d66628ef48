# SPDX-License-Identifier: Apache-2.0
"""Matrix product, bias and leaky ReLU in one mixed kernel, in Python: fused_matmul.cpp, with the AIC ahead of the AIVs."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

import aclimb.asc as asc
import aclimb.asc.lib.host as host
from aclimb import Buffer
from aclimb.asc.runtime import config

M, N, K, SLOPE = 1024, 640, 256, 0.125
GM, VECIN, ND = asc.TPosition.GM, asc.TPosition.VECIN, asc.CubeFormat.ND


@asc.jit
def fused_matmul(a: asc.GlobalAddress, b: asc.GlobalAddress, bias: asc.GlobalAddress, c: asc.GlobalAddress, workspace: asc.GlobalAddress,
                 tiling: asc.adv.TCubeTiling, slope: float) -> None:  # fmt: skip
    pipe = asc.TPipe()
    half = asc.adv.MatmulType(GM, ND, asc.float16)
    mm = asc.adv.Matmul(half, half, asc.adv.MatmulType(VECIN, ND, asc.float32), asc.adv.MatmulType(GM, ND, asc.float32),
                        asc.adv.get_mdl_config())  # fmt: skip
    asc.adv.register_matmul(pipe, None, mm, tiling)  # the AIC serves, and returns here
    aiv = asc.get_block_idx()
    if aiv >= tiling.used_core_num:
        return
    results = asc.TQue(VECIN, 2)
    outputs = asc.TQue(asc.TPosition.VECOUT, 2)
    pipe.init_buffer(results, 2, tiling.base_m * tiling.base_n * 4)
    pipe.init_buffer(outputs, 2, tiling.base_m * tiling.base_n * 4)
    parts = asc.ceildiv(tiling.m, tiling.single_core_m)
    m = aiv % parts * tiling.single_core_m
    n = aiv // parts * tiling.single_core_n
    whole_height = min(tiling.single_core_m, tiling.m - m)  # the last parts may be smaller
    whole_width = min(tiling.single_core_n, tiling.n - n)

    a_gm = asc.GlobalTensor()
    b_gm = asc.GlobalTensor()
    bias_gm = asc.GlobalTensor()
    c_gm = asc.GlobalTensor()
    workspace_gm = asc.GlobalTensor()
    room = tiling.single_core_m * tiling.single_core_n
    a_gm.set_global_buffer(a + m * tiling.k_a)
    b_gm.set_global_buffer(b + n)
    bias_gm.set_global_buffer(bias + n)
    c_gm.set_global_buffer(c + (m * tiling.n + n))
    workspace_gm.set_global_buffer(workspace + aiv * room, room)
    mm.set_tail(whole_height, whole_width)
    mm.set_tensor_a(a_gm)
    mm.set_tensor_b(b_gm)
    mm.set_bias(bias_gm)
    mm.set_workspace(workspace_gm)
    mm.iterate(sync=False)
    rows = asc.ceildiv(whole_height, tiling.base_m)
    for block in range(rows * asc.ceildiv(whole_width, tiling.base_n)):
        row = block % rows * tiling.base_m  # blocks come along m first
        column = block // rows * tiling.base_n
        height = min(tiling.base_m, whole_height - row)
        width = min(tiling.base_n, whole_width - column)
        result = results.alloc_tensor(asc.float32)
        mm.get_tensor_c(result, sync=False)
        results.enque(result)
        result = results.deque(asc.float32)
        output = outputs.alloc_tensor(asc.float32)
        asc.leaky_relu(output, result, slope, height * tiling.base_n)
        results.free_tensor(result)
        outputs.enque(output)
        output = outputs.deque(asc.float32)
        skipped = (tiling.base_n - width) * 4 // 32
        params = asc.DataCopyExtParams(height, width * 4, skipped, (tiling.n - width) * 4, 0)
        asc.data_copy_pad(c_gm[row * tiling.n + column :], output, params)
        outputs.free_tensor(output)
    mm.end()


def cut(m: int, n: int, k: int) -> Any:
    """For all AIVs of the chip; blocks small enough that four of them fit in UB."""
    tiler = host.MultiCoreMatmulTiling(host.get_ascendc_platform())
    tiler.set_a_type(host.TPosition.GM, host.CubeFormat.ND, asc.float16)
    tiler.set_b_type(host.TPosition.GM, host.CubeFormat.ND, asc.float16)
    tiler.set_c_type(host.TPosition.VECIN, host.CubeFormat.ND, asc.float32)
    tiler.set_bias_type(host.TPosition.GM, host.CubeFormat.ND, asc.float32)
    tiler.set_shape(m, n, k)
    tiler.enable_bias(True)
    tiler.set_dim(config.device().chip.aiv_cores)
    tiler.set_fix_split(64, 64, -1)
    tiling = asc.adv.TCubeTiling()
    assert tiler.get_tiling(tiling) == 0, tiler.why
    return tiling


def run(m: int = M, n: int = N, k: int = K) -> tuple[NDArray[Any], NDArray[Any]]:
    """What the device computed, and what NumPy does. Small whole numbers: every sum is exact, in any order."""
    tiling, random = cut(m, n, k), np.random.default_rng(7)
    a = random.integers(-8, 9, (m, k)).astype(np.float16)
    b = random.integers(-8, 9, (k, n)).astype(np.float16)
    bias = random.integers(-8, 9, n).astype(np.float32)
    c = np.zeros((m, n), np.float32)
    workspace = Buffer(tiling.used_core_num * tiling.single_core_m * tiling.single_core_n, np.float32, config.device())
    fused_matmul[(tiling.used_core_num + 1) // 2](a, b, bias, c, workspace, tiling, SLOPE)
    product = a.astype(np.float32) @ b.astype(np.float32) + bias
    return c, np.where(product > 0, product, product * np.float32(SLOPE))


if __name__ == "__main__":
    got, expected = run()
    print(f"fused_matmul in Python: {np.count_nonzero(got == expected)} of {got.size} equal to numpy")
