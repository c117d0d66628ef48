# SPDX-License-Identifier: Apache-2.0
"""Halves: every one of them, and the edges of what becomes one."""

from __future__ import annotations

import math

import numpy as np
import pytest
from native import stub

from aclimb import capi

HALVES = np.arange(65536, dtype=np.uint16)


@pytest.mark.requirement("cpp-11")
def test_every_half_becomes_the_published_float() -> None:
    convert = stub("aclFloat16ToFloat")
    found = np.array([convert(int(half)) for half in HALVES], np.float32)
    exponent, fraction = HALVES >> 10 & 31, (HALVES & 1023).astype(np.float64)
    plain = HALVES.view(np.float16).astype(np.float32)
    past = (np.where(HALVES & 0x8000, -1.0, 1.0) * 65536.0 * (1 + fraction / 1024)).astype(np.float32)  # the exponent counts on
    np.testing.assert_array_equal(found.view(np.uint32), np.where(exponent == 31, past, plain).astype(np.float32).view(np.uint32))
    assert (convert(0x7C00), convert(0xFC00), convert(0x7E00)) == (65536.0, -65536.0, 98304.0)


@pytest.mark.requirement("cpp-11")
def test_every_half_comes_back() -> None:
    to, back = stub("aclFloat16ToFloat"), stub("aclFloatToFloat16")
    wanted = np.where((HALVES >> 10 & 31) == 31, HALVES & 0x8000 | 0x7BFF, HALVES)
    np.testing.assert_array_equal(np.array([back(to(int(half))) for half in HALVES], np.uint16), wanted)


EDGES = [
    (math.inf, 0x7BFF), (-math.inf, 0xFBFF), (math.nan, 0x7BFF), (65504.0, 0x7BFF), (65519.0, 0x7BFF), (65520.0, 0x7BFF), (1e30, 0x7BFF),
    (-1e30, 0xFBFF), (0.0, 0x0000), (-0.0, 0x8000), (2.0**-24, 0x0001), (2.0**-25, 0x0000), (2.0**-25 * 1.0001, 0x0001),
    (2.0**-25 * 3, 0x0002), (2.0**-14, 0x0400), (2.0**-14 - 2.0**-25, 0x0400), (1.0, 0x3C00), (1.0 + 2.0**-11, 0x3C00),
    (1.0 + 2.0**-11 * 3, 0x3C02), (1e-45, 0x0000), (-1e-45, 0x8000),
]  # fmt: skip


@pytest.mark.requirement("cpp-11")
@pytest.mark.parametrize(("value", "half"), EDGES)
def test_edges_of_floats(value: float, half: int) -> None:
    assert stub("aclFloatToFloat16")(value) == half
    assert capi.aclFloatToFloat16(value) == half


@pytest.mark.requirement("cpp-4", "cpp-11")
def test_floats_of_every_size_become_the_nearest_half_in_c_and_python() -> None:
    convert = stub("aclFloatToFloat16")
    with np.errstate(all="ignore"):
        floats = np.random.default_rng(1).integers(0, 2**32, 20000, np.uint32).view(np.float32)
        nearest = floats.astype(np.float16).view(np.uint16)
        wanted = np.where((nearest & 0x7FFF) >= 0x7C00, floats.view(np.uint32) >> 16 & 0x8000 | 0x7BFF, nearest)
    np.testing.assert_array_equal([convert(float(each)) for each in floats if each == each], wanted[floats == floats])
    for half in range(0, 65536, 97):
        assert capi.aclFloat16ToFloat(half) == stub("aclFloat16ToFloat")(half)
