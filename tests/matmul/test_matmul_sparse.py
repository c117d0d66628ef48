# SPDX-License-Identifier: Apache-2.0
"""A sparse B against NumPy: it is filled up with zeros and multiplied."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matmul_runs import OUTSIDE, integers

from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, errors, launch
from aclimb.tiling import CubeFormat, DataType, MultiCoreMatmulTiling, TCubeTiling, TPosition

HERE = Path(__file__).parent
PAIRS = np.array(list(combinations(range(4), 2)))  # which two of four: the published words are the first, and the second less one


@cache
def kernel(**defines: str) -> Kernel:
    return Kernel(Program(HERE / "sparse.cpp", defines=defines).compile(), "kept")


def sparse(n: int, k: int) -> tuple[Any, Any, Any]:
    """(B [k, n] with zeros, what is kept of it [n, k / 2], positions in two bits [n, k / 2])."""
    random = np.random.default_rng(n * 10007 + k)
    which = PAIRS[random.integers(0, 6, (n, k // 4))]  # [n, k / 4, 2]
    values = integers(n, n, k // 4, 2, dtype=np.int8, high=100)
    dense = np.zeros((n, k // 4, 4), np.int8)
    np.put_along_axis(dense, which, values, 2)
    return dense.reshape(n, k).T, values.reshape(n, k // 2), (which - [0, 1]).reshape(n, k // 2).astype(np.uint8)


def nz(matrix: Any, width: int) -> Any:
    rows, columns = (-(-matrix.shape[0] // 16) * 16, -(-matrix.shape[1] // width) * width)
    whole = np.zeros((rows, columns), matrix.dtype)
    whole[: matrix.shape[0], : matrix.shape[1]] = matrix
    return np.ascontiguousarray(whole.reshape(rows, columns // width, width).transpose(1, 0, 2))


def index_of(positions: Any) -> Any:
    """Four in a byte, the first in the lowest bits; in fractals of 32 columns."""
    fours = nz(positions, 32).reshape(-1, 4)
    return (fours << [0, 2, 4, 6]).sum(1).astype(np.uint8)


def run(m: int, n: int, k: int, *, cores: int = 1, fixed: tuple[int, int, int] = (-1, -1, -1), turns: int = 1, knows: int = 1,
        changes: dict[str, int] | None = None, **defines: str) -> tuple[Any, Any]:  # fmt: skip
    """(what the kernel wrote, the product)."""
    tiler = MultiCoreMatmulTiling()
    tiler.set_a_type(TPosition.GM, CubeFormat.ND, DataType.DT_INT8)
    tiler.set_b_type(TPosition.GM, CubeFormat.ND, DataType.DT_INT8, is_trans=True)
    tiler.set_shape(m, n, k)
    tiler.set_dim(cores)
    tiler.set_single_shape(m, -1, k)
    tiler.set_sparse(True)
    tiler.set_fix_split(*fixed)
    cut = TCubeTiling.unpack(bytes(tiler.get_tiling()))
    assert cut.usedCoreNum == cores
    for name, value in (changes or {}).items():
        setattr(cut, name, value)
    a, (b, kept, positions) = integers(1, m, k, dtype=np.int8, high=100), sparse(n, k)
    given_b = nz(kept, 32) if defines else kept
    out, stream = Buffer.from_array(np.full((m, n), OUTSIDE, np.int32)), Stream()
    inputs = [Buffer.from_array(each) for each in (a, given_b, index_of(positions))]
    launch(stream, LaunchConfig(num_blocks=cut.usedCoreNum), kernel(**defines), *inputs, out, cut, turns, knows)
    stream.synchronize()
    return out.to_numpy(), a.astype(np.int32) @ b.astype(np.int32)


@settings(max_examples=25, deadline=None)
@given(
    m=st.sampled_from([1, 16, 33, 70]),
    n=st.sampled_from([16, 50, 96, 130]),
    k=st.sampled_from([4, 32, 64, 100, 256, 260]),
    base_k=st.sampled_from([-1, 64, 128]),
)
def test_a_sparse_b_is_one_with_zeros(m: int, n: int, k: int, base_k: int) -> None:
    got, want = run(m, n, k, fixed=(-1, -1, min(base_k, -(-k // 64) * 64)))
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize(("k", "base"), [(64, (32, 32, 64)), (320, (32, 32, 64))])
def test_a_sparse_b_in_fractals_and_in_several_blocks(k: int, base: tuple[int, int, int]) -> None:
    got, want = run(64, 96, k, fixed=base, B_FORMAT="NZ")
    np.testing.assert_array_equal(got, want)


def test_cores_that_split_n_of_a_sparse_b() -> None:
    got, want = run(32, 1100, 64, cores=4)
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize(
    ("given_", "says"),
    [
        ({"turns": 0}, r"a sparse B lies in memory as \[N, K / 2\]: call SetTensorB with isTransposeB true"),
        ({"knows": 0}, "a sparse B needs to know which elements it keeps: call SetSparseIndex"),
        ({"changes": {"baseK": 32}}, "baseK of the tiling with a sparse B, modulo 64 is 32; it takes 0 to 0"),
        ({"changes": {"singleCoreK": 62}}, "K of a Matmul call with a sparse B, modulo 4 is 2; it takes 0 to 0"),
    ],
)
def test_a_sparse_b_that_cannot_be(given_: dict[str, Any], says: str) -> None:
    with pytest.raises(errors.AclimbError, match=says):
        run(32, 32, 128, **given_)
