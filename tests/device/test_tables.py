# SPDX-License-Identifier: Apache-2.0
"""Tables in global memory that stand in the source of a kernel: const __gm__ T name[]."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import aclimb
from aclimb import Buffer
from aclimb.errors import OutOfBounds

Run = Callable[..., None]
PRIMES = np.array([2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53], np.float32)
X = np.arange(16, dtype=np.float32)


def test_a_table_of_the_source_is_read_like_global_memory(run: Run) -> None:
    z = Buffer(16, "float32")
    run("tables", "add_primes", Buffer.from_array(X), z)
    np.testing.assert_array_equal(z.to_numpy(), X + PRIMES)


def test_a_table_goes_into_a_matrix_product(run: Run) -> None:
    x, z = np.random.default_rng(3).integers(-9, 10, (16, 16)).astype(np.float16), Buffer((16, 16), "float32")
    run("tables", "times_table", Buffer.from_array(x), z)
    scale = np.diag(np.float32([1, 2, 3, 4] + [0] * 12))
    np.testing.assert_array_equal(z.to_numpy(), x.astype(np.float32) @ scale)


def test_checks_and_profiles_know_tables(run: Run) -> None:
    z = Buffer(16, "float32")
    with aclimb.check() as found:
        run("tables", "add_primes", Buffer.from_array(X), z)
    assert not found.findings
    with aclimb.profile() as timeline:
        run("tables", "add_primes", Buffer.from_array(X), z)
    assert timeline.query("select count(*) from slice where name = 'DataCopy' and pipe = 'MTE2'") == [(3,)]
    np.testing.assert_array_equal(z.to_numpy(), X + PRIMES)


def test_a_table_is_not_written(run: Run) -> None:
    with pytest.raises(OutOfBounds, match=r"of .*kept.* at 0x\w+, among the tables of the kernel's own source, which are only read"):
        run("tables", "writes_a_table", Buffer(16, "float32"))


def test_what_leads_out_of_the_kernel_is_not_read(run: Run) -> None:
    with pytest.raises(OutOfBounds, match=r"65536 bytes of primes at 0x\w+, which begins among the tables of .* and ends behind them"):
        run("tables", "reads_behind_a_table", Buffer(16, "float32"))
