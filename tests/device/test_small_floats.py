# SPDX-License-Identifier: Apache-2.0
"""half and bfloat16_t of the device headers against NumPy and ml_dtypes, bit for bit: every value, and one rounding an operation."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

from aclimb.compile import headers

SOURCE = """
#include "aclimb/bfloat16.h"
static_assert(half(0.5f).bits == 0x3800 && half(1) + half(2) == 3 && float(half(65504)) == 65504.0f && -half(1) == -1, "constexpr");
static_assert(bfloat16_t(1).bits == 0x3f80 && sizeof(half[3]) == 6 && half(true) == 1 && half(0.1) != 0.1f, "constexpr");
template <typename T> void arithmetic(const T* a, const T* b, T* out, int n) {
    for (int i = 0; i < n; ++i) {
        *out++ = a[i] + b[i]; *out++ = a[i] - b[i]; *out++ = a[i] * b[i]; *out++ = a[i] / b[i];
        *out++ = (a[i] < b[i]) + 2 * (a[i] <= b[i]) + 4 * (a[i] == b[i]) + 8 * (a[i] != b[i]) + 16 * (a[i] > b[i]) + 32 * (a[i] >= b[i]);
        T x = a[i]; x += b[i]; x *= 2; *out++ = x;
    }
}
template <typename T, typename From> void from(const From* x, T* out, int n) { for (int i = 0; i < n; ++i) out[i] = x[i]; }
template <typename T> void widened(const T* x, float* out, int n) { for (int i = 0; i < n; ++i) out[i] = x[i]; }
#define EXPORT(T) \\
    extern "C" void T##_arithmetic(const T* a, const T* b, T* out, int n) { arithmetic(a, b, out, n); } \\
    extern "C" void T##_from_float32(const float* x, T* out, int n) { from(x, out, n); } \\
    extern "C" void T##_from_float64(const double* x, T* out, int n) { from(x, out, n); } \\
    extern "C" void T##_from_int32(const int32_t* x, T* out, int n) { from(x, out, n); } \\
    extern "C" void T##_from_int64(const int64_t* x, T* out, int n) { from(x, out, n); } \\
    extern "C" void T##_widened(const T* x, float* out, int n) { widened(x, out, n); }
