# SPDX-License-Identifier: Apache-2.0
"""Trigonometric, hyperbolic and error functions against float64."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from library_image import ALL_FORMS, COUNTED, WITH_COUNT, Array, Call, near
from numpy.typing import NDArray

Float64 = NDArray[np.float64]
TYPES = {"float": np.float32, "half": np.float16}


@dataclass(frozen=True)
class Function:
    reference: Callable[[Float64], Float64]
    low: float
    high: float
    tolerance: float | None = None  # of float
    call: str = ""


def each(function: Callable[[float], float]) -> Callable[[Float64], Float64]:
    return lambda x: np.array([function(v) for v in x.reshape(-1)]).reshape(x.shape)


def digamma(x: Float64) -> Float64:
    """By its recurrence and its asymptotic series."""
    shift = np.arange(10).reshape(-1, *[1] * x.ndim)
    z = x + 10
    w = 1 / (z * z)
    return np.log(z) - 0.5 / z - w * (1 / 12 - w * (1 / 120 - w * (1 / 252 - w * (1 / 240 - w / 132)))) - (1 / (x + shift)).sum(0)


FUNCTIONS = {
    "Sin": Function(np.sin, -65504, 65504, 1e-5),
    "Cos": Function(np.cos, -65504, 65504, 1e-5),
    "Tan": Function(np.tan, -65504, 65504, 1e-5),
    "Asin": Function(np.arcsin, -1, 1),
    "Acos": Function(np.arccos, -1, 1),
    "Atan": Function(np.arctan, -30, 30),
    "Sinh": Function(np.sinh, -89, 89),
    "Cosh": Function(np.cosh, -89, 89),
    "Tanh": Function(np.tanh, -12, 12),
    "Asinh": Function(np.arcsinh, -65504, 65504),
    "Acosh": Function(np.arccosh, 1, 65504),
    "Atanh": Function(np.arctanh, -0.99, 0.99),
    "Erf": Function(each(math.erf), -5, 5),
    "Erfc": Function(each(math.erfc), -5, 11),
    "Lgamma": Function(each(math.lgamma), 0.5, 100),
    "Digamma": Function(lambda x: digamma(x), 0.5, 100),
}
OTHER_ALGORITHMS = {
    "SinByRadian": "Sin",
    "CosByRadian": "Cos",
    "AtanByPolynomial": "Atan",
    "ErfBySections": "Erf",
    "TanhBySections": "Tanh",
}


def check(name: str, x: Array, got: Array) -> None:
    function = FUNCTIONS[name]
    with np.errstate(all="ignore"):
        near(got, function.reference(x.astype(np.float64)), function.tolerance if x.dtype == np.float32 else None)


def made(name: str) -> Call:
    return Call("transcendental", name, forms=COUNTED if name in {"Lgamma", "Digamma"} else ALL_FORMS)


def samples(name: str, dtype: str, count: int, seed: int = 0) -> Array:
    """Even over the domain and, as many, close to 0 or to its lower end."""
    function, random = FUNCTIONS[name], np.random.default_rng(seed)
    wide = random.uniform(function.low, function.high, count)
    close = random.uniform(-2, 2, count) if function.low < 0 else function.low + random.uniform(0, 1, count)
    return np.clip(np.where(random.random(count) < 0.5, wide, close), function.low, function.high).astype(TYPES[dtype])


ALL = pytest.mark.requirement("lib-11", "lib-12", "lib-13", "lib-20")


@ALL
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_over_the_domain(name: str, dtype: str) -> None:
    x = samples(name, dtype, 3000)
    check(name, x, Call("transcendental", name).run([x], x.size, WITH_COUNT, 0))


@ALL
@pytest.mark.parametrize("name", OTHER_ALGORITHMS)
def test_the_other_algorithm(name: str) -> None:
    x = samples(OTHER_ALGORITHMS[name], "float", 500)
    check(OTHER_ALGORITHMS[name], x, Call("transcendental", name, needs=OTHER_ALGORITHMS[name]).all_ways([x], x.size))


@ALL
@pytest.mark.requirement("lib-3", "lib-4", "lib-6")
@settings(max_examples=30, deadline=None)
@given(name=st.sampled_from(sorted(FUNCTIONS)), dtype=st.sampled_from(sorted(TYPES)), count=st.integers(1, 400), seed=st.integers(0, 99))
def test_any_length_and_form(name: str, dtype: str, count: int, seed: int) -> None:
    x = samples(name, dtype, count + 5, seed)
    check(name, x[:count], made(name).all_ways([x], count))


def of(name: str, *values: float) -> Array:
    x = np.array(values, np.float32)
    return Call("transcendental", name).run([x], x.size, WITH_COUNT, 0)


@pytest.mark.requirement("lib-12")
def test_far_out() -> None:
    far = float(np.finfo(np.float32).max)
    np.testing.assert_array_equal(of("Tanh", far, -far, 50, math.inf, -math.inf, math.nan), [1, -1, 1, 1, -1, math.nan])
    np.testing.assert_array_equal(of("Sinh", 90, -90, math.inf, -math.inf), [math.inf, -math.inf, math.inf, -math.inf])
    np.testing.assert_array_equal(of("Cosh", 90, -90, math.inf, -math.inf), [math.inf] * 4)
    near(of("Atan", far, -far, math.inf, -math.inf, 1), np.array([1, -1, 1, -1, 0.5]) * np.pi / 2)
    np.testing.assert_array_equal(of("Asin", 1.5, -2), [math.nan] * 2)
    np.testing.assert_array_equal(of("Acos", 1.5, -2, 1), [math.nan, math.nan, 0])
    np.testing.assert_array_equal(of("Asin", 0, -0.0), [0, 0])


@pytest.mark.requirement("lib-11")
def test_sines_keep_small_arguments_and_their_bounds() -> None:
    np.testing.assert_allclose(of("Sin", 1e-20, -3e-10, 0), np.array([1e-20, -3e-10, 0]), rtol=1e-6)
    assert of("Cos", 0)[0] == 1
    np.testing.assert_array_equal(of("Sin", math.inf, math.nan), [math.nan] * 2)


@pytest.mark.requirement("lib-11")
def test_tangent_beside_its_poles() -> None:
    poles = (np.arange(-4000, 4000, 7) + 0.5) * np.pi
    x = poles.astype(np.float32)
    near(of("Tan", *x.tolist()), np.tan(x.astype(np.float64)), 1e-5)


@pytest.mark.requirement("lib-13")
def test_erfc_relatively_up_to_nine() -> None:
    x = np.linspace(0, 9, 2000, dtype=np.float32)
    np.testing.assert_allclose(of("Erfc", *x.tolist()), [math.erfc(v) for v in x.tolist()], rtol=1e-5)
    np.testing.assert_array_equal(of("Erfc", math.inf, -math.inf, math.nan, 30, -30), [0, 2, math.nan, 0, 2])
    np.testing.assert_array_equal(of("Erf", math.inf, -math.inf, math.nan, 30, -30), [1, -1, math.nan, 1, -1])


@pytest.mark.requirement("lib-20")
def test_gamma_functions_below_their_reflection() -> None:
    x = np.array([0.3, 0.01, 1e-10, -0.5, -1.25, -7.75, -20.4], np.float32)
    near(of("Lgamma", *x.tolist()), np.array([math.lgamma(v) for v in x.tolist()]))
    wide = x.astype(np.float64)
    near(of("Digamma", *x.tolist()), digamma(1 - wide) - np.pi / np.tan(np.pi * wide), 2e-5)
    np.testing.assert_array_equal(of("Lgamma", 0, -1, -3, math.inf, -math.inf, 1, 2), [math.inf] * 5 + [0, 0])
    np.testing.assert_array_equal(of("Digamma", math.inf, math.nan), [math.inf, math.nan])
