# SPDX-License-Identifier: Apache-2.0
"""Matrix product, bias and leaky ReLU in one mixed kernel: AIVs have the AIC multiply, and work on each block that it has made."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aclimb import Buffer, Device, Kernel, LaunchConfig, Program, Stream, launch
from aclimb.tiling import CubeFormat, DataType, MultiCoreMatmulTiling, TCubeTiling, TPosition

SOURCE = Path(__file__).with_name("fused_matmul.cpp")
M, N, K, SLOPE = 1024, 640, 256, 0.125
SYSTEM = 16 << 20  # what the system keeps of a workspace


def cut(m: int, n: int, k: int) -> TCubeTiling:
    """For all AIVs of the chip; blocks small enough that four of them fit in UB."""
    chip = Device().chip
    tiler = MultiCoreMatmulTiling(chip.name)
    tiler.set_a_type(TPosition.GM, CubeFormat.ND, DataType.DT_FLOAT16)
    tiler.set_b_type(TPosition.GM, CubeFormat.ND, DataType.DT_FLOAT16)
    tiler.set_c_type(TPosition.VECIN, CubeFormat.ND, DataType.DT_FLOAT)
    tiler.set_bias_type(TPosition.GM, CubeFormat.ND, DataType.DT_FLOAT)
    tiler.set_shape(m, n, k)
    tiler.enable_bias(True)
    tiler.set_dim(chip.aiv_cores)
    tiler.set_fix_split(64, 64, -1)
    return tiler.get_tiling()


def run(m: int = M, n: int = N, k: int = K, *, ahead: bool = True) -> tuple[NDArray[Any], NDArray[Any]]:
    """What the device computed, and what NumPy does. Small whole numbers: every sum is exact, in any order."""
    kernel, tiling = Kernel(Program(SOURCE, defines={"AHEAD": str(int(ahead))}).compile()), cut(m, n, k)
    random = np.random.default_rng(7)
    a = random.integers(-8, 9, (m, k)).astype(np.float16)
    b = random.integers(-8, 9, (k, n)).astype(np.float16)
    bias = random.integers(-8, 9, n).astype(np.float32)
    c = Buffer((m, n), np.float32)
    workspace = Buffer(SYSTEM + tiling.usedCoreNum * tiling.singleCoreM * tiling.singleCoreN * 4)
    config = LaunchConfig(num_blocks=(tiling.usedCoreNum + 1) // 2)
    launch(Stream(), config, kernel, *map(Buffer.from_array, (a, b, bias)), c, workspace, tiling, SLOPE)
    product = a.astype(np.float32) @ b.astype(np.float32) + bias
    return c.to_numpy(), np.where(product > 0, product, product * np.float32(SLOPE))


if __name__ == "__main__":
    got, expected = run()
    equal, tiling = int(np.count_nonzero(got == expected)), cut(M, N, K)
    where = f"{Device().chip.name} (modelled), {(tiling.usedCoreNum + 1) // 2:>2} blocks"
    print(f"fused_matmul       {where}   {equal} of {got.size} equal to numpy")
    raise SystemExit(equal != got.size)
