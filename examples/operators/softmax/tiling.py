# SPDX-License-Identifier: Apache-2.0
"""How Softmax is launched: which kernels of softmax.cpp, in which order, with which tiling, and how much workspace. Nothing runs here."""

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
NARROW_COLUMNS = 64  # floats of one repeat
NARROW_ROWS = 248  # repeats of one instruction, in whole blocks of results
SMALL_PIECE = 2048  # columns; a row is not cut further than this
FEW_ROWS = 4  # less than 1 / FEW_ROWS of the cores would have a row: long rows are cut although they fit
NARROW = 10  # added to the tiling key of softmax_rows

KEYS = {np.dtype(np.float16): 1, np.dtype(ml_dtypes.bfloat16): 2, np.dtype(np.float32): 3}
TILING = struct.Struct("<IIII")  # rows, columns, tileRows, tileColumns


@dataclass(frozen=True, slots=True)
class KernelCall:
    """One launch. `kernel` names it and its arguments are in ARGUMENTS; every call of a plan has the same tiling."""

    kernel: str
    num_blocks: int
    tiling_key: int | None


@dataclass(frozen=True, slots=True)
class Plan:
    calls: tuple[KernelCall, ...]  # in this order, each after the one before has ended
    tiling: bytes
    workspace_bytes: int


ARGUMENTS = {
    "softmax_rows": ("x", "y", "workspace", "tiling"),
    "softmax_partial": ("x", "workspace", "tiling"),
    "softmax_combine": ("workspace", "tiling"),
    "softmax_normalize": ("x", "y", "workspace", "tiling"),
}


def plan(shape: Sequence[int], dtype: DTypeLike, cores: int, ub_bytes: int = UB_BYTES) -> Plan:
    """No calls when there are no elements."""
    dtype = np.dtype(dtype)
    *outer, columns = shape or (1,)
    rows = math.prod(outer)
    if rows * columns == 0:
        return Plan((), b"", 0)
    row_limit = _rows_in_ub(columns, dtype.itemsize, ub_bytes)
    few_and_long = rows * FEW_ROWS <= cores and columns >= FEW_ROWS * SMALL_PIECE
    if row_limit == 0 or few_and_long:
        return _pieces(rows, columns, dtype, cores, ub_bytes)
    return _rows(rows, columns, KEYS[dtype], row_limit, cores)


def reference(x: NDArray[Any]) -> NDArray[Any]:
    """In float64, rounded to the type of x at the end."""
    if x.size == 0:
        return x.copy()
    exact = np.atleast_1d(x).astype(np.float64)
    with np.errstate(invalid="ignore"):  # -inf - -inf is NaN, in the kernels too
        exp = np.exp(exact - exact.max(axis=-1, keepdims=True))
        return (exp / exp.sum(axis=-1, keepdims=True)).reshape(x.shape).astype(x.dtype)


def _rows(rows: int, columns: int, key: int, row_limit: int, cores: int) -> Plan:
    narrow = columns <= NARROW_COLUMNS
    tile_rows = min(row_limit, NARROW_ROWS if narrow else MAX_COUNT, -(-rows // cores))
    call = KernelCall("softmax_rows", min(cores, -(-rows // tile_rows)), key + NARROW if narrow else key)
    return Plan((call,), TILING.pack(rows, columns, tile_rows, columns), 0)


def _pieces(rows: int, columns: int, dtype: np.dtype[Any], cores: int, ub_bytes: int) -> Plan:
    """Pieces as large as UB allows, but small enough that every core gets one."""
    share = max(-(-rows * columns // cores), SMALL_PIECE)
    piece = min(_columns_in_ub(dtype.itemsize, ub_bytes), _round_up(share, BLOCK // dtype.itemsize))
    per_row = -(-columns // piece)
    if not _combine_fits(per_row, ub_bytes):
        raise ValueError(f"rows of {columns} columns need {per_row} pieces, more than softmax_combine can hold in {ub_bytes} bytes of UB")
    blocks, key = min(cores, rows * per_row), KEYS[dtype]
    calls = (
        KernelCall("softmax_partial", blocks, key),
        KernelCall("softmax_combine", min(cores, rows), None),
        KernelCall("softmax_normalize", blocks, key),
    )
    workspace = 2 * _round_up(rows * per_row * 4, BLOCK) + rows * BLOCK  # maxima, sums; a block for each row
    return Plan(calls, TILING.pack(rows, columns, 1, piece), workspace)


def _rows_in_ub(columns: int, itemsize: int, ub_bytes: int) -> int:
    """How many rows the buffers of softmax_rows can hold; with one row they hold what the kernels of pieces need too."""
    width = _round_up(columns, BLOCK // itemsize)
    queues = 4 * width * itemsize  # x and y, each twice
    floats = width * 4 if itemsize < 4 else 0
    once = _reduce_bytes(width) + 8 * BLOCK + BLOCK  # results and their spread copies come in groups of 8 rows
    return max(ub_bytes - UB_RESERVED - once, 0) // (queues + floats + BLOCK + 4)


def _columns_in_ub(itemsize: int, ub_bytes: int) -> int:
    """The longest piece of a row, in whole blocks. What it needs grows with every block, so halving finds it."""
    low, high = 0, ub_bytes // BLOCK
    while low < high:
        middle = (low + high + 1) // 2
        fits = _rows_in_ub(middle * BLOCK // itemsize, itemsize, ub_bytes) > 0
        low, high = (middle, high) if fits else (low, middle - 1)
    if low == 0:
        raise ValueError(f"{ub_bytes} bytes of UB are too few for Softmax")
    return low * BLOCK // itemsize


def _combine_fits(per_row: int, ub_bytes: int) -> bool:
    return 2 * _round_up(per_row * 4, BLOCK) + _reduce_bytes(per_row) + 3 * BLOCK <= ub_bytes - UB_RESERVED


def _reduce_bytes(count: int) -> int:
    """Scratch of a reduction: value and index for each repeat of 64 floats."""
    return _round_up(-(-count // 64) * 8, BLOCK)


def _round_up(size: int, unit: int) -> int:
    return -(-size // unit) * unit
