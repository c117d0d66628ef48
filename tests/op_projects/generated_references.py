# SPDX-License-Identifier: Apache-2.0
"""What the operators of projects/ compute, in NumPy, each under the name of its kernel. `aclimb op test` reads a copy of it as check.py.

The tests' inputs are multiples of a half and small, so that every result is exact in every type that the operators have; those of `op test`
are not, and what kernels round in between is rounded here, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aclimb import knobs

Array = NDArray[Any]
ATTRS = {"pick": {"low": -2.0}}  # for `op test`, as SAMPLES


def x_and_a_row(shape: tuple[int, ...], dtype: Any) -> tuple[Array, Array]:
    x = np.random.default_rng(1).integers(-16, 17, shape).astype(dtype)
    return x, x.reshape(-1)[: shape[-1]]


SAMPLES = {"maybe_bias": x_and_a_row}


def wide(x: Array) -> NDArray[np.float64]:
    return np.asarray(x).astype(np.float64)


def rounded_twice(x: Array, factor: float, addend: float) -> Array:
    """x * factor, and then + addend, each in the type of x."""
    return (wide((wide(x) * factor).astype(x.dtype)) + addend).astype(x.dtype)


def scale_shift(x: Array, scale: int = 2, shift: int = -1) -> Array:
    return (wide(x) * scale + shift).astype(x.dtype)


def weigh_segments(x: Array) -> Array:
    flat, half, made = wide(x).ravel(), x.size // 2, []
    for begin, end, weight, sign in ((0, half, 0.5, 1), (half, x.size, 0.25, -1)):
        tile = np.arange(end - begin) // 64
        weights = weight * np.array([1, 2, 4])
        made.append(sign * flat[begin:end] * weights[tile % 3] + np.array([1, -2, 3, -4, 5])[tile % 5] + (tile % 3 == 1))
    return np.concatenate(made).reshape(x.shape).astype(x.dtype)


def by_key(x: Array, mode: int = 0) -> Array:
    return (-wide(x), wide(x) + 1.5, wide(x) * 0.5)[mode].astype(x.dtype)


def pick(x: Array, low: float, high: float = 0.0) -> Array:
    return np.clip(x, low, high if high > low else None)


def odd_fields(x: Array, negative: bool = False, large: int = 4, added: Sequence[bool] = (True, False, True)) -> Array:
    factor, addend = (1.25 if negative else -1.25), large + (not negative) + sum(added) + 0.5 - 3
    return rounded_twice(x, factor, addend)


def maybe_bias(
    x: Array, bias: Array | None = None, alpha: float = 2.0, activation: str = "none", offsets: Sequence[int] = (3, -5)
) -> Array:
    y = rounded_twice(x, alpha, sum(offsets))
    y = np.maximum(y, 0) if activation == "relu" else y
    return y if bias is None else (wide(y) + wide(bias)).astype(x.dtype)


def join_many(x: Array, y: Sequence[Array]) -> Array:
    return np.concatenate([x.ravel(), *(each.ravel() * (i + 1) for i, each in enumerate(y))]).astype(x.dtype)


def turn_type(x: Array, extra: float = 0.0) -> Array:
    return (2 * wide(x) + extra).astype(np.float16 if x.dtype == np.float32 else np.float32)


def raise_floor(x: Array, edge: float = 4.0) -> Array:
    return np.maximum(wide(x), edge).astype(x.dtype)


def lower_roof(x: Array, edge: float = 4.0) -> Array:
    return np.minimum(wide(x), edge).astype(x.dtype)


def grow_by_option(x: Array) -> Array:
    return (wide(x) * (3 if "910B" in knobs.soc() else 5) + 1.5).astype(x.dtype)


def grow_plain(x: Array) -> Array:
    return (wide(x) * 2 + 1.5).astype(x.dtype)


def renamed(x: Array) -> Array:
    return (wide(x) + 11).astype(x.dtype)


def chosen(x: Array) -> Array:
    return (wide(x) + 22).astype(x.dtype)


def deeper(x: Array) -> Array:
    return (wide(x) + 33).astype(x.dtype)


def no_room(x: Array) -> Array:
    return (wide(x) * 3).astype(x.dtype)


empty_room = own_room = no_room


def per_chip(x: Array) -> Array:
    return (wide(x) * 2).astype(x.dtype)


def part_structs(x: Array, addend: int = -7) -> Array:
    return (200 + addend - wide(x)).astype(x.dtype)


def mixed_product(a: Array, b: Array, addend: float = 0.5) -> Array:
    return (wide(a) @ wide(b) + addend).astype(np.float32)


def from_words(x: Array, first: int = 7, count: int = 3) -> Array:
    """`first` and `count` are what the command line said when the project was built."""
    return (wide(x) + count * first + count * (count - 1) // 2).astype(x.dtype)
