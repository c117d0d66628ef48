# SPDX-License-Identifier: Apache-2.0
"""Where blocks of C go, in which order and form: Iterate, formats, atomics, quantisation, parts of larger matrices."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from matmul_runs import DTYPES, OUTSIDE, How, integers, kernel, multiply, tiling

from aclimb import errors


def pair(m: int, n: int, k: int, dtype: Any = np.float16) -> tuple[Any, Any, Any]:
    a, b = integers(1, m, k, dtype=dtype), integers(2, k, n, dtype=dtype)
    wide = np.int32 if dtype == np.int8 else np.float32
    return a, b, a.astype(wide) @ b.astype(wide)


def nz(matrix: Any, width: int) -> Any:
    """Columns of `width`, rows below each other and padded to 16."""
    rows, columns = (-(-matrix.shape[0] // 16) * 16, -(-matrix.shape[1] // width) * width)
    whole = np.zeros((rows, columns), matrix.dtype)
    whole[: matrix.shape[0], : matrix.shape[1]] = matrix
    return whole.reshape(rows, columns // width, width).transpose(1, 0, 2)


# --- Iterate and GetTensorC


@pytest.mark.requirement("mm-10")
@pytest.mark.parametrize("order", [0, 1])
def test_blocks_come_in_the_order_of_the_tiling(order: int) -> None:
    a, b, c = pair(64, 96, 32)
    how = How(by_iterate=2, block_bytes=32 * 32 * 4)
    got = multiply(kernel("half", "float"), a, b, tiling(64, 96, 32, (32, 32, 32), iterateOrder=order), (7, 32, 32), np.float32, how)
    blocks = [c[m : m + 32, n : n + 32] for m in (0, 32) for n in (0, 32, 64)]
    if order == 0:
        blocks = [c[m : m + 32, n : n + 32] for n in (0, 32, 64) for m in (0, 32)]
    np.testing.assert_array_equal(got[:6], blocks)
    assert (got[6] == OUTSIDE).all()  # Iterate was true six times


@pytest.mark.requirement("mm-10")
@pytest.mark.parametrize("shape", [(64, 96, 32), (50, 70, 90)])
def test_blocks_find_their_places_one_by_one(shape: tuple[int, int, int]) -> None:
    a, b, c = pair(*shape)
    got = multiply(kernel("half", "float"), a, b, tiling(*shape, (32, 32, 32)), c.shape, np.float32, How(by_iterate=1))
    np.testing.assert_array_equal(got, c)


# --- parts of larger matrices


def test_a_part_of_larger_matrices_is_all_that_is_read_and_written() -> None:
    a, b, _ = pair(64, 96, 80)
    c = np.full((64, 112), OUTSIDE, np.float32)
    cut = tiling(16, 16, 16, (16, 16, 16))
    got = multiply(kernel("half", "float"), a, b, cut, c.shape, np.float32, How(org=(64, 96, 80, 80, 112)))
    want = c.copy()
    want[:16, :16] = a[:16, :16].astype(np.float32) @ b[:16, :16].astype(np.float32)
    np.testing.assert_array_equal(got, want)


def test_tails_replace_the_part_of_the_tiling() -> None:
    a, b, c = pair(40, 50, 60)
    got = multiply(kernel("half", "float"), a, b, tiling(40, 50, 60, (32, 32, 32)), c.shape, np.float32, How(tail=(33, 17, 60)))
    want = np.full_like(c, OUTSIDE)
    want[:33, :17] = c[:33, :17]
    np.testing.assert_array_equal(got, want)


# --- formats


@pytest.mark.requirement("mm-11")
@pytest.mark.parametrize("base", [(16, 32, 32), (48, 48, 32)])
def test_c_in_fractals(base: tuple[int, int, int]) -> None:
    a, b, c = pair(40, 48, 32)
    got = multiply(kernel("half", "float", C_FORMAT="NZ"), a, b, tiling(40, 48, 32, base), (3, 48, 16), np.float32)
    np.testing.assert_array_equal(got[:, :40], nz(c, 16)[:, :40])


@pytest.mark.requirement("mm-11")
def test_c_in_fractals_of_split_channels() -> None:
    a, b, c = pair(40, 40, 32)
    config = "[] { auto split = CFG_NORM; split.isEnableChannelSplit = true; return split; }()"
    got = multiply(kernel("half", "float", C_FORMAT="NZ", CONFIG=config), a, b, tiling(40, 40, 32, (16, 32, 32)), (5, 48, 8), np.float32)
    np.testing.assert_array_equal(got[:, :40], nz(c, 8)[:, :40])


@pytest.mark.requirement("mm-11")
def test_c_with_aligned_rows() -> None:
    a, b, c = pair(20, 21, 32)
    got = multiply(kernel("half", "half", C_FORMAT="ND_ALIGN"), a, b, tiling(20, 21, 32, (16, 32, 32)), (20, 32), np.float16)
    np.testing.assert_array_equal(got[:, :21], c.astype(np.float16))


@pytest.mark.parametrize("inputs", ["half", "float", "int8_t"])
@pytest.mark.parametrize("turns", [(False, False), (True, True)])
def test_operands_in_fractals(inputs: str, turns: tuple[bool, bool]) -> None:
    dtype = DTYPES[inputs]
    a, b, c = pair(64, 96, 128, dtype)
    width = 32 // np.dtype(dtype).itemsize
    given_a, given_b = nz(a.T if turns[0] else a, width), nz(b.T if turns[1] else b, width)
    which = kernel(inputs, "int32_t" if inputs == "int8_t" else "float", A_FORMAT="NZ", B_FORMAT="NZ")
    cut = tiling(64, 96, 128, (32, 32, 64))
    np.testing.assert_array_equal(multiply(which, given_a, given_b, cut, c.shape, c.dtype, How(turn_a=turns[0], turn_b=turns[1])), c)


@pytest.mark.parametrize("turn_b", [False, True])
def test_a_vector_as_left_matrix(turn_b: bool) -> None:
    a, b, c = pair(1, 40, 300)
    which = kernel("half", "float", A_FORMAT="VECTOR")
    got = multiply(which, a, b.T if turn_b else b, tiling(1, 40, 300, (16, 32, 64)), c.shape, np.float32, How(turn_b=turn_b))
    np.testing.assert_array_equal(got, c)


@pytest.mark.parametrize("turn_b", [False, True])
def test_int4(turn_b: bool) -> None:
    a, b = integers(1, 32, 128, dtype=np.int8), integers(2, 128, 64, dtype=np.int8)
    c = a.astype(np.int32) @ b.astype(np.int32)
    given_b = (b.T if turn_b else b).astype(ml_dtypes.int4)
    cut = tiling(32, 64, 128, (16, 64, 64))
    got = multiply(kernel("int4b_t", "int32_t"), a.astype(ml_dtypes.int4), given_b, cut, c.shape, np.int32, How(turn_b=turn_b))
    np.testing.assert_array_equal(got, c)


def test_int4_has_no_transposed_a() -> None:
    a = integers(1, 64, 64, dtype=np.int8).astype(ml_dtypes.int4)
    with pytest.raises(
        errors.AclimbError, match="A of int4b_t is not transposed on Atlas A2 and A3: call SetTensorA with isTransposeA false"
    ):
        multiply(kernel("int4b_t", "int32_t"), a, a, tiling(64, 64, 64, (64, 64, 64)), (64, 64), np.int32, How(turn_a=True))


# --- atomics


@pytest.mark.requirement("mm-12")
@pytest.mark.parametrize(("mode", "update"), [(1, np.add), (2, np.maximum), (3, np.minimum)])
def test_atomic_updates_of_c(mode: int, update: Any) -> None:
    a, b, c = pair(40, 50, 32)
    before = integers(9, 40, 50, dtype=np.float32, high=40)
    which, cut = kernel("half", "float", ATOMIC="1"), tiling(40, 50, 32, (32, 32, 32))
    got = multiply(which, a, b, cut, c.shape, np.float32, How(atomic=mode), c=before)
    np.testing.assert_array_equal(got, update(before, c))


# --- quantisation


def word(scale: float, offset: int = 0, signed: bool = False) -> int:
    """Of a scale that 10 bits of mantissa hold."""
    return int(np.float32(scale).view(np.uint32)) & 0xFFFFE000 | (offset & 0x1FF) << 37 | int(signed) << 46


@pytest.mark.requirement("mm-13")
def test_one_scale_for_all_columns() -> None:
    a, b, c = pair(40, 48, 64, np.int8)
    how = How(quantises=1, quant=word(0.125))
    got = multiply(kernel("int8_t", "half"), a, b, tiling(40, 48, 64, (16, 32, 32)), c.shape, np.float16, how)
    np.testing.assert_array_equal(got, (c * 0.125).astype(np.float16))


@pytest.mark.requirement("mm-13")
def test_a_scale_for_each_column() -> None:
    a, b, c = pair(40, 48, 64, np.int8)
    scales = 2.0 ** (np.arange(48) % 7 - 3)
    how = How(quantises=2, words=np.array([word(each) for each in scales], np.uint64))
    got = multiply(kernel("int8_t", "half"), a, b, tiling(40, 48, 64, (16, 32, 32)), c.shape, np.float16, how)
    np.testing.assert_array_equal(got, (c * scales).astype(np.float16))


@pytest.mark.requirement("mm-13")
def test_to_bytes_with_an_offset_and_clamped() -> None:
    a, b, c = pair(40, 64, 64)
    how = How(quantises=1, quant=word(0.5, offset=3, signed=True))
    got = multiply(kernel("half", "int8_t"), a, b, tiling(40, 64, 64, (16, 32, 32)), c.shape, np.int8, how)
    np.testing.assert_array_equal(got, np.clip(np.rint(c * 0.5) + 3, -128, 127).astype(np.int8))
    assert np.abs(np.rint(c * 0.5) + 3).max() > 0
