# SPDX-License-Identifier: Apache-2.0
"""Creation, copies, casts, layout"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from aclimb.op.builtin.promotion import category

TABLE = """
aclnnInplaceZero              r self                                             zero
aclnnInplaceOne               r self                                             one
aclnnInplaceFillScalar        r self, s value                                    copy
aclnnInplaceFillTensor        r self, t value                                    copy
aclnnInplaceFillDiagonal      r self, s value, b wrap                            fill_diagonal
aclnnArange                   s start, s end, s step, o out                      arange
aclnnRange                    s start, s end, s step, o out                      arange
aclnnLinspace                 s start, s end, i steps, o out                     linspace
aclnnEye                      i n, i m, o out                                    eye
aclnnInplaceCopy              r self, t src                                      copy
aclnnCast                     t self, d dtype, o out                             cast
aclnnPermute                  t self, l dims, o out                              permute
aclnnFlip                     t self, l dims, o out                              flip
aclnnRoll                     t self, l shifts, l dims, o out                    roll
aclnnRepeat                   t self, l repeats, o out                           repeat
aclnnExpand                   t self, l size, o out                              expand
aclnnTriu                     t self, i diagonal, o out                          triu
aclnnTril                     t self, i diagonal, o out                          tril
aclnnInplaceTriu              r self, i diagonal                                 triu!
aclnnInplaceTril              r self, i diagonal                                 tril!
aclnnConstantPadNd            t self, l padding, s value, o out                  pad
"""
Array = NDArray[Any]


def zero(self: Array) -> None:
    self[...] = np.zeros((), self.dtype)


def one(self: Array) -> None:
    self[...] = np.ones((), self.dtype)


def copy(self: Array, src: Array) -> None:
    """Into another type, too. What is complex loses its imaginary part where that has no place."""
    self[...] = src.real if category(src.dtype) == 3 > category(self.dtype) else src


def cast(self: Array, dtype: np.dtype[Any], out: Array) -> None:
    copy(out, self)


def fill_diagonal(self: Array, value: Array, wrap: bool) -> None:
    np.fill_diagonal(self, value.astype(self.dtype), wrap=wrap)


def arange(start: Array, end: Array, step: Array, out: Array) -> None:
    """As many as the output has room for."""
    kind = np.dtype(np.int64) if all(category(each.dtype) < 2 for each in (start, step)) else np.dtype(np.float64)
    count: Array = np.arange(out.size).reshape(out.shape).astype(kind)
    out[...] = start.astype(kind) + count * step.astype(kind)


def linspace(start: Array, end: Array, steps: int, out: Array) -> None:
    out[...] = np.linspace(start.astype(np.float64), end.astype(np.float64), steps)


def eye(n: int, m: int, out: Array) -> None:
    out[...] = np.eye(n, m)


def permute(self: Array, dims: tuple[int, ...], out: Array) -> None:
    out[...] = self.transpose(dims)


def flip(self: Array, dims: tuple[int, ...], out: Array) -> None:
    out[...] = np.flip(self, dims)


def roll(self: Array, shifts: tuple[int, ...], dims: tuple[int, ...], out: Array) -> None:
    out[...] = np.roll(self, shifts, dims) if dims else np.roll(self, shifts[0])


def repeat(self: Array, repeats: tuple[int, ...], out: Array) -> None:
    out[...] = np.tile(self, repeats)


def expand(self: Array, size: tuple[int, ...], out: Array) -> None:
    out[...] = np.broadcast_to(self, out.shape)


def triu(self: Array, diagonal: int, out: Array) -> None:
    out[...] = np.triu(self, diagonal)


def tril(self: Array, diagonal: int, out: Array) -> None:
    out[...] = np.tril(self, diagonal)


def pad(self: Array, padding: tuple[int, ...], value: Array, out: Array) -> None:
    """`padding` begins with the last dim. A negative one cuts off."""
    pairs = [(0, 0)] * (self.ndim - len(padding) // 2) + [(padding[index], padding[index + 1]) for index in range(len(padding) - 2, -1, -2)]
    out[...] = value.astype(out.dtype)
    to = tuple(slice(max(before, 0), side - max(after, 0)) for (before, after), side in zip(pairs, out.shape, strict=True))
    source = tuple(slice(max(-before, 0), side - max(-after, 0)) for (before, after), side in zip(pairs, self.shape, strict=True))
    out[to] = self[source]
