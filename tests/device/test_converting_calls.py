# SPDX-License-Identifier: Apache-2.0
"""CastDequant and its relatives, the CTRL register, and what the scalar unit counts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from aclimb import Buffer

ROW = 256
Row = NDArray[np.float32]
Run = Callable[..., None]


@pytest.fixture
def rows(run: Run) -> Callable[..., Row]:
    def _rows(name: str, count: int, a: Row, b: Row) -> Row:
        z = Buffer((count, ROW), np.float32)
        run("converts", name, Buffer.from_array(a), Buffer.from_array(b), z)
        return z.to_numpy()

    return _rows


@pytest.fixture
def a() -> Row:
    return np.random.default_rng(1).uniform(-200, 200, ROW).astype(np.float32)


@pytest.fixture
def b() -> Row:
    return np.random.default_rng(2).uniform(-3, 3, ROW).astype(np.float32)


def ten_bits(scale: float) -> float:
    return float((np.float32(scale).view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32))


def blocks(values: NDArray[np.generic], high: bool) -> NDArray[np.generic]:
    """16 results in one half of each 32 bytes; the high one is halfBlock = true, as in the example of the documentation."""
    out = np.zeros(4 * ROW, values.dtype)
    at = np.arange(len(values))
    out[at // 16 * 32 + at % 16 + 16 * high] = values
    return out


@pytest.mark.requirement("lib-52")
def test_cast_dequant_with_each_sort_of_parameters(rows: Callable[..., Row], a: Row, b: Row) -> None:
    got = rows("dequantises", 6, a, b)
    x = np.rint(a).astype(np.float64)
    one = np.clip(np.rint(x * ten_bits(0.37) - 9), -128, 127).astype(np.int8)
    np.testing.assert_array_equal(got[0].view(np.int8), blocks(one[:200], high=True))
    masked = np.where(np.arange(ROW) % 128 < 100, one, np.int8(0))
    np.testing.assert_array_equal(got[1].view(np.int8), blocks(masked, high=False))
    each = np.arange(ROW) % 16
    sixteen = np.clip(np.rint(x * (0.25 * each) + each - 3), 0, 255).astype(np.uint8)
    np.testing.assert_array_equal(got[2].view(np.uint8), blocks(sixteen, high=True))
    np.testing.assert_array_equal(got[3].view(np.float16)[:ROW], (x / 2).astype(np.float16))
    np.testing.assert_array_equal(got[4].view(np.float16)[:ROW], np.maximum(x, 0).astype(np.float16))
    ten = np.where(np.arange(ROW) % 64 < 10, np.maximum(x, 0), 0).astype(np.float16)
    np.testing.assert_array_equal(got[5].view(np.float16)[:ROW], ten)


@pytest.mark.requirement("lib-52")
def test_calls_that_cast_their_result(rows: Callable[..., Row], a: Row, b: Row) -> None:
    got = rows("casts_after", 5, a, b)
    p, q, i, j = a.astype(np.float16), b.astype(np.float16), np.rint(a), np.rint(b)
    product = np.rint((p * q).astype(np.float64))
    np.testing.assert_array_equal(got[0].view(np.int8)[:ROW], np.clip(product, -128, 127).astype(np.int8))
    np.testing.assert_array_equal(got[1].view(np.uint8)[:ROW], np.clip(product, 0, 255).astype(np.uint8))
    np.testing.assert_array_equal(got[2].view(np.int8)[:ROW], np.clip(i + j, 0, 127).astype(np.int8))
    np.testing.assert_array_equal(got[3].view(np.float16)[:ROW], np.maximum(a - b, 0).astype(np.float16))
    half = np.rint(np.maximum(p + q, 0).astype(np.float64))
    np.testing.assert_array_equal(got[4].view(np.int8)[:ROW], np.clip(half, 0, 127).astype(np.int8))


@pytest.mark.requirement("lib-53")
def test_mode_registers_and_scalars(rows: Callable[..., Row], a: Row, b: Row) -> None:
    got = rows("modes", 1, a, b)[0]
    assert got[:6].tolist() == [1, 0, 65504, 0, 2, np.inf]
    assert got[6:9].tolist() == [1.0, -3, -2]
    assert got[9:15].tolist() == [9, 55, 127, 399, 5999, 1234.5]


def test_select_by_what_is_in_the_compare_mask_register(rows: Callable[..., Row], a: Row, b: Row) -> None:
    got = rows("selects", 4, a, b)
    np.testing.assert_array_equal(got[0], np.where(a > 0, a, np.float32(-2.5)))
    np.testing.assert_array_equal(got[1], np.where(a > 0, a, b))
    np.testing.assert_array_equal(got[2], np.where(np.tile(a[:64] > 0, 4), a, b))
    assert got[3].view(np.uint8)[:16].tobytes() == np.packbits(a > 0, bitorder="little")[:16].tobytes()
