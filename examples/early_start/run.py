# SPDX-License-Identifier: Apache-2.0
"""A kernel that says when its successor in a SuperKernel may begin."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aclimb import Buffer, Device, Kernel, LaunchConfig, Program, Stream, launch

SOURCE = Path(__file__).with_name("early_start.cpp")
LENGTH = 512


def run() -> tuple[NDArray[Any], NDArray[Any]]:
    """What the device computed, and what NumPy does."""
    early_start = Kernel(Program(SOURCE).compile())
    random = np.random.default_rng(2)
    left = random.standard_normal(LENGTH).astype(np.float16)
    right = random.standard_normal(LENGTH).astype(np.float16)
    total = Buffer(LENGTH, np.float16)
    launch(Stream(), LaunchConfig(num_blocks=1), early_start, Buffer.from_array(left), Buffer.from_array(right), total)
    return total.to_numpy(), left + right


if __name__ == "__main__":
    got, expected = run()
    equal = int(np.count_nonzero(got == expected))
    where = f"{Device().chip.name} (modelled), {1:>2} block "
    print(f"early_start        {where}   {equal} of {got.size} equal to numpy")
    raise SystemExit(equal != got.size)
