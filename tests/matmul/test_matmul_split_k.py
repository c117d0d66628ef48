# SPDX-License-Identifier: Apache-2.0
"""K split over blocks: with a barrier behind the first part the whole sum, without one a finding."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from matmul_runs import HERE, integers, tiling

import aclimb
from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch

M, N, K, BLOCKS = 16, 16, 1024, 4


def multiplied(**defines: str) -> tuple[Any, Any, Any]:
    """C as the kernel leaves it, C by NumPy, and the check."""
    a, b = integers(1, M, K), integers(2, K, N)
    cut = tiling(M, N, K, (16, 16, 64), singleCoreK=K // BLOCKS)
    kernel = Kernel(Program(HERE / "split_k.cpp", defines=defines).compile())
    c, stream = Buffer.from_array(np.full((M, N), 77, np.float32)), Stream()
    with aclimb.check() as checked:
        launch(stream, LaunchConfig(BLOCKS), kernel, Buffer.from_array(a), Buffer.from_array(b), c, Buffer.from_array(cut))
        stream.synchronize()
    return c.to_numpy(), a.astype(np.float32) @ b.astype(np.float32), checked


@pytest.mark.requirement("mm-26")
def test_blocks_that_add_without_a_barrier_are_reported() -> None:
    """Whatever comes of it here, a chip may lose parts."""
    _, _, checked = multiplied()
    assert {each.rule for each in checked.findings if each.severity == "error"} == {"O7"}, checked.report()


@pytest.mark.requirement("mm-26")
def test_behind_a_barrier_all_parts_are_added() -> None:
    got, expected, checked = multiplied(WAITS="1")
    np.testing.assert_array_equal(got, expected)
    assert [each.rule for each in checked.findings if each.severity != "note"] == [], checked.report()
