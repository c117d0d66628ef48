# SPDX-License-Identifier: Apache-2.0
"""Arithmetic of two and more operands, element by element"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aclimb.op.builtin.promotion import category, in_floats, in_type_of

TABLE = """
aclnnAdd                      t self, t other, s alpha, o out                    add
aclnnAdds                     t self, s other, s alpha, o out                    add
aclnnInplaceAdd               r self, t other, s alpha                           add!
aclnnInplaceAdds              r self, s other, s alpha                           add!
aclnnSub                      t self, t other, s alpha, o out                    subtract
aclnnSubs                     t self, s other, s alpha, o out                    subtract
aclnnInplaceSub               r self, t other, s alpha                           subtract!
aclnnInplaceSubs              r self, s other, s alpha                           subtract!
aclnnRsub                     t self, t other, s alpha, o out                    reverse_subtract
aclnnRsubs                    t self, s other, s alpha, o out                    reverse_subtract
aclnnMul                      t self, t other, o out                             multiply
aclnnMuls                     t self, s other, o out                             multiply
aclnnInplaceMul               r self, t other                                    multiply!
aclnnInplaceMuls              r self, s other                                    multiply!
aclnnDiv                      t self, t other, o out                             divide
aclnnDivs                     t self, s other, o out                             divide
aclnnInplaceDiv               r self, t other                                    divide!
aclnnInplaceDivs              r self, s other                                    divide!
aclnnDivMod                   t self, t other, n mode, o out                     divide_rounded
aclnnDivMods                  t self, s other, n mode, o out                     divide_rounded
aclnnInplaceDivMod            r self, t other, n mode                            divide_rounded!
aclnnInplaceDivMods           r self, s other, n mode                            divide_rounded!
aclnnFloorDivide              t self, t other, o out                             floor_divide
aclnnFloorDivides             t self, s other, o out                             floor_divide
aclnnInplaceFloorDivide       r self, t other                                    floor_divide!
aclnnInplaceFloorDivides      r self, s other                                    floor_divide!
aclnnRemainderTensorTensor    t self, t other, o out                             remainder
aclnnRemainderTensorScalar    t self, s other, o out                             remainder
aclnnRemainderScalarTensor    s self, t other, o out                             remainder
aclnnFmodTensor               t self, t other, o out                             fmod
aclnnFmodScalar               t self, s other, o out                             fmod
aclnnPowTensorTensor          t self, t exponent, o out                          power
aclnnPowTensorScalar          t self, s exponent, o out                          power
aclnnPowScalarTensor          s self, t exponent, o out                          power
aclnnInplacePowTensorTensor   r self, t exponent                                 power!
aclnnInplacePowTensorScalar   r self, s exponent                                 power!
aclnnMaximum                  t self, t other, o out                             maximum
aclnnMinimum                  t self, t other, o out                             minimum
aclnnAtan2                    t self, t other, o out                             arctan2
aclnnBitwiseAndTensor         t self, t other, o out                             bitwise_and
aclnnBitwiseAndScalar         t self, s other, o out                             bitwise_and
aclnnBitwiseOrTensor          t self, t other, o out                             bitwise_or
aclnnBitwiseOrScalar          t self, s other, o out                             bitwise_or
aclnnBitwiseXorTensor         t self, t other, o out                             bitwise_xor
aclnnBitwiseXorScalar         t self, s other, o out                             bitwise_xor
aclnnClamp                    t self, s? min, s? max, o out                      clamp
aclnnClampTensor              t self, t? min, t? max, o out                      clamp
aclnnClampMin                 t self, s min, o out                               clamp_min
aclnnClampMax                 t self, s max, o out                               clamp_max
aclnnAddcmul                  t self, t tensor1, t tensor2, s value, o out       addcmul
aclnnAddcdiv                  t self, t tensor1, t tensor2, s value, o out       addcdiv
"""
Array = NDArray[Any]
TRUNCATED, FLOORED = 1, 2  # modes of a division


def add(self: Array, other: Array, alpha: Array, out: Array) -> None:
    one, two, factor = in_type_of(out, self, other, alpha)
    out[...] = one + two * factor if out.dtype.kind != "b" else one | (two & factor)


def subtract(self: Array, other: Array, alpha: Array, out: Array) -> None:
    one, two, factor = in_type_of(out, self, other, alpha)
    out[...] = one - two * factor


def reverse_subtract(self: Array, other: Array, alpha: Array, out: Array) -> None:
    one, two, factor = in_type_of(out, self, other, alpha)
    out[...] = two - one * factor


def _of_two(function: Callable[[Array, Array], Array]) -> Callable[[Array, Array, Array], None]:
    """In the type of the result."""

    def compute(self: Array, other: Array, out: Array) -> None:
        out[...] = function(*in_type_of(out, self, other))

    return compute


multiply, maximum, minimum, arctan2 = map(_of_two, (np.multiply, np.maximum, np.minimum, np.arctan2))
bitwise_and, bitwise_or, bitwise_xor = map(_of_two, (np.bitwise_and, np.bitwise_or, np.bitwise_xor))


@_of_two
def power(self: Array, exponent: Array) -> Array:
    """An integer to a negative power is 0, unless it is 1 or -1."""
    if category(self.dtype) != 1:
        return np.asarray(np.power(self, exponent))
    tiny = np.where(self == 1, 1, np.where(np.abs(self) == 1, np.where(exponent % 2 == 0, 1, -1), 0))
    return np.where(exponent < 0, tiny, np.power(self, np.maximum(exponent, 0)))


@_of_two
def fmod(self: Array, other: Array) -> Array:
    _require_no_zero(self, other)
    return np.asarray(np.fmod(self, other))


@_of_two
def remainder(self: Array, other: Array) -> Array:
    _require_no_zero(self, other)
    return np.asarray(np.remainder(self, other))


def divide(self: Array, other: Array, out: Array) -> None:
    """Of integers, too: into floats."""
    one, two = in_type_of(out, self, other)
    out[...] = in_floats(one) / in_floats(two)


def floor_divide(self: Array, other: Array, out: Array) -> None:
    _require_no_zero(out, other)
    out[...] = np.floor_divide(*in_type_of(out, self, other))


def divide_rounded(self: Array, other: Array, mode: int, out: Array) -> None:
    if mode == FLOORED:
        floor_divide(self, other, out)
    elif mode == TRUNCATED and category(out.dtype) < 2:
        _require_no_zero(out, other)
        one, two = in_type_of(out, self, other)
        out[...] = (one - np.fmod(one, two)) // two
    elif mode == TRUNCATED:
        out[...] = np.trunc(np.divide(*in_type_of(out, self, other)))
    else:
        divide(self, other, out)


def _require_no_zero(out: Array, divisor: Array) -> None:
    if category(out.dtype) < 2 and not np.all(divisor):
        raise ValueError("an integer is divided by zero")


def clamp(self: Array, lowest: Array | None, highest: Array | None, out: Array) -> None:
    bounds = [each for each in (lowest, highest) if each is not None]
    value, *limits = in_type_of(out, self, *bounds)
    if lowest is not None:
        value = np.maximum(value, limits[0])
    out[...] = np.minimum(value, limits[-1]) if highest is not None else value


def clamp_min(self: Array, lowest: Array, out: Array) -> None:
    clamp(self, lowest, None, out)


def clamp_max(self: Array, highest: Array, out: Array) -> None:
    clamp(self, None, highest, out)


def addcmul(self: Array, tensor1: Array, tensor2: Array, value: Array, out: Array) -> None:
    start, one, two, factor = in_type_of(out, self, tensor1, tensor2, value)
    out[...] = start + factor * one * two


def addcdiv(self: Array, tensor1: Array, tensor2: Array, value: Array, out: Array) -> None:
    start, one, two, factor = in_type_of(out, self, tensor1, tensor2, value)
    out[...] = start + factor * one / two
