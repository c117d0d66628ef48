# SPDX-License-Identifier: Apache-2.0
"""Indices of cores, SyncAll in its forms, IBSet and IBWait, and code that both core types share."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from aclimb import Buffer

Run = Callable[..., None]


def zeros(count: int) -> Buffer:
    return Buffer.from_array(np.zeros(count, np.int32))


def test_indices_of_a_mixed_kernel_are_the_documented_ones(run: Run) -> None:
    z = zeros(9 * 7)
    run("cores", "identity", z, blocks=3)
    expected = [[1, group, 3, 0, 1, 1, group] for group in range(3)]
    expected += [[2, 2 * group + sub, 3, sub, 2, 2, group] for group in range(3) for sub in range(2)]
    assert z.to_numpy().reshape(9, 7).tolist() == expected


@pytest.mark.parametrize(("name", "cores_per_block"), [("meet_mixed", 3), ("meet_vectors", 1), ("meet_cubes", 1)])
@pytest.mark.parametrize("blocks", [1, 8])
def test_syncall_lets_nobody_pass_before_the_last_has_come(run: Run, name: str, cores_per_block: int, blocks: int) -> None:
    cores, rounds = cores_per_block * blocks, 5
    seen, z = zeros(cores), zeros(cores * rounds)
    run("cores", name, seen, z, rounds, blocks=blocks)
    sums = [sum(range(1 + number, cores + 1 + number)) for number in range(rounds)]
    np.testing.assert_array_equal(z.to_numpy().reshape(rounds, cores), np.repeat(np.int32(sums)[:, None], cores, 1))


def test_soft_syncall_lets_nobody_pass_before_the_last_has_come(run: Run) -> None:
    seen, z, workspace = zeros(8), zeros(8 * 5), zeros(8 * 8)
    run("cores", "meet_softly", seen, z, workspace, 5, blocks=8)
    np.testing.assert_array_equal(z.to_numpy().reshape(5, 8), np.repeat(np.int32([36, 44, 52, 60, 68])[:, None], 8, 1))


def test_ibset_and_ibwait_put_cores_in_a_row(run: Run) -> None:
    z = zeros(8)
    run("cores", "in_a_row", z, zeros(8 * 8 * 8 + 8 * 8 + 8), blocks=8)
    assert z.to_numpy().tolist() == [1, 3, 7, 15, 31, 63, 127, 255]


def test_shared_code_runs_each_part_on_its_own_core(run: Run) -> None:
    x = np.arange(64, dtype=np.float32)
    z = Buffer.from_array(np.zeros(128, np.float32))
    run("cores", "shared_code", Buffer.from_array(x), z)
    np.testing.assert_array_equal(z.to_numpy(), np.concatenate([x + 1, x]))
