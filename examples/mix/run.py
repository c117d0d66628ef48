# SPDX-License-Identifier: Apache-2.0
"""The AIC multiplies, its two AIVs apply the activation; cross-core flags keep them in step."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aclimb import Buffer, Device, Kernel, LaunchConfig, Program, Stream, launch

SOURCE = Path(__file__).with_name("matmul_leaky_relu.cpp")
BLOCKS, TILES, SLOPE = 4, 13, 0.25
ROWS, INNER, COLUMNS = 32, 64, 64  # of one tile of A, of B, of C


def run() -> tuple[NDArray[Any], NDArray[Any]]:
    """What the device computed, and what NumPy does. Small whole numbers: every sum is exact, in any order."""
    kernel = Kernel(Program(SOURCE).compile())
    random = np.random.default_rng(6)
    a = random.integers(-8, 9, (TILES * ROWS, INNER)).astype(np.float16)
    b = random.integers(-8, 9, (INNER, COLUMNS)).astype(np.float16)
    c = Buffer((TILES * ROWS, COLUMNS), np.float32)
    workspace = Buffer((BLOCKS, ROWS, COLUMNS), np.float32)
    config = LaunchConfig(num_blocks=BLOCKS)
    launch(Stream(), config, kernel, Buffer.from_array(a), Buffer.from_array(b), c, workspace, TILES, SLOPE)
    product = a.astype(np.float32) @ b.astype(np.float32)
    return c.to_numpy(), np.where(product > 0, product, product * np.float32(SLOPE))


if __name__ == "__main__":
    got, expected = run()
    equal = int(np.count_nonzero(got == expected))
    where = f"{Device().chip.name} (modelled), {BLOCKS:>2} blocks"
    print(f"matmul_leaky_relu  {where}   {equal} of {got.size} equal to numpy")
    raise SystemExit(equal != got.size)
