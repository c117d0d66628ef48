# SPDX-License-Identifier: Apache-2.0
"""Comparison, logic, choice"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aclimb.op.builtin.promotion import category, in_type_of, together

TABLE = """
aclnnEqTensor                 t self, t other, o out                             equal
aclnnEqScalar                 t self, s other, o out                             equal
aclnnNeTensor                 t self, t other, o out                             not_equal
aclnnNeScalar                 t self, s other, o out                             not_equal
aclnnLtTensor                 t self, t other, o out                             less
aclnnLtScalar                 t self, s other, o out                             less
aclnnLeTensor                 t self, t other, o out                             less_equal
aclnnLeScalar                 t self, s other, o out                             less_equal
aclnnGtTensor                 t self, t other, o out                             greater
aclnnGtScalar                 t self, s other, o out                             greater
aclnnGeTensor                 t self, t other, o out                             greater_equal
aclnnGeScalar                 t self, s other, o out                             greater_equal
aclnnInplaceEqTensor          r self, t other                                    equal!
aclnnInplaceEqScalar          r self, s other                                    equal!
aclnnInplaceNeTensor          r self, t other                                    not_equal!
aclnnInplaceNeScalar          r self, s other                                    not_equal!
aclnnInplaceLtTensor          r self, t other                                    less!
aclnnInplaceLtScalar          r self, s other                                    less!
aclnnInplaceLeTensor          r self, t other                                    less_equal!
aclnnInplaceLeScalar          r self, s other                                    less_equal!
aclnnInplaceGtTensor          r self, t other                                    greater!
aclnnInplaceGtScalar          r self, s other                                    greater!
aclnnInplaceGeTensor          r self, t other                                    greater_equal!
aclnnInplaceGeScalar          r self, s other                                    greater_equal!
aclnnEqual                    t self, t other, o out                             all_equal
aclnnIsClose                  t self, t other, g rtol, g atol, b equal_nan, o out    is_close
aclnnIsFinite                 t self, o out                                      is_finite
aclnnIsInf                    t self, o out                                      is_inf
aclnnIsPosInf                 t self, o out                                      is_pos_inf
aclnnIsNegInf                 t self, o out                                      is_neg_inf
aclnnLogicalAnd               t self, t other, o out                             logical_and
aclnnLogicalOr                t self, t other, o out                             logical_or
aclnnLogicalXor               t self, t other, o out                             logical_xor
aclnnLogicalNot               t self, o out                                      logical_not
aclnnInplaceLogicalAnd        r self, t other                                    logical_and!
aclnnInplaceLogicalOr         r self, t other                                    logical_or!
aclnnInplaceLogicalNot        r self                                             logical_not!
aclnnSWhere                   t condition, t self, t other, o out                where
"""
Array = NDArray[Any]


def _compared(function: Callable[[Array, Array], Any]) -> Callable[[Array, Array, Array], None]:
    def compute(self: Array, other: Array, out: Array) -> None:
        out[...] = function(*together(self, other))

    return compute


equal, not_equal = _compared(np.equal), _compared(np.not_equal)
less, less_equal, greater, greater_equal = map(_compared, (np.less, np.less_equal, np.greater, np.greater_equal))
logical_and, logical_or, logical_xor = map(_compared, (np.logical_and, np.logical_or, np.logical_xor))


def all_equal(self: Array, other: Array, out: Array) -> None:
    """One answer for all elements."""
    one, two = together(self, other)
    out[...] = np.array_equal(one, two)


def is_close(self: Array, other: Array, rtol: float, atol: float, equal_nan: bool, out: Array) -> None:
    one, two = together(self, other)
    exact = np.complex128 if one.dtype.kind == "c" else np.float64
    near = np.abs(one.astype(exact) - two) <= atol + rtol * np.abs(two.astype(exact))
    out[...] = (one == two) | (near & np.isfinite(one) & np.isfinite(two)) | (equal_nan & (one != one) & (two != two))


def _asked(function: Callable[[Array], Any]) -> Callable[[Array, Array], None]:
    """Of integers the answer is that of the float."""

    def compute(self: Array, out: Array) -> None:
        out[...] = function(*together(self)) if category(self.dtype) >= 2 else function(self.astype(np.float64))

    return compute


is_finite, is_inf, is_pos_inf, is_neg_inf = _asked(np.isfinite), _asked(np.isinf), _asked(np.isposinf), _asked(np.isneginf)


def logical_not(self: Array, out: Array) -> None:
    out[...] = np.logical_not(*together(self))


def where(condition: Array, self: Array, other: Array, out: Array) -> None:
    out[...] = np.where(condition.astype(bool), *in_type_of(out, self, other))
