# SPDX-License-Identifier: Apache-2.0
"""Softmax of every row of a matrix; the rows are spread over the blocks."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aclimb import Buffer, Device, Kernel, LaunchConfig, Program, Stream, launch

SOURCE = Path(__file__).with_name("softmax.cpp")
BLOCKS, ROWS, COLUMNS = 8, 100, 1000
RTOL = 1e-5  # the sum is taken in another order than NumPy's, and Exp is not NumPy's


def run(dtype: str = "float32", columns: int = COLUMNS) -> tuple[NDArray[Any], NDArray[Any]]:
    """What the device computed, and what NumPy does."""
    binary = Program(SOURCE).compile()
    softmax = Kernel(binary, {"float16": "softmax_half", "float32": "softmax_float"}[dtype])
    x = np.random.default_rng(3).normal(scale=3, size=(ROWS, columns)).astype(dtype)
    y = Buffer(x.shape, dtype)
    launch(Stream(), LaunchConfig(num_blocks=BLOCKS), softmax, Buffer.from_array(x), y, ROWS, columns)
    return y.to_numpy(), numpy_softmax(x)


def numpy_softmax(x: NDArray[Any]) -> NDArray[Any]:
    exp = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
    return (exp / exp.sum(axis=1, keepdims=True)).astype(x.dtype)


if __name__ == "__main__":
    got, expected = run()
    close = int(np.count_nonzero(np.isclose(got, expected, rtol=RTOL, atol=0)))
    where = f"{Device().chip.name} (modelled), {BLOCKS:>2} blocks"
    print(f"softmax_float      {where}   {close} of {got.size} within {RTOL:g} of numpy")
    raise SystemExit(close != got.size)
