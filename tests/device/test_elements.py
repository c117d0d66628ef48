# SPDX-License-Identifier: Apache-2.0
"""t(i), an element of a tensor, converts and computes as the element itself does."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from aclimb import Buffer

Run = Callable[..., None]
FLOATS = np.float32([1.2345678, 98765.4321 / 2**6])


def rounded(value: float | np.float32, name: str) -> np.float32:
    """To the type's digits and back."""
    if name == "bfloat16":
        bits = int(np.float32(value).view(np.uint32))
        return np.uint32((bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000).view(np.float32)
    return np.float32(np.float16(value)) if name == "half" else np.float32(value)


def stored(values: NDArray[np.float32], name: str) -> np.ndarray:
    if name == "bfloat16":
        return (values.view(np.uint32) >> 16).astype(np.uint16)
    return values.astype(np.float16) if name == "half" else values


@pytest.mark.parametrize("name", ["half", "bfloat16", "float"])
def test_an_element_stands_where_a_scalar_does(run: Run, name: str) -> None:
    def r(value: float | np.float32) -> np.float32:
        return rounded(value, name)

    x = np.array([r(11.3), r(-0.7)], np.float32)
    a, b = x
    z = Buffer(16, "float32")
    run("elements", f"of_{name}", Buffer.from_array(stored(x, name)), Buffer.from_array(FLOATS), z)
    kept = r(r(r(FLOATS[1]) + a) * np.float32(2))
    expected = [a, b, r(a + b), a * np.float32(2.5), r(a + np.float32(1)), 0 + 2 + 0 + 8, 11, -a, r(a - b), r(FLOATS[0]), r(FLOATS[1]),
                a / 2 + b * 2, kept, a, a + 0, r(np.float32(3) - r(a / b))]  # fmt: skip
    np.testing.assert_array_equal(z.to_numpy(), np.array(expected, np.float32))


def test_an_element_of_bfloat16_is_cast_by_name(run: Run) -> None:
    x, z = np.float32([1.5, -8.25]), Buffer(1, "float32")
    run("elements", "to_float", Buffer.from_array(stored(x, "bfloat16")), z)
    assert z.to_numpy()[0] == x.sum()
