# SPDX-License-Identifier: Apache-2.0
"""Data types by name, and their numbers in ge."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np

# ge's numbers for data types.
GE_DTYPES = {"float32": 0, "float16": 1, "int8": 2, "int32": 3, "uint8": 4, "int16": 6, "uint16": 7, "uint32": 8, "int64": 9, "uint64": 10,
             "float64": 11, "bool": 12, "bfloat16": 27}  # fmt: skip


def dtype_of(name: str) -> np.dtype[Any]:
    """A type by its name; bfloat16 is ml_dtypes'."""
    return np.dtype(ml_dtypes.bfloat16) if name in ("bfloat16", "bf16") else np.dtype(name)
