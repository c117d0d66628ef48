# SPDX-License-Identifier: Apache-2.0
"""How Concat is launched: which kernel of concat.cpp copies which input, on how many blocks, with which tiling data. Nothing runs here."""

import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

UB_BYTES = 192 * 1024
UB_RESERVED = 256  # at the top of UB, never handed out by InitBuffer
BLOCK = 32  # bytes
BUFFERS = 2  # kBuffers in concat.cpp
MAX_COUNT = 4095  # rows of one copy
MAX_GAP = 2**32 - 1  # bytes, of DataCopyPad
MAX_ALIGNED_GAP = 65535  # blocks, of DataCopy
SMALL_TILE = 4096  # bytes; splitting rows further than this costs more than it wins
ALIGNED_ROW = 512  # bytes; from here on concat_copy_aligned is used where it can be

TILING = struct.Struct("<QQQQII")  # rows, rowBytes, outRowBytes, columnBytes, tileRows, tileBytes


@dataclass(frozen=True, slots=True)
class InputCopy:
    """One launch: kernel(x, y, tiling), where x is the input of that index."""

    index: int
    kernel: str
    num_blocks: int
    tiling: bytes


def plan(shapes: Sequence[Sequence[int]], itemsize: int, axis: int, cores: int, ub_bytes: int = UB_BYTES) -> list[InputCopy]:
    """One launch for each input that has bytes, in the order of the inputs. They write different columns, so any order will do."""
    axis = _axis(shapes, axis)
    rows = math.prod(shapes[0][:axis])
    row_bytes = [math.prod(shape[axis:]) * itemsize for shape in shapes]
    starts = [sum(row_bytes[:index]) for index in range(len(shapes))]
    return [
        _input_copy(index, (rows, row_bytes[index], sum(row_bytes), starts[index]), cores, ub_bytes)
        for index in range(len(shapes))
        if rows * row_bytes[index]
    ]


def output_shape(shapes: Sequence[Sequence[int]], axis: int) -> tuple[int, ...]:
    axis = _axis(shapes, axis)
    return (*shapes[0][:axis], sum(shape[axis] for shape in shapes), *shapes[0][axis + 1 :])


def workspace_bytes() -> int:
    """Concat needs no workspace."""
    return 0


def reference(arrays: Sequence[NDArray[Any]], axis: int) -> NDArray[Any]:
    return np.concatenate(arrays, axis)


def _axis(shapes: Sequence[Sequence[int]], axis: int) -> int:
    """The axis counted from the front. Raises ValueError when the shapes do not fit together."""
    if not shapes:
        raise ValueError("Concat of no tensors; give at least one")
    rank = len(shapes[0])
    if not -rank <= axis < rank:
        raise ValueError(f"axis is {axis}; tensors of {rank} dimensions take {-rank} to {rank - 1}")
    axis %= rank
    for index, shape in enumerate(shapes):
        if len(shape) != rank or any(a != b for i, (a, b) in enumerate(zip(shape, shapes[0], strict=True)) if i != axis):
            raise ValueError(f"input {index} has shape {tuple(shape)}; only axis {axis} may differ from {tuple(shapes[0])}")
    return axis


def _input_copy(index: int, sizes: tuple[int, int, int, int], cores: int, ub_bytes: int) -> InputCopy:
    rows, row_bytes, _, _ = sizes
    aligned = _is_aligned(sizes)
    tile_rows, tile_bytes = _tile(sizes, aligned, cores, ub_bytes)
    tiles = -(-rows // tile_rows) * -(-row_bytes // tile_bytes)
    kernel = "concat_copy_aligned" if aligned else "concat_copy"
    return InputCopy(index, kernel, min(cores, tiles), TILING.pack(*sizes, tile_rows, tile_bytes))


def _is_aligned(sizes: tuple[int, int, int, int]) -> bool:
    _, row_bytes, out_row_bytes, column_bytes = sizes
    return row_bytes >= ALIGNED_ROW and all(size % BLOCK == 0 for size in (row_bytes, out_row_bytes, column_bytes))


def _tile(sizes: tuple[int, int, int, int], aligned: bool, cores: int, ub_bytes: int) -> tuple[int, int]:
    """Rows of a tile and bytes of each: whole rows as long as every core gets some, pieces of one row otherwise."""
    rows, row_bytes, out_row_bytes, _ = sizes
    buffer_bytes = (ub_bytes - UB_RESERVED) // BUFFERS // BLOCK * BLOCK
    share = max(-(-rows * row_bytes // cores), SMALL_TILE)  # of one core
    row_in_ub = _round_up(row_bytes)
    if row_in_ub > min(buffer_bytes, _round_up(share)):
        return 1, min(buffer_bytes, _round_up(share))
    gap = out_row_bytes - row_bytes
    if gap > (MAX_ALIGNED_GAP * BLOCK if aligned else MAX_GAP):
        return 1, row_bytes
    return min(MAX_COUNT, buffer_bytes // row_in_ub, -(-rows // cores)), row_bytes


def _round_up(size: int, unit: int = BLOCK) -> int:
    return -(-size // unit) * unit
