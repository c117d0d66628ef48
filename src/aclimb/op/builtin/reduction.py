# SPDX-License-Identifier: Apache-2.0
"""Reduction, order along a dim"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aclimb.op.builtin.promotion import category, in_floats, together, wide

TABLE = """
aclnnReduceSum                t self, l dims, b keep_dims, d dtype, o out        sums
aclnnMean                     t self, l dim, b keep_dim, d dtype, o out          mean
aclnnMeanV2                   t self, l dim, b keep_dim, b noop, o out           mean
aclnnProd                     t self, d dtype, o out                             product
aclnnProdDim                  t self, i dim, b keep_dim, d dtype, o out          product_dim
aclnnMax                      t self, o out                                      largest
aclnnMin                      t self, o out                                      smallest
aclnnAmax                     t self, l dim, b keep_dim, o out                   amax
aclnnAmin                     t self, l dim, b keep_dim, o out                   amin
aclnnMaxDim                   t self, i dim, b keep_dim, o out, o indices        max_dim
aclnnMinDim                   t self, i dim, b keep_dim, o out, o indices        min_dim
aclnnArgMax                   t self, i dim, b keep_dim, o out                   argmax
aclnnArgMin                   t self, i dim, b keep_dim, o out                   argmin
aclnnAll                      t self, l dim, b keep_dim, o out                   every
aclnnAny                      t self, l dim, b keep_dim, o out                   some
aclnnVar                      t self, l dim, b unbiased, b keep_dim, o out       variance
aclnnVarCorrection            t self, l? dim, i correction, b keep_dim, o out    variance
aclnnStd                      t self, l? dim, i correction, b keep_dim, o out    deviation
aclnnNorm                     t self, s p, l dim, b keep_dim, o out              norm
aclnnLinalgVectorNorm         t self, s ord, l dims, b keep_dim, d dtype, o out  vector_norm
aclnnCumsum                   t self, i dim, d dtype, o out                      cumulative_sum
aclnnCumsumV2                 t self, i dim, b exclusive, b reverse, o out       cumulative_sum_v2
aclnnSoftmax                  t self, i dim, o out                               softmax
aclnnLogSoftmax               t self, i dim, o out                               log_softmax
aclnnSort                     t self, b stable, i dim, b descending, o values, o indices    sort
aclnnArgsort                  t self, i dim, b descending, o out                 argsort
aclnnTopk                     t self, i k, i dim, b largest, b sorted, o values, o indices    topk
"""
Array = NDArray[Any]
Dims = tuple[int, ...] | None


def _over(dims: Dims, ndim: int) -> Dims:
    """No dims: all of them."""
    return tuple(each % ndim for each in dims) if dims and ndim else None


def _reduced(function: Callable[..., Any], self: Array, dims: Dims, out: Array) -> None:
    out[...] = np.asarray(function(self, _over(dims, self.ndim))).reshape(out.shape)


def _summed(self: Array, out: Array) -> Array:
    """What is summed: halves and floats in a wider type than the result."""
    if category(out.dtype) >= 2:
        return self.astype(np.complex128 if category(out.dtype) == 3 else np.float64)
    return self.astype(out.dtype)


def sums(self: Array, dims: Dims, keep_dims: bool, dtype: np.dtype[Any], out: Array) -> None:
    _reduced(np.sum, _summed(self, out), dims, out)


def mean(self: Array, dims: Dims, keep_dim: bool, dtype: Any, out: Array) -> None:
    _reduced(np.mean, _summed(self, out), dims, out)


def product(self: Array, dtype: np.dtype[Any], out: Array) -> None:
    _reduced(np.prod, _summed(self, out), None, out)


def product_dim(self: Array, dim: int, keep_dim: bool, dtype: np.dtype[Any], out: Array) -> None:
    _reduced(np.prod, _summed(self, out), (dim,), out)


def amax(self: Array, dims: Dims, keep_dim: bool, out: Array) -> None:
    _reduced(np.max, together(self)[0], dims, out)


def amin(self: Array, dims: Dims, keep_dim: bool, out: Array) -> None:
    _reduced(np.min, together(self)[0], dims, out)


def largest(self: Array, out: Array) -> None:
    amax(self, None, False, out)


def smallest(self: Array, out: Array) -> None:
    amin(self, None, False, out)


def _taken(function: Callable[..., Any], self: Array, dim: int, out: Array, indices: Array) -> None:
    [values] = together(self)
    if not self.ndim:
        out[...], indices[...] = values, 0
        return
    at = np.expand_dims(function(values, dim), dim)
    out[...] = np.take_along_axis(values, at, dim).reshape(out.shape)
    indices[...] = at.reshape(indices.shape)


def max_dim(self: Array, dim: int, keep_dim: bool, out: Array, indices: Array) -> None:
    _taken(np.argmax, self, dim, out, indices)


def min_dim(self: Array, dim: int, keep_dim: bool, out: Array, indices: Array) -> None:
    _taken(np.argmin, self, dim, out, indices)


def argmax(self: Array, dim: int, keep_dim: bool, out: Array) -> None:
    out[...] = np.asarray(np.argmax(together(self)[0], axis=dim if self.ndim else None)).reshape(out.shape)


def argmin(self: Array, dim: int, keep_dim: bool, out: Array) -> None:
    out[...] = np.asarray(np.argmin(together(self)[0], axis=dim if self.ndim else None)).reshape(out.shape)


def every(self: Array, dims: Dims, keep_dim: bool, out: Array) -> None:
    _reduced(np.all, self.astype(bool), dims, out)


def some(self: Array, dims: Dims, keep_dim: bool, out: Array) -> None:
    _reduced(np.any, self.astype(bool), dims, out)


def variance(self: Array, dims: Dims, correction: int, keep_dim: bool, out: Array) -> None:
    """`correction` is taken from the count: 1 for an unbiased one."""
    over = _over(dims, self.ndim)
    out[...] = np.asarray(np.var(_summed(self, out), over, ddof=int(correction))).reshape(out.shape)


def deviation(self: Array, dims: Dims, correction: int, keep_dim: bool, out: Array) -> None:
    over = _over(dims, self.ndim)
    out[...] = np.asarray(np.std(_summed(self, out), over, ddof=int(correction))).reshape(out.shape)


def norm(self: Array, p: Array, dims: Dims, keep_dim: bool, out: Array) -> None:
    size, order = np.abs(_summed(self, out)), float(p)
    over = _over(dims, self.ndim)
    if np.isinf(order):
        found = (np.max if order > 0 else np.min)(size, over)
    else:
        found = np.sum(size != 0, over) if order == 0 else np.sum(size**order, over) ** (1 / order)
    out[...] = np.asarray(found).reshape(out.shape)


def vector_norm(self: Array, order: Array, dims: Dims, keep_dim: bool, dtype: np.dtype[Any], out: Array) -> None:
    norm(self, order, dims, keep_dim, out)


def cumulative_sum(self: Array, dim: int, dtype: np.dtype[Any], out: Array) -> None:
    out[...] = np.cumsum(_summed(self, out), dim).reshape(out.shape)


def cumulative_sum_v2(self: Array, dim: int, exclusive: bool, reverse: bool, out: Array) -> None:
    values = np.flip(_summed(self, out), dim) if reverse else _summed(self, out)
    found = np.cumsum(values, dim) - (values if exclusive else 0)
    out[...] = np.flip(found, dim) if reverse else found


def softmax(self: Array, dim: int, out: Array) -> None:
    values = in_floats(self)
    powers = np.exp(values - values.max(dim, keepdims=True))
    out[...] = powers / powers.sum(dim, keepdims=True)


def log_softmax(self: Array, dim: int, out: Array) -> None:
    values = in_floats(self)
    shifted = values - values.max(dim, keepdims=True)
    out[...] = shifted - np.log(np.exp(shifted).sum(dim, keepdims=True))


def _order(self: Array, dim: int, descending: bool) -> Array:
    """Equal ones keep their order."""
    values = self.astype(wide(self.dtype))
    if not descending:
        return np.argsort(values, dim, kind="stable")
    turned = np.argsort(np.flip(values, dim), dim, kind="stable")
    return np.asarray(self.shape[dim] - 1 - np.flip(turned, dim))


def sort(self: Array, stable: bool, dim: int, descending: bool, values: Array, indices: Array) -> None:
    at = _order(self, dim, descending)
    values[...], indices[...] = np.take_along_axis(self, at, dim), at


def argsort(self: Array, dim: int, descending: bool, out: Array) -> None:
    out[...] = _order(self, dim, descending)


def topk(self: Array, k: int, dim: int, largest: bool, sorted: bool, values: Array, indices: Array) -> None:
    at = np.take(_order(self, dim, largest), np.arange(k), dim)
    values[...], indices[...] = np.take_along_axis(self, at, dim), at
