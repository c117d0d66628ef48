# SPDX-License-Identifier: Apache-2.0
"""Matrix product plus bias with the library's Matmul object; the tiler says how the work is cut."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aclimb import Buffer, Device, Kernel, LaunchConfig, Program, Stream, launch
from aclimb.tiling import CubeFormat, DataType, MultiCoreMatmulTiling, TCubeTiling, TPosition

SOURCE = Path(__file__).with_name("matmul_object.cpp")
M, N, K = 500, 700, 300


def cut(m: int, n: int, k: int) -> TCubeTiling:
    """For all AICs of the chip."""
    chip = Device().chip
    tiler = MultiCoreMatmulTiling(chip.name)
    tiler.set_a_type(TPosition.GM, CubeFormat.ND, DataType.DT_FLOAT16)
    tiler.set_b_type(TPosition.GM, CubeFormat.ND, DataType.DT_FLOAT16)
    tiler.set_c_type(TPosition.GM, CubeFormat.ND, DataType.DT_FLOAT)
    tiler.set_bias_type(TPosition.GM, CubeFormat.ND, DataType.DT_FLOAT)
    tiler.set_shape(m, n, k)
    tiler.enable_bias(True)
    tiler.set_dim(chip.aic_cores)
    return tiler.get_tiling()


def run(m: int = M, n: int = N, k: int = K) -> tuple[NDArray[Any], NDArray[Any]]:
    """What the device computed, and what NumPy does. Small whole numbers: every sum is exact, in any order."""
    matmul, tiling = Kernel(Program(SOURCE).compile()), cut(m, n, k)
    random = np.random.default_rng(7)
    a = random.integers(-8, 9, (m, k)).astype(np.float16)
    b = random.integers(-8, 9, (k, n)).astype(np.float16)
    bias = random.integers(-8, 9, n).astype(np.float32)
    c = Buffer((m, n), np.float32)
    config = LaunchConfig(num_blocks=tiling.usedCoreNum)
    launch(Stream(), config, matmul, *map(Buffer.from_array, (a, b, bias)), c, tiling)
    return c.to_numpy(), a.astype(np.float32) @ b.astype(np.float32) + bias


if __name__ == "__main__":
    got, expected = run()
    equal, tiling = int(np.count_nonzero(got == expected)), cut(M, N, K)
    where = f"{Device().chip.name} (modelled), {tiling.usedCoreNum:>2} blocks"
    print(f"matmul_object      {where}   {equal} of {got.size} equal to numpy")
    raise SystemExit(equal != got.size)
