# SPDX-License-Identifier: Apache-2.0
"""The vector add of `tune.py`, computed: macros and number of blocks as given, or as `aclimb profile` and `aclimb sweep` set them."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aclimb import Buffer, Device, Kernel, LaunchConfig, Program, Stream, launch

SOURCE = Path(__file__).with_name("tune_add.cpp")
BLOCKS, LENGTH = 8, 1024 * 1024


def run(blocks: int = BLOCKS, length: int = LENGTH, **macros: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """What the device computed, and what NumPy does."""
    tune_add = Kernel(Program(SOURCE, defines={name: str(value) for name, value in macros.items()}).compile())
    random = np.random.default_rng(0)
    x, y = (random.standard_normal(length, np.float32).astype(np.float16) for _ in range(2))
    z = Buffer(length, np.float16)
    launch(Stream(), LaunchConfig(num_blocks=blocks), tune_add, Buffer.from_array(x), Buffer.from_array(y), z, length)
    return z.to_numpy(), x + y


if __name__ == "__main__":
    got, expected = run()
    equal = int(np.count_nonzero(got == expected))
    where = f"{Device().chip.name} (modelled), {BLOCKS:>2} blocks"
    print(f"tune_add           {where}   {equal} of {got.size} equal to numpy")
    raise SystemExit(equal != got.size)
