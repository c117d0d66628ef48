# SPDX-License-Identifier: Apache-2.0
"""BatchNorm and GroupNorm against float64."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from library_image import Array, Image, near
from library_rows import Float64, near_sum, padded, pitch_of
from numpy.typing import DTypeLike

from aclimb.tiling import library

TMP, FREE_UB = 0, 1
TYPES: dict[str, DTypeLike] = {"float": np.float32, "half": np.float16}


def made(kernel: str, x: Array, numbers: int, weights: tuple[Array, Array], more: tuple[int, ...], scratch: int, form: int) -> list[Array]:
    """Output, mean and variance. Without scratch the call works in place."""
    image = Image()
    in_place = form == FREE_UB
    y = image.add(x if in_place else np.full_like(x, 3))
    outputs = [y, *(image.add(np.full(numbers, 3, x.dtype)) for _ in range(2))]
    source = image.same_place(y) if in_place else image.add(x)
    sources = [image.add(value) for value in weights] + ([] if in_place else [source])
    if form == TMP:
        image.scratch(scratch)
    image.run("group_norm", kernel, form=form, more=more)
    for place in sources:
        np.testing.assert_array_equal(image.of(place), image.was(place))
    return [image.of(value) for value in outputs]


def close(got: Array, expected: Float64, terms: int, few: bool) -> None:
    """Of few numbers that lie close together, the root of the variance is small, and what rounding left grows with its reciprocal."""
    if few and got.dtype == np.float32:
        near(got, expected, 3e-5)
    else:
        near_sum(got, expected, terms)


@pytest.mark.requirement("lib-30", "lib-3", "lib-5")
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize(("batch", "columns"), [(1, 16), (5, 48), (40, 80), (70, 16), (3, 1056)])
def test_batch_norm_scales_by_row(dtype: str, batch: int, columns: int) -> None:
    check_batch(dtype, batch, columns)


@pytest.mark.requirement("lib-30")
@pytest.mark.parametrize("dtype", TYPES)
@settings(max_examples=10, deadline=None)
@given(batch=st.integers(1, 60), blocks=st.integers(1, 24))
def test_batch_norm_of_any_shape(dtype: str, batch: int, blocks: int) -> None:
    check_batch(dtype, batch, blocks * 32 // np.dtype(TYPES[dtype]).itemsize, few=True)


def check_batch(dtype: str, batch: int, columns: int, few: bool = False) -> None:
    kind = TYPES[dtype]
    random = np.random.default_rng(columns)
    x = random.normal(0.5, 1, (batch, columns)).astype(kind)
    gamma, beta = (random.normal(1, 1, batch).astype(kind) for _ in range(2))
    wide = x.astype(np.float64)
    mean, variance = wide.mean(0), wide.var(0)
    epsilon = float(np.float32(1e-3)) if dtype == "float" else float(np.float16(1e-3))
    y = (wide - mean) / np.sqrt(variance + epsilon) * gamma.astype(np.float64)[:, None] + beta.astype(np.float64)[:, None]
    most, least = library.other_sizes("BatchNorm", columns)
    results = []
    for scratch, form in ((most, TMP), (least, TMP), (0, FREE_UB)):
        results.append(made(f"BatchNorm_{dtype}", x, columns, (gamma, beta), (batch, columns), scratch, form))
        for got, expected in zip(results[-1], (y, mean, variance), strict=True):
            close(got, expected, batch, few)
    for a, b, c in zip(*results, strict=True):
        np.testing.assert_array_equal(a, b)
        np.testing.assert_array_equal(a, c)


@pytest.mark.requirement("lib-30", "lib-3")
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize(
    ("batch", "channels", "groups", "pixels"),
    [(1, 1, 1, 16), (2, 12, 3, 16), (3, 6, 6, 25), (1, 20, 1, 40), (1, 140, 2, 7), (2, 4, 2, 300), (1, 2, 1, 2100)],
)
def test_group_norm_scales_by_channel(dtype: str, batch: int, channels: int, groups: int, pixels: int) -> None:
    check_groups(dtype, batch, channels, groups, pixels)


@pytest.mark.requirement("lib-30")
@pytest.mark.parametrize("dtype", TYPES)
@settings(max_examples=10, deadline=None)
@given(batch=st.integers(1, 3), of_group=st.integers(1, 9), groups=st.integers(1, 5), pixels=st.integers(1, 100))
def test_group_norm_of_any_shape(dtype: str, batch: int, of_group: int, groups: int, pixels: int) -> None:
    check_groups(dtype, batch, of_group * groups, groups, pixels, few=True)


def check_groups(dtype: str, batch: int, channels: int, groups: int, pixels: int, few: bool = False) -> None:
    kind = TYPES[dtype]
    pitch = pitch_of(pixels, np.dtype(kind).itemsize)
    random = np.random.default_rng(pixels)
    x = padded(random.normal(0.5, 1, (batch * channels, pixels)), kind, pitch)
    gamma, beta = (random.normal(1, 1, channels).astype(kind) for _ in range(2))
    wide = x[:, :pixels].astype(np.float64).reshape(batch * groups, -1)
    mean, variance = wide.mean(1), wide.var(1)
    epsilon = float(np.float32(1e-3)) if dtype == "float" else float(np.float16(1e-3))
    y = ((wide - mean[:, None]) / np.sqrt(variance + epsilon)[:, None]).reshape(batch, channels, pixels)
    y = (y * gamma.astype(np.float64)[:, None] + beta.astype(np.float64)[:, None]).reshape(-1, pixels)
    most, least = library.other_sizes("GroupNorm", channels // groups, pitch)
    results = []
    for scratch, form in ((most, TMP), (least, TMP), (0, FREE_UB)):
        more = (batch, channels, pixels, groups, pitch)
        got, *numbers = made(f"GroupNorm_{dtype}", x, batch * groups, (gamma, beta), more, scratch, form)
        assert (got[:, pixels:] == (77 if form == FREE_UB else 3)).all()
        results.append([got[:, :pixels], *numbers])
        for value, expected in zip(results[-1], (y, mean, variance), strict=True):
            close(value, expected, wide.shape[1], few)
    for a, b, c in zip(*results, strict=True):
        np.testing.assert_array_equal(a, b)
        np.testing.assert_array_equal(a, c)
