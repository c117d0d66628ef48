# SPDX-License-Identifier: Apache-2.0
"""Vector add: queues, double buffering, 8 blocks."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aclimb import Buffer, Device, Kernel, LaunchConfig, Program, Stream, launch

SOURCE = Path(__file__).with_name("add.cpp")
BLOCKS, LENGTH = 8, 16384
CPP_TYPES = {"float16": "half", "float32": "float"}


def run(dtype: str = "float16") -> tuple[NDArray[Any], NDArray[Any]]:
    """What the device computed, and what NumPy does."""
    add_custom = Kernel(Program(SOURCE, defines={"DTYPE_X": CPP_TYPES[dtype]}).compile())
    random = np.random.default_rng(0)
    x = random.standard_normal(LENGTH).astype(dtype)
    y = random.standard_normal(LENGTH).astype(dtype)
    z = Buffer(LENGTH, dtype)
    launch(Stream(), LaunchConfig(num_blocks=BLOCKS), add_custom, Buffer.from_array(x), Buffer.from_array(y), z, LENGTH)
    return z.to_numpy(), x + y


if __name__ == "__main__":
    got, expected = run()
    equal = int(np.count_nonzero(got == expected))
    where = f"{Device().chip.name} (modelled), {BLOCKS:>2} blocks"
    print(f"add_custom         {where}   {equal} of {got.size} equal to numpy")
    raise SystemExit(equal != got.size)
