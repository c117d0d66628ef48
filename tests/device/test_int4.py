# SPDX-License-Identifier: Apache-2.0
"""int4b_t: tensors count values, two to a byte; DataCopy with a count goes by sizeof, which is 1; DataCopyPad counts bytes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from aclimb import Buffer
from aclimb.errors import Misuse, OutOfBounds

Run = Callable[..., None]


def packed(values: np.ndarray) -> np.ndarray:
    """The first of two in the low bits."""
    bits = values.astype(np.int8).view(np.uint8) & 15
    return bits[0::2] | bits[1::2] << 4


def values(count: int) -> np.ndarray:
    return np.random.default_rng(4).integers(-8, 8, count)


@pytest.mark.parametrize(("first", "count"), [(0, 32), (64, 32), (192, 32), (0, 64), (128, 64)])
def test_a_copy_of_32_moves_32_bytes_which_hold_64_values(run: Run, first: int, count: int) -> None:
    x, y = values(256), Buffer(128, np.float16)
    run("int4", "widen", Buffer.from_array(packed(x)), y, first, count)
    expected = np.full(128, 7, np.float16)
    expected[: 2 * count] = x[first : first + 2 * count]
    np.testing.assert_array_equal(y.to_numpy(), expected)


def test_the_bytes_that_a_count_means_are_what_has_to_be_there(run: Run) -> None:
    x = Buffer.from_array(packed(values(512)))
    with pytest.raises(OutOfBounds, match=r"DataCopy needs 64 bytes of in\[first\], which was given 32 from there on"):
        run("int4", "widen", x, Buffer(128, np.float16), 192, 64)


@pytest.mark.parametrize("count", [16, 48])
def test_a_count_that_fills_no_block_is_refused_in_bytes_of_sizeof(run: Run, count: int) -> None:
    with pytest.raises(Misuse, match=f"DataCopy of {count} bytes, which are no multiple of 32: hardware moves {count // 32 * 32} of them"):
        run("int4", "widen", Buffer.from_array(packed(values(256))), Buffer(128, np.float16), 0, count)


@pytest.mark.parametrize("count", [32, 64])
def test_copies_inside_ub_and_out_of_it_count_alike(run: Run, count: int) -> None:
    x = np.random.default_rng(5).uniform(-9, 9, 128).astype(np.float16)
    y = Buffer.from_array(np.full(128, 0x77, np.uint8))
    run("int4", "round_trip", Buffer.from_array(x), y, count)
    expected = np.full(128, 0x77, np.uint8)
    expected[:count] = packed(np.clip(np.rint(x), -8, 7))[:count]
    np.testing.assert_array_equal(y.to_numpy(), expected)


@pytest.mark.parametrize(("size", "gap"), [(16, 0), (5, 3), (1, 60)])
def test_data_copy_pad_counts_bytes(run: Run, size: int, gap: int) -> None:
    x, y = packed(values(256)), Buffer(64, np.uint8)
    run("int4", "pad", Buffer.from_array(x), y, size, gap)
    expected = np.zeros((2, 32), np.uint8)
    for row in range(2):
        expected[row, :size] = x[row * (size + gap) :][:size]
    np.testing.assert_array_equal(y.to_numpy().reshape(2, 32), expected)


def test_sizes_and_offsets_count_values_and_lengths_bytes(run: Run) -> None:
    y = Buffer(13, np.uint64)
    run("int4", "counts", Buffer(128, np.uint8), y)
    assert y.to_numpy().tolist() == [1, 256, 192, 32, 32, 128, 256, 128, 64, 64, 32, 64, 32]
