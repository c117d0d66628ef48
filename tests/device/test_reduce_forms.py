# SPDX-License-Identifier: Apache-2.0
"""Reductions with explicit template arguments."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from aclimb import Buffer


def test_reductions_take_their_template_arguments_written_out(run: Callable[..., None]) -> None:
    x = np.random.default_rng(5).permutation(128).astype(np.float32)  # whole numbers: every order of adding gives the same
    y = Buffer(24, "float32")
    run("reduce_forms", "reduce_forms", Buffer.from_array(x), y)
    half, first = x[:64], x[:8]
    older = [x.sum()] * 3 + [127, 127, 0] + [half.sum()] * 3 + [half.max(), first.sum(), x[:2].sum(), half.sum()]
    newer = [half.sum(), half.sum(), half.max(), first.sum(), x[:2].sum()]
    masked = [first.sum(), first.max(), first.sum(), first.sum(), first.max()]
    expected = [*older, *newer, *masked, 0]
    np.testing.assert_array_equal(y.to_numpy(), np.array(expected, np.float32))
