# SPDX-License-Identifier: Apache-2.0
"""Choosing elements, putting tensors together"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from aclimb.op.builtin.promotion import in_type_of, wide

TABLE = """
aclnnCat                      T tensors, i dim, o out                            cat
aclnnStack                    T tensors, i dim, o out                            stack
aclnnIndex                    t self, T indices, o out                           index
aclnnIndexPutImpl             r self, T indices, t values, b accumulate, b unsafe    index_put
aclnnIndexSelect              t self, i dim, t index, o out                      index_select
aclnnIndexAdd                 t self, i dim, t index, t source, s alpha, o out   index_add
aclnnGather                   t self, i dim, t index, o out                      gather
aclnnScatter                  t self, i dim, t index, t src, i reduce, o out     scatter
aclnnScatterValue             t self, i dim, t index, s value, i reduce, o out   scatter
aclnnInplaceScatter           r self, i dim, t index, t src, i reduce            scatter!
aclnnInplaceScatterValue      r self, i dim, t index, s value, i reduce          scatter!
aclnnScatterAdd               t self, i dim, t index, t src, o out               scatter_add
aclnnMaskedSelect             t self, t mask, o out                              masked_select
aclnnInplaceMaskedFillScalar  r self, t mask, s value                            masked_fill
aclnnInplaceMaskedFillTensor  r self, t mask, t value                            masked_fill
aclnnNonzero                  t self, o out                                      nonzero
aclnnNonzeroV2                t self, o out                                      nonzero_v2
aclnnEmbedding                t weight, t indices, o out                         embedding
aclnnTake                     t self, t index, o out                             take
"""
Array = NDArray[Any]
REPLACE, ADD, MULTIPLY = range(3)  # what a scatter does with what is there


def cat(tensors: list[Array], dim: int, out: Array) -> None:
    """An empty tensor of one dim adds nothing."""
    there = [each.astype(out.dtype, copy=False) for each in tensors if each.shape != (0,)]
    if there:
        out[...] = np.concatenate(there, dim)


def stack(tensors: list[Array], dim: int, out: Array) -> None:
    out[...] = np.stack([each.astype(out.dtype, copy=False) for each in tensors], dim)


def _checked(indices: Array, side: int) -> Array:
    wrong = indices[(indices < -side) | (indices >= side)]
    if wrong.size:
        raise IndexError(f"index {wrong.flat[0]} is outside of a dim of {side}")
    return indices


def _places(self: Array, indices: list[Array]) -> tuple[Any, ...]:
    """What NumPy is asked for: a tensor without elements stands for a dim that is taken whole."""
    found: list[Any] = []
    for each in indices:
        if each.size == 0 and each.ndim == 1:
            found.append(slice(None))
        else:
            found.append(each if each.dtype.kind == "b" else _checked(each, self.shape[len(found)]))
    return tuple(found)


def index(self: Array, indices: list[Array], out: Array) -> None:
    if out.size:
        out[...] = self[_places(self, indices)].reshape(out.shape)


def index_put(self: Array, indices: list[Array], values: Array, accumulate: bool, unsafe: bool) -> None:
    places = _places(self, indices)
    if accumulate:
        whole = self.astype(wide(self.dtype))
        np.add.at(whole, places, values.astype(whole.dtype))
        self[...] = whole
    else:
        self[places] = values.astype(self.dtype)


def index_select(self: Array, dim: int, index: Array, out: Array) -> None:
    if not self.ndim:
        out[...] = self
        return
    out[...] = np.take(self, _checked(index.reshape(-1), self.shape[dim]), dim)


def index_add(self: Array, dim: int, index: Array, source: Array, alpha: Array, out: Array) -> None:
    start, added, factor = in_type_of(out, self, source, alpha)
    found = start.copy()
    places: list[Any] = [slice(None)] * self.ndim
    places[dim] = _checked(index.reshape(-1), self.shape[dim])
    where: Any = tuple(places)
    np.add.at(found, where, added * factor)
    out[...] = found


def gather(self: Array, dim: int, index: Array, out: Array) -> None:
    out[...] = self[_along(index, dim, self.shape)] if self.ndim else self


def _along(index: Array, dim: int, shape: tuple[int, ...]) -> tuple[Array, ...]:
    """Of each element of the index its place: its own in every dim but one."""
    places: list[Any] = list(np.indices(index.shape, sparse=True))
    places[dim] = _checked(index, shape[dim])
    return tuple(places)


def scatter(self: Array, dim: int, index: Array, src: Array, reduce: int, out: Array) -> None:
    found = self.astype(wide(out.dtype))
    added = src if not src.ndim else src[tuple(slice(side) for side in index.shape)]
    places, added = _along(index, dim, found.shape), added.astype(found.dtype)
    if reduce == REPLACE:
        found[places] = added
    else:
        (np.add if reduce == ADD else np.multiply).at(found, places, added)
    out[...] = found


def scatter_add(self: Array, dim: int, index: Array, src: Array, out: Array) -> None:
    scatter(self, dim, index, src, ADD, out)


def _shortened(found: Array, out: Array) -> tuple[int, ...]:
    """The output has room for all; how many there are is found when it runs."""
    if not out.flags.c_contiguous:
        raise ValueError("the output is not contiguous; how many elements it gets is not known before")
    if found.size > out.size:
        raise ValueError(f"the output has room for {out.size} elements; {found.size} are there")
    out.reshape(-1)[: found.size] = found.reshape(-1)
    return found.shape


def masked_select(self: Array, mask: Array, out: Array) -> tuple[int, ...]:
    whole, chosen = np.broadcast_arrays(self, mask.astype(bool))
    return _shortened(whole[chosen], out)


def masked_fill(self: Array, mask: Array, value: Array) -> None:
    self[np.broadcast_to(mask.astype(bool), self.shape)] = value.astype(self.dtype).reshape(())


def nonzero(self: Array, out: Array) -> tuple[int, ...]:
    """One row for each that is not zero."""
    return _shortened(np.argwhere(self.astype(bool)), out)


def nonzero_v2(self: Array, out: Array) -> tuple[int, ...]:
    """One column for each."""
    return _shortened(np.argwhere(self.astype(bool)).T, out)


def embedding(weight: Array, indices: Array, out: Array) -> None:
    out[...] = weight[_checked(indices, weight.shape[0])]


def take(self: Array, index: Array, out: Array) -> None:
    out[...] = self.reshape(-1)[_checked(index, self.size)]
