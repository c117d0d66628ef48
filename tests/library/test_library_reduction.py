# SPDX-License-Identifier: Apache-2.0
"""Sum, Mean, reductions with a pattern and ReduceXorSum."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from library_image import Array, Image
from library_rows import Float64, near_sum, padded, pitch_of
from numpy.typing import DTypeLike

from aclimb.errors import Misuse
from aclimb.tiling import library

TMP, FREE_UB = 0, 1
TYPES: dict[str, DTypeLike] = {"float": np.float32, "half": np.float16, "uint8_t": np.uint8}


def made(kernel: str, results: int, x: Array, more: tuple[int, ...], scratch: int, form: int = TMP) -> Array:
    image = Image()
    z, source = image.add(np.full(results, 7, x.dtype)), image.add(x)
    if form == TMP:
        image.scratch(scratch)
    image.run("reduction", kernel, form=form, more=more)
    np.testing.assert_array_equal(image.of(source), image.was(source))
    return image.of(z)


def near_terms(got: Array, expected: Float64, terms: Float64, n: int) -> None:
    """Within 1e-6 * (log2(n) + 1) of the sum of the terms' magnitudes."""
    error = np.abs(got.astype(np.float64) - expected)
    assert (error <= 1e-6 * (math.log2(max(n, 2)) + 1) * np.abs(terms)).all()


# --- rows
def sums(dtype: str, rows: int, inner: int, n: int, least: bool, form: int = TMP, kernel: str = "") -> tuple[Array, Array]:
    x = padded(np.random.default_rng(n).normal(0, 1, (rows, n)), TYPES[dtype], inner)
    call = kernel.split("_")[0] or "Sum"
    size = x.itemsize
    arguments = (n, size) if call == "Sum" else (n, size, 4 if kernel.endswith("float") else 2)
    got = made(kernel or f"Sum_{dtype}", rows, x, (rows, inner, n), library.other_sizes(call, *arguments)[least], form)
    return got, x[:, :n]


def tree(row: Array) -> np.generic:
    """Neighbours in pairs, each sum rounded to the type."""
    lanes = 256 // row.itemsize
    values = np.zeros(lanes, row.dtype)
    values[: row.size] = row
    while values.size > 1:
        values = values[::2] + values[1::2]
    return values[0]


@pytest.mark.requirement("lib-37")
@pytest.mark.parametrize("dtype", ["float", "half"])
@pytest.mark.parametrize(("rows", "n"), [(1, 1), (5, 7), (300, 8), (40, 63), (3, 64), (9, 60)])
def test_sum_of_one_repeat_is_the_tree(dtype: str, rows: int, n: int) -> None:
    got, x = sums(dtype, rows, pitch_of(n + 3, np.dtype(TYPES[dtype]).itemsize), n, False)
    np.testing.assert_array_equal(got, [tree(row) for row in x])


@pytest.mark.requirement("lib-37", "lib-3")
@settings(max_examples=15, deadline=None)
@given(rows=st.integers(1, 40), n=st.integers(1, 300), form=st.sampled_from([TMP, FREE_UB]))
def test_sum_of_rows(rows: int, n: int, form: int) -> None:
    inner = pitch_of(n, 4) + 8
    got, x = sums("float", rows, inner, n, False, form)
    near_terms(got, x.astype(np.float64).sum(1), np.abs(x).astype(np.float64).sum(1), n)
    np.testing.assert_array_equal(got, sums("float", rows, inner, n, True)[0])


@pytest.mark.requirement("lib-37", "lib-3")
@pytest.mark.parametrize(("rows", "n"), [(1, 20000), (2, 2048), (3, 4161), (2, 8200), (1, 16400)])
def test_sum_of_long_rows(rows: int, n: int) -> None:
    got, x = sums("float", rows, pitch_of(n, 4), n, True)
    near_terms(got, x.astype(np.float64).sum(1), np.abs(x).astype(np.float64).sum(1), n)
    np.testing.assert_array_equal(got, sums("float", rows, pitch_of(n, 4), n, False)[0])


@pytest.mark.requirement("lib-37")
@pytest.mark.parametrize(("rows", "n"), [(4, 129), (20, 200), (2, 9000)])
def test_sum_of_half_is_added_in_half(rows: int, n: int) -> None:
    got, x = sums("half", rows, pitch_of(n, 2), n, False)
    wide = x.astype(np.float64)
    assert (np.abs(got.astype(np.float64) - wide.sum(1)) <= 2**-11 * (math.log2(n) + 1) * np.abs(wide).sum(1)).all()
    np.testing.assert_array_equal(got, sums("half", rows, pitch_of(n, 2), n, True)[0])


@pytest.mark.requirement("lib-38")
@pytest.mark.parametrize("kernel", ["Mean_float", "Mean_half_float"])
@pytest.mark.parametrize(("rows", "n"), [(1, 1), (40, 33), (19, 200), (3, 2100)])
def test_mean(kernel: str, rows: int, n: int) -> None:
    dtype = kernel.split("_")[1]
    for least, form in ((True, TMP), (False, TMP), (False, FREE_UB)):
        got, x = sums(dtype, rows, pitch_of(n, np.dtype(TYPES[dtype]).itemsize), n, least, form, kernel)
        near_sum(got, x.astype(np.float64).mean(1), n)


@pytest.mark.requirement("lib-38")
def test_mean_of_half_in_half() -> None:
    got, x = sums("half", 70, 48, 33, True, TMP, "Mean_half")
    expected = np.array([np.float16(np.float32(tree(row)) * np.float32(1 / 33)) for row in x])
    np.testing.assert_array_equal(got, expected)


