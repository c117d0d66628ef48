# SPDX-License-Identifier: Apache-2.0
"""TopK against a stable sort of NumPy: both modes and directions, index rules, pitches, ties, NaN."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from library_image import WITH_COUNT, WITH_TMP_AND_COUNT, Array, Image

from aclimb import errors
from aclimb.tiling import library

TYPES = {"float": np.float32, "half": np.float16}


def order(row: Array, largest: bool) -> Array:
    """Where each value goes: equal ones in their order, NaN before all."""
    wide = row.astype(np.float64) * (-1 if largest else 1)
    wide[np.isnan(wide)] = -np.inf
    return np.argsort(wide, kind="stable")


def run(
    name: str, x: Array, n: int, k: int, largest: bool, index: Array | None, finish: Array | None, form: int, tmp: int = 0
) -> tuple[Array, Array]:
    """Rows of k values and indices."""
    rows, inner = x.shape
    small = name.startswith("small")
    values_pitch, index_pitch = (k, k) if small else (-(-k * x.itemsize // 32) * 32 // x.itemsize, -(-k // 8) * 8)
    image = Image()
    values, indices = image.add(np.zeros(rows * values_pitch, x.dtype)), image.add(np.zeros(rows * index_pitch, np.int32))
    source = image.add(x)
    image.add(np.zeros(8, np.int32) if index is None else index)
    image.add(np.zeros(32, np.uint8) if finish is None else finish.astype(np.uint8))
    if form == WITH_TMP_AND_COUNT:
        image.scratch(tmp)
    image.run("topk", name, k, form, (rows, inner, n, largest))
    np.testing.assert_array_equal(image.of(source), x)
    return image.of(values).reshape(rows, values_pitch)[:, :k], image.of(indices).reshape(rows, index_pitch)[:, :k]


@pytest.mark.requirement("lib-43")
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("own_index", [False, True])
@settings(max_examples=10, deadline=None)
@given(rows=st.integers(1, 6), blocks=st.integers(1, 24), largest=st.booleans(), data=st.data(), seed=st.integers(0, 99))
def test_normal(dtype: str, own_index: bool, rows: int, blocks: int, largest: bool, data: st.DataObject, seed: int) -> None:
    inner = 32 * blocks
    n = data.draw(st.integers(inner - 31, inner))
    k = data.draw(st.integers(1, n))
    random = np.random.default_rng(seed)
    x = random.integers(-40, 40, (rows, inner)).astype(TYPES[dtype])  # many ties
    x[:, n:] = -np.inf if largest else np.inf
    index = random.permutation(5 * inner)[:inner].astype(np.int32) if own_index else None
    finish = random.integers(0, 2, rows) if own_index else None
    form = data.draw(st.sampled_from([WITH_TMP_AND_COUNT, WITH_COUNT]))
    most, least = library.other_sizes("TopK", inner, rows, 0)
    name = f"normal_index_{dtype}" if own_index else f"normal_{dtype}"
    values, indices = run(name, x, n, k, largest, index, finish, form, data.draw(st.sampled_from([most, least])))
    for r in range(rows):
        at = order(x[r], largest)[:k]
        np.testing.assert_array_equal(values[r], x[r][at])
        expected = at if index is None else index[at]
        np.testing.assert_array_equal(indices[r], np.full(k, n) if finish is not None and finish[r] else expected)


@pytest.mark.requirement("lib-43")
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("own_index", [False, True])
@settings(max_examples=10, deadline=None)
@given(rows=st.integers(1, 70), k=st.integers(1, 32), largest=st.booleans(), form=st.sampled_from([WITH_TMP_AND_COUNT, WITH_COUNT]),
       least=st.booleans(), seed=st.integers(0, 99))  # fmt: skip
def test_small(dtype: str, own_index: bool, rows: int, k: int, largest: bool, form: int, least: bool, seed: int) -> None:
    random = np.random.default_rng(seed)
    x = random.normal(0, 9, (rows, 32)).astype(TYPES[dtype])
    x[0, :5] = 1.5
    index = random.integers(0, 1 << 20, (rows, 32)).astype(np.int32) if own_index else None
    name = f"small_index_{dtype}" if own_index else f"small_{dtype}"
    finish = np.ones(rows, np.uint8) if own_index else None
    values, indices = run(name, x, 32, k, largest, index, finish, form, library.other_sizes("TopK", 32, rows, 1)[least])
    for r in range(rows):
        at = order(x[r], largest)[:k]
        np.testing.assert_array_equal(values[r], x[r][at])
        np.testing.assert_array_equal(indices[r], at if index is None else index[r][at])


@pytest.mark.requirement("lib-43")
@pytest.mark.parametrize("largest", [True, False])
def test_nan_comes_first_and_infinities_are_ends(largest: bool) -> None:
    x = np.zeros((1, 64), np.float32)
    x[0, :6] = [1, np.inf, -np.inf, np.nan, 2, -3]
    values, indices = run("normal_float", x, 64, 3, largest, None, None, WITH_COUNT)
    assert np.isnan(values[0, 0])
    np.testing.assert_array_equal(values[0, 1:], [np.inf, 2] if largest else [-np.inf, -3])
    np.testing.assert_array_equal(indices[0], [3, 1, 4] if largest else [3, 2, 5])


@pytest.mark.requirement("lib-43", "lib-3")
def test_wrong_sizes() -> None:
    x = np.zeros((2, 64), np.float32)
    with pytest.raises(errors.Misuse, match="k of TopK is 65; it takes 1 to 64"):
        run("normal_float", x, 64, 65, True, None, None, WITH_COUNT)
    least = library.other_sizes("TopK", 64, 2, 0)[1]
    with pytest.raises(errors.Misuse, match=f"the sharedTmpBuffer of TopK has {least - 32} bytes, and the least it works with are {least}"):
        run("normal_float", x, 64, 5, True, None, None, WITH_TMP_AND_COUNT, least - 32)
    with pytest.raises(errors.Misaligned, match="inner of TopKInfo is 40"):
        run("normal_float", np.zeros((2, 40), np.float32), 40, 5, True, None, None, WITH_COUNT)
