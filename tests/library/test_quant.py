# SPDX-License-Identifier: Apache-2.0
"""AscendQuant, AscendDequant and AscendAntiQuant, bit by bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from library_image import BARE, WITH_TMP, WITH_TMP_AND_COUNT, Array, Image
from numpy.typing import NDArray

from aclimb.errors import Misuse
from aclimb.tiling import library

TYPES = {"float": np.float32, "half": np.float16}
HAS_TMP = {WITH_TMP_AND_COUNT, WITH_TMP}


def to_bf16(values: Array) -> NDArray[np.uint16]:
    """The bits, to nearest even."""
    bits = np.asarray(values, np.float32).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def of_bf16(bits: NDArray[np.uint16]) -> NDArray[np.float32]:
    return (bits.astype(np.uint32) << 16).view(np.float32)


# --- to int8_t
def quantised(x: Array, scale: Array, offset: Array) -> Array:
    """Each step rounds to half."""
    with np.errstate(over="ignore", invalid="ignore"):
        y = x.astype(np.float16) * scale.astype(np.float16) + offset.astype(np.float16)
    return np.clip(np.rint(np.nan_to_num(y.astype(np.float64), posinf=127, neginf=-128)), -128, 127).astype(np.int8)


def quant(kernel: str, x: Array, channels: int, form: int, least: bool, in_place: bool = False) -> tuple[Array, Array]:
    """What the call makes of all but the last elements, and what it should."""
    random = np.random.default_rng(channels)
    scale, offset = random.normal(0, 2, channels).astype(x.dtype), random.normal(0, 9, channels).astype(x.dtype)
    count = x.size if form in {WITH_TMP, BARE} else x.size - max(channels, 3)
    image = Image()
    if in_place:
        source = image.add(x)
        z, places = image.same_place(source), image.places
        at = places[z][0]
        image.places[0], image.places[1] = (at, x.size, np.dtype(np.int8), (x.size,)), places[source]
        z, source = 0, 1
    else:
        z, source = image.add(np.full(x.size, 7, np.int8)), image.add(x)
    image.scratch(library.other_sizes("AscendQuant", count, x.itemsize)[least])
    image.add(scale)
    image.add(offset)
    image.run("quant", kernel, count, form, (channels,))
    if not in_place:
        np.testing.assert_array_equal(image.of(source), image.was(source))
        assert (image.of(z)[count:] == 7).all()
    index = np.arange(count) % max(channels, 1)
    if kernel.startswith("PerTensor"):
        expected = quantised(x[:count], np.float32([0.37]), np.float32([1.25]))
    elif kernel.startswith("ScalarOffset"):
        expected = quantised(x[:count], scale[index], np.float32([1.25]))
    else:
        expected = quantised(x[:count], scale[index], offset[index])
    return image.of(z)[:count], expected


@pytest.mark.requirement("lib-34")
@pytest.mark.parametrize("dtype", TYPES)
@settings(max_examples=12, deadline=None)
@given(count=st.integers(4, 900), form=st.integers(0, 3), least=st.booleans())
def test_quant_with_one_scale(dtype: str, count: int, form: int, least: bool) -> None:
    x = np.random.default_rng(count).normal(0, 150, count).astype(TYPES[dtype])
    x[:4] = [np.inf, -np.inf, 60000, -0.0]
    np.testing.assert_array_equal(*quant(f"PerTensor_{dtype}", x, 0, form, least))


@pytest.mark.requirement("lib-34", "lib-3")
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("kernel", ["ScalarOffset", "PerChannel"])
@pytest.mark.parametrize(("channels", "rows"), [(32, 1), (32, 301), (96, 7), (288, 5), (1024, 3)])
def test_quant_by_channels(kernel: str, dtype: str, channels: int, rows: int) -> None:
    x = np.random.default_rng(rows).normal(0, 30, channels * rows).astype(TYPES[dtype])
    for form in range(4):
        for least in (False, True):
            np.testing.assert_array_equal(*quant(f"{kernel}_{dtype}", x, channels, form, least))


@pytest.mark.requirement("lib-34", "lib-5")
@pytest.mark.parametrize("kernel", ["PerTensor_float", "PerChannel_half", "PerChannel_float"])
@pytest.mark.parametrize("least", [False, True])
def test_quant_in_place(kernel: str, least: bool) -> None:
    x = np.random.default_rng(1).normal(0, 30, 288 * 4).astype(TYPES[kernel.split("_")[1]])
    np.testing.assert_array_equal(*quant(kernel, x, 288, WITH_TMP, least, in_place=True))


# --- from int32_t
def dequant(kernel: str, m: int, n: int, columns: int, form: int, least: bool = False) -> tuple[Array, Array]:
    """Rows of what the call makes and of what it should; the parameters are taken as they are."""
    to, scale_type = kernel.split("_")[1:]
    size = {"half": 2, "bf16": 2, "float": 4}[to]
    pitch = -(-n * size // 32) * 32 // size
    random = np.random.default_rng(n)
    x = random.integers(-(2**28), 2**28, (m, n)).astype(np.int32)
    x[:, ::3] //= 2**20
    scale = random.normal(0, 1e-3, columns).astype(np.float32)
    stored: Array = scale
    if scale_type == "bf16":
        stored = to_bf16(scale)
        scale = of_bf16(to_bf16(scale))
    elif scale_type == "uint64":
        stored = scale.view(np.uint32).astype(np.uint64) | np.uint64(0xABCD) << np.uint64(32)
    if "Number" in kernel:
        number = np.float32(0.37)
        scale = np.full(columns, of_bf16(to_bf16(number)) if scale_type == "bf16" else number)
    image = Image()
    dtype = {"half": np.float16, "bf16": np.uint16, "float": np.float32}[to]
    z = image.add(np.zeros((m, pitch), dtype).view(np.uint16))
    source = image.add(x)
    image.add(stored.view(np.uint16))
    if form in {0, 1}:
        image.scratch(library.other_sizes("AscendDequant", m * n)[least])
    image.run("quant", kernel, form=form, more=(m, n, columns))
    np.testing.assert_array_equal(image.of(source), image.was(source))
    product = x[:, :columns].astype(np.float32) * scale
    with np.errstate(over="ignore"):
        expected = to_bf16(product) if to == "bf16" else product.astype(dtype)
    got = image.of(z).view(dtype).reshape(m, pitch)
    assert not got[:, columns:].any()
    return got[:, :columns], expected


DEQUANTS = ["half_uint64", "float_float", "float_bf16", "bf16_bf16", "bf16_float"]


@pytest.mark.requirement("lib-35", "lib-3")
@pytest.mark.parametrize("kernel", [f"Dequant_{pair}" for pair in DEQUANTS] + ["DequantNumber_float_float", "DequantNumber_bf16_bf16"])
@pytest.mark.parametrize(("m", "n", "columns"), [(1, 8, 8), (3, 24, 19), (70, 16, 9), (2, 520, 517), (300, 8, 8)])
def test_dequant(kernel: str, m: int, n: int, columns: int) -> None:
    for form, least in ((1, False), (1, True), (3, False)):
        np.testing.assert_array_equal(*dequant(kernel, m, n, columns, form, least))


@pytest.mark.requirement("lib-35")
def test_one_row_of_several_times_the_scale_is_several_rows() -> None:
    for form in (0, 2):
        image = Image()
        z, x = image.add(np.zeros(16, np.float32).view(np.uint16)), np.arange(16, dtype=np.int32)
        image.add(x)
        scale = np.arange(1, 9, dtype=np.float32)
        image.add(scale.view(np.uint16))
        image.scratch(library.other_sizes("AscendDequant", 16)[1])
        image.run("quant", "Dequant_float_float", form=form, more=(1, 16, 8))
        np.testing.assert_array_equal(image.of(z).view(np.float32), x * np.tile(scale, 2))


@pytest.mark.requirement("lib-35")
@pytest.mark.parametrize("form", range(4))
def test_the_old_form_of_dequant(form: int) -> None:
    x, scale = np.arange(96, dtype=np.int32), np.arange(1, 33, dtype=np.float32)
    count = 96 if form in {WITH_TMP, BARE} else 64
    image = Image()
    z = image.add(np.zeros(96, np.float32))
    image.add(x)
    image.add(scale)
    image.scratch(library.other_sizes("AscendDequant", count)[1])
    image.run("quant", "OldDequant", count, form)
    expected = (x * np.tile(scale, 3)).astype(np.float32)
    expected[count:] = 0
    np.testing.assert_array_equal(image.of(z), expected)


# --- from int8_t and int4b_t
def anti_quant(kernel: str, rows: int, columns: int, groups: int, form: int, least: bool, noted: bool = False) -> tuple[Array, Array]:
    """A matrix of rows and columns; groups along K, which is the rows, or transposed the columns."""
    transposed, is_half = kernel.startswith("AntiQuantT"), kernel.endswith("half")
    random = np.random.default_rng(rows + columns)
    low, high = (-8, 8) if "int4" in kernel else (-128, 128)
    x = random.integers(low, high, (rows, columns)).astype(np.int8)
    stored = (x.reshape(-1, 2)[:, 0] & 15) | (x.reshape(-1, 2)[:, 1] << 4) if "int4" in kernel else x.reshape(-1)
    height, width, k = (rows, groups, columns) if transposed else (groups, columns, rows)
    offset, scale = random.normal(0, 20, (height, width)).astype(np.float16), random.normal(0, 1, (height, width)).astype(np.float16)
    group = k // groups
    spread = (np.repeat(value, group, 1 if transposed else 0) for value in (offset, scale))
    a, b = (value.astype(np.float32) for value in spread)
    if form >= 3:
        a, b = np.full_like(a, 3), np.full_like(b, 0.75)
    if form in {1, 4}:
        a = np.zeros_like(a)
    image = Image()
    z = image.add(np.zeros(rows * columns, np.uint16))
    source = image.add(stored.astype(np.int8))
    for value in (offset, scale):
        image.add(value.view(np.uint16) if is_half else to_bf16(value))
    if form in {0, 1, 3, 4}:
        image.scratch(library.other_sizes("AscendAntiQuant", rows * columns, transposed and form < 3, is_half)[least])
    image.run("quant", kernel, form=form, more=(k, height, width, noted))
    np.testing.assert_array_equal(image.of(source), image.was(source))
    if is_half:
        return image.of(z).view(np.float16), ((x.astype(np.float16) + a.astype(np.float16)) * b.astype(np.float16)).reshape(-1)
    return image.of(z), to_bf16((x.astype(np.float32) + of_bf16(to_bf16(a))) * of_bf16(to_bf16(b))).reshape(-1)


@pytest.mark.requirement("lib-36", "lib-3")
@pytest.mark.parametrize("kernel", ["AntiQuant_int8_half", "AntiQuant_int8_bf16", "AntiQuant_int4_half"])
@pytest.mark.parametrize(("k", "n", "groups"), [(1, 64, 1), (12, 64, 3), (50, 128, 2), (6, 320, 1)])
def test_anti_quant(kernel: str, k: int, n: int, groups: int) -> None:
    for form in range(6):
        for least in (False, True):
            np.testing.assert_array_equal(*anti_quant(kernel, k, n, groups, form, least, noted=form == 2))


@pytest.mark.requirement("lib-36", "lib-3")
@pytest.mark.parametrize("kernel", ["AntiQuantT_int8_half", "AntiQuantT_int4_bf16"])
@pytest.mark.parametrize(("n", "k", "groups"), [(1, 64, 1), (33, 64, 1), (5, 256, 4), (40, 128, 2), (3, 384, 2)])
def test_anti_quant_transposed(kernel: str, n: int, k: int, groups: int) -> None:
    for form in range(6):
        for least in (False, True):
            np.testing.assert_array_equal(*anti_quant(kernel, n, k, groups, form, least, noted=form == 2))


@pytest.mark.requirement("lib-3", "lib-5")
def test_wrong_uses_of_quantisation() -> None:
    image = Image()
    image.add(np.zeros(256, np.int8))
    image.add(np.zeros(256, np.float32))
    least = library.other_sizes("AscendQuant", 256, 4)[1]
    image.scratch(least - 32)
    image.add(np.zeros(32, np.float32))
    image.add(np.zeros(32, np.float32))
    with pytest.raises(Misuse, match=rf"sharedTmpBuffer of AscendQuant has {least - 32} bytes.*{least}"):
        image.run("quant", "PerTensor_float", 256)
    image = Image()
    image.same_place(image.add(np.zeros(64, np.int32)))
    image.add(np.zeros(64, np.float32))
    image.scratch(1024)
    with pytest.raises(Misuse, match="dst and src of AscendDequant share bytes"):
        image.run("quant", "OldDequant", 64)
