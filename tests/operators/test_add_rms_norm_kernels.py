# SPDX-License-Identifier: Apache-2.0
"""The kernel of AddRmsNorm against a float64 reference.

x is the same single rounding on both sides, so it is equal. rstd and y go through a float sum of at most a few thousand squares in one
piece: 6 levels of a tree inside 64 elements, then one addition for every 64 of them, so below 140 roundings of 2**-24 and half of that
after the square root. RTOL is that bound with the few roundings behind it. half and bfloat16 results are rounded once more, and such an
error can tip that rounding: one unit in the last place.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch
from aclimb.flow import KernelType

FOLDER = Path(__file__).parents[2] / "examples" / "operators" / "add_rms_norm"
SOURCE = FOLDER / "op_kernel" / "add_rms_norm.cpp"
CORES = 48
EPSILON = 1e-5
RTOL = 1e-5
DTYPES = {"half": np.dtype(np.float16), "bfloat16": np.dtype(ml_dtypes.bfloat16), "float": np.dtype(np.float32)}


def load_tiling() -> ModuleType:
    spec = importlib.util.spec_from_file_location("add_rms_norm_tiling", FOLDER / "tiling.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


tiling = load_tiling()
Outputs = tuple[NDArray[Any], NDArray[Any], NDArray[Any]]  # y, rstd, x
AddRmsNorm = Callable[..., Outputs]


@pytest.fixture
def add_rms_norm(load: Callable[..., Kernel], stream: Stream) -> AddRmsNorm:
    """add_rms_norm(x1, x2, gamma, epsilon): the operator as its launch."""

    def run(
        x1: NDArray[Any], x2: NDArray[Any], gamma: NDArray[Any], epsilon: float, cores: int = CORES, ub_bytes: int = tiling.UB_BYTES
    ) -> Outputs:
        y, x = Buffer(x1.shape, x1.dtype), Buffer(x1.shape, x1.dtype)
        rstd = Buffer((*x1.shape[:-1], 1), np.float32)
        plan = tiling.plan(x1.shape, x1.dtype, epsilon, cores, ub_bytes)
        if plan is not None:
            inputs = [Buffer.from_array(array) for array in (x1, x2, gamma)]
            workspace = Buffer(plan.workspace_bytes) if plan.workspace_bytes else None
            data = Buffer.from_array(np.frombuffer(plan.tiling, np.uint8))
            config = LaunchConfig(num_blocks=plan.num_blocks, tiling_key=plan.tiling_key)
            launch(stream, config, load(SOURCE, "add_rms_norm"), *inputs, y, rstd, x, workspace, data)
        return y.to_numpy(), rstd.to_numpy(), x.to_numpy()

    return run


def inputs_of(shape: tuple[int, ...], dtype: np.dtype[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    random = np.random.default_rng(sum(shape))
    x1, x2 = (random.normal(scale=2, size=shape).astype(np.float32).astype(dtype) for _ in range(2))
    return x1, x2, random.uniform(0.5, 2, shape[-1]).astype(np.float32).astype(dtype)


def steps_apart(a: NDArray[Any], b: NDArray[Any]) -> int:
    """The largest distance in units in the last place, for 16-bit floats."""
    ordered = [np.where(bits < 0, -(bits & 0x7FFF), bits) for bits in (array.view(np.int16).astype(np.int32) for array in (a, b))]
    return int(np.abs(ordered[0] - ordered[1]).max(initial=0))


def assert_close(got: Outputs, expected: Outputs) -> None:
    (y, rstd, x), (exact_y, exact_rstd, exact_x) = got, expected
    assert (y.shape, rstd.shape, x.shape) == (exact_y.shape, exact_rstd.shape, exact_x.shape)
    np.testing.assert_array_equal(x.reshape(-1).view(np.uint8), exact_x.reshape(-1).view(np.uint8))
    np.testing.assert_allclose(rstd, exact_rstd, rtol=RTOL)
    if y.dtype == np.float32:
        np.testing.assert_allclose(y, exact_y, rtol=RTOL)
    else:
        assert steps_apart(y, exact_y) <= 1


SHAPES = [
    # nothing, and next to nothing
    (0, 8), (3, 0, 16), (0, 100000), (1,), (1, 1), (2,), (7,), (8,), (16,), (17,), (2, 3, 4, 5),
    # many short rows
    (1000, 1), (5000, 3), (20000, 1), (4096, 16), (2000, 31), (500, 33), (48, 64), (49, 63), (47, 65), (3000, 64),
    # rows that fit into UB
    (1, 255), (100, 128), (33, 777), (7, 999), (9, 1, 2048), (2, 4097), (130, 1000), (1, 5000), (60, 5120), (49, 4000),
    # rows that do not
    (1, 6560), (1, 8192), (1, 20000), (2, 5, 30001), (50, 12345), (7, 9999), (3, 65536), (100, 6561), (1, 300001), (2, 1 << 17),
]  # fmt: skip


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: "x".join(map(str, shape)))
def test_add_rms_norm_is_close_to_numpy(add_rms_norm: AddRmsNorm, shape: tuple[int, ...], dtype: str) -> None:
    x1, x2, gamma = inputs_of(shape, DTYPES[dtype])
    assert_close(add_rms_norm(x1, x2, gamma, EPSILON), tiling.reference(x1, x2, gamma, EPSILON))


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_longest_row_of_ub_and_the_one_after_it(add_rms_norm: AddRmsNorm, dtype: str) -> None:
    element = DTYPES[dtype]
    longest = tiling._columns_in_ub(element.itemsize, tiling.UB_BYTES)
    for columns, split in ((longest, False), (longest + 1, True)):
        assert (tiling.plan((3, columns), element, EPSILON, CORES).tiling_key > tiling.SPLIT) == split
        x1, x2, gamma = inputs_of((3, columns), element)
        assert_close(add_rms_norm(x1, x2, gamma, EPSILON), tiling.reference(x1, x2, gamma, EPSILON))


@pytest.mark.parametrize("dtype", DTYPES)
def test_more_pieces_than_are_read_at_once_are_added_up(add_rms_norm: AddRmsNorm, dtype: str) -> None:
    x1, x2, gamma = inputs_of((1, 100003), DTYPES[dtype])
    got = add_rms_norm(x1, x2, gamma, EPSILON, ub_bytes=6500)
    *_, piece, _, _ = tiling.TILING.unpack(tiling.plan(x1.shape, x1.dtype, EPSILON, CORES, 6500).tiling)
    assert 100003 / piece > tiling.PARTIALS
    assert_close(got, tiling.reference(x1, x2, gamma, EPSILON))


@pytest.mark.parametrize("cores", [1, 5, 20])
@pytest.mark.parametrize("shape", [(11, 100), (3, 20001)])
def test_fewer_cores_give_the_same_answer(add_rms_norm: AddRmsNorm, shape: tuple[int, int], cores: int) -> None:
    x1, x2, gamma = inputs_of(shape, np.dtype(np.float16))
    assert_close(add_rms_norm(x1, x2, gamma, EPSILON, cores=cores), tiling.reference(x1, x2, gamma, EPSILON))


@pytest.mark.parametrize("columns", [100, 30000])
def test_a_row_of_zeros_is_saved_by_epsilon(add_rms_norm: AddRmsNorm, columns: int) -> None:
    zeros, gamma = np.zeros((2, columns), np.float16), np.ones(columns, np.float16)
    y, rstd, x = add_rms_norm(zeros, zeros, gamma, 0.25)
    assert not y.any()
    assert not x.any()
    np.testing.assert_array_equal(rstd, [[2.0], [2.0]])


def test_squares_beyond_the_range_of_half_are_summed_in_float(add_rms_norm: AddRmsNorm) -> None:
    x1, gamma = np.full((4, 500), 30000, np.float16), np.ones(500, np.float16)
    y, rstd, x = add_rms_norm(x1, x1, gamma, EPSILON)
    assert (x == 60000).all()
    assert (y == 1).all()
    np.testing.assert_allclose(rstd, 1 / 60000, rtol=RTOL)


def test_the_binary_lists_every_key_and_the_split_ones_wait_for_each_other() -> None:
    (kernel,) = Program(SOURCE).compile().kernels
    assert kernel.tiling_keys == tuple(key + split for split in (0, tiling.SPLIT) for key in sorted(tiling.KEYS.values()))
    for key in kernel.tiling_keys:
        assert kernel.type_for(key) is (KernelType.MIX_AIV_1_0 if key > tiling.SPLIT else KernelType.AIV_ONLY)


def test_only_split_rows_ask_for_a_workspace() -> None:
    assert tiling.plan((100, 1000), np.float16, EPSILON, CORES).workspace_bytes == 0
    assert tiling.plan((1, 48 * 2048), np.float16, EPSILON, CORES).workspace_bytes == 48 * 4


def test_rows_of_no_elements_are_refused() -> None:
    with pytest.raises(ValueError, match="the last axis takes at least 1"):
        tiling.plan((3, 0), np.float16, EPSILON, CORES)
