# SPDX-License-Identifier: Apache-2.0
"""LayerNorm of rows by the library, over all AIVs; means and variances come out too. The host chooses the tiles and the scratch."""

import ctypes
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from aclimb import Buffer, Device, Kernel, LaunchConfig, Program, Stream, launch
from aclimb.tiling import library

SOURCE = Path(__file__).with_name("layer_norm.cpp")
ROWS, COLUMNS, EPSILON = 1001, 1024, 1e-5
UB = 192 << 10
NEAR = {"float32": 2e-5, "float16": 4e-3}  # sums of 1024 terms, in another order than NumPy's; a step of half below 8


Tiling = ctypes.c_uint32 * 26  # LayerNormTiling


class Plan(ctypes.Structure):
    """As in layer_norm.cpp."""

    _fields_ = (
        *((name, Tiling) for name in ("whole", "last")),
        *((name, ctypes.c_uint32) for name in ("tiles", "rows", "columns", "scratch", "buffers")),
        ("epsilon", ctypes.c_float),
    )


@cache
def kernel(dtype: str) -> Kernel:
    return Kernel(Program(SOURCE).compile(), {"float16": "layer_norm_half", "float32": "layer_norm_float"}[dtype])


def plan(rows: int, columns: int, dtype: DTypeLike, tile: int = 0, buffers: int = 2, least: bool = False) -> Plan:
    """Tiles of so many rows (0: as many as fit). `least`: with the least scratch that the call works with, not the most that it uses."""
    size = np.dtype(dtype).itemsize

    def scratch_of(tile: int) -> int:
        return library.get_layer_norm_max_min_tmp_size((1, tile, columns, columns), size)[least]

    def bytes_of(tile: int) -> int:
        """Tiles in and out, two numbers for each row, gamma and beta, scratch."""
        return buffers * 2 * (tile * columns + -(-tile // 16) * 16) * size + 2 * columns * size + scratch_of(tile)

    tile = tile or max(each for each in range(1, 256) if bytes_of(each) <= UB)
    tiles = -(-rows // tile)
    shapes = ((1, each, columns, columns) for each in (tile, rows - (tiles - 1) * tile))
    tilings = (library.get_layer_norm_nd_tiling_info(shape, scratch_of(tile), size) for shape in shapes)
    parts = (Tiling.from_buffer_copy(tiling.pack()) for tiling in tilings)
    return Plan(*parts, tiles, tile, columns, scratch_of(tile), buffers, EPSILON)


def normalise(stream: Stream, x: Buffer, gamma: Buffer, beta: Buffer, plan: Plan, blocks: int = 0) -> tuple[Buffer, Buffer, Buffer]:
    """y, means and variances on the device."""
    dtype = np.dtype(x.dtype)
    y, mean, variance = Buffer(x.shape, dtype), *(Buffer(x.shape[0], dtype) for _ in range(2))
    config = LaunchConfig(num_blocks=blocks or Device().chip.aiv_cores)
    launch(stream, config, kernel(dtype.name), x, gamma, beta, y, mean, variance, bytes(plan))
    return y, mean, variance


def reference(x: NDArray[Any], gamma: NDArray[Any], beta: NDArray[Any]) -> tuple[NDArray[Any], ...]:
    epsilon = float(np.asarray(EPSILON, x.dtype))
    x, gamma, beta = (each.astype(np.float64) for each in (x, gamma, beta))
    mean, variance = x.mean(axis=1), x.var(axis=1)
    return (x - mean[:, None]) / np.sqrt(variance + epsilon)[:, None] * gamma + beta, mean, variance


def run(
    dtype: str = "float32", rows: int = ROWS, columns: int = COLUMNS, stream: Stream | None = None, **choices: int
) -> tuple[NDArray[Any], NDArray[Any]]:
    """What the device computed, and what NumPy does in double precision: y, with a column for the means and one for the variances."""
    random = np.random.default_rng(5)
    x = random.normal(0.5, 2, (rows, columns)).astype(dtype)
    gamma, beta = (random.normal(1, 0.5, columns).astype(dtype) for _ in range(2))
    results = normalise(stream or Stream(), *map(Buffer.from_array, (x, gamma, beta)), plan(rows, columns, dtype, **choices))
    got, expected = [each.to_numpy() for each in results], reference(x, gamma, beta)
    return np.column_stack(got), np.column_stack(expected)


if __name__ == "__main__":
    got, expected = run()
    near = int(np.count_nonzero(np.isclose(got, expected, rtol=NEAR["float32"], atol=NEAR["float32"])))
    where = f"{Device().chip.name} (modelled), {Device().chip.aiv_cores:>2} blocks"
    print(f"layer_norm_float   {where}   {near} of {got.size} within {NEAR['float32']:g} of numpy")
    raise SystemExit(near != got.size)
