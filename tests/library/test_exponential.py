# SPDX-License-Identifier: Apache-2.0
"""Exp, logarithms and Power against float64, Power of int32_t against integers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from library_image import BARE, COUNTED, WITH_COUNT, Array, Call, near
from numpy.typing import NDArray

Float64 = NDArray[np.float64]
TYPES = {"float": np.float32, "half": np.float16}
LOGARITHMS = {"Log": np.log, "Log2": np.log2, "Log10": np.log10}
FLOATS = st.floats(width=32) | st.sampled_from([0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -2.0, 3.0, -3.0, math.inf, -math.inf, math.nan])


def exponential(level: int) -> Call:
    return Call("exponential", f"Exp{level}", forms=COUNTED, needs="Exp")


@pytest.mark.requirement("lib-9", "lib-3", "lib-4", "lib-6")
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("level", [0, 10, 255])
@settings(max_examples=3, deadline=None)
@given(count=st.integers(1, 500), seed=st.integers(0, 99))
def test_exp(level: int, dtype: str, count: int, seed: int) -> None:
    x = np.random.default_rng(seed).uniform(-80, 80, count + 3).astype(TYPES[dtype])
    with np.errstate(over="ignore"):
        near(exponential(level).all_ways([x], count), np.exp(x[:count].astype(np.float64)))


@pytest.mark.requirement("lib-9")
def test_a_low_level_is_the_short_series() -> None:
    x = np.random.default_rng(2).uniform(-5, 5, 300).astype(np.float32)
    wide = x.astype(np.float64)
    f = wide - np.floor(wide)
    near(exponential(3).all_ways([x], 300), np.exp(np.floor(wide)) * (1 + f + f**2 / 2 + f**3 / 6))


@pytest.mark.requirement("lib-9")
@pytest.mark.parametrize("name", ["Exp0", "Exp10", "BasicExp"])
def test_exp_far_out(name: str) -> None:
    x = np.array([math.inf, -math.inf, math.nan, 0, 89, -110], np.float32)
    got = Call("exponential", name, needs="Exp").run([x], x.size, WITH_COUNT, 0)
    np.testing.assert_array_equal(got, [math.inf, 0, math.nan, 1, math.inf, 0])


@pytest.mark.requirement("lib-10", "lib-3", "lib-4", "lib-6")
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", LOGARITHMS)
@settings(max_examples=3, deadline=None)
@given(count=st.integers(1, 500), seed=st.integers(0, 99))
def test_logarithms(name: str, dtype: str, count: int, seed: int) -> None:
    x = np.exp(np.random.default_rng(seed).uniform(-10, 10, count + 3)).astype(TYPES[dtype])
    special = [0, -1, math.inf, math.nan, -0.0, -math.inf]
    x[: min(count, 6)] = special[: min(count, 6)]
    forms = (0, 1, 2, 3) if name == "Log2" else (WITH_COUNT, BARE)
    with np.errstate(divide="ignore", invalid="ignore"):
        near(Call("exponential", name, forms=forms).all_ways([x], count), LOGARITHMS[name](x[:count].astype(np.float64)))


def power(x: Array, y: Array) -> Float64:
    with np.errstate(all="ignore"):
        return np.power(x.astype(np.float64), y.astype(np.float64))


@pytest.mark.requirement("lib-14")
@pytest.mark.parametrize("name", ["Power", "PowerByPairs"])
def test_power_of_positive_bases_over_the_whole_range(name: str) -> None:
    random = np.random.default_rng(3)
    x = np.exp(random.uniform(-100, 88, 3000)).astype(np.float32)
    y = (random.uniform(-100, 88, 3000) / np.log(x.astype(np.float64))).astype(np.float32)
    x[:1000] = random.uniform(0.99, 1.01, 1000)
    y[:1000] = random.uniform(-8000, 8000, 1000)
    near(Call("exponential", name, 2, needs="Power").run([x, y], 3000, WITH_COUNT, 0), power(x, y))


@pytest.mark.requirement("lib-14")
@settings(max_examples=40, deadline=None)
@given(pairs=st.lists(st.tuples(FLOATS, FLOATS), min_size=1, max_size=40))
def test_power_of_anything_is_that_of_ieee_754(pairs: list[tuple[float, float]]) -> None:
    x, y = (np.array(each, np.float32) for each in zip(*pairs, strict=True))
    near(Call("exponential", "Power", 2).run([x, y], x.size, WITH_COUNT, 0), power(x, y))


@pytest.mark.requirement("lib-14", "lib-3", "lib-4", "lib-6")
@pytest.mark.parametrize("dtype", TYPES)
@settings(max_examples=4, deadline=None)
@given(count=st.integers(1, 200), seed=st.integers(0, 99))
def test_power_of_any_length_and_form(dtype: str, count: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    x = random.uniform(0, 4, count + 3).astype(TYPES[dtype])
    y = random.uniform(-3, 3, count + 3).astype(TYPES[dtype])
    y[:2] = 0
    near(Call("exponential", "Power", 2).all_ways([x, y], count), power(x, y)[:count])
    three = np.full_like(x, 3)
    bits = (int(np.float32(3).view(np.uint32)),)
    near(Call("exponential", "PowerOfTensor", needs="Power", more=bits).all_ways([x], count), power(x, three)[:count])
    near(Call("exponential", "PowerOfScalar", needs="Power", more=bits).all_ways([y], count), power(three, y)[:count])


@pytest.mark.requirement("lib-14")
@settings(max_examples=5, deadline=None)
@given(pairs=st.lists(st.tuples(st.integers(-(2**31), 2**31 - 1), st.integers(0, 2**31 - 1)), min_size=1, max_size=90))
def test_power_of_integers_wraps(pairs: list[tuple[int, int]]) -> None:
    pairs = [*pairs, (0, 0), (7, 0), (-3, 3), (2, 31), (-1, 2**31 - 1), (10, 9)]
    x, y = (np.array(each, np.int32) for each in zip(*pairs, strict=True))
    exact = np.array([pow(a, b, 2**32) for a, b in pairs], np.uint32).view(np.int32)
    np.testing.assert_array_equal(Call("exponential", "Power", 2).all_ways([x, y], x.size), exact)
    bits = (int(np.float32(5).view(np.uint32)),)
    fifth = np.array([pow(a, 5, 2**32) for a, _ in pairs], np.uint32).view(np.int32)
    np.testing.assert_array_equal(Call("exponential", "PowerOfTensor", needs="Power", more=bits).all_ways([x], x.size), fifth)
    of_five = np.array([pow(5, b, 2**32) for _, b in pairs], np.uint32).view(np.int32)
    np.testing.assert_array_equal(Call("exponential", "PowerOfScalar", needs="Power", more=bits).all_ways([y], y.size), of_five)
