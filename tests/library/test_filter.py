# SPDX-License-Identifier: Apache-2.0
"""DropOut and Select by the numbers of a mask."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from library_image import WITH_COUNT, WITH_TMP_AND_COUNT, Image
from numpy.typing import DTypeLike

from aclimb import errors
from aclimb.tiling import library

TYPES = {"float": np.float32, "half": np.float16}


@pytest.mark.requirement("lib-47", "lib-3")
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("mode", [0, 1, 2, 3, 4])
@settings(max_examples=5, deadline=None)
@given(rows=st.integers(1, 5), blocks=st.integers(1, 6), wider=st.booleans(), form=st.sampled_from([WITH_TMP_AND_COUNT, WITH_COUNT]),
       least=st.booleans(), in_place=st.booleans(), seed=st.integers(0, 99))  # fmt: skip
def test_drop_out(dtype: str, mode: int, rows: int, blocks: int, wider: bool, form: int, least: bool, in_place: bool, seed: int) -> None:
    random = np.random.default_rng(seed)
    by_bits = mode in {3, 4} or (mode == 0 and seed % 2 == 1)
    length = blocks * (256 if by_bits else 32)
    x = random.normal(0, 3, (rows, length)).astype(TYPES[dtype])
    keeps = random.integers(0, 2, (rows, length)).astype(np.uint8)
    gap = wider and mode in {0, 1, 4}
    if by_bits:
        mask = np.packbits(keeps, axis=1, bitorder="little")  # the lowest bit belongs to the first element
        width = -(-mask.shape[1] // 32) * 32 + 32 * gap
        mask = np.pad(mask, ((0, 0), (0, (width if mode in {0, 4} else mask.shape[1]) - mask.shape[1])), constant_values=255)
    else:
        mask = np.pad(keeps * random.integers(1, 255, keeps.shape).astype(np.uint8), ((0, 0), (0, 32 * gap)), constant_values=1)
    image = Image()
    z = image.add(x if in_place else np.zeros_like(x))
    _ = image.same_place(z) if in_place else image.add(x)
    image.add(mask)
    if form == WITH_TMP_AND_COUNT:
        image.scratch(library.other_sizes("DropOut", rows * length)[least])
    image.run("filter", f"drop_{dtype}", form=form, more=(rows, length, mask.shape[1], mode))
    np.testing.assert_array_equal(image.of(z), np.where(keeps == 1, x * TYPES[dtype](1 / 0.75), 0).astype(TYPES[dtype]))


MASKS = [("float", "bool", np.uint8), ("half", "int8_t", np.int8), ("half", "uint8_t", np.uint8), ("float", "int16_t", np.int16),
         ("half", "uint16_t", np.uint16), ("float", "int32_t", np.int32), ("half", "uint32_t", np.uint32)]  # fmt: skip


@pytest.mark.requirement("lib-47")
@pytest.mark.parametrize(("dtype", "name", "numbers"), MASKS)
@pytest.mark.parametrize("which", [0, 1, 2, 3])
@pytest.mark.parametrize(("gap", "least"), [(0, True), (32, False)])
def test_select_takes_the_first_at_zero(dtype: str, name: str, numbers: DTypeLike, which: int, gap: int, least: bool) -> None:
    rows, length = 5, 96
    random = np.random.default_rng(which)
    x = random.normal(0, 3, (rows, length)).astype(TYPES[dtype])
    highest = 1 if name == "bool" else np.iinfo(numbers).max
    lowest = 0 if name == "bool" else np.iinfo(numbers).min
    mask = np.pad(random.choice([0, 0, 1, lowest, highest], (rows, length)), ((0, 0), (0, gap))).astype(numbers)
    image = Image()
    z = image.add(np.zeros_like(x))
    image.add(x)
    image.add(mask)
    image.scratch(library.other_sizes("DropOut", rows * length)[least])
    image.run("filter", f"choose_{dtype}_{name}", more=(rows, length, length + gap, which))
    is_zero = mask[:, :length] == 0
    np.testing.assert_array_equal(image.of(z), np.where(is_zero if which % 2 == 0 else ~is_zero, x, TYPES[dtype](-2.5)))


@pytest.mark.requirement("lib-47")
def test_a_mask_that_is_shorter_than_the_source() -> None:
    image = Image()
    for each in (np.zeros(96, np.float32), np.zeros(96, np.float32), np.zeros(96, np.uint8)):
        image.add(each)
    image.scratch(library.other_sizes("DropOut", 96)[0])
    with pytest.raises(errors.Misuse, match="maskLastAxis is 64; it takes 96 to"):
        image.run("filter", "choose_float_bool", more=(1, 96, 64, 0))
