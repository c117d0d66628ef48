# SPDX-License-Identifier: Apache-2.0
"""Operands in other ways: one number, matrices in L1, HF32; the configurations with rules of their own."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matmul_runs import OUTSIDE, How, integers, kernel, multiply, tiling

from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, errors, launch

HERE = Path(__file__).parent


@cache
def binary() -> Any:
    return Program(HERE / "operands.cpp").compile()


def run(name: str, a: Any, b: Any, cut: Any, shape: tuple[int, ...], *more: int) -> Any:
    out, stream = Buffer.from_array(np.full(shape, OUTSIDE, np.float32)), Stream()
    inputs = [Buffer.from_array(np.ascontiguousarray(each)) for each in (a, b)]
    launch(stream, LaunchConfig(num_blocks=1), Kernel(binary(), name), *inputs, out, Buffer.from_array(cut), *more)
    stream.synchronize()
    return out.to_numpy()


def product(a: Any, b: Any) -> Any:
    return a.astype(np.float32) @ b.astype(np.float32)


def test_one_number_is_a_row_of_it() -> None:
    b = integers(2, 300, 40)
    got = run("one_number", np.float16([3]), b, tiling(1, 40, 300, (16, 32, 64)), (1, 40))
    np.testing.assert_array_equal(got, product(np.full((1, 300), 3), b))


@settings(max_examples=20, deadline=None)
@given(shape=st.tuples(*[st.sampled_from([16, 33, 48, 70, 100])] * 3), turns=st.tuples(st.booleans(), st.booleans()))
def test_matrices_that_are_in_l1_already(shape: tuple[int, int, int], turns: tuple[bool, bool]) -> None:
    m, n, k = shape
    a, b = integers(1, m, k), integers(2, k, n)
    given_a, given_b = (a.T if turns[0] else a), (b.T if turns[1] else b)
    got = run("both_in_l1", given_a, given_b, tiling(m, n, k, (32, 48, 32)), (m, n), *map(int, turns))
    np.testing.assert_array_equal(got, product(a, b))


def hf32(x: Any, nearest: bool) -> Any:
    """12 bits of the float's mantissa are dropped. With 13 significant bits what is dropped is nothing or half of what is kept last."""
    bits = x.view(np.uint32)
    kept = bits & ~np.uint32(0xFFF)
    is_half, is_odd = bits & 0xFFF == 0x800, kept & 0x1000 != 0
    return np.where(nearest & is_half & is_odd, kept + np.uint32(0x1000), kept).astype(np.uint32).view(np.float32)


@pytest.mark.parametrize("high", [(2**13 - 1, 4), (4, 2**13 - 1)])  # so every sum is exact
def test_floats_are_rounded_to_hf32_where_the_object_is_told_to(high: tuple[int, int]) -> None:
    a, b = integers(5, 20, 40, dtype=np.float32, high=high[0]), integers(6, 40, 24, dtype=np.float32, high=high[1])
    got = run("rounded_first", a, b, tiling(20, 24, 40, (16, 16, 16)), (3, 20, 24))
    nearest, towards_zero = (product(hf32(a, way), hf32(b, way)) for way in (True, False))
    np.testing.assert_array_equal(got, [nearest, towards_zero, product(a, b)])
    assert (got[0] != got[1]).any()
    assert (got[0] != got[2]).any()


# --- configurations


def test_base_blocks_that_the_configuration_knows() -> None:
    a, b = integers(1, 96, 100), integers(2, 100, 128)
    which = kernel("half", "float", CONFIG="GetBasicConfig(32, 64, 32)")
    bias = integers(3, 128, dtype=np.float32)
    got = multiply(which, a, b, tiling(96, 128, 100, (32, 64, 32), isBias=1), (96, 128), np.float32, None, bias)
    np.testing.assert_array_equal(got, product(a, b) + bias)


