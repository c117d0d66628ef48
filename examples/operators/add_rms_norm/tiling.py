# SPDX-License-Identifier: Apache-2.0
"""How AddRmsNorm is launched: tiling key, number of blocks, tiling data and workspace of add_rms_norm.cpp. Nothing runs here."""

import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import DTypeLike, NDArray

UB_BYTES = 192 * 1024
UB_RESERVED = 256  # at the top of UB, never handed out by InitBuffer
BLOCK = 32  # bytes
MAX_COUNT = 4095  # rows of one copy
PARTIALS = 1024  # kPartials in add_rms_norm.cpp
SMALL_PIECE = 1024  # columns; a row is not split further than this
SPLIT = 10  # added to the tiling key for rows that do not fit into UB

KEYS = {np.dtype(np.float16): 1, np.dtype(ml_dtypes.bfloat16): 2, np.dtype(np.float32): 3}
TILING = struct.Struct("<IIIIff")  # rows, columns, tileRows, tileColumns, epsilon, inverse


@dataclass(frozen=True, slots=True)
class Plan:
    """One launch: add_rms_norm(x1, x2, gamma, y, rstd, x, workspace, tiling)."""

    tiling_key: int
    num_blocks: int
    tiling: bytes
    workspace_bytes: int


def plan(shape: Sequence[int], dtype: DTypeLike, epsilon: float, cores: int, ub_bytes: int = UB_BYTES) -> Plan | None:
    """None when there are no rows, and so nothing to do."""
    key, itemsize = KEYS[np.dtype(dtype)], np.dtype(dtype).itemsize
    rows, columns = math.prod(shape[:-1]), shape[-1]
    if columns == 0:
        raise ValueError(f"shape {tuple(shape)} has rows of no elements, which have no mean; the last axis takes at least 1")
    if rows == 0:
        return None
    row_limit = _rows_in_ub(columns, itemsize, ub_bytes)
    if row_limit == 0:
        return _split_rows(key + SPLIT, (rows, columns), itemsize, epsilon, cores, ub_bytes)
    tile_rows = min(row_limit, MAX_COUNT, -(-rows // cores))
    data = TILING.pack(rows, columns, tile_rows, columns, epsilon, 1 / columns)
    return Plan(key, min(cores, -(-rows // tile_rows)), data, 0)


def reference(
    x1: NDArray[Any], x2: NDArray[Any], gamma: NDArray[Any], epsilon: float
) -> tuple[NDArray[Any], NDArray[np.float32], NDArray[Any]]:
    """y, rstd, x. The addition is done in float32 and rounded to the type, everything after it in float64."""
    x = (x1.astype(np.float32) + x2.astype(np.float32)).astype(x1.dtype)
    exact = x.astype(np.float64)
    rstd = 1 / np.sqrt(np.mean(exact * exact, axis=-1, keepdims=True) + epsilon)
    return (exact * rstd * gamma.astype(np.float64)).astype(x1.dtype), rstd.astype(np.float32), x


def _split_rows(key: int, sizes: tuple[int, int], itemsize: int, epsilon: float, cores: int, ub_bytes: int) -> Plan:
    """Pieces as large as UB allows, but small enough that every core gets one. A piece leaves one float in the workspace."""
    rows, columns = sizes
    share = max(-(-rows * columns // cores), SMALL_PIECE)
    piece = min(_columns_in_ub(itemsize, ub_bytes), _round_up(share, BLOCK // itemsize))
    tiles = rows * -(-columns // piece)
    data = TILING.pack(rows, columns, 1, piece, epsilon, 1 / columns)
    return Plan(key, min(cores, tiles), data, _round_up(tiles * 4, BLOCK))


def _rows_in_ub(columns: int, itemsize: int, ub_bytes: int) -> int:
    width = _round_up(columns, BLOCK // itemsize)
    once, each_row = _ub_use(width, itemsize)
    return max(ub_bytes - UB_RESERVED - once, 0) // each_row


def _columns_in_ub(itemsize: int, ub_bytes: int) -> int:
    """The longest piece of a row, in whole blocks. _ub_use grows with every block, so halving finds it."""
    low, high = 0, ub_bytes // BLOCK
    while low < high:
        middle = (low + high + 1) // 2
        fits = _rows_in_ub(middle * BLOCK // itemsize, itemsize, ub_bytes) > 0
        low, high = (middle, high) if fits else (low, middle - 1)
    if low == 0:
        raise ValueError(f"{ub_bytes} bytes of UB are too few for AddRmsNorm")
    return low * BLOCK // itemsize


def _ub_use(width: int, itemsize: int) -> tuple[int, int]:
    """Bytes of the buffers in add_rms_norm.cpp: those that are there once, and those of one row of `width` columns."""
    widen = itemsize < 4
    gamma = width * (itemsize + 4 if widen else 4)  # split rows have no gamma, and for float one more buffer of a piece instead
    reduce = _round_up(-(-max(width, PARTIALS) // 64) * 4, BLOCK)
    queues = 8 * width * itemsize  # x1, x2, x and y, each twice
    floats = 2 * width * 4 if widen else 0
    return gamma + reduce + BLOCK + PARTIALS * 4, queues + floats + 3 * BLOCK


def _round_up(size: int, unit: int) -> int:
    return -(-size // unit) * unit
