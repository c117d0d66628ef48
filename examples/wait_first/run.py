# SPDX-License-Identifier: Apache-2.0
"""A kernel that issues its waits before the sets they wait for."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aclimb import Buffer, Device, Kernel, LaunchConfig, Program, Stream, launch

SOURCE = Path(__file__).with_name("wait_first.cpp")
LENGTH = 1024


def run() -> tuple[NDArray[Any], NDArray[Any]]:
    """What the device computed, and what NumPy does."""
    wait_first = Kernel(Program(SOURCE).compile())
    random = np.random.default_rng(5)
    x = random.standard_normal(LENGTH).astype(np.float32)
    y = random.standard_normal(LENGTH).astype(np.float32)
    z = Buffer(LENGTH, np.float32)
    launch(Stream(), LaunchConfig(num_blocks=1), wait_first, Buffer.from_array(x), Buffer.from_array(y), z)
    return z.to_numpy(), np.float32(2) * (x + y)


if __name__ == "__main__":
    got, expected = run()
    equal = int(np.count_nonzero(got == expected))
    where = f"{Device().chip.name} (modelled), {1:>2} block "
    print(f"wait_first         {where}   {equal} of {got.size} equal to numpy")
    raise SystemExit(equal != got.size)
