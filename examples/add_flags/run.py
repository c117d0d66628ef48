# SPDX-License-Identifier: Apache-2.0
"""The same add with raw flags and tensors placed by address."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aclimb import Buffer, Device, Kernel, LaunchConfig, Program, Stream, launch

SOURCE = Path(__file__).with_name("add_flags.cpp")
BLOCKS, LENGTH = 8, 16384


def run() -> tuple[NDArray[Any], NDArray[Any]]:
    """What the device computed, and what NumPy does."""
    add_flags = Kernel(Program(SOURCE).compile())
    random = np.random.default_rng(1)
    x = random.standard_normal(LENGTH).astype(np.float16)
    y = random.standard_normal(LENGTH).astype(np.float16)
    z = Buffer(LENGTH, np.float16)
    launch(Stream(), LaunchConfig(num_blocks=BLOCKS), add_flags, Buffer.from_array(x), Buffer.from_array(y), z, LENGTH)
    return z.to_numpy(), x + y


if __name__ == "__main__":
    got, expected = run()
    equal = int(np.count_nonzero(got == expected))
    where = f"{Device().chip.name} (modelled), {BLOCKS:>2} blocks"
    print(f"add_flags          {where}   {equal} of {got.size} equal to numpy")
    raise SystemExit(equal != got.size)
