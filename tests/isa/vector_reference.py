# SPDX-License-Identifier: Apache-2.0
"""What the vector instructions mean, in NumPy: the test rows, and a slow model of repeats, strides and masks.

A new lane-wise instruction needs one row in ROWS; the matrix of test_vector_lanes.py grows from it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from core import BLOCK_BYTES, NUMPY, Array, Strides, lanes_of, mask_bits

Meaning = Callable[[Any, Any, Any], Any]  # (old destination, a, b or scalar) in the wide type


@dataclass(frozen=True)
class Row:
    types: str
    meaning: Meaning
    sources: int = 2
    scalar: Any = None  # the scalar operand, where there is one
    values: str = "any"  # "positive", "small": where the interesting results are
    ulp: int = 0  # float results may differ from the correctly rounded one by this much
    source: str | None = None  # element type of the sources, where it differs
    product: bool = False  # a is multiplied by the scalar and rounded to the destination's type before the meaning has it


def relu(x: Any) -> Any:
    return np.maximum(x, 0) + 0  # -0 + 0 is +0


def f64(function: Callable[[Any], Any]) -> Meaning:
    return lambda d, a, b: function(a.astype(np.float64))


ARITHMETIC = "half f32 i16 i32"
ROWS: dict[str, Row] = {
    "vadd": Row(ARITHMETIC, lambda d, a, b: a + b),
    "vsub": Row(ARITHMETIC, lambda d, a, b: a - b),
    "vmul": Row(ARITHMETIC, lambda d, a, b: a * b),
    "vdiv": Row("half f32", lambda d, a, b: a / b),
    "vmax": Row(ARITHMETIC, lambda d, a, b: np.maximum(a, b)),
    "vmin": Row(ARITHMETIC, lambda d, a, b: np.minimum(a, b)),
    "vand": Row("i16 u16", lambda d, a, b: a & b),
    "vor": Row("i16 u16", lambda d, a, b: a | b),
    "vaddrelu": Row("half f32 i16", lambda d, a, b: relu(a + b)),
    "vsubrelu": Row("half f32 i16", lambda d, a, b: relu(a - b)),
    "vmla": Row("half f32", lambda d, a, b: d + a * b),
    "vmla float += half": Row("f32", lambda d, a, b: d + a * b, source="half"),
    "vmadd": Row("half f32", lambda d, a, b: a * d + b),
    "vmaddrelu": Row("half f32", lambda d, a, b: relu(a * d + b)),
    "vadds": Row(ARITHMETIC, lambda d, a, s: a + s, 1, 3),
    "vmuls": Row(ARITHMETIC, lambda d, a, s: a * s, 1, 3),
    "vmaxs": Row(ARITHMETIC, lambda d, a, s: np.maximum(a, s), 1, 3),
    "vmins": Row(ARITHMETIC, lambda d, a, s: np.minimum(a, s), 1, 3),
    "vlrelu": Row("half f32", lambda d, a, s: np.where(a >= 0, a, a * s), 1, 0.125),
    "vshl": Row("i16 u16 i32 u32", lambda d, a, s: a << s, 1, 5),
    "vshr": Row("i16 u16 i32 u32", lambda d, a, s: a >> s, 1, 5),
    "vaxpy": Row("half f32", lambda d, p, s: d + p, 1, 1.5009765625, product=True),
    "vaxpy float += half": Row("f32", lambda d, p, s: d + p, 1, 1.5009765625, source="half", product=True),
    "vexp": Row("half f32", f64(np.exp), 1, values="small", ulp=1),
    "vln": Row("half f32", f64(np.log), 1, values="positive", ulp=1),
    "vabs": Row("half f32", lambda d, a, b: np.abs(a), 1),
    "vsqrt": Row("half f32", f64(np.sqrt), 1, values="positive"),
    "vrsqrt": Row("half f32", f64(lambda a: 1 / np.sqrt(a)), 1, values="positive"),
    "vrec": Row("half f32", f64(lambda a: 1 / a), 1),
    "vrelu": Row("half f32 i32", lambda d, a, b: relu(a), 1),
    "vnot": Row("i16 u16", lambda d, a, b: ~a, 1),
}


def widen(array: Any, dtype: str) -> Any:
    return np.asarray(array).astype(np.float32 if dtype in ("half", "f32", "bf16") else np.int64)


def narrow(wide: Any, dtype: str, saturate: bool = False) -> Array:
    """Rounded once, integers cut to their low bits. Saturating: the largest finite value, 0 for NaN, clamped."""
    with np.errstate(all="ignore"):
        if dtype == "f32":
            return np.asarray(wide).astype(np.float32)
        if dtype in ("half", "bf16"):
            result = np.asarray(wide).astype(NUMPY[dtype])
            if saturate:
                largest = 65504.0 if dtype == "half" else float.fromhex("0x1.fep127")
                finite = np.clip(np.nan_to_num(result.astype(np.float64), nan=0.0), -largest, largest)
                return np.asarray(finite.astype(NUMPY[dtype]))
            return result
        info = np.iinfo(NUMPY[dtype])
        if saturate:
            return np.asarray(np.clip(wide, info.min, info.max).astype(NUMPY[dtype]))
        return np.asarray(wide).astype(NUMPY[dtype])


def compute(row: Row, dtype: str, d: Array, a: Array, b: Any, saturate: bool = False) -> Array:
    source = row.source or dtype
    saturate = saturate and not _never_saturates(row, dtype)
    with np.errstate(all="ignore"):
        first = widen(a, source)
        if row.product:
            first = widen(narrow(first * widen(b, source), dtype, saturate), dtype)
        wide = row.meaning(widen(d, dtype), first, widen(b, source) if b is not None else None)
    return narrow(wide, dtype, saturate)


def _never_saturates(row: Row, dtype: str) -> bool:
    return row is ROWS["vshl"] or dtype in ("u16", "u32")


def lane_positions(dtype: str, lanes: int, repeat: int, stride: Strides) -> Array:
    """Element number of each lane of a repeat, from the operand's start."""
    block_lanes = BLOCK_BYTES // np.dtype(NUMPY[dtype]).itemsize
    lane = np.arange(lanes)
    block, within = lane // block_lanes, lane % block_lanes
    return np.asarray((repeat * stride[1] + block * stride[0]) * block_lanes + within)


