# SPDX-License-Identifier: Apache-2.0
"""In which type a function computes, when its operands differ."""

from __future__ import annotations

from functools import reduce
from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
_HALVES = (np.dtype(np.float16), BFLOAT16)
_CATEGORIES = {"b": 0, "u": 1, "i": 1, "f": 2, "V": 2, "c": 3}  # bfloat16 is a V of NumPy
_OF_SCALAR = {np.dtype(np.float64): np.dtype(np.float32), np.dtype(np.complex128): np.dtype(np.complex64)}  # what a number stands for


def category(dtype: np.dtype[Any]) -> int:
    """0 bool, 1 integer, 2 float, 3 complex."""
    return 2 if dtype == BFLOAT16 else _CATEGORIES[dtype.kind]


def wide(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Halves are computed in float32 and rounded once."""
    return np.dtype(np.float32) if dtype in _HALVES else dtype


def promoted(one: np.dtype[Any], other: np.dtype[Any]) -> np.dtype[Any]:
    """Of two tensors: the higher category decides, and inside it the wider type; no integer makes a float wider."""
    if category(one) != category(other):
        return max(one, other, key=category)
    if one != other and BFLOAT16 in (one, other):
        return np.promote_types(wide(one), wide(other))
    return np.promote_types(one, other)


def common(*operands: Any) -> np.dtype[Any]:
    """What operands are compared in. A tensor without dims counts only where its category is higher, and a scalar less than that."""
    levels: list[list[np.dtype[Any]]] = [[], [], []]
    for each in operands:
        levels[2 if isinstance(each, np.generic) else 1 if each.ndim == 0 else 0].append(each.dtype)
    found: np.dtype[Any] | None = None
    for level in levels:
        here = reduce(promoted, level) if level else None
        if here is not None and (found is None or category(here) > category(found)):
            found = _OF_SCALAR.get(here, here) if level is levels[2] else here
    assert found is not None
    return found


def together(*operands: Any, dtype: np.dtype[Any] | None = None) -> list[NDArray[Any]]:
    """The operands in one type, wide enough to compute in: that of `dtype`, else what they have in common, to which they are rounded."""
    if dtype is not None:
        return [each.astype(wide(dtype), copy=False) for each in operands]
    shared = common(*operands)
    return [each.astype(shared, copy=False).astype(wide(shared), copy=False) for each in operands]


def in_type_of(out: NDArray[Any], *operands: Any) -> list[NDArray[Any]]:
    """In the type of the result; for a bool one in the type that they have in common."""
    return together(*operands, dtype=None if out.dtype.kind == "b" else out.dtype)


def in_floats(operand: NDArray[Any]) -> NDArray[Any]:
    """Integers become float32."""
    target = wide(operand.dtype) if category(operand.dtype) >= 2 else np.dtype(np.float32)
    return operand.astype(target, copy=False)
