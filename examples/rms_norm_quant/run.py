# SPDX-License-Identifier: Apache-2.0
"""RmsNorm of half rows, and their quantisation to int8 with a scale and an offset for each column, by two calls of the library."""

import ctypes
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aclimb import Buffer, Device, Kernel, LaunchConfig, Program, Stream, launch
from aclimb.tiling import library

SOURCE = Path(__file__).with_name("rms_norm_quant.cpp")
ROWS, COLUMNS, EPSILON = 389, 2048, 1e-5
UB = 192 << 10


Tiling = ctypes.c_uint32 * 12  # RmsNormTiling


class Plan(ctypes.Structure):
    """As in rms_norm_quant.cpp."""

    _fields_ = (
        *((name, Tiling) for name in ("whole", "last")),
        *((name, ctypes.c_uint32) for name in ("tiles", "rows", "columns", "scratch", "buffers")),
        ("epsilon", ctypes.c_float),
    )


@cache
def kernel() -> Kernel:
    return Kernel(Program(SOURCE).compile())


def plan(rows: int, columns: int, in_scratch: int = 0, buffers: int = 2) -> Plan:
    """Tiles as large as fit. `in_scratch`: so many rows at a time; the scratch is between the least and the most (0: the most)."""

    def scratch_of(tile: int) -> int:
        norm, _ = library.get_rms_norm_max_min_tmp_size((1, min(in_scratch or tile, tile), columns), 2)
        return max(norm, library.get_ascend_quant_max_min_tmp_size((tile, columns), 2)[1])  # the second call takes what the first one has

    def bytes_of(tile: int) -> int:
        """Tiles of half in and of int8 out, gamma, scale and offset, scratch."""
        return buffers * 3 * tile * columns + 3 * columns * 2 + scratch_of(tile)

    tile = max(each for each in range(1, 256) if bytes_of(each) <= UB)
    tiles = -(-rows // tile)
    shapes = ((1, each, columns) for each in (tile, rows - (tiles - 1) * tile))
    tilings = (library.get_rms_norm_tiling_info(shape, shape, scratch_of(tile), 2) for shape in shapes)
    parts = (Tiling.from_buffer_copy(tiling.pack()) for tiling in tilings)
    return Plan(*parts, tiles, tile, columns, scratch_of(tile), buffers, EPSILON)


def quantise(stream: Stream, x: Buffer, gamma: Buffer, scale: Buffer, offset: Buffer, plan: Plan) -> Buffer:
    """y on the device."""
    y = Buffer(x.shape, np.int8)
    launch(stream, LaunchConfig(num_blocks=Device().chip.aiv_cores), kernel(), x, gamma, scale, offset, y, bytes(plan))
    return y


def reference(x: NDArray[Any], gamma: NDArray[Any], scale: NDArray[Any], offset: NDArray[Any]) -> NDArray[Any]:
    """RmsNorm in double precision, rounded to half; quantisation is documented to multiply and add in half."""
    wide = x.astype(np.float64)
    root = np.sqrt(np.mean(wide**2, axis=1, keepdims=True) + float(np.float16(EPSILON)))
    normed = (wide / root * gamma.astype(np.float64)).astype(np.float16)
    return np.clip(np.rint(normed * scale + offset), -128, 127).astype(np.int8)


def run(rows: int = ROWS, columns: int = COLUMNS, stream: Stream | None = None, **choices: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """What the device computed, and what NumPy does."""
    random = np.random.default_rng(8)
    x = random.normal(0, 3, (rows, columns)).astype(np.float16)
    gamma = random.normal(1, 0.2, columns).astype(np.float16)
    scale = random.uniform(20, 60, columns).astype(np.float16)
    offset = random.integers(-8, 9, columns).astype(np.float16)
    weights = (gamma, scale, offset)
    y = quantise(stream or Stream(), *map(Buffer.from_array, (x, *weights)), plan(rows, columns, **choices))
    return y.to_numpy(), reference(x, *weights)


if __name__ == "__main__":
    got, expected = run()
    near = int(np.count_nonzero(np.abs(got.astype(int) - expected) <= 1))  # a number that is rounded the other way
    where = f"{Device().chip.name} (modelled), {Device().chip.aiv_cores:>2} blocks"
    print(f"rms_norm_quant     {where}   {near} of {got.size} within 1 of numpy, {np.count_nonzero(got != expected)} not equal")
    raise SystemExit(near != got.size)