EXPORT(half)
EXPORT(bfloat16_t)
"""
TYPES = {"half": np.dtype(np.float16), "bfloat16_t": np.dtype(ml_dtypes.bfloat16)}


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Every bit pattern takes part, so NaN and infinity do."""
    with np.errstate(all="ignore"):
        yield


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("no g++ or clang++ to build a host library with")
    folder = tmp_path_factory.mktemp("small_floats")
    (folder / "floats.cpp").write_text(SOURCE)
    command = [compiler, "-std=c++17", "-O1", "-ffp-contract=off", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror"]
    subprocess.run([*command, f"-I{headers.include_dir()}", "floats.cpp", "-o", "floats.so"], cwd=folder, check=True)
    return ctypes.CDLL(str(Path(folder) / "floats.so"))


def call(function: ctypes._CFuncPtr, out: NDArray[np.generic], *inputs: NDArray[np.generic]) -> NDArray[np.generic]:
    function(*(ctypes.c_void_p(x.ctypes.data) for x in (*inputs, out)), ctypes.c_int(inputs[0].size))
    return out


def same(got: NDArray[np.generic], expected: NDArray[np.generic]) -> None:
    """Equal bits; one NaN is as good as another."""
    bits = np.dtype(f"u{got.dtype.itemsize}")
    both_nan = np.isnan(got.astype(np.float64)) & np.isnan(expected.astype(np.float64))
    np.testing.assert_array_equal(np.where(both_nan, 0, got.view(bits)), np.where(both_nan, 0, expected.view(bits)))


def patterns(dtype: np.dtype[np.generic]) -> NDArray[np.generic]:
    return np.arange(65536, dtype=np.uint16).view(dtype)


@pytest.mark.parametrize("name", TYPES)
def test_every_value_becomes_its_float_and_comes_back(library: ctypes.CDLL, name: str) -> None:
    x = patterns(TYPES[name])
    wide = call(library[f"{name}_widened"], np.empty(65536, np.float32), x)
    same(wide, x.astype(np.float32))
    same(call(library[f"{name}_from_float32"], np.empty_like(x), wide), x)


@pytest.mark.parametrize("name", TYPES)
def test_conversion_rounds_once_to_nearest_even(library: ctypes.CDLL, name: str) -> None:
    dtype = TYPES[name]
    random = np.random.default_rng(5)
    floats = random.integers(0, 2**32, 200_000, dtype=np.uint64).astype(np.uint32).view(np.float32)
    values = patterns(dtype).astype(np.float64)
    values = np.unique(values[np.isfinite(values)])
    middle = (values[1:] + values[:-1]) / 2  # ties, and what lies next to them
    near = np.concatenate([middle, np.nextafter(middle, np.inf), np.nextafter(middle, -np.inf)])
    same(call(library[f"{name}_from_float32"], np.empty(floats.size, dtype), floats), floats.astype(dtype))
    got = call(library[f"{name}_from_float64"], np.empty(near.size, dtype), near)
    low, high = (
        values[np.searchsorted(values, near, "right") - 1],
        values[np.minimum(np.searchsorted(values, near, "left"), values.size - 1)],
    )
    assert np.all((got.astype(np.float64) == low) | (got.astype(np.float64) == high))
    assert np.all(np.abs(got.astype(np.float64) - near) <= np.minimum(near - low, high - near))
    ties = got[: middle.size]
    assert np.all(ties.view(np.uint16) & 1 == 0)


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("kind", ["int32", "int64"])
def test_integers_round_once(library: ctypes.CDLL, name: str, kind: str) -> None:
    dtype, digits = TYPES[name], {"half": 11, "bfloat16_t": 8}[name]
    limits = np.iinfo(kind)
    x = np.random.default_rng(6).integers(limits.min, limits.max, 10_000, dtype=kind)
    x >>= (np.arange(x.size) % (limits.bits - 1)).astype(kind)
    expected = np.array([float(nearest_even(int(value), digits)) for value in x]).astype(dtype)
    same(call(library[f"{name}_from_{kind}"], np.empty(x.size, dtype), x), expected)


def nearest_even(value: int, digits: int) -> int:
    """The nearest whole number with so many binary digits; of two, the one that ends in 0."""
    shift = max(abs(value).bit_length() - digits, 0)
    kept, rest = divmod(abs(value), 1 << shift)
    tie = (1 << shift) // 2
    kept += rest > tie or (shift > 0 and rest == tie and kept & 1)
    return (kept << shift) * (-1 if value < 0 else 1)


@pytest.mark.parametrize("name", TYPES)
def test_arithmetic_and_comparison(library: ctypes.CDLL, name: str) -> None:
    dtype = TYPES[name]
    random = np.random.default_rng(7)
    a = random.integers(0, 65536, 100_000).astype(np.uint16).view(dtype)
    b = random.integers(0, 65536, 100_000).astype(np.uint16).view(dtype)
    b[::7] = a[::7]
    got = call(library[f"{name}_arithmetic"], np.empty((a.size, 6), dtype), a, b)
    wide, other = a.astype(np.float64), b.astype(np.float64)
    for column, value in enumerate((wide + other, wide - other, wide * other)):  # exact in float64, so this rounds once
        same(got[:, column].copy(), rounded_once(value, dtype))
    same(got[:, 3].copy(), (a.astype(np.float32) / b.astype(np.float32)).astype(dtype))
    flags = (wide < other) + 2 * (wide <= other) + 4 * (wide == other) + 8 * (wide != other) + 16 * (wide > other) + 32 * (wide >= other)
    np.testing.assert_array_equal(got[:, 4].astype(np.int64), flags)
    same(got[:, 5].copy(), (rounded_once(wide + other, dtype).astype(np.float32) * 2).astype(dtype))


def rounded_once(value: NDArray[np.float64], dtype: np.dtype[np.generic]) -> NDArray[np.generic]:
    """NumPy narrows float64 to float16 in one step; ml_dtypes goes through float32, where a sum of bfloat16 may be a tie."""
    if dtype == np.float16:
        return value.astype(np.float16)
    single = value.astype(np.float32)
    bits = single.view(np.uint32)
    inexact = np.isfinite(value) & np.isfinite(single) & (single.astype(np.float64) != value)
    toward = bits - (inexact & (np.abs(single.astype(np.float64)) > np.abs(value)))
    return np.where(inexact, toward | 1, bits).astype(np.uint32).view(np.float32).astype(dtype)