@pytest.mark.parametrize(
    ("base", "tail", "says"),
    [
        ((16, 64, 32), (96, 128, 100), "baseM of the tiling, whose configuration has basicM is 16; it takes 32 to 32"),
        ((32, 32, 32), (96, 128, 100), "baseN of the tiling, whose configuration has basicN is 32; it takes 64 to 64"),
        ((32, 64, 64), (96, 128, 100), "baseK of the tiling, whose configuration has basicK is 64; it takes 32 to 32"),
        ((32, 64, 32), (95, 128, 100), "M of a call with doBasicBlock, modulo baseM is 31; it takes 0 to 0"),
        ((32, 64, 32), (96, 65, 100), "N of a call with doBasicBlock, modulo baseN is 1; it takes 0 to 0"),
    ],
)
def test_other_base_blocks_than_the_configuration_knows(base: tuple[int, int, int], tail: tuple[int, int, int], says: str) -> None:
    a, b = integers(1, 96, 100), integers(2, 100, 128)
    which = kernel("half", "float", CONFIG="GetBasicConfig(32, 64, 32)")
    with pytest.raises(errors.AclimbError, match=says):
        multiply(which, a, b, tiling(96, 128, 100, base), (96, 128), np.float32, How(tail=tail))


@pytest.mark.parametrize("turn_b", [False, True])
def test_two_columns_of_blocks_of_b_at_once_although_k_is_not_whole(turn_b: bool) -> None:
    a, b = integers(1, 70, 200), integers(2, 200, 150)
    cut = tiling(70, 150, 200, (32, 32, 32), stepN=2, stepKb=2, stepKa=2, depthA1=4, depthB1=8)
    which = kernel("half", "float", CONFIG="GetSpecialMDLConfig()")
    got = multiply(which, a, b.T if turn_b else b, cut, (70, 150), np.float32, How(turn_b=turn_b))
    np.testing.assert_array_equal(got, product(a, b))


@pytest.mark.parametrize("shape", [(96, 128, 96), (80, 100, 70)])
def test_nine_blocks_of_a_that_stay(shape: tuple[int, int, int]) -> None:
    m, n, k = shape
    a, b = integers(1, m, k), integers(2, k, n)
    cut = tiling(m, n, k, (32, 32, 32), stepM=3, stepKa=3, stepKb=3, depthA1=9, depthB1=6)
    np.testing.assert_array_equal(run("kept_in_l1", a, b, cut, (m, n)), product(a, b))


@pytest.mark.parametrize("rows", [32, 50])
def test_a_product_piece_by_piece(rows: int, capfd: pytest.CaptureFixture[str]) -> None:
    a, b = integers(1, 120, 60), integers(2, 60, 40)
    np.testing.assert_array_equal(run("piece_by_piece", a, b, tiling(120, 40, 60, (32, 32, 32)), (120, 40), rows), product(a, b))
    assert capfd.readouterr().out.split()[-1] == "1"  # GetSubBlockIdx answers what SetSubBlockIdx said


# --- results that are not summed


@pytest.mark.parametrize("order", [0, 1])
@pytest.mark.parametrize("shape", [(64, 64, 96), (50, 64, 70)])
def test_a_result_for_each_block_along_k(order: int, shape: tuple[int, int, int]) -> None:
    m, n, k = shape
    a, b = integers(1, m, k), integers(2, k, n)
    cut = tiling(m, n, k, (32, 32, 32), stepM=1, stepKa=3, stepKb=3, depthA1=6, depthB1=3, iterateOrder=order)
    got = run("each_block_along_k", a, b, cut, (13, 32, 32), 1)
    rows, columns, depths = ([(i, min(i + 32, length)) for i in range(0, length, 32)] for length in shape)
    blocks = [(row, column) for row in rows for column in columns] if order else [(row, column) for column in columns for row in rows]
    wanted = np.full((13, 32, 32), OUTSIDE, np.float32)  # it is true twelve times
    for number, ((top, bottom), (left, right), (low, high)) in enumerate((*block, depth) for block in blocks for depth in depths):
        wanted[number, : bottom - top, : right - left] = product(a[top:bottom, low:high], b[low:high, left:right])
    np.testing.assert_array_equal(got, wanted)


def test_a_result_for_each_block_along_k_has_no_place_in_c() -> None:
    a, b = integers(1, 32, 64), integers(2, 64, 32)
    with pytest.raises(errors.AclimbError, match="GetTensorC of a Matmul object with isPartialOutput takes enSequentialWrite true"):
        run("each_block_along_k", a, b, tiling(32, 32, 64, (32, 32, 32)), (2, 32, 32), 0)
