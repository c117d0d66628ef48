# SPDX-License-Identifier: Apache-2.0
"""Attention with two Matmul objects in one mixed kernel; the soft-max is rescaled as it goes along."""

import ctypes
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aclimb import Buffer, Device, Kernel, LaunchConfig, Program, Stream, launch
from aclimb.tiling import CubeFormat, DataType, MatmulApiTiling, TCubeTiling, TPosition

SOURCE = Path(__file__).with_name("flash_attention.cpp")
BLOCKS, HEADS, LENGTH, DEPTH = 2, 2, 700, 128
NEAR = 2e-3  # p and o are rounded to half, which has 11 bits


@dataclass(frozen=True)
class Way:
    """How the work is cut."""

    rows: int  # of q, for one AIV
    columns: int  # of scores in one step
    slice: int  # rows that are in UB at a time; a divisor of `rows`
    buffers: int  # slices in UB
    ahead: bool  # the AIC works while the AIVs do


PLAIN = Way(rows=64, columns=128, slice=64, buffers=1, ahead=False)
TUNED = Way(rows=128, columns=512, slice=16, buffers=2, ahead=True)


class Shape(ctypes.Structure):
    """As in flash_attention.cpp."""

    _fields_ = (
        ("scores", TCubeTiling),
        ("product", TCubeTiling),
        *((name, ctypes.c_int32) for name in ("heads", "length", "rows", "columns", "slice", "buffers", "ahead")),
        ("scale", ctypes.c_float),
    )


@cache
def kernel() -> Kernel:
    return Kernel(Program(SOURCE).compile())


def cut(m: int, n: int, k: int, turned: bool) -> TCubeTiling:
    """One product of an AIV; `turned`: B lies there as [n, k]."""
    tiler = MatmulApiTiling(Device().chip.name)
    tiler.set_a_type(TPosition.GM, CubeFormat.ND, DataType.DT_FLOAT16)
    tiler.set_b_type(TPosition.GM, CubeFormat.ND, DataType.DT_FLOAT16, turned)
    tiler.set_c_type(TPosition.GM, CubeFormat.ND, DataType.DT_FLOAT)
    tiler.set_shape(m, n, k)
    return tiler.get_tiling()


def attend(stream: Stream, q: Buffer, k: Buffer, v: Buffer, blocks: int, way: Way) -> Buffer:
    """o on the device; q, k, v are [heads, length, 128] of half."""
    heads, length, depth = q.shape
    cuts = cut(way.rows, way.columns, depth, True), cut(way.rows, depth, way.columns, False)
    shape = Shape(*cuts, heads, length, way.rows, way.columns, way.slice, way.buffers, way.ahead, depth**-0.5)
    workspace = Buffer((2 * blocks, 2, way.rows, way.columns * 6 + depth * 4), np.uint8)  # of each AIV: scores, p and products of two steps
    o = Buffer(q.shape, np.float16)
    launch(stream, LaunchConfig(num_blocks=blocks), kernel(), q, k, v, o, workspace, shape)
    return o


def reference(q: NDArray[Any], k: NDArray[Any], v: NDArray[Any]) -> NDArray[Any]:
    q, k, v = (each.astype(np.float64) for each in (q, k, v))
    scores = q @ k.transpose(0, 2, 1) * q.shape[-1] ** -0.5
    p = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return np.asarray(p / p.sum(axis=-1, keepdims=True) @ v)


def run(
    heads: int = HEADS, length: int = LENGTH, blocks: int = BLOCKS, way: Way = TUNED, stream: Stream | None = None
) -> tuple[NDArray[Any], NDArray[Any]]:
    """What the device computed, and what NumPy does in double precision."""
    random = np.random.default_rng(17)
    q, k, v = (random.standard_normal((heads, length, DEPTH)).astype(np.float16) for _ in range(3))
    return attend(stream or Stream(), *map(Buffer.from_array, (q, k, v)), blocks, way).to_numpy(), reference(q, k, v)


if __name__ == "__main__":
    got, expected = run()
    near = int(np.count_nonzero(np.abs(got - expected) <= NEAR))
    where = f"{Device().chip.name} (modelled), {BLOCKS:>2} blocks"
    print(f"flash_attention    {where}   {near} of {got.size} within {NEAR} of numpy")
    raise SystemExit(near != got.size)
