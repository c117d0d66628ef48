# SPDX-License-Identifier: Apache-2.0
"""Rounding, remainders, signs, limits: exact."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from library_image import COUNTED, WITH_COUNT, WITH_TMP_AND_COUNT, Array, Call, Image, near

from aclimb import Program, errors
from aclimb.tiling import library

TYPES = {"float": np.float32, "half": np.float16}
LIMIT = 1.25
LIMIT_BITS = (int(np.float32(LIMIT).view(np.uint32)),)


def frac(x: Array) -> Array:
    return x - np.trunc(x)


ROUNDINGS = {
    Call("rounding", "Ceil", forms=COUNTED): np.ceil,
    Call("rounding", "Floor", forms=COUNTED): np.floor,
    Call("rounding", "Round", forms=COUNTED, in_place=True): np.rint,
    Call("rounding", "Trunc", in_place=True): np.trunc,
    Call("rounding", "Frac"): frac,
    Call("rounding", "Sign"): np.sign,
    Call("rounding", "ClampMax", forms=COUNTED, needs="Clamp", more=LIMIT_BITS): lambda x: np.minimum(x, x.dtype.type(LIMIT)),
    Call("rounding", "ClampMin", forms=COUNTED, needs="Clamp", more=LIMIT_BITS): lambda x: np.maximum(x, x.dtype.type(LIMIT)),
}
SPECIAL = [0.0, -0.0, 0.5, 1.5, 2.5, -0.5, 3.5, -3.4, 8388608.5, 16777217.0, -3e38, 1e-45, -1e-40, math.inf, -math.inf, math.nan]


def numbers(dtype: str, count: int, seed: int) -> Array:
    """Any bits at all, numbers around 0, and those that are special."""
    random, kind = np.random.default_rng(seed), TYPES[dtype]
    any_bits = np.frombuffer(random.bytes(count * kind().itemsize), kind)
    with np.errstate(over="ignore"):
        special = np.resize(np.array(SPECIAL).astype(kind), count)
    return np.choose(random.integers(0, 3, count), [any_bits, random.uniform(-9, 9, count).astype(kind), special]).astype(kind)


@pytest.mark.requirement("lib-15", "lib-17", "lib-3", "lib-4", "lib-5", "lib-6")
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("call", ROUNDINGS, ids=lambda call: call.name)
@settings(max_examples=5, deadline=None)
@given(count=st.integers(1, 500), seed=st.integers(0, 99))
def test_exact_for_any_number(call: Call, dtype: str, count: int, seed: int) -> None:
    x = numbers(dtype, count + 3, seed)
    with np.errstate(invalid="ignore"):
        np.testing.assert_array_equal(call.all_ways([x], count), ROUNDINGS[call](x[:count]))


@pytest.mark.requirement("lib-15")
def test_published_fraction() -> None:
    x = np.full(8, -258.41888, np.float32)
    np.testing.assert_array_equal(Call("rounding", "Frac").run([x], 8, WITH_COUNT, 0), np.full(8, -0.41888428, np.float32))


@pytest.mark.requirement("lib-16", "lib-3", "lib-4", "lib-6")
@pytest.mark.parametrize("dtype", TYPES)
@settings(max_examples=10, deadline=None)
@given(count=st.integers(1, 400), seed=st.integers(0, 999))
def test_fmod_is_exact(dtype: str, count: int, seed: int) -> None:
    random, kind = np.random.default_rng(seed), TYPES[dtype]
    b = np.exp(random.uniform(-5, 5, count)).astype(kind) * random.choice([-1, 1], count).astype(kind)
    quotients = np.exp2(random.uniform(-3, 23.99 if dtype == "float" else 8, count)) * random.choice([-1, 1], count)
    a = (b.astype(np.float64) * np.where(random.random(count) < 0.3, np.rint(quotients), quotients)).astype(kind)
    got = Call("rounding", "Fmod", 2).all_ways([a, b], count)
    np.testing.assert_array_equal(got, np.fmod(a.astype(np.float64), b.astype(np.float64)).astype(kind))


@pytest.mark.requirement("lib-16")
def test_fmod_by_rounds_is_exact_for_any_quotient() -> None:
    a, b = numbers("float", 2000, 5), numbers("float", 2000, 6)
    with np.errstate(invalid="ignore"):
        got = Call("rounding", "FmodByRounds", 2, needs="Fmod").run([a, b], 2000, WITH_COUNT, 0)
        np.testing.assert_array_equal(got, np.fmod(a, b))


@pytest.mark.requirement("lib-16")
def test_fmod_of_special_numbers_and_the_published_ones() -> None:
    a = np.array([2, -3, 1, 0, math.inf, 5, math.nan, 1e-45, -7], np.float32)
    b = np.array([1.5, 1.1, 0, 0, 2, math.inf, 1, 1e-45, -math.inf], np.float32)
    got = Call("rounding", "Fmod", 2).run([a, b], a.size, WITH_COUNT, 0)
    near(got, np.array([0.5, -0.8, *[math.nan] * 3, 5, math.nan, 0, -7]))


@pytest.mark.requirement("lib-17")
@pytest.mark.parametrize("dtype", [np.int16, np.uint16])
def test_xor(dtype: type[np.generic]) -> None:
    a, b = np.frombuffer(np.random.default_rng(4).bytes(2 * 2 * 333), dtype).reshape(2, 333)
    np.testing.assert_array_equal(Call("rounding", "Xor", 2).all_ways([a, b], 330), (a ^ b)[:330])


@pytest.mark.requirement("lib-18", "lib-4", "lib-6")
@pytest.mark.parametrize(
    ("name", "into", "of"), [("Axpy_float", "float", "float"), ("Axpy_half", "half", "half"), ("AxpyMixed_float", "float", "half")]
)
def test_axpy_rounds_the_product_and_then_the_sum(name: str, into: str, of: str) -> None:
    random = np.random.default_rng(8)
    before, x = random.normal(0, 3, 203).astype(TYPES[into]), random.normal(0, 3, 203).astype(TYPES[of])
    scalar = TYPES[of](0.7)
    expected = before + x.astype(TYPES[into]) * TYPES[into](scalar)
    for size in library.sizes("Axpy", 200, before.itemsize):
        image = Image()
        z, source = image.add(before), image.add(x)
        image.scratch(size)
        image.run("rounding", name, 200, WITH_TMP_AND_COUNT, (int(np.float32(scalar).view(np.uint32)),))
        np.testing.assert_array_equal(image.of(z)[:200], expected[:200])
        np.testing.assert_array_equal(image.of(z)[200:], before[200:])
        np.testing.assert_array_equal(image.of(source), x)


@pytest.mark.requirement("lib-5")
def test_scratch_that_shares_bytes_with_a_tensor_is_reported() -> None:
    image = Image()
    image.add(np.ones(8, np.float32))
    image.same_place(image.add(np.zeros(32, np.uint8)))
    with pytest.raises(errors.Misuse, match="sharedTmpBuffer and a tensor of Axpy share bytes"):
        image.run("rounding", "Axpy_float", 8, WITH_TMP_AND_COUNT)


@pytest.mark.requirement("lib-1")
@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        ("Fmod<half, false, rounds>(h, h, h, 64)", "FmodAlgo::ITERATION_COMPENSATION for float only; nearest: FmodAlgo::NORMAL"),
        (
            "Atan<half, false, polynomial>(h, h, 64)",
            "AtanAlgo::POLYNOMIAL_APPROXIMATION for float only; nearest: AtanAlgo::TAYLOR_EXPANSION",
        ),
        ("Xor(h, h, h, 64)", "AscendC::Xor does not take half on Atlas A2 and A3; it takes int16_t, uint16_t"),
        ("Sort(h, h, 64)", "AscendC::Sort with a SortConfig does not exist on Atlas A2 and A3; nearest: Concat, Sort and Extract"),
        ("Sort<half, false, descending>(h, u, h, u.ReinterpretCast<uint8_t>(), 64)", "AscendC::Sort with a SortConfig does not exist"),
        ("Sort<half, uint32_t>(h, u, h, u, 64)", "AscendC::Sort with a SortConfig does not exist"),
    ],
)
def test_what_these_products_lack_does_not_compile(call: str, sentence: str, tmp_path: Path) -> None:
    source = tmp_path / "refused_form.cpp"
    source.write_text(REFUSED % call)
    with pytest.raises(errors.CompileError, match=re.escape(sentence)):
        Program(source).compile()


REFUSED = """#include "kernel_operator.h"
using namespace AscendC;
constexpr FmodConfig rounds = {FmodAlgo::ITERATION_COMPENSATION, 11};
constexpr AtanConfig polynomial = {AtanAlgo::POLYNOMIAL_APPROXIMATION};
constexpr SortConfig descending = {SortType::MERGE_SORT, true};
extern "C" __global__ __aicore__ void refused(GM_ADDR x) {
    LocalTensor<half> h;
    LocalTensor<uint32_t> u;
    %s;
}
"""
