# SPDX-License-Identifier: Apache-2.0
"""Three ways through the data, chosen by tiling key; the sizes come in a tiling struct."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aclimb import Buffer, Device, Kernel, LaunchConfig, Program, Stream, launch

SOURCE = Path(__file__).with_name("scale_shift.cpp")
TILING = np.dtype([("length", np.uint32), ("tile", np.uint32), ("scale", np.float32), ("shift", np.float32)])
TILE = 2048  # elements
LENGTHS = (1536, 8 * TILE, 5 * TILE + 77)  # one for each key


def plan(length: int) -> tuple[int, int]:
    """The host's part: tiling key and tile for a length."""
    if length <= TILE and length % 8 == 0:
        return 1, length
    return (2 if length % TILE == 0 else 3), TILE


def run(lengths: tuple[int, ...] = LENGTHS) -> tuple[NDArray[Any], NDArray[Any]]:
    """What the device computed, and what NumPy does, for all lengths one after another."""
    scale_shift = Kernel(Program(SOURCE).compile())
    stream, got, expected = Stream(), [], []
    for length in lengths:
        x = np.random.default_rng(length).standard_normal(length).astype(np.float32)
        key, tile = plan(length)
        tiling = np.array([(length, tile, 1.5, -0.25)], TILING)
        y = Buffer(length, np.float32)
        config = LaunchConfig(num_blocks=1, tiling_key=key)
        launch(stream, config, scale_shift, Buffer.from_array(x), y, None, Buffer.from_array(tiling))
        got.append(y.to_numpy())
        expected.append(x * np.float32(1.5) + np.float32(-0.25))
    return np.concatenate(got), np.concatenate(expected)


if __name__ == "__main__":
    got, expected = run()
    equal = int(np.count_nonzero(got == expected))
    where = f"{Device().chip.name} (modelled), {len(LENGTHS):>2} keys  "
    print(f"scale_shift        {where}   {equal} of {got.size} equal to numpy")
    raise SystemExit(equal != got.size)
