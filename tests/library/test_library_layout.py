# SPDX-License-Identifier: Apache-2.0
"""Broadcast, Pad, UnPad, Transpose and TransData against NumPy's own."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from library_image import WITH_COUNT, WITH_TMP_AND_COUNT, Array, Image

from aclimb import errors
from aclimb.tiling import library

TYPES = {"float": np.float32, "half": np.float16, "int8_t": np.int8, "uint8_t": np.uint8, "int16_t": np.int16, "uint32_t": np.uint32,
         "bfloat16_t": np.uint16}  # fmt: skip
FORMS = st.sampled_from([WITH_TMP_AND_COUNT, WITH_COUNT])


def moved(name: str, x: Array, shape: tuple[int, ...], form: int, tmp: int, more: tuple[int, ...]) -> Array:
    image = Image()
    z, source = image.add(np.full(shape, 9, x.dtype)), image.add(x)
    if form == WITH_TMP_AND_COUNT:
        image.scratch(max(tmp, 32))
    image.run("layout", name, form=form, more=more)
    np.testing.assert_array_equal(image.of(source), x)
    return image.of(z)


@pytest.mark.requirement("lib-45", "lib-3")
@pytest.mark.parametrize("dtype", TYPES)
@settings(max_examples=8, deadline=None)
@given(rows=st.integers(1, 40), columns=st.integers(1, 150), form=FORMS, seed=st.integers(0, 99))
def test_broadcast(dtype: str, rows: int, columns: int, form: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    size = np.dtype(TYPES[dtype]).itemsize
    tmp = library.other_sizes("Broadcast", rows, columns, size)[1]
    x = random.integers(0, 100, (rows, 1)).astype(TYPES[dtype])
    np.testing.assert_array_equal(moved(f"column_{dtype}", x, (rows, columns), form, tmp, (rows, columns)), np.repeat(x, columns, 1))
    aligned = -(-columns * size // 32) * 32 // size
    tmp = library.other_sizes("Broadcast", rows, aligned, size)[1]
    x = random.integers(0, 100, (1, aligned)).astype(TYPES[dtype])
    np.testing.assert_array_equal(moved(f"row_{dtype}", x, (rows, aligned), form, tmp, (rows, aligned)), np.repeat(x, rows, 0))
    tmp = library.other_sizes("Broadcast", 1, rows * columns, size)[1]
    np.testing.assert_array_equal(
        moved(f"number_{dtype}", x[:, :1], (rows * columns,), form, tmp, (rows, columns)), np.full(rows * columns, x[0, 0])
    )


@pytest.mark.requirement("lib-45")
def test_broadcast_of_a_row_that_is_no_whole_block() -> None:
    with pytest.raises(errors.Misaligned, match="bytes of a row of Broadcast is 20"):
        moved("row_float", np.zeros((1, 5), np.float32), (3, 5), WITH_COUNT, 0, (3, 5))


@pytest.mark.requirement("lib-45")
def test_broadcast_of_many_rows() -> None:
    x = np.arange(700, dtype=np.float32).reshape(700, 1)
    np.testing.assert_array_equal(moved("column_float", x, (700, 9), WITH_COUNT, 0, (700, 9)), np.repeat(x, 9, 1))


@pytest.mark.requirement("lib-46")
@pytest.mark.parametrize("dtype", ["float", "half", "int16_t", "uint32_t"])
@settings(max_examples=10, deadline=None)
@given(width=st.integers(1, 60), form=FORMS, data=st.data(), seed=st.integers(0, 99))
def test_pad_and_unpad(dtype: str, width: int, form: int, data: st.DataObject, seed: int) -> None:
    block = 32 // np.dtype(TYPES[dtype]).itemsize
    rows = block * data.draw(st.integers(1, 3))  # the whole source is a multiple of 32 bytes
    x = np.random.default_rng(seed).integers(0, 1000, (rows, width)).astype(TYPES[dtype])
    pitch = -(-width // block) * block
    value = data.draw(st.integers(0, 100))
    if width == pitch:
        left, right = 0, data.draw(st.integers(0, min(width, block - 1)))
        expected = x.copy()
        expected[:, width - right :] = value
    else:
        left = data.draw(st.integers(0, pitch - width))
        right = pitch - width - left
        expected = np.pad(x, ((0, 0), (left, right)), constant_values=value)
    got = moved(f"pad_{dtype}", x, (rows, pitch), form, library.other_sizes("Pad", width, x.itemsize)[1], (rows, width, left, right, value))
    np.testing.assert_array_equal(got, expected)
    if left == 0:
        back = moved(f"unpad_{dtype}", got, (rows, pitch - right), form, 0, (rows, pitch, 0, right))
        np.testing.assert_array_equal(back, expected[:, : pitch - right])


@pytest.mark.requirement("lib-46")
def test_more_pads_than_a_block_has_room_for() -> None:
    with pytest.raises(errors.Misuse, match=r"leftPad \+ width \+ rightPad of Pad, in elements is 9; it takes 5 to 8"):
        moved("pad_float", np.zeros((8, 5), np.float32), (8, 16), WITH_COUNT, 0, (8, 5, 2, 2, 0))
    with pytest.raises(errors.Misuse, match="rightPad of UnPad is 8; it takes 0 to 7"):
        moved("unpad_float", np.zeros((8, 16), np.float32), (8, 8), WITH_COUNT, 0, (8, 16, 0, 8))


def fractals(x: Array) -> Array:
    """[.., R, C] as [.., C / 16, R / 16, 16, 16], both filled up to 16."""
    *front, rows, columns = x.shape
    full = np.zeros((*front, -(-rows // 16) * 16, -(-columns // 16) * 16), x.dtype)
    full[..., :rows, :columns] = x
    cut = full.reshape(*front, full.shape[-2] // 16, 16, full.shape[-1] // 16, 16)
    return np.ascontiguousarray(np.moveaxis(cut, -2, -4))


def unfractals(x: Array, rows: int, columns: int) -> Array:
    *front, c1, r1, _, _ = x.shape
    return np.moveaxis(x, -4, -2).reshape(*front, r1 * 16, c1 * 16)[..., :rows, :columns]


@pytest.mark.requirement("lib-46", "lib-28")
@pytest.mark.parametrize("dtype", ["float", "half"])
@pytest.mark.parametrize("kind", [1, 2, 3, 4, 5, 6])
@settings(max_examples=5, deadline=None)
@given(
    b=st.integers(1, 2), n=st.integers(1, 3), s=st.integers(1, 2), d=st.sampled_from([16, 32, 24, 10]), form=FORMS, seed=st.integers(0, 99)
)
def test_heads_and_sequences(dtype: str, kind: int, b: int, n: int, s: int, d: int, form: int, seed: int) -> None:
    s *= 16
    if kind == 2:
        b = 1  # fractals of heads are mostly empty
    if kind == 1:
        d = 16 * -(-d // 16)
    x = np.random.default_rng(seed).integers(0, 2000, (b, n, s, d)).astype(TYPES[dtype])
    whole = x.transpose(0, 2, 1, 3).reshape(b, s, n * d)
    source = fractals(whole) if kind in {3, 4} else fractals(x)
    swapped = x.transpose(0, 2, 1, 3)
    expected = {1: swapped, 2: swapped, 3: x, 4: x, 5: whole, 6: whole}[kind]
    into = kind in {2, 3, 6}
    pitch = -(-expected.shape[-1] // 16) * 16
    shape = fractals(expected).shape if into else (*expected.shape[:-1], pitch)
    got = moved(f"turn_{dtype}", source, shape, form, 64, (kind, b, n, s, d))
    found = unfractals(got, *expected.shape[-2:]) if into else got[..., : expected.shape[-1]]
    np.testing.assert_array_equal(found, expected)


@pytest.mark.requirement("lib-46")
@pytest.mark.parametrize("dtype", ["float", "half"])
@pytest.mark.parametrize(("h", "w"), [(16, 16), (32, 48), (80, 16)])
def test_a_matrix(dtype: str, h: int, w: int) -> None:
    x = np.arange(h * w).reshape(h, w).astype(TYPES[dtype])
    np.testing.assert_array_equal(moved(f"turn_{dtype}", x, (w, h), WITH_COUNT, 0, (7, h, w)), x.T)


@pytest.mark.requirement("lib-46")
def test_transpositions_that_do_not_exist() -> None:
    x = np.zeros((16, 24), np.half)
    with pytest.raises(errors.Misaligned, match="a side of the matrix of Transpose is 24"):
        moved("turn_half", x, (24, 16), WITH_COUNT, 0, (7, 16, 24))
    with pytest.raises(errors.Misuse, match="transposeType of Transpose is 8; it takes 1 to 7"):
        moved("turn_half", x, (24, 16), WITH_COUNT, 0, (8, 16, 24))


def planes(x: Array) -> Array:
    """NCDHW as it lies in UB: each plane filled up to 32 bytes."""
    n, c, d, h, w = x.shape
    full = np.zeros((n, c, d, -(-h * w // 16) * 16), x.dtype)
    full[..., : h * w] = x.reshape(n, c, d, h * w)
    return full


@pytest.mark.requirement("lib-46")
@settings(max_examples=12, deadline=None)
@given(
    n=st.integers(1, 3),
    c=st.integers(1, 20),
    d=st.integers(1, 2),
    h=st.integers(1, 5),
    w=st.integers(1, 7),
    form=FORMS,
    seed=st.integers(0, 99),
)
def test_images(n: int, c: int, d: int, h: int, w: int, form: int, seed: int) -> None:
    x = np.random.default_rng(seed).integers(0, 2000, (n, c, d, h, w)).astype(np.float16)
    c1, n1, more, tmp = -(-c // 16), -(-n // 16), (n, c, d, h, w), library.other_sizes("TransData", h * w)[1]
    channels = np.zeros((n, c1 * 16, d, h * w), x.dtype)
    channels[:, :c] = x.reshape(n, c, d, h * w)
    tiles = np.ascontiguousarray(channels.reshape(n, c1, 16, d, h * w).transpose(0, 3, 1, 4, 2))
    np.testing.assert_array_equal(moved("to_tiles", planes(x), tiles.shape, form, tmp, more), tiles)
    back = moved("from_tiles", tiles, planes(x).shape, form, tmp, more)
    np.testing.assert_array_equal(back[..., : h * w], x.reshape(n, c, d, h * w))
    filters = np.zeros((d, c1, h * w, n1 * 16, 16), x.dtype)
    filters[:, :, :, :n] = channels.reshape(n, c1, 16, d, h * w).transpose(3, 1, 4, 0, 2)
    got = moved("to_filters", planes(x), filters.shape, form, tmp, more)
    np.testing.assert_array_equal(got[:, :, :, :n], filters[:, :, :, :n])
    back = moved("from_filters", filters, planes(x).shape, form, tmp, more)
    np.testing.assert_array_equal(back[..., : h * w], x.reshape(n, c, d, h * w))
