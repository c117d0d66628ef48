# SPDX-License-Identifier: Apache-2.0
"""Reductions against trees written out in NumPy: each addition rounds to the element type."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from core import NUMPY, SATURATE, Array, Core, RefusedError, lanes_of, scalar_bits
from vector_reference import lane_positions, selected

from aclimb.flow import FaultKind

VALUE_INDEX, INDEX_VALUE, ONLY_VALUE, ONLY_INDEX = range(4)
FLOATS = ["half", "f32"]
INDEX = {"half": np.uint16, "f32": np.uint32}
MASKS = [None, 1, 7, (0x8000_0F0F_0000_1111, 0x1)]
STRIDES = [(1, 8), (2, 17), (1, 0), (0, 5)]


def numbers(random: np.random.Generator, dtype: str, count: int) -> Array:
    return (random.uniform(-1, 1, count) * np.exp2(random.uniform(-6, 6, count))).astype(NUMPY[dtype])


def tree(lanes: Array) -> Any:
    """Neighbours level by level, in the element type."""
    with np.errstate(all="ignore"):
        while len(lanes) > 1:
            lanes = lanes[0::2] + lanes[1::2]
    return lanes[0]


def neutral(name: str) -> float:
    return -np.inf if name.endswith("max") else np.inf if name.endswith("min") else 0.0


def repeat_lanes(a: Array, dtype: str, name: str, mask: Any, r: int, stride: tuple[int, int]) -> Array:
    lanes = lanes_of(dtype)
    taken = a[lane_positions(dtype, lanes, r, stride)]
    return np.where(selected(mask, lanes), taken, np.array(neutral(name), taken.dtype))


def extreme(lanes: Array, on: Array, name: str) -> tuple[Any, int]:
    """Value and the lowest index that has it; NaN wins."""
    where = np.flatnonzero(on)
    picked = lanes[where]
    if np.isnan(picked).any():
        return np.array(np.nan, lanes.dtype), int(where[np.flatnonzero(np.isnan(picked))[0]])
    best = picked.max() if name.endswith("max") else picked.min()
    return best, int(where[np.flatnonzero(picked == best)[0]])


@pytest.mark.parametrize("stride", STRIDES)
@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("dtype", FLOATS)
def test_whole_reduce_sum_is_one_tree_a_repeat(
    core: Core, random: np.random.Generator, level: str, dtype: str, mask: Any, stride: Any
) -> None:
    a, repeat = numbers(random, dtype, 8192), 5
    done = core.details("vcadd", a, dst=np.zeros(64, NUMPY[dtype]), mask=mask, repeat=repeat, strides=((1, 3), stride, (0, 0)))
    sums = [tree(repeat_lanes(a, dtype, "vcadd", mask, r, stride)) for r in range(repeat)]
    expected = np.zeros(64, NUMPY[dtype])
    expected[: 3 * repeat : 3] = sums
    np.testing.assert_array_equal(done.dst, expected)
    total = sums[0]
    for each in sums[1:]:
        total = total + each
    assert done.reduce[0] == scalar_bits(total, dtype)


@pytest.mark.parametrize("name", ["vcmax", "vcmin"])
@pytest.mark.parametrize("order", [VALUE_INDEX, INDEX_VALUE, ONLY_VALUE, ONLY_INDEX])
@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("dtype", FLOATS)
def test_whole_reduce_extremes_come_with_their_index(
    core: Core, random: np.random.Generator, name: str, dtype: str, mask: Any, order: int
) -> None:
    lanes, repeat, step = lanes_of(dtype), 5, 2
    a = random.integers(-4, 4, 8192).astype(NUMPY[dtype])  # many ties
    a[5 * lanes // 4] = np.nan
    a[lanes // 8] = -np.inf
    done = core.details(
        name,
        a,
        dst=np.zeros(64, NUMPY[dtype]),
        mask=mask,
        repeat=repeat,
        mode=order,
        strides=((1, step), (1, 8), (0, 0)),
    )
    on = selected(mask, lanes)
    results = [extreme(a[r * lanes : (r + 1) * lanes], on, name) for r in range(repeat)]
    raw = done.dst.tobytes()
    size = np.dtype(NUMPY[dtype]).itemsize
    unit = {VALUE_INDEX: 2 * size, INDEX_VALUE: 2 * size, ONLY_VALUE: size, ONLY_INDEX: 4}[order]
    for r, (value, index) in enumerate(results):
        result = raw[r * step * unit :][:unit]
        value_bytes, index_bytes = np.array(value, NUMPY[dtype]).tobytes(), np.array(index, INDEX[dtype]).tobytes()
        expected = {
            VALUE_INDEX: value_bytes + index_bytes,
            INDEX_VALUE: index_bytes + value_bytes,
            ONLY_VALUE: value_bytes,
            ONLY_INDEX: np.uint32(index).tobytes(),
        }[order]
        assert result == expected


@pytest.mark.parametrize("name", ["vcgadd", "vcgmax", "vcgmin"])
@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("dtype", FLOATS)
def test_block_reduce_skips_blocks_without_lanes(
    core: Core, random: np.random.Generator, level: str, name: str, dtype: str, mask: Any
) -> None:
    lanes, repeat, stride = lanes_of(dtype), 4, (2, 20)
    a = numbers(random, dtype, 4096)
    dst = np.full(128, 99, NUMPY[dtype])
    actual = core.run(name, a, dst=dst, mask=mask, repeat=repeat, strides=((1, 2), stride, (0, 0)))
    expected, on, width = dst.copy(), selected(mask, lanes), lanes // 8
    for r in range(repeat):
        blocks = repeat_lanes(a, dtype, name, mask, r, stride).reshape(8, width)
        for block in range(8):
            if on[block * width : (block + 1) * width].any():
                lanes_in = blocks[block]
                results = {"vcgadd": tree(lanes_in), "vcgmax": lanes_in.max(), "vcgmin": lanes_in.min()}
                expected[r * 16 + block] = results[name]
    np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("dtype", FLOATS)
def test_pair_reduce_adds_neighbours(core: Core, random: np.random.Generator, level: str, dtype: str, mask: Any) -> None:
    lanes, repeat = lanes_of(dtype), 3
    a = numbers(random, dtype, 2048)
    dst = np.full(512, 99, NUMPY[dtype])
    actual = core.run("vcpadd", a, dst=dst, mask=mask, repeat=repeat, strides=((1, 2), (1, 9), (0, 0)))
    expected, on = dst.copy(), selected(mask, lanes)
    for r in range(repeat):
        pairs = repeat_lanes(a, dtype, "vcpadd", mask, r, (1, 9)).reshape(-1, 2)
        keep = on.reshape(-1, 2).any(axis=1)
        start = r * lanes  # 2 * 128 bytes
        expected[start : start + lanes // 2][keep] = (pairs[:, 0] + pairs[:, 1])[keep]
    np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize("count", [1, 7, 64, 128, 1000, 9000])
@pytest.mark.parametrize("dtype", FLOATS)
def test_counted_reduce_sum_adds_repeats_in_order(core: Core, random: np.random.Generator, level: str, dtype: str, count: int) -> None:
    lanes = lanes_of(dtype)
    a = numbers(random, dtype, count)
    padded = np.concatenate([a, np.zeros(-count % lanes, NUMPY[dtype])]).reshape(-1, lanes)
    total = tree(padded[0])
    for row in padded[1:]:
        total = total + tree(row)
    done = core.details("reduce_sum", a, dst=np.zeros(4, NUMPY[dtype]), count=count)
    assert done.dst[0] == total
    assert done.dst[1:].tolist() == [0, 0, 0]
    assert done.reduce[0] == scalar_bits(total, dtype)


@pytest.mark.parametrize("repeat", [1, 3, 64, 200, 5000])
@pytest.mark.parametrize("dtype", FLOATS)
def test_masked_reduce_sum_is_a_tree_of_trees(core: Core, random: np.random.Generator, dtype: str, repeat: int) -> None:
    lanes = lanes_of(dtype)
    stride = (1, 1) if repeat < 1000 else (1, 0)
    a = numbers(random, dtype, 16384)
    row = [tree(repeat_lanes(a, dtype, "reduce_sum", 37, r, stride)) for r in range(repeat)]
    while len(row) > 1:
        padded = np.array(row + [0] * (-len(row) % lanes), NUMPY[dtype]).reshape(-1, lanes)
        row = [tree(each) for each in padded]
    actual = core.run("reduce_sum", a, dst=np.zeros(2, NUMPY[dtype]), mask=37, repeat=repeat, strides=((1, 1), stride, (0, 0)))
    assert actual[0] == row[0]


@pytest.mark.parametrize("name", ["reduce_max", "reduce_min"])
@pytest.mark.parametrize("count", [1, 100, 1000, 9001])
@pytest.mark.parametrize("dtype", FLOATS)
def test_counted_extreme_is_the_first_of_equals(
    core: Core, random: np.random.Generator, level: str, name: str, dtype: str, count: int
) -> None:
    a = random.integers(-9, 9, count).astype(NUMPY[dtype])
    value, index = extreme(a, np.ones(count, bool), name)
    done = core.details(name, a, dst=np.zeros(4, NUMPY[dtype]), count=count, mode=1)
    assert done.dst[0] == value
    assert done.dst.view(INDEX[dtype])[1] == index
    assert done.reduce[1:] == (scalar_bits(value, dtype), index)
    plain = core.run(name, a, dst=np.full(2, 5, NUMPY[dtype]), count=count)
    assert plain.tolist() == [value, 5]


def test_a_saturating_half_sum_stops_at_the_largest_value(core: Core, level: str) -> None:
    a = np.full(128, 60000, np.float16)
    assert core.run("reduce_sum", a, dst=np.zeros(1, np.float16), count=128)[0] == np.inf
    assert core.run("reduce_sum", a, dst=np.zeros(1, np.float16), count=128, ctrl=SATURATE)[0] == 65504


@pytest.mark.parametrize(
    ("name", "dtype", "mode", "good", "bad"),
    [
        ("vcadd", "half", 0, 2, 1),
        ("vcadd", "f32", 0, 4, 2),
        ("vcmax", "half", 0, 4, 2),
        ("vcmax", "f32", 0, 8, 4),
        ("vcgadd", "half", 0, 16, 8),
        ("vcpadd", "half", 0, 32, 16),
    ],
)
def test_destinations_have_their_own_alignment(core: Core, name: str, dtype: str, mode: int, good: int, bad: int) -> None:
    a = np.ones(128, NUMPY[dtype])[: lanes_of(dtype)]
    dst = np.zeros(64, NUMPY[dtype])
    core.run(name, a, dst=dst, at=(good, 1024), mode=mode)
    with pytest.raises(RefusedError) as refusal:
        core.run(name, a, dst=dst, at=(bad, 1024), mode=mode)
    assert refusal.value.fault.kind is FaultKind.misaligned
