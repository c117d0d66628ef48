# SPDX-License-Identifier: Apache-2.0
"""Functions of one operand, element by element"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aclimb.op.builtin.promotion import category, in_floats, together

TABLE = """
aclnnNeg                      t self, o out                                      negative
aclnnInplaceNeg               r self                                             negative!
aclnnAbs                      t self, o out                                      absolute
aclnnExp                      t self, o out                                      exp
aclnnInplaceExp               r self                                             exp!
aclnnExpm1                    t self, o out                                      expm1
aclnnInplaceExpm1             r self                                             expm1!
aclnnLog                      t self, o out                                      log
aclnnInplaceLog               r self                                             log!
aclnnLog2                     t self, o out                                      log2
aclnnInplaceLog2              r self                                             log2!
aclnnLog10                    t self, o out                                      log10
aclnnInplaceLog10             r self                                             log10!
aclnnLog1p                    t self, o out                                      log1p
aclnnInplaceLog1p             r self                                             log1p!
aclnnSqrt                     t self, o out                                      sqrt
aclnnInplaceSqrt              r self                                             sqrt!
aclnnRsqrt                    t self, o out                                      rsqrt
aclnnInplaceRsqrt             r self                                             rsqrt!
aclnnReciprocal               t self, o out                                      reciprocal
aclnnInplaceReciprocal        r self                                             reciprocal!
aclnnSin                      t self, o out                                      sin
aclnnInplaceSin               r self                                             sin!
aclnnCos                      t self, o out                                      cos
aclnnInplaceCos               r self                                             cos!
aclnnTan                      t self, o out                                      tan
aclnnInplaceTan               r self                                             tan!
aclnnTanh                     t self, o out                                      tanh
aclnnInplaceTanh              r self                                             tanh!
aclnnAsin                     t self, o out                                      arcsin
aclnnInplaceAsin              r self                                             arcsin!
aclnnAcos                     t self, o out                                      arccos
aclnnInplaceAcos              r self                                             arccos!
aclnnAtan                     t self, o out                                      arctan
aclnnInplaceAtan              r self                                             arctan!
aclnnSinh                     t self, o out                                      sinh
aclnnInplaceSinh              r self                                             sinh!
aclnnCosh                     t self, o out                                      cosh
aclnnInplaceCosh              r self                                             cosh!
aclnnErf                      t self, o out                                      erf
aclnnInplaceErf               r self                                             erf!
aclnnSigmoid                  t self, o out                                      sigmoid
aclnnInplaceSigmoid           r self                                             sigmoid!
aclnnRelu                     t self, o out                                      relu
aclnnInplaceRelu              r self                                             relu!
aclnnFloor                    t self, o out                                      floor
aclnnInplaceFloor             r self                                             floor!
aclnnCeil                     t self, o out                                      ceil
aclnnInplaceCeil              r self                                             ceil!
aclnnRound                    t self, o out                                      around
aclnnInplaceRound             r self                                             around!
aclnnTrunc                    t self, o out                                      trunc
aclnnInplaceTrunc             r self                                             trunc!
aclnnBitwiseNot               t self, o out                                      invert
aclnnInplaceBitwiseNot        r self                                             invert!
aclnnSign                     t self, o out                                      sign
aclnnSilu                     t self, o out                                      silu
"""
Array = NDArray[Any]
_erf = np.vectorize(math.erf, otypes=[np.float64])


def _of_floats(function: Callable[[Array], Array]) -> Callable[[Array, Array], None]:
    """Integers go in as float32."""

    def compute(self: Array, out: Array) -> None:
        out[...] = function(in_floats(self))

    return compute


def _of_numbers(function: Callable[[Array], Array]) -> Callable[[Array, Array], None]:
    """Integers stay what they are."""

    def compute(self: Array, out: Array) -> None:
        out[...] = function(*together(self))

    return compute


def _unless_whole(function: Callable[[Array], Array]) -> Callable[[Array, Array], None]:
    """Integers have nothing to round."""

    def compute(self: Array, out: Array) -> None:
        out[...] = self if category(self.dtype) < 2 else function(*together(self))

    return compute


negative, absolute, invert = _of_numbers(np.negative), _of_numbers(np.absolute), _of_numbers(np.invert)
sign = _of_numbers(lambda x: x if x.dtype.kind == "b" else np.sign(x))
relu = _of_numbers(lambda x: np.maximum(x, np.zeros((), x.dtype)))
floor, ceil, around, trunc = _unless_whole(np.floor), _unless_whole(np.ceil), _unless_whole(np.rint), _unless_whole(np.trunc)
exp, expm1, log, log2, log10, log1p = map(_of_floats, (np.exp, np.expm1, np.log, np.log2, np.log10, np.log1p))
sin, cos, tan, arcsin, arccos, arctan = map(_of_floats, (np.sin, np.cos, np.tan, np.arcsin, np.arccos, np.arctan))
sinh, cosh, tanh, sqrt, reciprocal = map(_of_floats, (np.sinh, np.cosh, np.tanh, np.sqrt, np.reciprocal))
rsqrt = _of_floats(lambda x: np.reciprocal(np.sqrt(x)))
sigmoid = _of_floats(lambda x: 1 / (1 + np.exp(-x)))
silu = _of_floats(lambda x: x / (1 + np.exp(-x)))
erf = _of_floats(lambda x: _erf(x).reshape(x.shape))
