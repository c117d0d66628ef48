# SPDX-License-Identifier: Apache-2.0
"""Matrix product on the cube unit: half in, float out, tiles double buffered in L1 and L0."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aclimb import Buffer, Device, Kernel, LaunchConfig, Program, Stream, launch

SOURCE = Path(__file__).with_name("matmul.cpp")
BLOCKS, M, N, K = 8, 256, 512, 320


def run(m: int = M, n: int = N, k: int = K) -> tuple[NDArray[Any], NDArray[Any]]:
    """What the device computed, and what NumPy does. Small whole numbers: every sum is exact, in any order."""
    matmul = Kernel(Program(SOURCE).compile())
    random = np.random.default_rng(7)
    a = random.integers(-8, 9, (m, k)).astype(np.float16)
    b = random.integers(-8, 9, (k, n)).astype(np.float16)
    c = Buffer((m, n), np.float32)
    launch(Stream(), LaunchConfig(num_blocks=BLOCKS), matmul, Buffer.from_array(a), Buffer.from_array(b), c, m, n, k)
    return c.to_numpy(), a.astype(np.float32) @ b.astype(np.float32)


if __name__ == "__main__":
    got, expected = run()
    equal = int(np.count_nonzero(got == expected))
    where = f"{Device().chip.name} (modelled), {BLOCKS:>2} blocks"
    print(f"matmul             {where}   {equal} of {got.size} equal to numpy")
    raise SystemExit(equal != got.size)
