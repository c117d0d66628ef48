# SPDX-License-Identifier: Apache-2.0
"""The numbers that Ascend C has a name for, and its functions of scalars."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from aclimb import Buffer

Run = Callable[..., None]


def test_sizes_of_floats_count_blocks_and_repeats(run: Run) -> None:
    x, z = np.arange(128, dtype=np.float32), Buffer(1024, "float32")
    run("numbers", "eight_times", Buffer.from_array(x), z, 100)
    np.testing.assert_array_equal(z.to_numpy(), x.repeat(8))


def test_sizes_of_halves_count_repeats(run: Run) -> None:
    x, z = np.arange(320, dtype=np.float16), Buffer(320, "float16")
    run("numbers", "doubled_halves", Buffer.from_array(x), z, 320)
    np.testing.assert_array_equal(z.to_numpy(), x * 2)


def test_axpy_of_half_rounds_the_product_and_then_the_sum_as_muls_and_add_do(run: Run) -> None:
    rng = np.random.default_rng(6)
    x, y = rng.uniform(-8, 8, (2, 4096)).astype(np.float16)
    z, scalar = Buffer((2, 4096), "float16"), np.float16(0.7)
    run("numbers", "axpy_halves", Buffer.from_array(x), Buffer.from_array(y), z, 4096, float(scalar))
    product = (x.astype(np.float64) * float(scalar)).astype(np.float16)
    expected = (y.astype(np.float64) + product.astype(np.float64)).astype(np.float16)
    np.testing.assert_array_equal(z.to_numpy(), [expected, expected])
    once = (y.astype(np.float64) + x.astype(np.float64) * float(scalar)).astype(np.float16)
    assert np.count_nonzero(once != expected) > 100  # it shows which of the two it is


@pytest.mark.parametrize("dtype", ["float32", "int32", "int64"])
def test_abs_of_a_scalar_keeps_its_type(run: Run, dtype: str) -> None:
    x = np.array([0, -1, 7, -(2**30), 2**30], dtype)
    if dtype == "float32":
        x = np.append(x, np.float32([-0.0, -np.inf, 0.25, -1e-40])).astype(np.float32)
    z = Buffer(len(x), dtype)
    run("numbers", f"absolute_{'float' if dtype == 'float32' else dtype}", Buffer.from_array(x), z, len(x))
    np.testing.assert_array_equal(z.to_numpy().view(np.uint8), np.abs(x).view(np.uint8))


def test_scalars_have_a_larger_and_a_smaller_and_take_pieces(run: Run) -> None:
    x = np.array([-70, -3, 0, 1, 31, 32, 33, 2**30], np.int32)
    z, pieces = Buffer(8, "int32"), Buffer(8, "uint32")
    run("numbers", "limited", Buffer.from_array(x), z, pieces, 8, -5, 32, 32)
    np.testing.assert_array_equal(z.to_numpy(), np.clip(x, -5, 32))
    np.testing.assert_array_equal(pieces.to_numpy(), -(-np.abs(x) // 32))
