# SPDX-License-Identifier: Apache-2.0
"""The soft-max family against float64: padded rows, both layouts, one number a row as a block or dense."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from library_image import WITH_COUNT, WITH_TMP_AND_COUNT, Array, Image, near
from numpy.typing import DTypeLike, NDArray

from aclimb import errors
from aclimb.tiling import library

Float64 = NDArray[np.float64]
FORMS = st.sampled_from([WITH_TMP_AND_COUNT, WITH_COUNT])
KINDS = {
    "float": (np.float32, np.float32),
    "half": (np.float16, np.float16),
    "mixed": (np.float16, np.float32),
}


def reference(x: Float64) -> tuple[Float64, Float64, Float64]:
    """Quotients, sums, maxima."""
    top = x.max(1, keepdims=True)
    e = np.exp(x - top)
    total = e.sum(1, keepdims=True)
    return e / total, total, top


def rows_of(m: int, k: int, pitch: int, dtype: DTypeLike, seed: int = 0, scale: float = 4) -> Array:
    """Pads are enormous: one of them in a maximum or a sum would show."""
    x = np.full((m, pitch), 60000, dtype)
    x[:, :k] = np.random.default_rng(seed).normal(0, scale, (m, k))
    return x


def to_nz(x: Array) -> Array:
    m, pitch = x.shape
    return np.ascontiguousarray(x.reshape(m, pitch // 16, 16).transpose(1, 0, 2))


def from_nz(x: Array, m: int) -> Array:
    return np.ascontiguousarray(x.reshape(-1, m, 16).transpose(1, 0, 2)).reshape(m, -1)


def blocks(m: int, dtype: DTypeLike, values: Array | None = None) -> Array:
    """One number a row, as a block of 32 bytes."""
    width = 32 // np.dtype(dtype).itemsize
    return np.full((m, width), 5, dtype) if values is None else np.repeat(values.reshape(m, 1), width, 1).astype(dtype)


def scratch_of(call: str, m: int, pitch: int, least: bool) -> int:
    return library.row_sizes(call, m, pitch)[least]


def pitch_of(k: int, dtype: DTypeLike) -> int:
    width = 32 // np.dtype(dtype).itemsize
    return -(-k // width) * width


@pytest.mark.requirement("lib-22", "lib-3", "lib-25")
@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=12, deadline=None)
@given(m=st.integers(1, 20), k=st.integers(1, 300), form=FORMS, least=st.booleans(), in_place=st.booleans(), seed=st.integers(0, 99))
def test_softmax(kind: str, m: int, k: int, form: int, least: bool, in_place: bool, seed: int) -> None:
    dtype, sums = KINDS[kind]
    pitch = pitch_of(k, dtype)
    image = Image()
    x = rows_of(m, k, pitch, dtype, seed)
    if in_place:
        z = source = image.add(x)
    else:
        z = image.add(np.zeros_like(x))
    total, top = image.add(blocks(m, sums)), image.add(blocks(m, sums))
    source = image.same_place(z) if in_place else image.add(x)
    if form == WITH_TMP_AND_COUNT:
        image.scratch(scratch_of("SoftMax", m, pitch, least))
    image.run("softmax", f"softmax_{kind}", form=form, more=(m, pitch, m, k))
    quotient, expected_sum, expected_max = reference(x[:, :k].astype(np.float64))
    near(image.of(z)[:, :k], quotient)
    np.testing.assert_allclose(image.of(z)[:, :k].astype(np.float64).sum(1), 1, atol=1e-5 if kind == "float" else 2e-3)
    np.testing.assert_array_equal(image.of(top), blocks(m, sums, expected_max))
    near(image.of(total), blocks(m, np.float64, expected_sum)[:, :1] * np.ones((1, image.of(total).shape[1])))
    assert (image.of(total) == image.of(total)[:, :1]).all()
    if not in_place:
        np.testing.assert_array_equal(image.of(source), x)


@pytest.mark.requirement("lib-22")
@pytest.mark.parametrize(("m", "k"), [(3, 2048), (2, 4200), (9, 1032), (1, 5000)])
def test_long_rows(m: int, k: int) -> None:
    image = Image()
    x = rows_of(m, k, k, np.float32)
    z = image.add(x)
    image.add(blocks(m, np.float32))
    image.add(blocks(m, np.float32))
    image.same_place(z)
    image.run("softmax", "softmax_float", form=WITH_COUNT, more=(m, k, m, k))
    near(image.of(z), reference(x.astype(np.float64))[0])


@pytest.mark.requirement("lib-22")
def test_more_rows_than_an_instruction_repeats() -> None:
    image = Image()
    x = rows_of(600, 8, 8, np.float32)
    z = image.add(np.zeros_like(x))
    image.add(x)
    image.run("softmax", "softmax_alone", form=WITH_COUNT, more=(600, 8))
    near(image.of(z), reference(x.astype(np.float64))[0])


@pytest.mark.requirement("lib-22")
def test_without_sums_and_with_a_shape_of_constants() -> None:
    image = Image()
    x = rows_of(9, 40, 48, np.float32)
    z, source = image.add(np.zeros_like(x)), image.add(x)
    image.scratch(scratch_of("SoftMax", 9, 48, False))
    image.run("softmax", "softmax_alone", more=(9, 48))
    near(image.of(z), reference(image.of(source).astype(np.float64))[0])
    image = Image()
    z, _, _, _ = image.add(np.zeros_like(x)), image.add(blocks(9, np.float32)), image.add(blocks(9, np.float32)), image.add(x)
    image.run("softmax", "softmax_constant", form=WITH_COUNT, more=(9, 48, 9, 48))
    near(image.of(z)[:, :40], reference(x[:, :40].astype(np.float64))[0])


@pytest.mark.requirement("lib-28")
@pytest.mark.parametrize("kind", ["float", "half"])
@pytest.mark.parametrize("least", [True, False])
def test_fractals(kind: str, least: bool) -> None:
    dtype, sums = KINDS[kind]
    m, k, pitch = 16, 90, 96
    x = rows_of(m, k, pitch, dtype)
    image = Image()
    z, _, top, _ = image.add(to_nz(np.zeros_like(x))), image.add(blocks(m, sums)), image.add(blocks(m, sums)), image.add(to_nz(x))
    image.scratch(scratch_of("SoftMax", m, pitch, least))
    image.run("softmax", f"softmax_{kind}_nz", more=(m, pitch, m, k))
    quotient, _, expected_max = reference(x[:, :k].astype(np.float64))
    near(from_nz(image.of(z), m)[:, :k], quotient)
    np.testing.assert_array_equal(image.of(top), blocks(m, sums, expected_max))


@pytest.mark.requirement("lib-24")
@pytest.mark.parametrize("kind", ["float", "half"])
@pytest.mark.parametrize(("m", "least"), [(5, False), (21, True), (37, False)])
def test_dense_numbers(kind: str, m: int, least: bool) -> None:
    dtype, _ = KINDS[kind]
    x = rows_of(m, 32, 32, dtype)
    image = Image()
    z, total, top = image.add(np.zeros_like(x)), image.add(np.zeros(m, dtype)), image.add(np.zeros(m, dtype))
    image.add(x)
    image.scratch(scratch_of("SoftMax", m, 32, least))
    image.run("softmax", f"softmax_{kind}_dense", more=(m, 32, m, 32))
    quotient, expected_sum, expected_max = reference(x.astype(np.float64))
    near(image.of(z), quotient)
    near(image.of(total), expected_sum[:, 0])
    np.testing.assert_array_equal(image.of(top), expected_max[:, 0].astype(dtype))


@pytest.mark.requirement("lib-22")
def test_special_values() -> None:
    x = np.zeros((4, 8), np.float32)
    x[0, 3], x[1], x[2, 0], x[3, 1] = -np.inf, 3e38, np.nan, np.inf
    image = Image()
    z = image.add(np.zeros_like(x))
    image.add(x)
    image.run("softmax", "softmax_alone", form=WITH_COUNT, more=(4, 8))
    got = image.of(z)
    near(got[0], np.array([1 / 7] * 3 + [0] + [1 / 7] * 4))
    near(got[1], np.full(8, 1 / 8))
    assert np.isnan(got[2]).all()
    assert np.isnan(got[3]).any()


@pytest.mark.requirement("lib-3", "lib-2")
def test_too_little_scratch_is_an_error_with_both_numbers() -> None:
    x = rows_of(4, 64, 64, np.float32)
    least = scratch_of("SoftMax", 4, 64, True)
    image = Image()
    image.add(np.zeros_like(x))
    image.add(x)
    image.scratch(least - 32)
    with pytest.raises(
        errors.Misuse, match=rf"the sharedTmpBuffer of SoftMax has {least - 32} bytes, and the least it works with are {least}"
    ):
        image.run("softmax", "softmax_alone", more=(4, 64))


@pytest.mark.requirement("lib-22")
@pytest.mark.parametrize(
    ("name", "kind", "nz"), [("simple_float", "float", False), ("simple_mixed", "mixed", False), ("simple_half_nz", "half", True)]
)
@pytest.mark.parametrize("form", [WITH_TMP_AND_COUNT, WITH_COUNT])
def test_simple_softmax(name: str, kind: str, nz: bool, form: int) -> None:
    dtype, sums = KINDS[kind]
    m, k, pitch = 16, 75, 80
    x = rows_of(m, k, pitch, dtype)
    _, total, top = reference(x[:, :k].astype(np.float64))
    image = Image()
    z = image.add(np.zeros_like(x))
    image.add(blocks(m, sums, total))
    image.add(blocks(m, sums, top))
    image.add(to_nz(x) if nz else x)
    if form == WITH_TMP_AND_COUNT:
        image.scratch(scratch_of("SimpleSoftMax", m, pitch, True))
    image.run("softmax", name, form=form, more=(m, pitch, m, k))
    expected = np.exp(x[:, :k].astype(np.float64) - top.astype(sums)) / total.astype(sums)
    near((from_nz(image.of(z), m) if nz else image.of(z))[:, :k], expected)


@pytest.mark.requirement("lib-27")
def test_log_softmax_of_the_documented_row() -> None:
    x = np.arange(-9, -1, dtype=np.float32).reshape(1, 8)
    image = Image()
    z = image.add(np.zeros_like(x))
    image.add(blocks(1, np.float32))
    image.add(blocks(1, np.float32))
    image.add(x)
    image.scratch(scratch_of("LogSoftMax", 1, 8, True))
    image.run("softmax", "log_float", more=(1, 8, 1, 8))
    np.testing.assert_allclose(image.of(z)[0, [0, 7]], [-3.2391157, -0.19905435], rtol=2e-6)


@pytest.mark.requirement("lib-27", "lib-28")
@pytest.mark.parametrize(
    ("name", "kind", "nz"), [("log_float", "float", False), ("log_half", "half", False), ("log_float_nz", "float", True)]
)
def test_log_softmax(name: str, kind: str, nz: bool) -> None:
    dtype, sums = KINDS[kind]
    m, k = 16, 48
    x = rows_of(m, k, k, dtype, scale=2)
    image = Image()
    z, total, _, _ = image.add(np.zeros_like(x)), image.add(blocks(m, sums)), image.add(blocks(m, sums)), image.add(to_nz(x) if nz else x)
    image.scratch(scratch_of("LogSoftMax", m, k, False))
    image.run("softmax", name, more=(m, k, m, k))
    quotient, expected_sum, _ = reference(x.astype(np.float64))
    near(from_nz(image.of(z), m) if nz else image.of(z), np.log10(quotient))
    near(image.of(total)[:, 0], expected_sum[:, 0])


@pytest.mark.requirement("lib-26", "lib-28")
@pytest.mark.parametrize(
    ("name", "kind", "nz"), [("grad_float", "float", False), ("grad_half", "half", False), ("grad_half_nz", "half", True)]
)
@pytest.mark.parametrize("which", ["grad", "front", "gradfront"])
@pytest.mark.parametrize("form", [WITH_TMP_AND_COUNT, WITH_COUNT])
def test_gradients(name: str, kind: str, nz: bool, which: str, form: int) -> None:
    dtype, _ = KINDS[kind]
    m, k, pitch = 16, 100, 112
    random = np.random.default_rng(3)
    x, grad = rows_of(m, k, pitch, dtype), rows_of(m, k, pitch, dtype)
    x[:, :k], grad[:, :k] = random.uniform(0, 1, (m, k)), random.normal(0, 1, (m, k))
    image = Image()
    z = image.add(blocks(m, dtype) if which != "grad" else np.zeros_like(x))
    image.add(to_nz(x) if nz else x)
    image.add(to_nz(grad) if nz else grad)
    if form == WITH_TMP_AND_COUNT:
        image.scratch(scratch_of("SoftmaxGrad", m, pitch, True))
    image.run("softmax", name, form=form, more=(m, pitch, m, k, ["grad", "front", "gradfront"].index(which)))
    wide, g = x[:, :k].astype(np.float64), grad[:, :k].astype(np.float64)
    d = (wide * g).sum(1, keepdims=True)
    tolerance = (1e-6 * np.log2(k) + 1e-6) * np.abs(wide * g).sum(1).max() if kind == "float" else None
    if which == "grad":
        got = (from_nz(image.of(z), m) if nz else image.of(z))[:, :k]
        near(got, (g - d) * wide, tolerance)
    else:
        near(image.of(z), d * np.ones((1, image.of(z).shape[1])), tolerance)


@pytest.mark.requirement("lib-26")
@pytest.mark.parametrize(
    ("name", "types", "nz", "dense"),
    [("adjust_float", (np.float32, np.float32), False, False), ("adjust_mixed_dense", (np.float16, np.float32), False, True),
     ("adjust_half_nz", (np.float16, np.float16), True, False)],
)  # fmt: skip
@pytest.mark.parametrize("hits", [(), (1, 7)])
def test_adjust_softmax_res_compares_bits(
    name: str, types: tuple[DTypeLike, DTypeLike], nz: bool, dense: bool, hits: tuple[int, ...]
) -> None:
    m, k = 16, 48
    dtype, sums = types
    x = rows_of(m, k, k, dtype)
    tops = np.arange(m).astype(sums)
    tops[list(hits)] = -10000
    bits = int(np.array([-10000], sums).view(np.uint32 if np.dtype(sums).itemsize == 4 else np.uint16)[0])
    image = Image()
    z, _ = image.add(to_nz(x) if nz else x), image.add(tops if dense else blocks(m, sums, tops))
    answer = image.add(np.full(8, 9, np.uint32))
    image.run("softmax", name, more=(m, k, m, k, bits))
    expected = x.copy()
    expected[list(hits)] = 0.5
    np.testing.assert_array_equal(from_nz(image.of(z), m) if nz else image.of(z), expected)
    assert image.of(answer)[0] == bool(hits)
