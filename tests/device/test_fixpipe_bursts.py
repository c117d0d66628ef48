# SPDX-License-Identifier: Apache-2.0
"""Fixpipe in its first form: FixpipeParams and Nz2NdParams, which count bursts of L0C and gaps."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from aclimb import Buffer

Run = Callable[..., None]
ROWS, COLUMNS, PITCH = 20, 48, 32


def as_l0b(matrix: np.ndarray) -> np.ndarray:
    k, n = matrix.shape
    return np.ascontiguousarray(matrix.reshape(k, n // 16, 16).transpose(1, 2, 0))


def operands(dtype: type, wide: type) -> tuple[Buffer, Buffer, np.ndarray]:
    rng = np.random.default_rng(11)
    k = 32 // np.dtype(dtype).itemsize
    x, y = rng.integers(-9, 10, (PITCH, k)).astype(dtype), rng.integers(-9, 10, (k, COLUMNS)).astype(dtype)
    return Buffer.from_array(x), Buffer.from_array(as_l0b(y)), (x.astype(wide) @ y.astype(wide))[:ROWS]


def columns(matrix: np.ndarray, rows: int, width: int) -> np.ndarray:
    """NZ: groups of `width` columns, each of `rows` rows; what the matrix does not reach stays 0."""
    found = np.zeros((matrix.shape[1] // width, rows, width), matrix.dtype)
    found[:, : len(matrix)] = matrix.reshape(len(matrix), -1, width).transpose(1, 0, 2)
    return found


def words_of(scales: np.ndarray, signed: bool = True) -> np.ndarray:
    return scales.astype(np.float32).view(np.uint32).astype(np.uint64) | np.uint64(signed << 46)


@pytest.mark.requirement("lib-56")
@pytest.mark.parametrize("relu", [False, True])
@pytest.mark.parametrize(("name", "dtype"), [("float_rows", np.float32), ("half_rows", np.float16)])
def test_bursts_leave_as_rows_of_the_original_width(run: Run, name: str, dtype: type, relu: bool) -> None:
    x, y, product = operands(np.float16, np.float32)
    z = Buffer((ROWS, 64), dtype)
    run("bursts", name, x, y, z, 64, relu)
    expected = np.zeros((ROWS, 64), dtype)
    expected[:, :40] = np.maximum(product, 0 if relu else product)[:, :40]
    np.testing.assert_array_equal(z.to_numpy(), expected)


@pytest.mark.requirement("lib-56")
def test_several_matrices_of_l0c_leave_one_behind_the_other(run: Run) -> None:
    x, y, product = operands(np.float16, np.float32)
    z = Buffer((3, ROWS, 16), np.float32)
    run("bursts", "three_matrices", x, y, z)
    np.testing.assert_array_equal(z.to_numpy(), columns(product, ROWS, 16))


@pytest.mark.requirement("lib-56")
@pytest.mark.parametrize("rows", [20, 16, 5])
def test_gaps_are_counted_from_the_end_of_a_burst(run: Run, rows: int) -> None:
    x, y, product = operands(np.float16, np.float32)
    z = Buffer((3, PITCH, 16), np.float32)
    run("bursts", "float_columns", x, y, z, rows, 2 * (PITCH - rows))
    np.testing.assert_array_equal(z.to_numpy(), columns(product[:rows], PITCH, 16))


@pytest.mark.requirement("lib-56")
def test_bursts_are_dequantised_by_a_tensor_and_by_a_number(run: Run) -> None:
    x, y, product = operands(np.int8, np.int32)
    scales = np.float32(2.0) ** -(np.arange(COLUMNS) % 7)
    z, same = Buffer((3, PITCH, 16), np.float16), Buffer((3, PITCH, 16), np.float16)
    run("bursts", "dequantised", x, y, Buffer.from_array(words_of(scales)), z, same, int(words_of(np.float32([0.25]))[0]))
    np.testing.assert_array_equal(z.to_numpy()[:, :ROWS], columns((product * scales).astype(np.float16), ROWS, 16))
    np.testing.assert_array_equal(same.to_numpy(), columns((product * 0.25).astype(np.float16), PITCH, 16))


@pytest.mark.requirement("lib-56")
def test_bursts_are_requantised_to_columns_of_32_bytes(run: Run) -> None:
    x, y, product = operands(np.int8, np.int32)
    scales = np.float32(2.0) ** -(np.arange(COLUMNS) % 5)
    z, rows = Buffer((1, PITCH, 32), np.int8), Buffer((ROWS, COLUMNS), np.int8)
    run("bursts", "requantised", x, y, Buffer.from_array(words_of(scales)), z, rows, int(words_of(np.float32([0.25]))[0]))

    def bytes_of(values: np.ndarray) -> np.ndarray:
        return np.clip(np.rint(values), -128, 127).astype(np.int8)

    np.testing.assert_array_equal(z.to_numpy(), columns(bytes_of(product[:, :32] * 0.25), PITCH, 32))
    np.testing.assert_array_equal(rows.to_numpy(), bytes_of(product * scales))
