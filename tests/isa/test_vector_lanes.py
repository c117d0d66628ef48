# SPDX-License-Identifier: Apache-2.0
"""Every lane-wise instruction, type and call shape against NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from core import NUMPY, SATURATE, UB_BYTES, Array, Core, lanes_of
from core import ROWS as TABLE
from vector_reference import ROWS, Row, assert_lanes, compute, model, values

from aclimb import _engine

CASES = [(name, dtype) for name, row in ROWS.items() for dtype in row.types.split()]
LANE_SHAPES = {"binary", "accumulate", "scalar_lane", "scalar_accumulate", "unary"}
STRIDES = [((1, 8), (1, 8), (1, 8)), ((1, 8), (1, 0), (0, 8)), ((2, 17), (3, 25), (1, 9)), ((5, 1), (1, 8), (1, 11))]


def op(name: str) -> str:
    return name.split()[0]


def operands(row: Row, dtype: str, count: int, random: np.random.Generator) -> tuple[Array, list[Array]]:
    source = row.source or dtype
    dst = values(random, dtype, count)
    return dst, [values(random, source, count, row.values) for _ in range(row.sources)]


def allowed_ulp(row: Row, dtype: str) -> int:
    return row.ulp if dtype == "f32" else 0


def scalar_of(row: Row) -> object:
    return 0 if row.scalar is None else row.scalar


def test_every_lane_wise_instruction_has_a_row_here() -> None:
    assert {name for name, shape in TABLE if shape in LANE_SHAPES} == {op(name) for name in ROWS}


@pytest.mark.parametrize("count", [1, 7, 64, 128, 1000])
@pytest.mark.parametrize(("name", "dtype"), CASES)
def test_counted_form_matches_numpy(core: Core, random: np.random.Generator, name: str, dtype: str, count: int) -> None:
    row = ROWS[name]
    dst, sources = operands(row, dtype, count + 9, random)
    expected = dst.copy()
    b = sources[1][:count] if row.sources == 2 else row.scalar
    expected[:count] = compute(row, dtype, dst[:count], sources[0][:count], b)
    actual = core.run(op(name), *sources, dst=dst, count=count, scalar=scalar_of(row))
    assert_lanes(actual, expected, allowed_ulp(row, dtype))


@pytest.mark.parametrize("strides", STRIDES)
@pytest.mark.parametrize(("mask", "repeat"), [(1, 1), (7, 3), (None, 1), (None, 3), ((0xF0F0_1234_8001_7FFE, 0x8000_0000_0001_FFFF), 4)])
@pytest.mark.parametrize(("name", "dtype"), CASES)
def test_masked_form_matches_the_slow_model(
    core: Core, random: np.random.Generator, name: str, dtype: str, mask: Any, repeat: int, strides: Any
) -> None:
    row = ROWS[name]
    source = row.source or dtype
    at = (0, 32768, 65536)
    ub = np.zeros(UB_BYTES, np.uint8)
    for address, kind in zip(at, (dtype, source, source), strict=True):
        count = 32768 // np.dtype(NUMPY[kind]).itemsize
        numbers = values(random, kind, count, row.values if address else "any")
        ub[address : address + 32768] = numbers.view(np.uint8)
    expected = model(name, dtype, ub, at, mask=mask, repeat=repeat, strides=strides)
    empty = np.zeros(32768, np.uint8).view(NUMPY[dtype])
    sources = [np.zeros(32768, np.uint8).view(NUMPY[row.source or dtype])] * row.sources
    done = core.details(
        op(name),
        *sources,
        dst=empty,
        at=at[: 1 + row.sources],
        ub=ub,
        mask=mask,
        repeat=repeat,
        strides=strides,
        scalar=scalar_of(row),
    )
    assert_lanes(done.ub.view(NUMPY[dtype]), expected.view(NUMPY[dtype]), allowed_ulp(row, dtype))


@pytest.mark.parametrize(("name", "dtype"), [("vadd", "half"), ("vmul", "f32"), ("vsub", "i16"), ("vmuls", "i32")])
def test_255_repeats_are_one_long_run(core: Core, random: np.random.Generator, name: str, dtype: str) -> None:
    row = ROWS[name]
    count = 255 * lanes_of(dtype)
    dst = np.zeros(count, NUMPY[dtype])
    sources = [values(random, dtype, count) for _ in range(row.sources)]
    sources = sources[:1] * row.sources  # two operands of 255 repeats are all the UB holds
    at = (0, count * dst.itemsize, count * dst.itemsize)[: 1 + row.sources]
    actual = core.run(name, *sources, dst=dst, at=at, repeat=255, scalar=scalar_of(row))
    expected = compute(row, dtype, dst, sources[0], sources[0] if row.sources == 2 else row.scalar)
    np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize(("name", "dtype"), CASES)
def test_saturating_form_clamps_what_numpy_overflows(core: Core, random: np.random.Generator, name: str, dtype: str) -> None:
    row = ROWS[name]
    dst, sources = operands(row, dtype, 999, random)
    b = sources[1] if row.sources == 2 else row.scalar
    expected = compute(row, dtype, dst, sources[0], b, saturate=True)
    actual = core.run(op(name), *sources, dst=dst, count=999, scalar=scalar_of(row), ctrl=SATURATE)
    assert_lanes(actual, expected, allowed_ulp(row, dtype))


@pytest.mark.parametrize(("name", "dtype"), CASES)
def test_all_bit_patterns_agree_on_every_level(core: Core, random: np.random.Generator, level: str, name: str, dtype: str) -> None:
    """NaN payloads, infinities and subnormals included: the bits of this level are those of the fastest one."""
    row = ROWS[name]
    bits = [random.integers(0, 256, 8192, np.uint8) for _ in range(1 + row.sources)]
    special = np.array([0x7C01, 0x7E00, 0xFC00, 0x7C00, 0x8000, 0, 1, 0x83FF], np.uint16)
    for each in bits:
        each[:16] = random.permutation(special).view(np.uint8)
    dst = bits[0].view(NUMPY[dtype])
    sources = [each.view(NUMPY[row.source or dtype])[: len(dst)] for each in bits[1:]]
    for ctrl in (0, SATURATE):
        run: dict[str, Any] = {"dst": dst, "count": len(dst) - 3, "scalar": scalar_of(row), "ctrl": ctrl}
        here = core.run(op(name), *sources, **run)
        _engine.set_simd_level("")
        fastest = core.run(op(name), *sources, **run)
        _engine.set_simd_level(level)
        assert here.tobytes() == fastest.tobytes()


def test_exp_and_ln_of_every_half_are_correctly_rounded(core: Core, level: str) -> None:
    every = np.arange(65536, dtype=np.uint16).view(np.float16)
    for name, function in (
        ("vexp", np.exp),
        ("vln", np.log),
        ("vsqrt", np.sqrt),
        ("vrsqrt", lambda x: 1 / np.sqrt(x)),
        ("vrec", lambda x: 1 / x),
    ):
        for part in np.split(every, 2):
            with np.errstate(all="ignore"):
                expected = function(part.astype(np.longdouble)).astype(np.float16)
            np.testing.assert_array_equal(core.run(name, part, dst=np.zeros_like(part), count=len(part)), expected)


@pytest.mark.parametrize(("name", "function"), [("vexp", np.exp), ("vln", np.log)])
def test_float_exp_and_ln_are_nearly_always_correctly_rounded(
    core: Core, random: np.random.Generator, name: str, function: Callable[[Any], Any]
) -> None:
    numbers = random.uniform(-104, 89, 20000) if name == "vexp" else np.exp(random.uniform(-103, 88, 20000))
    a = numbers.astype(np.float32)
    with np.errstate(all="ignore"):
        expected = function(a.astype(np.longdouble)).astype(np.float32)
    actual = core.run(name, a, dst=np.zeros_like(a), count=len(a))
    distance = np.abs(actual.view(np.int32).astype(np.int64) - expected.view(np.int32))
    assert distance.max() <= 1
    assert np.count_nonzero(distance) <= 2
