# SPDX-License-Identifier: Apache-2.0
"""Configs of the library as kernels write them: local to a member function of a template, and handed on by reference."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from aclimb import Buffer

Run = Callable[..., None]


@pytest.mark.parametrize("columns", [False, True])
def test_a_config_may_be_local_to_a_template(run: Run, columns: bool) -> None:
    x = np.random.default_rng(4).integers(-9, 10, (8, 16)).astype(np.float32)
    y, last = Buffer((8, 16), "float32"), Buffer(16, "float32")
    run("configs", "cumulated", Buffer.from_array(x), y, last, columns)
    expected = np.cumsum(x, axis=0 if columns else 1)
    np.testing.assert_array_equal(y.to_numpy(), expected)
    np.testing.assert_array_equal(last.to_numpy(), expected[-1])


def test_a_config_is_handed_on_by_reference(run: Run) -> None:
    x, y = np.arange(1, 65, dtype=np.float32), Buffer(64, "float32")
    run("configs", "squared", Buffer.from_array(x), y)
    np.testing.assert_allclose(y.to_numpy(), x.astype(np.float64) ** 2, rtol=1e-6)
