# SPDX-License-Identifier: Apache-2.0
"""CumSum against sums in the order that is published, bit by bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from library_image import WITH_COUNT, WITH_TMP_AND_COUNT, Array, Image

from aclimb import errors

TYPES = {"float": np.float32, "half": np.float16}
SIZES = 9


def by_line(x: Array) -> Array:
    """Along the first axis, each sum rounded."""
    sums = x.copy()
    for i in range(1, len(sums)):
        sums[i] = sums[i - 1] + sums[i]
    return sums


def as_tree(x: Array) -> Array:
    sums = x.copy()
    step = 1
    while step < len(sums):
        for i in range(len(sums)):
            if i & step:
                sums[i] = sums[i // step * step - 1] + sums[i]
        step *= 2
    return sums


WAYS = {
    "Rows": lambda x: by_line(x.T).T,
    "Columns": by_line,
    "RowsAsTree": lambda x: as_tree(x.T).T,
    "ColumnsAsTree": as_tree,
    "Default": lambda x: by_line(x.T).T,
}
WITH_LAST_ROW = {"Rows", "Columns", "RowsAsTree"}


def run(way: str, x: Array, form: int, tmp: int = 0, *, in_place: bool = False) -> tuple[Array, Array]:
    image = Image()
    z = image.add(x if in_place else np.full_like(x, 7))
    source = image.same_place(z) if in_place else image.add(x)
    last = image.add(np.full(x.shape[1], 5, x.dtype))
    if form == WITH_TMP_AND_COUNT:
        image.scratch(tmp)
    name = {np.float32: "float", np.float16: "half"}[x.dtype.type]
    image.run("cumsum", f"{way}_{name}", form=form, more=x.shape)
    if not in_place:
        np.testing.assert_array_equal(image.of(source), image.was(source))
    return image.of(z), image.of(last)


def sizes(way: str, x: Array) -> tuple[int, int]:
    most, least = np.frombuffer(run(way, x, SIZES)[1].tobytes(), np.uint32)[:2]
    return int(most), int(least)


@pytest.mark.requirement("lib-19", "lib-3", "lib-5", "lib-6")
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("way", WAYS)
@settings(max_examples=4, deadline=None)
@given(rows=st.integers(1, 37), blocks=st.integers(1, 5), seed=st.integers(0, 99))
def test_every_way_adds_in_its_order(way: str, dtype: str, rows: int, blocks: int, seed: int) -> None:
    kind = TYPES[dtype]
    x = np.random.default_rng(seed).normal(0, 100, (rows, blocks * 32 // kind().itemsize)).astype(kind)
    most, least = sizes(way, x)
    assert least <= most
    assert most % 32 == least % 32 == 0
    expected = WAYS[way](x)
    results = [run(way, x, WITH_TMP_AND_COUNT, least), run(way, x, WITH_TMP_AND_COUNT, most + 64), run(way, x, WITH_COUNT)]
    results += [run(way, x, WITH_COUNT, in_place=True)]
    for sums, last in results:
        np.testing.assert_array_equal(sums, expected)
        np.testing.assert_array_equal(last, expected[-1] if way in WITH_LAST_ROW else np.full(x.shape[1], 5))


@pytest.mark.requirement("lib-19")
def test_published_example() -> None:
    x = np.zeros((2, 8), np.float32)
    x[:, :3] = [[0, 1, 2], [3, 4, 5]]
    np.testing.assert_array_equal(run("Default", x, WITH_COUNT)[0][:, :3], [[0, 1, 3], [3, 7, 12]])


@pytest.mark.requirement("lib-19", "lib-3")
def test_wrong_shapes_and_too_little_scratch_are_reported() -> None:
    x = np.ones((9, 8), np.float32)
    _, least = sizes("Rows", x)
    with pytest.raises(errors.Misuse, match=rf"CumSum has {least - 32} bytes, and the least it works with are {least}"):
        run("Rows", x, WITH_TMP_AND_COUNT, least - 32)
    with pytest.raises(errors.AclimbError, match="a row of CumSum, in bytes, is 20; it takes a multiple of 32"):
        run("Columns", x[:, :5].copy(), WITH_COUNT)
