# SPDX-License-Identifier: Apache-2.0
"""A sum over all blocks: SyncAll between the phases, atomic additions in global memory."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aclimb import Buffer, Device, Kernel, LaunchConfig, Program, Stream, launch

SOURCE = Path(__file__).with_name("normalize.cpp")
BLOCKS, LENGTH = 16, 32768
RTOL = 1e-5  # NumPy adds in another order


def run() -> tuple[NDArray[Any], NDArray[Any]]:
    """What the device computed, and what NumPy does."""
    normalize = Kernel(Program(SOURCE).compile())
    x = np.random.default_rng(4).uniform(1, 2, LENGTH).astype(np.float32)
    y, total = Buffer(LENGTH, np.float32), Buffer(1, np.float32)
    launch(Stream(), LaunchConfig(num_blocks=BLOCKS), normalize, Buffer.from_array(x), y, total, LENGTH)
    return y.to_numpy(), x / x.sum(dtype=np.float64)


if __name__ == "__main__":
    got, expected = run()
    close = int(np.count_nonzero(np.isclose(got, expected, rtol=RTOL, atol=0)))
    where = f"{Device().chip.name} (modelled), {BLOCKS:>2} blocks"
    print(f"normalize          {where}   {close} of {got.size} within {RTOL:g} of numpy")
    raise SystemExit(close != got.size)
