# SPDX-License-Identifier: Apache-2.0
"""For each function of the operator library its arguments and what NumPy says in float64 or int64. `x` and `y` are 3 by 4."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from op_library import Out

Array = NDArray[Any]
Case = Callable[[Array, Array, np.dtype[Any]], list[Any]]
FLOATS, WHOLE = ("float32", "float16", "bfloat16", "float64"), ("int32", "int64", "int16", "int8", "uint8")
NUMBERS = (*FLOATS, *WHOLE)
_erf = np.vectorize(math.erf)
INT = np.dtype(np.int64)


def dtype_of(name: str) -> np.dtype[Any]:
    return np.dtype(ml_dtypes.bfloat16) if name == "bfloat16" else np.dtype(name)


def values(dtype: np.dtype[Any]) -> tuple[Array, Array]:
    """Two arrays of the type; the second has no zero."""
    random = np.random.default_rng(3)
    x: Array
    y: Array
    if dtype.kind in "iu":
        low = 1 if dtype.kind == "u" else -4
        x, y = random.integers(low, 6, (3, 4)), random.integers(low, 6, (3, 4))
    else:
        x, y = random.normal(0, 2, (3, 4)), random.normal(0, 2, (3, 4))
    return x.astype(dtype), np.where(y == 0, 1, y).astype(dtype)


def wide(array: Array) -> Array:
    return array.astype(np.int64 if array.dtype.kind in "iub" else np.float64)


UNARY: dict[str, tuple[Callable[[Array], Any], tuple[str, ...]]] = {
    "Neg": (lambda a: -a, NUMBERS), "Abs": (abs, NUMBERS), "Sign": (np.sign, NUMBERS),
    "Relu": (lambda a: a * (a > 0), NUMBERS),
    "BitwiseNot": (lambda a: -a - 1, WHOLE), "Floor": (np.floor, NUMBERS), "Ceil": (np.ceil, NUMBERS), "Round": (np.round, NUMBERS),
    "Trunc": (np.fix, NUMBERS), "Exp": (np.exp, FLOATS), "Expm1": (np.expm1, FLOATS), "Sin": (np.sin, FLOATS), "Cos": (np.cos, FLOATS),
    "Tan": (np.tan, FLOATS), "Tanh": (np.tanh, FLOATS), "Sinh": (np.sinh, FLOATS), "Cosh": (np.cosh, FLOATS), "Atan": (np.arctan, FLOATS),
    "Erf": (_erf, FLOATS),
    "Sigmoid": (lambda a: 1 / (1 + math.e**-a), FLOATS), "Silu": (lambda a: a / (1 + math.e**-a), FLOATS),
    "Reciprocal": (lambda a: 1 / a, FLOATS),
}  # fmt: skip
POSITIVE = {"Log": np.log, "Log2": np.log2, "Log10": np.log10, "Log1p": np.log1p, "Sqrt": np.sqrt, "Rsqrt": lambda a: a**-0.5}
SMALL = {"Asin": np.arcsin, "Acos": np.arccos}  # of what lies between -1 and 1
COMPARED = {"Eq": np.equal, "Ne": np.not_equal, "Lt": np.less, "Le": np.less_equal, "Gt": np.greater, "Ge": np.greater_equal}
ASKED = {"IsFinite": np.isfinite, "IsInf": np.isinf, "IsPosInf": np.isposinf, "IsNegInf": np.isneginf}


def _trunc_div(a: Array, b: Any) -> Array:
    whole: Array = np.trunc(a / b)
    return whole


# Name without aclnn: what comes before the result, and the result.
TWO: dict[str, tuple[Callable[[Array, Array], list[Any]], Callable[[Array, Array], Any], tuple[str, ...]]] = {
    "Add": (lambda x, y: [x, y, 2], lambda a, b: a + 2 * b, NUMBERS),
    "Adds": (lambda x, y: [x, 3, 2], lambda a, b: a + 6, NUMBERS),
    "Sub": (lambda x, y: [x, y, 2], lambda a, b: a - 2 * b, FLOATS),
    "Subs": (lambda x, y: [x, 1, 1], lambda a, b: a - 1, NUMBERS),
    "Rsub": (lambda x, y: [x, y, 2], lambda a, b: b - 2 * a, FLOATS),
    "Rsubs": (lambda x, y: [x, 9, 1], lambda a, b: 9 - a, NUMBERS),
    "Mul": (lambda x, y: [x, y], lambda a, b: a * b, NUMBERS),
    "Muls": (lambda x, y: [x, 3], lambda a, b: a * 3, NUMBERS),
    "Div": (lambda x, y: [x, y], lambda a, b: a / b, FLOATS),
    "Divs": (lambda x, y: [x, 4], lambda a, b: a / 4, FLOATS),
    "DivMod": (lambda x, y: [x, y, 1], _trunc_div, NUMBERS),
    "DivMods": (lambda x, y: [x, 2, 2], lambda a, b: np.floor(a / 2), NUMBERS),
    "FloorDivide": (lambda x, y: [x, y], lambda a, b: np.floor(a / b), NUMBERS),
    "FloorDivides": (lambda x, y: [x, 2], lambda a, b: np.floor(a / 2), NUMBERS),
    "RemainderTensorTensor": (lambda x, y: [x, y], lambda a, b: a - b * np.floor(a / b), NUMBERS),
    "RemainderTensorScalar": (lambda x, y: [x, 3], lambda a, b: a - 3 * np.floor(a / 3), NUMBERS),
    "RemainderScalarTensor": (lambda x, y: [7, y], lambda a, b: 7 - b * np.floor(7 / b), NUMBERS),
    "FmodTensor": (lambda x, y: [x, y], lambda a, b: a - b * np.trunc(a / b), NUMBERS),
    "FmodScalar": (lambda x, y: [x, 3], lambda a, b: a - 3 * np.trunc(a / 3), NUMBERS),
    "PowTensorTensor": (lambda x, y: [x * x, y], lambda a, b: (a * a) ** b, ("float32", "float64")),
    "PowTensorScalar": (lambda x, y: [x, 2], lambda a, b: a * a, NUMBERS),
    "PowScalarTensor": (lambda x, y: [2, x], lambda a, b: 2.0**a, FLOATS),
    "Maximum": (lambda x, y: [x, y], lambda a, b: np.where(a > b, a, b), NUMBERS),
    "Minimum": (lambda x, y: [x, y], lambda a, b: np.where(a < b, a, b), NUMBERS),
    "Atan2": (lambda x, y: [x, y], np.arctan2, FLOATS),
    "BitwiseAndTensor": (lambda x, y: [x, y], lambda a, b: a & b, WHOLE),
    "BitwiseAndScalar": (lambda x, y: [x, 5], lambda a, b: a & 5, WHOLE),
    "BitwiseOrTensor": (lambda x, y: [x, y], lambda a, b: a | b, WHOLE),
    "BitwiseOrScalar": (lambda x, y: [x, 5], lambda a, b: a | 5, WHOLE),
    "BitwiseXorTensor": (lambda x, y: [x, y], lambda a, b: a ^ b, WHOLE),
    "BitwiseXorScalar": (lambda x, y: [x, 5], lambda a, b: a ^ 5, WHOLE),
    "Clamp": (lambda x, y: [x, 1, 2], lambda a, b: np.clip(a, 1, 2), NUMBERS),
    "ClampTensor": (lambda x, y: [x, None, y], np.minimum, NUMBERS),
    "ClampMin": (lambda x, y: [x, 1], lambda a, b: np.maximum(a, 1), NUMBERS),
    "ClampMax": (lambda x, y: [x, 1], lambda a, b: np.minimum(a, 1), NUMBERS),
    "Addcmul": (lambda x, y: [x, x, y, 2], lambda a, b: a + 2 * a * b, FLOATS),
    "Addcdiv": (lambda x, y: [x, x, y, 2], lambda a, b: a + 2 * a / b, FLOATS),
    "Permute": (lambda x, y: [x, (1, 0)], lambda a, b: a.T, NUMBERS),
    "Flip": (lambda x, y: [x, (0,)], lambda a, b: a[::-1], NUMBERS),
    "Roll": (lambda x, y: [x, (1,), (1,)], lambda a, b: np.concatenate([a[:, 3:], a[:, :3]], 1), NUMBERS),
    "Repeat": (lambda x, y: [x, (2, 1)], lambda a, b: np.concatenate([a, a]), NUMBERS),
    "Expand": (lambda x, y: [x, (2, 3, 4)], lambda a, b: np.stack([a, a]), NUMBERS),
    "Triu": (lambda x, y: [x, 1], lambda a, b: np.where(np.arange(4) >= np.arange(3)[:, None] + 1, a, 0), NUMBERS),
    "Tril": (lambda x, y: [x, 0], lambda a, b: np.where(np.arange(4) <= np.arange(3)[:, None], a, 0), NUMBERS),
    "ConstantPadNd": (lambda x, y: [x, (1, 0, 0, 2), 5], lambda a, b: np.pad(a, ((0, 2), (1, 0)), constant_values=5), NUMBERS),
    "Softmax": (lambda x, y: [x, 1], lambda a, b: np.exp(a) / np.exp(a).sum(1, keepdims=True), FLOATS),
    "LogSoftmax": (lambda x, y: [x, 0], lambda a, b: a - np.log(np.exp(a).sum(0)), FLOATS),
    "Cat": (lambda x, y: [[x, y], 1], lambda a, b: np.hstack([a, b]), NUMBERS),
    "Stack": (lambda x, y: [[x, y], 0], lambda a, b: np.array([a, b]), NUMBERS),
    "Max": (lambda x, y: [x], lambda a, b: a.max(), NUMBERS),
    "Min": (lambda x, y: [x], lambda a, b: a.min(), NUMBERS),
    "Amax": (lambda x, y: [x, (1,), True], lambda a, b: a.max(1, keepdims=True), NUMBERS),
    "Amin": (lambda x, y: [x, (0, 1), False], lambda a, b: a.min(), NUMBERS),
    "Var": (lambda x, y: [x, (1,), True, False], lambda a, b: ((a - a.mean(1, keepdims=True)) ** 2).sum(1) / 3, FLOATS),
    "VarCorrection": (lambda x, y: [x, None, 0, False], lambda a, b: ((a - a.mean()) ** 2).mean(), FLOATS),
    "Std": (lambda x, y: [x, (0,), 1, True], lambda a, b: (((a - a.mean(0)) ** 2).sum(0, keepdims=True) / 2) ** 0.5, FLOATS),
    "Norm": (lambda x, y: [x, 2.0, (), False], lambda a, b: (a * a).sum() ** 0.5, FLOATS),
    "LinalgVectorNorm": (lambda x, y: [x, 1.0, (1,), False, x.dtype], lambda a, b: abs(a).sum(1), FLOATS),
    "ReduceSum": (lambda x, y: [x, (0,), False, x.dtype], lambda a, b: a.sum(0), NUMBERS),
    "Mean": (lambda x, y: [x, (1,), True, x.dtype], lambda a, b: a.sum(1, keepdims=True) / 4, FLOATS),
    "MeanV2": (lambda x, y: [x, (), False, False], lambda a, b: a.sum() / 12, FLOATS),
    "Prod": (lambda x, y: [x[:1], x.dtype], lambda a, b: a[0, 0] * a[0, 1] * a[0, 2] * a[0, 3], NUMBERS),
    "ProdDim": (lambda x, y: [x, 0, False, x.dtype], lambda a, b: a[0] * a[1] * a[2], NUMBERS),
    "Cumsum": (lambda x, y: [x, 1, x.dtype], lambda a, b: np.array([[row[: n + 1].sum() for n in range(4)] for row in a]), NUMBERS),
    "CumsumV2": (lambda x, y: [x, 1, True, True], lambda a, b: np.array([[row[n + 1 :].sum() for n in range(4)] for row in a]), FLOATS),
    "IndexSelect": (lambda x, y: [x, 1, _i(2, -1)], lambda a, b: a[:, [2, 3]], NUMBERS),
    "IndexAdd": (lambda x, y: [x, 0, _i(1, 1), y[:2], 2], lambda a, b: a + 2 * np.array([0 * b[0], b[0] + b[1], 0 * b[0]]), FLOATS),
    "Gather": (lambda x, y: [x, 1, _i(0, 3, 1).reshape(3, 1)], lambda a, b: np.array([[a[0, 0]], [a[1, 3]], [a[2, 1]]]), NUMBERS),
    "Index": (lambda x, y: [x, [_i(2, 0), _i(1, 3)]], lambda a, b: np.array([a[2, 1], a[0, 3]]), NUMBERS),
    "Take": (lambda x, y: [x, _i(11, 0)], lambda a, b: np.array([a[2, 3], a[0, 0]]), NUMBERS),
    "Embedding": (lambda x, y: [x, _i(2, 0)], lambda a, b: a[[2, 0]], NUMBERS),
    "Scatter": (lambda x, y: [x, 0, _i(2, 1, 0, 2).reshape(1, 4), y, 0], lambda a, b: _put(a, b, False), NUMBERS),
    "ScatterValue": (lambda x, y: [x, 0, _i(2, 1, 0, 2).reshape(1, 4), 5, 0], lambda a, b: _put(a, np.full_like(b, 5), False), NUMBERS),
    "ScatterAdd": (lambda x, y: [x, 0, _i(2, 1, 0, 2).reshape(1, 4), y], lambda a, b: _put(a, b, True), FLOATS),
    "SWhere": (lambda x, y: [np.arange(4) % 2 == 0, x, y], lambda a, b: np.stack([a[:, 0], b[:, 1], a[:, 2], b[:, 3]], 1), NUMBERS),
    "Matmul": (lambda x, y: [x, y.T.copy()], lambda a, b: a @ b.T, FLOATS),
    "Mm": (lambda x, y: [x, y.T.copy()], lambda a, b: a @ b.T, FLOATS),
    "BatchMatMul": (lambda x, y: [x[None], y.T[None].copy()], lambda a, b: (a @ b.T)[None], FLOATS),
    "Mv": (lambda x, y: [x, y[0].copy()], lambda a, b: a @ b[0], FLOATS),
    "Dot": (lambda x, y: [x[0].copy(), y[0].copy()], lambda a, b: (a[0] * b[0]).sum(), FLOATS),
    "Ger": (lambda x, y: [x[0].copy(), y[1].copy()], lambda a, b: a[0][:, None] * b[1], FLOATS),
    "Addmm": (lambda x, y: [x[:, :3].copy(), x, y.T.copy(), 2, 3], lambda a, b: 2 * a[:, :3] + 3 * (a @ b.T), FLOATS),
    "Baddbmm": (lambda x, y: [x[None, :, :3].copy(), x[None], y.T[None].copy(), 0, 1], lambda a, b: (a @ b.T)[None], FLOATS),
    "Addmv": (lambda x, y: [x[:, 0].copy(), x, y[0].copy(), 1, 2], lambda a, b: 2 * a[:, 0] + a @ b[0], FLOATS),
    "Cast": (lambda x, y: [x, x.dtype], lambda a, b: a, NUMBERS),
    "InplaceCopy": (lambda x, y: [y], lambda a, b: b, NUMBERS),
}  # fmt: skip
BEHIND = {"Matmul", "Mm", "BatchMatMul", "Mv", "Addmm", "Baddbmm", "Addmv"}  # the precision of the cube comes behind the result


def _i(*numbers: int) -> Array:
    return np.array(numbers, np.int64)


def _put(a: Array, b: Array, adds: bool) -> Array:
    found = a.copy()
    for column, row in enumerate((2, 1, 0, 2)):
        found[row, column] = b[0, column] + (found[row, column] if adds else 0)
    return found


def _of_two(arguments: Any, expected: Any, behind: list[Any]) -> Case:
    def case(x: Array, y: Array, dtype: np.dtype[Any]) -> list[Any]:
        return [*arguments(x, y), Out(np.asarray(expected(wide(x), wide(y))).astype(dtype)), *behind]

    return case


def _of_one(function: Any, change: Any = lambda x: x) -> Case:
    def case(x: Array, y: Array, dtype: np.dtype[Any]) -> list[Any]:
        given = change(x)
        return [given, Out(np.asarray(function(wide(given))).astype(dtype))]

    return case


def _compared(function: Any, scalar: bool) -> Case:
    return lambda x, y, dtype: [x, 1 if scalar else y, Out(function(wide(x), 1 if scalar else wide(y)))]


CASES: dict[str, tuple[Case, tuple[str, ...]]] = {}
CASES |= {name: (_of_one(function), kinds) for name, (function, kinds) in UNARY.items()}
CASES |= {name: (_of_one(function, lambda x: abs(x) + x.dtype.type(1)), FLOATS) for name, function in POSITIVE.items()}
CASES |= {name: (_of_one(function, lambda x: (x / x.dtype.type(16)).astype(x.dtype)), FLOATS) for name, function in SMALL.items()}
CASES |= {
    f"{name}{kind}": (_compared(function, kind == "Scalar"), NUMBERS)
    for name, function in COMPARED.items()
    for kind in ("Tensor", "Scalar")
}
CASES |= {name: (_of_two(given, want, [1] if name in BEHIND else []), kinds) for name, (given, want, kinds) in TWO.items()}
