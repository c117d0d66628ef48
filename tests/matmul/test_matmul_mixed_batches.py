# SPDX-License-Identifier: Apache-2.0
"""Batches in mixed kernels, in each way that an AIV can ask for them, against numpy.einsum; results that are not summed along k."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from matmul_runs import HERE, integers, tiling

from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, errors, launch
from aclimb.tiling import BatchMatmulTiling, CubeFormat, DataType, TPosition

TO_GM, LATER, TO_UB, BY_WORKSPACE, TOO_MANY = range(5)
M, N, K = 32, 48, 16


@cache
def kernel(name: str = "batches", **defines: str) -> Kernel:
    return Kernel(Program(HERE / "mixed_batches.cpp", defines=defines).compile(), name)


def cut(has_bias: bool = False) -> BatchMatmulTiling:
    made = BatchMatmulTiling()
    made.set_a_type(TPosition.GM, CubeFormat.ND, DataType.DT_FLOAT16)
    made.set_b_type(TPosition.GM, CubeFormat.ND, DataType.DT_FLOAT16)
    made.enable_bias(has_bias)
    made.set_shape(M, N, K)
    made.set_fix_split(16, 32, -1)
    return made


def run(which: Kernel, a: Any, b: Any, tiling: Any, asked: list[int], shape: tuple[int, ...], bias: Any = None) -> Any:
    c, system, stream = Buffer.from_array(np.zeros(shape, np.float32)), Buffer(16 << 20), Stream()
    inputs = [Buffer.from_array(each) for each in (a, b, np.zeros(1, np.float32) if bias is None else bias)]
    room = Buffer(int(np.prod(shape)) * 4)
    config = LaunchConfig(num_blocks=1, workspace=system.address)
    launch(stream, config, which, *inputs, c, room, tiling, np.array(asked, np.int32).tobytes())
    stream.synchronize()
    return c.to_numpy()


def product(a: Any, b: Any) -> Any:
    return np.einsum("bmk,bkn->bmn", a.astype(np.float32), b.astype(np.float32))


@pytest.mark.requirement("mm-22")
@pytest.mark.parametrize("way", [TO_GM, LATER, TO_UB])
@pytest.mark.parametrize("counts", [(3, 3), (4, 2)])
def test_a_batch(way: int, counts: tuple[int, int]) -> None:
    of_a, of_b = counts
    most = max(counts)
    a, b, bias = integers(1, of_a, M, K), integers(2, of_b, K, N), integers(3, most, N, dtype=np.float32)
    made = cut(has_bias=True)
    made.set_batch_info_for_normal(of_a, of_b, M, N, K)
    which = kernel(**({"C_POSITION": "VECIN", "TO_UB": "1"} if way == TO_UB else {}))
    got = run(which, a, b, made.get_tiling(), [of_a, of_b, 1, 1, way, most * M * N], (most, M, N), bias)
    np.testing.assert_array_equal(got, product(a.repeat(most // of_a, 0), b.repeat(most // of_b, 0)) + bias[:, None, :])


@pytest.mark.requirement("mm-22")
def test_several_batches_come_one_behind_the_other() -> None:
    a, b, bias = integers(1, 6, M, K), integers(2, 6, K, N), integers(3, 6, N, dtype=np.float32)
    made = cut(has_bias=True)
    made.set_batch_info_for_normal(2, 2, M, N, K)
    got = run(kernel(), a, b, made.get_tiling(), [2, 2, 3, 1, BY_WORKSPACE, 2 * M * N], (6, M, N), bias)
    np.testing.assert_array_equal(got, product(a, b) + bias[:, None, :])


@pytest.mark.requirement("mm-22")
def test_several_batches_of_an_interleaved_layout() -> None:
    a, b = integers(1, 2, M, 1, 4, K), integers(2, 2, K, 1, 4, N)  # B, S, N, G, D
    made = cut()
    made.set_a_layout(2, M, 1, 4, K)
    made.set_b_layout(2, K, 1, 4, N)
    made.set_c_layout(2, M, 1, 4, N)
    made.set_batch_num(2)
    got = run(kernel(LAYOUT="BSNGD"), a, b, made.get_tiling(), [2, 2, 4, 0, BY_WORKSPACE, 2 * M * N], (8, M, N))
    wanted = np.einsum("bsngd,bdngt->bngst", a.astype(np.float32), b.astype(np.float32))
    np.testing.assert_array_equal(got, wanted.reshape(8, M, N))


def test_more_batches_than_there_are_is_an_error() -> None:
    made = cut()
    made.set_batch_info_for_normal(2, 2, M, N, K)
    with pytest.raises(errors.Unsupported, match="GetBatchTensorC found no batch: every one of IterateNBatch has been taken"):
        run(kernel(), integers(1, 4, M, K), integers(2, 4, K, N), made.get_tiling(), [2, 2, 2, 0, TOO_MANY, 2 * M * N], (6, M, N))


def test_results_for_each_block_along_k() -> None:
    a, b = integers(1, 32, 96), integers(2, 96, 64)
    numbers = tiling(32, 64, 96, (32, 32, 32))
    got = run(kernel("parts"), a, b, numbers.tobytes(), [0, 0, 0, 0, 0, 32 * 32], (2, 3, 32, 32))  # blocks of C, then k
    wanted = np.einsum("mki,kinj->nkmj", a.reshape(32, 3, 32).astype(np.float32), b.reshape(3, 32, 2, 32).astype(np.float32))
    np.testing.assert_array_equal(got, wanted)
