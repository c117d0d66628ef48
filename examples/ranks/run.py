# SPDX-License-Identifier: Apache-2.0
"""Two ranks add up what each of them has: kernels on two devices that wait for each other by flags in their windows."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aclimb import Buffer, Device, Kernel, LaunchConfig, Program, launch, ranks

SOURCE = Path(__file__).with_name("all_reduce.cpp")
RANKS, BLOCKS, LENGTH = 2, 4, 8192


def run(count: int = RANKS) -> tuple[NDArray[Any], NDArray[Any]]:
    """What each rank has in the end, and what NumPy does."""
    all_reduce = Kernel(Program(SOURCE).compile())
    x = np.random.default_rng(5).integers(-1000, 1000, (count, LENGTH)).astype(np.float32)
    with ranks(count, window=1 << 20) as group:
        y = [Buffer(LENGTH, np.float32, rank.device) for rank in group]
        for rank in group:
            own = Buffer.from_array(x[rank.index], rank.device)
            launch(rank.stream, LaunchConfig(num_blocks=BLOCKS), all_reduce, own, y[rank.index], LENGTH)
        group.synchronize()
        return np.array([each.to_numpy() for each in y]), np.broadcast_to(x.sum(axis=0), x.shape)


if __name__ == "__main__":
    got, expected = run()
    equal = int(np.count_nonzero(got == expected))
    where = f"{Device().chip.name} (modelled), {RANKS} ranks, {BLOCKS} blocks"
    print(f"all_reduce         {where}   {equal} of {got.size} equal to numpy")
    raise SystemExit(equal != got.size)
