# SPDX-License-Identifier: Apache-2.0
"""Bits of masks in tensors of bytes, and of scalars by their raw intrinsics."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from aclimb import Buffer

Run = Callable[..., None]
RNG = np.random.default_rng(12)


@pytest.mark.parametrize(("name", "dtype"), [("of_bytes", np.uint8), ("of_signed_bytes", np.int8)])
@pytest.mark.parametrize("count", [8, 32, 96, 512])
def test_masks_of_bytes_are_combined_bit_by_bit(run: Run, name: str, dtype: type, count: int) -> None:
    x, y = (RNG.integers(0, 256, 512).astype(np.uint8).view(dtype) for _ in range(2))
    z = Buffer((3, 512), dtype)
    run("bits", name, Buffer.from_array(x), Buffer.from_array(y), z, count)
    expected = np.zeros((3, 512), dtype)
    expected[:, :count] = np.array([x & y, x | y, ~x])[:, :count]
    np.testing.assert_array_equal(z.to_numpy(), expected)


def test_a_mask_register_over_bytes_has_lanes_of_two(run: Run) -> None:
    x, y = (RNG.integers(0, 256, 512).astype(np.uint8) for _ in range(2))
    z = Buffer((3, 2, 128, 2), "uint8")
    run("bits", "by_repeats", Buffer.from_array(x), Buffer.from_array(y), z)
    expected = np.array([x & y, x | y, ~x]).reshape(3, 2, 128, 2)
    expected[[0, 2], :, 64:] = 0
    expected[1, :, 1::2] = 0
    np.testing.assert_array_equal(z.to_numpy(), expected)


def test_two_comparisons_become_one_mask(run: Run) -> None:
    x, z = RNG.normal(size=64).astype(np.float32), Buffer(64, "float32")
    run("bits", "between", Buffer.from_array(x), z, -0.5, 0.75)
    np.testing.assert_array_equal(z.to_numpy(), np.where((x >= -0.5) & (x < 0.75), x, 0))


def test_scalar_intrinsics_count_and_set_bits(run: Run) -> None:
    words = [0, 1, 2**64 - 1, 2**63, 2**63 - 1, 0x0F00000000000000, 0xF0F1, *RNG.integers(0, 2**63, 5).tolist()]
    bit = 11
    z = Buffer((len(words), 9), "int64")
    run("bits", "of_words", Buffer.from_array(np.array(words, np.uint64)), z, len(words), bit)

    def first(text: str, digit: str) -> int:
        return text[::-1].find(digit)

    expected = []
    for word in words:
        text = f"{word:064b}"
        same = len(text[1:]) - len(text[1:].lstrip(text[0]))
        ones = text.count("1")
        expected.append([word & ~(1 << bit), word | 1 << bit, 64 - ones, ones, first(text, "0"), first(text, "1"),
                         64 - len(text.lstrip("0")), -1 if same == 63 else same, abs(64 - 2 * ones)])  # fmt: skip
    np.testing.assert_array_equal(z.to_numpy().view(np.uint64), np.array([[each % 2**64 for each in row] for row in expected], np.uint64))


def test_bits_of_the_control_register_are_the_modes(run: Run) -> None:
    z = Buffer(8, "float32")
    run("bits", "control", z)
    assert z.to_numpy().tolist() == [65504, 0, np.inf, 1, 1, 11, 1, 1]


def test_caches_are_cleaned_by_the_raw_intrinsic(run: Run) -> None:
    z = Buffer(32, "int32")
    run("bits", "through_memory", z, blocks=2)
    assert z.to_numpy()[[0, 16]].tolist() == [7, 10]
