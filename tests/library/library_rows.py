# SPDX-License-Identifier: Apache-2.0
"""What tests of calls over rows share: rows with something behind them, and the tolerance of a sum."""

from __future__ import annotations

import math

import numpy as np
from library_image import Array, near
from numpy.typing import DTypeLike, NDArray

Float64 = NDArray[np.float64]


def pitch_of(columns: int, size: int) -> int:
    """Elements from row to row: whole blocks of 32 bytes."""
    block = 32 // size
    return -(-columns // block) * block


def padded(values: Float64, dtype: DTypeLike, pitch: int, behind: float = 77) -> Array:
    """Rows of `pitch` elements; what lies behind the values must have no influence."""
    rows = np.full((values.shape[0], pitch), behind, dtype)
    rows[:, : values.shape[1]] = values.astype(dtype)
    return rows


def near_sum(got: Array, expected: Float64, terms: int) -> None:
    """A result that hangs on sums of so many terms."""
    near(got, expected, 1e-6 * math.log2(max(terms, 2)) + 1e-6 if got.dtype == np.float32 else None)