@pytest.mark.requirement("lib-38")
def test_mean_of_half_in_float_does_not_overflow() -> None:
    x = np.full((1, 4096), 60000, np.float16)
    got = made("Mean_half_float", 1, x, (1, 4096, 4096), library.other_sizes("Mean", 4096, 2, 4)[1])
    assert got[0] == np.float16(60000)


# --- patterns

REDUCTIONS: dict[str, Callable[[Float64, int], Float64]] = {
    "ReduceSum": lambda x, axis: x.sum(axis),
    "ReduceMean": lambda x, axis: x.mean(axis),
    "ReduceProd": lambda x, axis: x.prod(axis),
    "ReduceMax": lambda x, axis: x.max(axis),
    "ReduceMin": lambda x, axis: x.min(axis),
    "ReduceAny": lambda x, axis: x.max(axis),
    "ReduceAll": lambda x, axis: x.min(axis),
}
PATTERNS = [(call, "float") for call in REDUCTIONS] + [
    ("ReduceMax", "half"),
    ("ReduceMin", "half"),
    ("ReduceAny", "uint8_t"),
    ("ReduceAll", "uint8_t"),
]


def check_pattern(call: str, dtype: str, pattern: str, rows: int, columns: int, form: int) -> None:
    random = np.random.default_rng(rows * columns)
    if call in {"ReduceAny", "ReduceAll"}:
        values = (random.random((rows, columns)) < (0.02 if call == "ReduceAny" else 0.98)).astype(np.float64)
    else:
        values = random.uniform(0.7, 1.4, (rows, columns)) if call == "ReduceProd" else random.normal(0, 1, (rows, columns))
    size = np.dtype(TYPES[dtype]).itemsize
    x = padded(values, TYPES[dtype], pitch_of(columns, size))
    keeps_rows = pattern == "AR"
    most, least = library.other_sizes(call, keeps_rows, rows, columns, size)
    assert most == least
    got = made(f"{call}_{dtype}_{pattern}", rows if keeps_rows else columns, x, (rows, columns), least, form)
    wide = x[:, :columns].astype(np.float64)
    expected = REDUCTIONS[call](wide, int(keeps_rows))
    if call in {"ReduceSum", "ReduceMean"}:
        near_terms(got, expected, REDUCTIONS[call](np.abs(wide), int(keeps_rows)), columns if keeps_rows else rows)
    elif call == "ReduceProd":
        near_sum(got, expected, columns if keeps_rows else rows)
    else:
        np.testing.assert_array_equal(got, expected.astype(got.dtype))


@pytest.mark.requirement("lib-39")
@pytest.mark.parametrize(("call", "dtype"), PATTERNS)
@pytest.mark.parametrize("pattern", ["AR", "RA"])
@settings(max_examples=6, deadline=None)
@given(rows=st.integers(1, 70), columns=st.integers(1, 200), form=st.sampled_from([TMP, FREE_UB]))
def test_patterns(call: str, dtype: str, pattern: str, rows: int, columns: int, form: int) -> None:
    check_pattern(call, dtype, pattern, rows, columns, form)


@pytest.mark.requirement("lib-39")
@pytest.mark.parametrize("call", ["ReduceSum", "ReduceProd", "ReduceMax"])
@pytest.mark.parametrize(("pattern", "rows", "columns"), [("AR", 3, 2500), ("RA", 1500, 8), ("RA", 7, 2600), ("AR", 1000, 3)])
def test_patterns_of_long_axes(call: str, pattern: str, rows: int, columns: int) -> None:
    check_pattern(call, "float", pattern, rows, columns, TMP)


@pytest.mark.requirement("lib-3", "lib-5", "lib-39")
def test_wrong_uses() -> None:
    x = np.ones((4, 128), np.float32)
    least = library.other_sizes("Sum", 128, 4)[1]
    with pytest.raises(Misuse, match=rf"sharedTmpBuffer of Sum has {least - 32} bytes.*{least}"):
        made("Sum_float", 4, x, (4, 128, 128), least - 32)
    with pytest.raises(Misuse, match="n of a row is 129; it takes 1 to 128"):
        made("Sum_float", 4, x, (4, 128, 129), least)
    image = Image()
    image.same_place(image.add(x))
    image.scratch(4096)
    with pytest.raises(Misuse, match="dst and src of ReduceSum share bytes"):
        image.run("reduction", "ReduceSum_float_RA", more=(4, 128))


# --- exclusive or
@pytest.mark.requirement("lib-40", "lib-3")
@pytest.mark.parametrize("count", [1, 31, 64, 700, 5000])
@pytest.mark.parametrize("way", ["small", "any", "above", "below"])
def test_xor_sum(count: int, way: str) -> None:
    random = np.random.default_rng(count)
    a, b = (random.integers(-32768, 32768, count).astype(np.int16) for _ in range(2))
    if way == "small":
        b = a ^ random.integers(-3, 4, count).astype(np.int16)
    elif way != "any":
        b = a ^ np.int16(32767 if way == "above" else -32768)
    expected = int(np.clip((a ^ b).astype(np.int64).sum(), -32768, 32767))
    most, least = library.other_sizes("ReduceXorSum", count)
    for form, scratch in ((TMP, most), (TMP, least), (FREE_UB, 0)):
        image = Image()
        z = image.add(np.full(16, 7, np.int16))
        sources = [image.add(a), image.add(b)]
        if form == TMP:
            image.scratch(scratch)
        image.run("reduction", "ReduceXorSum_int16_t", count, form)
        assert image.of(z).tolist() == [expected] + [7] * 15
        for source in sources:
            np.testing.assert_array_equal(image.of(source), image.was(source))