def selected(mask: int | Sequence[int] | None, lanes: int) -> Array:
    low, high = mask_bits(mask)
    bits = low | high << 64
    return np.array([bits >> lane & 1 for lane in range(lanes)], bool)


def model(
    name: str,
    dtype: str,
    ub: Array,
    at: Sequence[int],
    *,
    mask: int | Sequence[int] | None = None,
    repeat: int = 1,
    strides: Sequence[Strides],
    ctrl: int = 0,
) -> Array:
    """The UB after a masked lane-wise instruction. Repeats run one after the other; each reads before it writes."""
    row = ROWS[name]
    source = row.source or dtype
    lanes = lanes_of(dtype, source)
    chosen = selected(mask, lanes)
    ub = ub.copy()

    def operand(which: int, kind: str) -> Array:
        size = np.dtype(NUMPY[kind]).itemsize
        whole = ub[at[which] :]
        return whole[: len(whole) // size * size].view(NUMPY[kind])

    for r in range(repeat):
        to = lane_positions(dtype, lanes, r, strides[0])[chosen]
        d, old = operand(0, dtype), operand(0, dtype)[to]
        a = operand(1, source)[lane_positions(source, lanes, r, strides[1])[chosen]]
        b = operand(2, source)[lane_positions(source, lanes, r, strides[2])[chosen]] if row.sources == 2 else row.scalar
        d[to] = compute(row, dtype, old, a, b, bool(ctrl & 1))
    return ub


def values(random: np.random.Generator, dtype: str, count: int, kind: str = "any") -> Array:
    """Numbers that reach overflow, underflow and wrap-around now and then; finite."""
    if dtype in ("half", "f32", "bf16"):
        if kind == "small":
            return random.uniform(-12, 12, count).astype(NUMPY[dtype])
        scale = np.exp2(random.uniform(-14, 14 if dtype == "half" else 60, count))
        numbers = random.uniform(0.5, 1.9, count) * scale
        if kind != "positive":
            numbers *= random.choice([-1, 1], count)
        return numbers.astype(NUMPY[dtype])
    info = np.iinfo(NUMPY[dtype])
    return random.integers(info.min, info.max, count, NUMPY[dtype], endpoint=True)


def ulps(actual: Array, expected: Array) -> Array:
    """Distance in representable values; 0 for two NaNs."""
    integer = np.int16 if actual.dtype.itemsize == 2 else np.int32

    def order(array: Array) -> Array:
        bits = array.view(integer).astype(np.int64)
        return np.where(bits < 0, np.iinfo(integer).min - bits, bits)

    return np.where(np.isnan(actual) & np.isnan(expected), 0, np.abs(order(actual) - order(expected)))


def assert_lanes(actual: Array, expected: Array, allowed: int = 0) -> None:
    if allowed:
        assert ulps(actual, expected).max() <= allowed
    else:
        np.testing.assert_array_equal(actual, expected)
