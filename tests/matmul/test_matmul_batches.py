# SPDX-License-Identifier: Apache-2.0
"""Batches of products, against numpy.einsum: layouts, matrices that neighbours share, bias, strides."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matmul_runs import DTYPES, OUTSIDE, integers

from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, errors, launch
from aclimb.tiling import BatchMatmulTiling, CubeFormat, DataType, TPosition

HERE = Path(__file__).parent
TYPES = {"half": DataType.DT_FLOAT16, "bfloat16_t": DataType.DT_BF16, "float": DataType.DT_FLOAT, "int8_t": DataType.DT_INT8}


@dataclass
class Asked:
    """Of one launch, in the order of the struct in batches.cpp."""

    batch_a: int
    batch_b: int
    turn_a: int = 0
    turn_b: int = 0
    has_bias: int = 0
    stride_a: int = 0
    stride_b: int = 0
    stride_c: int = 0
    calls: int = 1
    step_a: int = 0
    step_b: int = 0
    step_c: int = 0
    adds: int = 0
    follows: int = 0


@cache
def kernel(layout: str, inputs: str = "half", output: str = "float", **defines: str) -> Kernel:
    names = {"LAYOUT": layout, "IN": inputs, "OUT": output, "SUM": "int32_t" if inputs == "int8_t" else "float", **defines}
    return Kernel(Program(HERE / "batches.cpp", defines=names).compile(), "batches")


def tiler(m: int, n: int, k: int, inputs: str = "half", has_bias: bool = False) -> BatchMatmulTiling:
    made = BatchMatmulTiling()
    made.set_a_type(TPosition.GM, CubeFormat.ND, TYPES[inputs])
    made.set_b_type(TPosition.GM, CubeFormat.ND, TYPES[inputs])
    made.enable_bias(has_bias)
    made.set_shape(m, n, k)
    made.set_fix_split(16, 32 if n > 16 else 16, -1)  # several blocks
    return made


def run(which: Kernel, a: Any, b: Any, cut: Any, asked: Asked, c: Any, bias: Any = None) -> Any:
    out, stream = Buffer.from_array(c), Stream()
    asked.has_bias = int(bias is not None)
    inputs = [Buffer.from_array(np.ascontiguousarray(each)) for each in (a, b, np.zeros(1, np.float32) if bias is None else bias)]
    launch(stream, LaunchConfig(num_blocks=1), which, *inputs, out, cut, np.array(astuple(asked), np.int32).tobytes())
    stream.synchronize()
    return out.to_numpy()


def outside(*shape: int, dtype: Any = np.float32) -> Any:
    return np.full(shape, OUTSIDE, dtype)


def wide(x: Any) -> Any:
    return x.astype(np.int32 if x.dtype == np.int8 else np.float32)


# --- matrices behind each other


@pytest.mark.requirement("mm-22")
@pytest.mark.parametrize("inputs", ["half", "bfloat16_t", "float", "int8_t"])
@pytest.mark.parametrize("bias", ["none", "each", "one"])
def test_matrices_behind_each_other(inputs: str, bias: str) -> None:
    a, b = integers(1, 3, 32, 16, dtype=DTYPES[inputs]), integers(2, 3, 16, 48, dtype=DTYPES[inputs])
    wanted = np.einsum("bmk,bkn->bmn", wide(a), wide(b))
    row = None if bias == "none" else integers(3, *((3, 48) if bias == "each" else (48,)), dtype=wanted.dtype)
    config = {"CONFIG": "GetMMConfig<MatmulConfigMode::CONFIG_NORM>(MatmulBatchParams{false, BatchMode::BATCH_LESS_THAN_L1, false})"}
    which = kernel("NORMAL", inputs, "int32_t" if inputs == "int8_t" else "float", **(config if bias == "one" else {}))
    cut = tiler(32, 48, 16, inputs, row is not None)
    cut.set_batch_info_for_normal(3, 3, 32, 48, 16)
    got = run(which, a, b, cut.get_tiling(), Asked(3, 3), outside(4, 32, 48, dtype=wanted.dtype), row)
    np.testing.assert_array_equal(got[:3], wanted + (0 if row is None else row[..., None, :] if row.ndim == 2 else row))
    assert (got[3] == OUTSIDE).all()


@pytest.mark.requirement("mm-22")
@pytest.mark.parametrize("counts", [(6, 2), (2, 6), (3, 1), (1, 3)])
def test_neighbours_share_a_matrix_where_one_side_has_fewer(counts: tuple[int, int]) -> None:
    of_a, of_b = counts
    most = max(counts)
    a, b = integers(1, of_a, 20, 24), integers(2, of_b, 24, 40)
    cut = tiler(20, 40, 24)
    cut.set_batch_info_for_normal(of_a, of_b, 20, 40, 24)
    got = run(kernel("NORMAL"), a, b, cut.get_tiling(), Asked(of_a, of_b), outside(most, 20, 40))
    np.testing.assert_array_equal(got, np.einsum("bmk,bkn->bmn", wide(a.repeat(most // of_a, 0)), wide(b.repeat(most // of_b, 0))))


@pytest.mark.requirement("mm-22")
@settings(max_examples=25, deadline=None)
@given(
    shape=st.tuples(*[st.sampled_from([1, 15, 16, 33, 70])] * 3),
    counts=st.sampled_from([(1, 1), (2, 2), (4, 2), (1, 3)]),
    turns=st.tuples(st.booleans(), st.booleans()),
    has_bias=st.booleans(),
)
def test_batches_of_any_shape(shape: tuple[int, int, int], counts: tuple[int, int], turns: tuple[bool, bool], has_bias: bool) -> None:
    (m, n, k), (of_a, of_b), most = shape, counts, max(counts)
    a, b = integers(1, of_a, m, k), integers(2, of_b, k, n)
    bias = integers(3, most, n, dtype=np.float32) if has_bias else None
    given_a, given_b = (a.transpose(0, 2, 1) if turns[0] else a), (b.transpose(0, 2, 1) if turns[1] else b)
    asked = Asked(of_a, of_b, int(turns[0]), int(turns[1]))
    got = run(kernel("NORMAL"), given_a, given_b, tiler(m, n, k, has_bias=has_bias).get_tiling(), asked, outside(most, m, n), bias)
    wanted = np.einsum("bmk,bkn->bmn", wide(a.repeat(most // of_a, 0)), wide(b.repeat(most // of_b, 0)))
    np.testing.assert_array_equal(got, wanted + (0 if bias is None else bias[:, None, :]))


@pytest.mark.requirement("mm-22")
@pytest.mark.parametrize("mode", ["BATCH_LARGE_THAN_L1", "SINGLE_LARGE_THAN_L1"])
def test_how_much_fits_in_l1_changes_no_result(mode: str) -> None:
    a, b = integers(1, 2, 40, 64), integers(2, 2, 64, 48)
    which = kernel("NORMAL", CONFIG=f"GetNormalConfig(false, false, false, BatchMode::{mode})")
    got = run(which, a, b, tiler(40, 48, 64).get_tiling(), Asked(2, 2), outside(2, 40, 48))
    np.testing.assert_array_equal(got, np.einsum("bmk,bkn->bmn", wide(a), wide(b)))


def nz(matrices: Any, width: int) -> Any:
    """Of each matrix columns of `width`, rows below each other."""
    batch, rows, columns = matrices.shape
    return matrices.reshape(batch, rows, columns // width, width).transpose(0, 2, 1, 3)


def test_matrices_in_fractals() -> None:
    a, b = integers(1, 3, 32, 64), integers(2, 3, 64, 48)
    which = kernel("NORMAL", A_FORMAT="NZ", C_FORMAT="NZ")
    got = run(which, nz(a, 16), b, tiler(32, 48, 64).get_tiling(), Asked(3, 3), outside(3, 3, 32, 16))
    np.testing.assert_array_equal(got, nz(np.einsum("bmk,bkn->bmn", wide(a), wide(b)), 16))


def test_matrices_further_apart_than_they_are_large() -> None:
    a, b = integers(1, 3, 50, 32), integers(2, 3, 40, 48)
    asked = Asked(3, 3, stride_a=50 * 32, stride_b=40 * 48)
    got = run(kernel("NORMAL"), a, b, tiler(20, 48, 32).get_tiling(), asked, outside(3, 20, 48))
    np.testing.assert_array_equal(got, np.einsum("bmk,bkn->bmn", wide(a[:, :20]), wide(b[:, :32])))


def test_a_batch_is_added_to_what_c_holds() -> None:
    a, b, c = integers(1, 2, 20, 16), integers(2, 2, 16, 32), integers(3, 2, 20, 32, dtype=np.float32)
    got = run(kernel("NORMAL", ATOMIC="1"), a, b, tiler(20, 32, 16).get_tiling(), Asked(2, 2), c)
    np.testing.assert_array_equal(got, c + np.einsum("bmk,bkn->bmn", wide(a), wide(b)))


# --- rows of several matrices in turn

# Axes of memory in terms of batch, n, g, rows and columns.
LAYOUTS = {"BSNGD": "bsngd", "SBNGD": "sbngd", "BNGS1S2": "bngsd"}


def laid_out(matrices: Any, layout: str) -> Any:
    """[b, n, g, s, d] -> the axes of the layout."""
    return np.einsum(f"bngsd->{LAYOUTS[layout]}", matrices)


@pytest.mark.requirement("mm-22")
@pytest.mark.parametrize("layout", list(LAYOUTS))
@pytest.mark.parametrize("turn_b", [False, True])
@pytest.mark.parametrize("axes", [(2, 1, 3, 3), (2, 2, 3, 1), (1, 2, 2, 2)])  # batch, n, g of A, g of B
def test_rows_of_several_matrices_in_turn(layout: str, turn_b: bool, axes: tuple[int, int, int, int]) -> None:
    batch, n, g_a, g_b = axes
    m, columns, k = 16, 40, 32
    a, b = integers(1, batch, n, g_a, m, k), integers(2, batch, n, g_b, k, columns)
    bias = integers(3, n * g_a, columns, dtype=np.float32)
    shape_b = (columns, k) if turn_b else (k, columns)
    cut = tiler(m, columns, k, has_bias=True)
    cut.set_a_layout(batch, m, n, g_a, k)
    cut.set_b_layout(batch, shape_b[0], n, g_b, shape_b[1])
    cut.set_c_layout(batch, m, n, g_a, columns)
    cut.set_batch_num(n * g_a)
    given_a, given_b = laid_out(a, layout), laid_out(b.swapaxes(3, 4) if turn_b else b, layout)
    wanted = np.einsum("bngmk,bngkc->bngmc", wide(a), wide(b.repeat(g_a // g_b, 2))) + bias.reshape(n, g_a, 1, columns)
    each = [n * g_a * m * k, n * g_b * k * columns, n * g_a * m * columns]  # one call for each of `batch`
    if layout == "SBNGD":
        each = [n * g_a * k, n * g_b * shape_b[1], n * g_a * columns]
    asked = Asked(n * g_a, n * g_b, turn_b=int(turn_b), calls=batch, step_a=each[0], step_b=each[1], step_c=each[2])
    c = outside(*laid_out(wanted, layout).shape)
    np.testing.assert_array_equal(run(kernel(layout), given_a, given_b, cut.get_tiling(), asked, c, bias), laid_out(wanted, layout))


@pytest.mark.requirement("mm-22")
def test_a_left_side_that_is_transposed_and_interleaved() -> None:
    a, b = integers(1, 1, 1, 3, 24, 20), integers(2, 1, 1, 3, 24, 40)  # [b, n, g, k, m], [b, n, g, k, n]
    cut = tiler(20, 40, 24)
    cut.set_a_layout(1, 24, 1, 3, 20)
    cut.set_b_layout(1, 24, 1, 3, 40)
    cut.set_c_layout(1, 20, 1, 3, 40)
    given_a, given_b = laid_out(a, "BSNGD"), laid_out(b, "BSNGD")
    got = run(kernel("BSNGD"), given_a, given_b, cut.get_tiling(), Asked(3, 3, turn_a=1), outside(1, 20, 1, 3, 40))
    np.testing.assert_array_equal(got, laid_out(np.einsum("bngkm,bngkc->bngmc", wide(a), wide(b)), "BSNGD"))


@pytest.mark.requirement("mm-22")
@pytest.mark.parametrize("layout_c", ["BNGS1S2", "NORMAL"])
def test_c_may_have_a_layout_of_its_own(layout_c: str) -> None:
    a, b = integers(1, 1, 2, 3, 20, 24), integers(2, 1, 2, 3, 24, 40)
    cut = tiler(20, 40, 24)
    cut.set_a_layout(1, 20, 2, 3, 24)
    cut.set_b_layout(1, 24, 2, 3, 40)
    cut.set_c_layout(1, 20, 2, 3, 40)
    which = kernel("BSNGD", C_LAYOUT=layout_c)
    got = run(which, laid_out(a, "BSNGD"), laid_out(b, "BSNGD"), cut.get_tiling(), Asked(6, 6), outside(1, 2, 3, 20, 40))
    np.testing.assert_array_equal(got, np.einsum("bngmk,bngkc->bngmc", wide(a), wide(b)))


# --- what is refused


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (Asked(0, 3), "matrices of A that SetBatchNum or IterateBatch says is 0; it takes 1 to"),
        (Asked(3, 0), "matrices of B that SetBatchNum or IterateBatch says is 0; it takes 1 to"),
        (Asked(3, 2), "the larger number of matrices of a batch, modulo the smaller is 1; it takes 0 to 0"),
        (Asked(3, 3, stride_c=5), "matrixStrideC of IterateBatch, which is reserved is 5; it takes 0 to 0"),
        (Asked(3, 3, adds=1), "IterateBatch adds nothing to L0C: give enPartialSum false and enAtomic 1"),
        (Asked(3, 3, follows=1), "IterateBatch into global memory takes enSequentialWrite false"),
    ],
)
def test_a_batch_that_cannot_be(asked: Asked, says: str) -> None:
    a, b = integers(1, 3, 20, 16), integers(2, 3, 16, 32)
    with pytest.raises(errors.AclimbError, match=says):
        run(kernel("NORMAL"), a, b, tiler(20, 32, 16).get_tiling(), asked, outside(3, 20, 32))


def test_a_layout_that_the_tiling_does_not_have_or_that_has_other_matrices() -> None:
    a, b = integers(1, 1, 20, 1, 3, 16), integers(2, 1, 16, 1, 3, 32)
    cut = tiler(20, 32, 16)
    with pytest.raises(
        errors.AclimbError, match="found no layouts in the tiling: call SetALayout, SetBLayout and SetCLayout before GetTiling"
    ):
        run(kernel("BSNGD"), a, b, cut.get_tiling(), Asked(3, 3), outside(1, 20, 1, 3, 32))
    cut.set_a_layout(1, 20, 1, 3, 16)
    cut.set_b_layout(1, 16, 1, 3, 32)
    cut.set_c_layout(1, 20, 1, 3, 32)
    for asked, side in ((Asked(2, 1), "A"), (Asked(1, 2), "B")):
        says = f"N . G of {side} in the tiling, modulo the matrices of {side} in a batch is 1; it takes 0 to 0"
        with pytest.raises(errors.AclimbError, match=says):
            run(kernel("BSNGD"), a, b, cut.get_tiling(), asked, outside(1, 20, 1, 3, 32))
