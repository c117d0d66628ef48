# SPDX-License-Identifier: Apache-2.0
"""Soft-max of rows that are longer than UB: SoftmaxFlashV2 along the pieces of a row, then SimpleSoftMax along them again."""

import ctypes
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aclimb import Buffer, Device, Kernel, LaunchConfig, Program, Stream, launch
from aclimb.tiling import library

SOURCE = Path(__file__).with_name("online_softmax.cpp")
ROWS, COLUMNS = 51, 50_001  # 195 KiB a row; UB has 192
PIECE = (1, 7168)  # rows and columns that are in UB at a time
RTOL = 1e-5  # of sums in another order than NumPy's


Tiling = ctypes.c_uint32 * 16  # SoftMaxTiling


class Plan(ctypes.Structure):
    """As in online_softmax.cpp."""

    _fields_ = (
        *((name, Tiling) for name in ("first", "simple")),
        *((name, ctypes.c_uint32) for name in ("rows", "columns", "group_rows", "piece_columns", "scratch", "buffers")),
    )


@cache
def kernel() -> Kernel:
    return Kernel(Program(SOURCE).compile())


def plan(rows: int, columns: int, piece: tuple[int, int] = PIECE, buffers: int = 2) -> Plan:
    """`piece`: rows and columns that an AIV has in UB at a time."""
    scratch = max(library.get_soft_max_flash_v2_max_min_tmp_size(piece)[0], library.get_soft_max_max_min_tmp_size(piece)[0])
    first = library.soft_max_flash_v2_tiling_func(piece, 4, 4, scratch, True)
    simple = library.soft_max_tiling_func(piece, 4, scratch)
    tilings = (Tiling.from_buffer_copy(each.pack()) for each in (first, simple))
    return Plan(*tilings, rows, columns, *piece, scratch, buffers)


def softmax(stream: Stream, x: Buffer, plan: Plan) -> Buffer:
    """y on the device."""
    y = Buffer(x.shape, np.float32)
    launch(stream, LaunchConfig(num_blocks=Device().chip.aiv_cores), kernel(), x, y, bytes(plan))
    return y


def reference(x: NDArray[Any]) -> NDArray[Any]:
    exp = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
    return np.asarray(exp / exp.sum(axis=1, keepdims=True))


def run(
    rows: int = ROWS, columns: int = COLUMNS, piece: tuple[int, int] = PIECE, stream: Stream | None = None, buffers: int = 2
) -> tuple[NDArray[Any], NDArray[Any]]:
    """What the device computed, and what NumPy does in double precision. Maxima grow along the rows, so that sums are rescaled."""
    random = np.random.default_rng(13)
    x = (random.normal(0, 3, (rows, columns)) + np.linspace(0, 40, columns)).astype(np.float32)
    y = softmax(stream or Stream(), Buffer.from_array(x), plan(rows, columns, piece, buffers))
    return y.to_numpy(), reference(x)


if __name__ == "__main__":
    got, expected = run()
    close = int(np.count_nonzero(np.isclose(got, expected, rtol=RTOL, atol=0)))
    where = f"{Device().chip.name} (modelled), {Device().chip.aiv_cores:>2} blocks"
    print(f"online_softmax     {where}   {close} of {got.size} within {RTOL:g} of numpy")
    raise SystemExit(close != got.size)
