# SPDX-License-Identifier: Apache-2.0
"""Normalize, the gradients of LayerNorm, and Welford's algorithm."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from library_image import Array, Image, near
from library_rows import Float64, near_sum, padded, pitch_of
from numpy.typing import DTypeLike, NDArray

from aclimb.errors import Misuse
from aclimb.tiling import library

TMP, FREE_UB = 0, 1
TYPES: dict[str, DTypeLike] = {"float": np.float32, "half": np.float16}


def made(
    kernel: str,
    outputs: list[Array],
    inputs: list[Array],
    scratch: int,
    more: tuple[int, ...],
    form: int = TMP,
    has_tmp: bool | None = None,
    count: int = 0,
) -> list[Array]:
    """The outputs; the inputs are as they were."""
    image = Image()
    to, sources = [image.add(value) for value in outputs], [image.add(value) for value in inputs]
    if form == TMP if has_tmp is None else has_tmp:
        image.scratch(scratch)
    image.run("norm_pieces", kernel, count, form, more)
    for source in sources:
        np.testing.assert_array_equal(image.of(source), image.was(source))
    return [image.of(value) for value in to]


# --- Normalize
@pytest.mark.requirement("lib-29", "lib-3")
@pytest.mark.parametrize("kernel", ["Normalize_float_float", "Normalize_half_half", "Normalize_float_half", "NormalizeBare_float_float"])
@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (7, 40), (45, 70), (3, 1100)])
def test_normalize(kernel: str, rows: int, columns: int) -> None:
    weights, dtype = (TYPES[name] for name in kernel.split("_")[1:])
    pitch = pitch_of(columns, np.dtype(dtype).itemsize)
    random = np.random.default_rng(rows)
    x = padded(random.normal(0, 2, (rows, columns)), dtype, pitch)
    mean, variance = random.normal(0, 1, rows).astype(np.float32), random.uniform(0.1, 4, rows).astype(np.float32)
    gamma, beta = (random.normal(1, 1, columns).astype(weights) for _ in range(2))
    y = (x[:, :columns].astype(np.float64) - mean[:, None]) / np.sqrt(variance + 1e-3)[:, None]
    if "Bare" not in kernel:
        y = y * gamma.astype(np.float64) + beta.astype(np.float64)
    results = []
    for least, form in ((False, TMP), (True, TMP), (False, FREE_UB)):
        outputs = [np.full((rows, pitch), 3, dtype), np.full(rows, 3, np.float32)]
        scratch = library.row_sizes("Normalize", rows, pitch)[least]
        got, rstd = made(kernel, outputs, [mean, variance, x, gamma, beta], scratch, (rows, columns, pitch), form)
        assert (got[:, columns:] == 3).all()
        near_sum(rstd, 1 / np.sqrt(variance.astype(np.float64) + 1e-3), columns)
        near_sum(got[:, :columns], y, columns)
        results.append(got)
    np.testing.assert_array_equal(results[0], results[1])


# --- gradients
def gradient(dtype: str, rows: int, columns: int, least: bool, form: int) -> tuple[list[Array], list[Float64]]:
    kind, size = TYPES[dtype], np.dtype(TYPES[dtype]).itemsize
    pitch = pitch_of(columns, size)
    random = np.random.default_rng(columns)
    dy, x = (padded(random.normal(0, 1, (rows, columns)), kind, pitch) for _ in range(2))
    variance, mean = random.uniform(0.5, 2, rows).astype(kind), random.normal(0, 0.5, rows).astype(kind)
    gamma = random.normal(1, 0.5, columns).astype(kind)
    outputs = [np.full((rows, pitch), 3, kind) for _ in range(2)]
    scratch = library.row_sizes("LayerNormGrad", rows, pitch)[least]
    got = made(f"LayerNormGrad_{dtype}", outputs, [dy, x, variance, mean, gamma], scratch, (rows, columns, pitch), form)
    for value in got:
        assert (value[:, columns:] == 3).all()
    epsilon = float(kind(1e-3)) if callable(kind) else 0.0
    g = dy[:, :columns].astype(np.float64) * gamma.astype(np.float64)
    d = x[:, :columns].astype(np.float64) - mean.astype(np.float64)[:, None]
    r = ((variance.astype(np.float64) + epsilon) ** -0.5)[:, None]
    pv = (-0.5 * g * d * r**3).sum(1, keepdims=True)
    pm = (-g * r).sum(1, keepdims=True) + pv / columns * (-2 * d).sum(1, keepdims=True)
    return [value[:, :columns] for value in got], [g * r + pv * 2 / columns * d + pm / columns, d * r]


@pytest.mark.requirement("lib-31", "lib-3")
@pytest.mark.parametrize("dtype", TYPES)
@settings(max_examples=10, deadline=None)
@given(rows=st.integers(1, 24), columns=st.integers(1, 100), least=st.booleans(), form=st.sampled_from([TMP, FREE_UB]))
def test_gradient(dtype: str, rows: int, columns: int, least: bool, form: int) -> None:
    (dx, normalised), (expected_dx, expected_normalised) = gradient(dtype, rows, columns, least, form)
    near_sum(dx, expected_dx, columns)
    near(normalised, expected_normalised)


@pytest.mark.requirement("lib-31", "lib-3")
@pytest.mark.parametrize(("dtype", "rows", "columns"), [("float", 10, 300), ("half", 21, 130), ("float", 1, 2100)])
def test_gradient_in_long_rows(dtype: str, rows: int, columns: int) -> None:
    most, expected = gradient(dtype, rows, columns, False, TMP)
    near_sum(most[0], expected[0], columns)
    for a, b in zip(most, gradient(dtype, rows, columns, True, TMP)[0], strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.requirement("lib-31", "lib-5")
@pytest.mark.parametrize("dtype", TYPES)
def test_gradient_in_place(dtype: str) -> None:
    random = np.random.default_rng(0)
    dy, x = (random.normal(0, 1, (20, 48)).astype(TYPES[dtype]) for _ in range(2))
    variance, mean = (random.uniform(0.5, 1, 20).astype(TYPES[dtype]) for _ in range(2))
    weights = [variance, mean, random.normal(1, 1, 48).astype(TYPES[dtype])]
    scratch = library.row_sizes("LayerNormGrad", 20, 48)[1]
    apart = made(f"LayerNormGrad_{dtype}", [np.zeros_like(x), np.zeros_like(x)], [dy, x, *weights], scratch, (20, 48, 48))
    image = Image()
    dx, normalised = image.add(dy), image.add(x)
    image.same_place(dx)
    image.same_place(normalised)
    for value in weights:
        image.add(value)
    image.scratch(scratch)
    image.run("norm_pieces", f"LayerNormGrad_{dtype}", more=(20, 48, 48))
    np.testing.assert_array_equal(image.of(dx), apart[0])
    np.testing.assert_array_equal(image.of(normalised), apart[1])


@pytest.mark.requirement("lib-31")
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (40, 33), (500, 16), (5, 600)])
def test_gradient_of_gamma_and_beta(dtype: str, rows: int, columns: int) -> None:
    kind = TYPES[dtype]
    pitch = pitch_of(columns, np.dtype(kind).itemsize)
    random = np.random.default_rng(rows)
    normalised, dy = (padded(random.normal(0, 1, (rows, columns)), kind, pitch) for _ in range(2))
    a, b = (value[:, :columns].astype(np.float64) for value in (normalised, dy))
    most, least = library.row_sizes("LayerNormGradBeta", rows, pitch)
    for scratch, form in ((most, TMP), (least, TMP), (0, FREE_UB)):
        outputs = [np.full(columns, 3, kind) for _ in range(2)]
        dgamma, dbeta = made(f"LayerNormGradBeta_{dtype}", outputs, [normalised, dy], scratch, (rows, columns, pitch), form)
        near_sum(dgamma, (a * b).sum(0), rows)
        near_sum(dbeta, b.sum(0), rows)


# --- Welford
@pytest.mark.requirement("lib-32", "lib-3", "lib-4")
@pytest.mark.parametrize("kernel", ["WelfordUpdate_float", "WelfordUpdate_half", "WelfordUpdateCopies_half"])
@settings(max_examples=8, deadline=None)
@given(
    blocks=st.integers(1, 40),
    left_out=st.integers(0, 15),
    seen=st.integers(1, 9),
    least=st.booleans(),
    form=st.sampled_from([TMP, FREE_UB]),
)
def test_welford_update(kernel: str, blocks: int, left_out: int, seen: int, least: bool, form: int) -> None:
    length, count = 16 * blocks, 16 * blocks - left_out
    kind = TYPES[kernel.split("_")[1]]
    random = np.random.default_rng(length)
    mean, total = (random.normal(0, 1, length).astype(np.float32) for _ in range(2))
    x = random.normal(0, 1, length).astype(kind)
    outputs = [np.full(length, 3, np.float32) for _ in range(2)]
    scratch = library.sizes("WelfordUpdate", length, x.itemsize)[least]
    got = made(kernel, outputs, [mean, total, x], scratch, (length, count, seen), form)
    wide = x.astype(np.float32)
    difference = wide - mean
    new_mean = mean + difference * (np.float32(1) / np.float32(seen))
    for value, new, old in zip(got, (new_mean, total + difference * (wide - new_mean)), (mean, total), strict=True):
        np.testing.assert_array_equal(value[:count], new[:count])
        np.testing.assert_array_equal(value[count:], old[count:] if "Copies" in kernel else 3)


def bits(value: float) -> int:
    return int(np.float32(value).view(np.uint32))


def finalised(
    means: Array, sums: Array, counts: NDArray[np.int32] | None, more: tuple[int, ...], form: int, kernel: str = "plain"
) -> tuple[float, float]:
    inputs = [means, sums] if counts is None else [means, sums, counts]
    outputs = [np.full(8, 3, np.float32) for _ in range(2)]
    scratch = library.row_sizes("WelfordFinalize", 1, means.size)
    assert scratch[0] == scratch[1]
    got = made(f"WelfordFinalize_{kernel}", outputs, inputs, scratch[1], more, form, form in {0, 2}, means.size)
    for value in got:
        assert (value[1:] == 3).all()
    return float(got[0][0]), float(got[1][0])


@pytest.mark.requirement("lib-33")
def test_welford_finalize_gives_the_printed_example() -> None:
    numbers = np.arange(32, dtype=np.float32)
    for form in (0, 1):
        mean, variance = finalised(numbers, numbers, np.full(32, 4, np.int32), (1, 0, 0, 0, bits(1 / 4096)), form)
        assert mean == 0.484375
        assert variance == pytest.approx(9.831062, rel=2e-6)


@pytest.mark.requirement("lib-33")
@pytest.mark.parametrize("way", ["equal", "tail", "counts"])
@pytest.mark.parametrize("pieces", [8, 64, 1000, 2504])
def test_welford_finalize_is_the_variance_of_the_whole(way: str, pieces: int) -> None:
    random = np.random.default_rng(pieces)
    head = pieces // 3 + 1
    lengths = np.full(pieces, 7) if way == "equal" else np.where(np.arange(pieces) < head, 7, 6)
    if way == "counts":
        lengths = random.integers(1, 9, pieces)
    data = [random.normal(3, 2, length).astype(np.float32).astype(np.float64) for length in lengths]
    whole = np.concatenate(data)
    means = np.array([piece.mean() for piece in data], np.float32)
    sums = np.array([((piece - piece.mean()) ** 2).sum() for piece in data], np.float32)
    counts = lengths.astype(np.int32) if way == "counts" else None
    more = (7, 7, head if way == "tail" else 0, 6, bits(1 / whole.size))
    tolerance = 1e-6 * np.log2(whole.size) + 1e-6
    for form in (0, 1) if counts is not None else (2, 3):
        mean, variance = finalised(means, sums, counts, more, form)
        assert mean == pytest.approx(whole.mean(), rel=tolerance)
        assert variance == pytest.approx(whole.var(), rel=tolerance)
        assert finalised(means, sums, counts, more, form, "corrected")[1] == pytest.approx(1.5 * whole.var(), rel=tolerance)


@pytest.mark.requirement("lib-3", "lib-5")
def test_wrong_uses_of_welford() -> None:
    image = Image()
    image.add(np.zeros(64, np.float32))
    image.add(np.zeros(64, np.float32))
    image.same_place(0)
    for _ in range(2):
        image.add(np.zeros(64, np.float32))
    image.scratch(2048)
    with pytest.raises(Misuse, match="outputs and inputs of WelfordUpdate share bytes"):
        image.run("norm_pieces", "WelfordUpdate_float", more=(64, 64, 1))
    numbers = np.zeros(16, np.float32)
    with pytest.raises(Misuse, match=r"tailCount of WelfordFinalizePara is 0"):
        finalised(numbers, numbers, None, (1, 7, 9, 0, bits(1)), 2)
