# SPDX-License-Identifier: Apache-2.0
"""The call shapes of the vector APIs: which elements take part, and what a call leaves in the mask register."""

from __future__ import annotations

from collections.abc import Callable

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

from aclimb import Buffer

ROW = 256
Run = Callable[..., None]
Row = NDArray[np.float32]


@pytest.fixture
def rows(run: Run) -> Callable[[str, int, Row, Row], Row]:
    def _rows(name: str, count: int, a: Row, b: Row) -> Row:
        z = Buffer((count, ROW), np.float32)
        run("vector", name, Buffer.from_array(a), Buffer.from_array(b), z)
        return z.to_numpy()

    return _rows


@pytest.fixture
def a() -> Row:
    return np.random.default_rng(1).uniform(-9, 9, ROW).astype(np.float32)


@pytest.fixture
def b() -> Row:
    return np.random.default_rng(2).uniform(1, 9, ROW).astype(np.float32)


def where(chosen: NDArray[np.bool_], value: Row) -> Row:
    return np.where(chosen, value, np.float32(0))


def test_each_mask_shape_takes_its_elements(rows: Callable[..., Row], a: Row, b: Row) -> None:
    got = rows("mask_shapes", 8, a, b)
    at = np.arange(ROW)
    np.testing.assert_array_equal(got[0], where((at % 64 < 7) & (at < 192), a + b))
    np.testing.assert_array_equal(got[1], where((at % 2 == 0) & (at < 128), a + b))
    np.testing.assert_array_equal(got[2], where(at < 8, a + b))
    np.testing.assert_array_equal(got[3], where(at < 128, a + b))
    np.testing.assert_array_equal(got[4], where(at < 100, a + b))
    np.testing.assert_array_equal(got[5], where(at < 130, a + np.float32(1)))
    np.testing.assert_array_equal(got[6], where(at % 128 < 64, np.tile(a[:128], 2) * 2))
    expected = np.zeros(ROW, np.float32)
    expected[:64], expected[128:144] = a[:64] * 2, a[64:80] * 2
    np.testing.assert_array_equal(got[7], expected)


def test_operators_on_whole_tensors_follow_getsize(rows: Callable[..., Row], a: Row, b: Row) -> None:
    a[::3] = b[::3]
    got = rows("whole_tensors", 7, a, b)
    np.testing.assert_array_equal(got[0], where(np.arange(ROW) < 100, a + b))
    np.testing.assert_array_equal(got[1], a - b)
    np.testing.assert_array_equal(got[2], a * b)
    np.testing.assert_array_equal(got[3], a / b)
    np.testing.assert_array_equal(got[4], np.minimum(a, b))
    np.testing.assert_array_equal(got[5], np.maximum(a, 0))
    np.testing.assert_array_equal(got[6], np.where(a == b, a, np.float32(-1)))


def test_reductions_have_their_results_where_ascend_c_puts_them(rows: Callable[..., Row], b: Row) -> None:
    a = np.random.default_rng(3).permutation(np.arange(-128, 128)).astype(np.float32)  # sums are exact in any order
    got = rows("reductions", 12, a, b)
    groups = a.reshape(4, 64)

    def starts_with(row: int, values: Row) -> None:
        np.testing.assert_array_equal(got[row], np.pad(values.astype(np.float32), (0, ROW - values.size)))

    assert got[0][0] == a[:200].sum()
    for row, pick in ((1, np.argmax), (2, np.argmin)):
        index = int(pick(a[:200]))
        assert got[row][0] == a[index]
        assert got[row][1:2].view(np.uint32)[0] == index
    starts_with(3, groups.sum(axis=1))
    first = groups[:, :10]
    np.testing.assert_array_equal(got[4][:8:2], first.max(axis=1))
    np.testing.assert_array_equal(got[4][1:8:2].copy().view(np.uint32), first.argmax(axis=1))
    starts_with(5, groups.min(axis=1))
    starts_with(6, a.reshape(32, 8).sum(axis=1))
    starts_with(7, a.reshape(32, 8).max(axis=1))
    starts_with(8, a.reshape(128, 2).sum(axis=1))
    starts_with(9, groups.sum(axis=1))
    starts_with(10, groups.min(axis=1))
    starts_with(11, groups.sum(axis=1))


def test_casts_round_as_their_mode_says(rows: Callable[..., Row], a: Row, b: Row) -> None:
    got = rows("casts", 6, a, b)
    np.testing.assert_array_equal(got[0], a.astype(np.float16).astype(np.float32))
    np.testing.assert_array_equal(got[1], a.astype(ml_dtypes.bfloat16).astype(np.float32))
    np.testing.assert_array_equal(got[2], np.floor(a))
    np.testing.assert_array_equal(got[3], np.trunc(a))
    near = a.astype(np.float16)
    up = np.where(near.astype(np.float32) < a, np.nextafter(near, np.float16(np.inf)), near)
    np.testing.assert_array_equal(got[4], up.astype(np.float32))
    np.testing.assert_array_equal(got[5], np.rint(a) * np.float32(0.5))


def test_fills_and_accumulations(rows: Callable[..., Row], a: Row, b: Row) -> None:
    a, b = np.rint(a), np.rint(b)  # products and sums of small whole numbers are exact
    got = rows("fills", 6, a, b)
    np.testing.assert_array_equal(got[0], np.repeat(a[:32], 8))
    np.testing.assert_array_equal(got[1], np.concatenate([a[:64], a[128:192], np.zeros(128, np.float32)]))
    np.testing.assert_array_equal(got[2], np.where(np.arange(ROW) % 64 < 8, np.float32(3.5), 0))
    np.testing.assert_array_equal(got[3], 2 * a - b)
    np.testing.assert_array_equal(got[4], a * b + 1)
    np.testing.assert_array_equal(got[5], 2 * a + b)
