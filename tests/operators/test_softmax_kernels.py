# SPDX-License-Identifier: Apache-2.0
"""The kernels of Softmax against a float64 reference.

A float result carries the rounding of x - max, which exp turns into |x - max| * 2**-24 (inputs here stay below 40), and that of the sum:
6 levels of a tree inside 64 elements, then one addition for every 64, so below 220 roundings of 2**-24 for the longest piece. Together
less than 1.6e-5. half and bfloat16 results are rounded once more, and such an error can tip that rounding: one unit in the last place.
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

FOLDER = Path(__file__).parents[2] / "examples" / "operators" / "softmax"
SOURCE = FOLDER / "op_kernel" / "softmax.cpp"
CORES = 48
RTOL = 2e-5
DTYPES = {"half": np.dtype(np.float16), "bfloat16": np.dtype(ml_dtypes.bfloat16), "float": np.dtype(np.float32)}


def load_tiling() -> ModuleType:
    spec = importlib.util.spec_from_file_location("softmax_tiling", FOLDER / "tiling.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


tiling = load_tiling()
Softmax = Callable[..., NDArray[Any]]


@pytest.fixture
def softmax(load: Callable[..., Kernel], stream: Stream) -> Softmax:
    """softmax(x): the operator as its launches, one after another."""

    def run(x: NDArray[Any], cores: int = CORES, ub_bytes: int = tiling.UB_BYTES) -> NDArray[Any]:
        plan = tiling.plan(x.shape, x.dtype, cores, ub_bytes)
        buffers = {"x": Buffer.from_array(x), "y": Buffer(x.shape, x.dtype), "workspace": None}
        buffers["tiling"] = Buffer.from_array(np.frombuffer(plan.tiling, np.uint8))
        if plan.workspace_bytes:
            buffers["workspace"] = Buffer(plan.workspace_bytes)
        for call in plan.calls:
            config = LaunchConfig(num_blocks=call.num_blocks, tiling_key=call.tiling_key)
            launch(stream, config, load(SOURCE, call.kernel), *(buffers[name] for name in tiling.ARGUMENTS[call.kernel]))
        return buffers["y"].to_numpy()

    return run


def normal(shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    x = np.random.default_rng(sum(shape)).normal(scale=3, size=shape).astype(np.float32)
    return np.asarray(x).astype(dtype)


def steps_apart(a: NDArray[Any], b: NDArray[Any]) -> int:
    """The largest distance in units in the last place, for 16-bit floats of which none is negative or NaN."""
    return int(np.abs(a.view(np.int16).astype(np.int32) - b.view(np.int16).astype(np.int32)).max(initial=0))


def assert_close(got: NDArray[Any], expected: NDArray[Any]) -> None:
    assert (got.shape, got.dtype) == (expected.shape, expected.dtype)
    if got.dtype == np.float32:
        np.testing.assert_allclose(got, expected, rtol=RTOL)
    else:
        assert steps_apart(got, expected) <= 1


SHAPES = [
    # nothing, and next to nothing
    (0,), (3, 0), (0, 3), (0, 20000), (), (1,), (1, 1), (2,), (7,), (2, 3, 4, 5),
    # narrow rows
    (1000, 1), (5000, 3), (8, 8), (9, 15), (100, 16), (48, 17), (13, 31), (12000, 32), (11905, 33), (20000, 2), (500, 63), (47, 64),
    # rows that fit into UB
    (1, 65), (50, 65), (100, 128), (33, 777), (4, 25, 100), (9, 1, 2048), (2, 4097), (130, 1000), (3000, 70), (60, 9000), (13, 10001),
    # few long rows, and rows longer than UB
    (1, 8192), (1, 10000), (12, 8191), (12, 8193), (1, 16384), (2, 5, 30001), (50, 20001), (1, 300001), (1, 1 << 19), (49, 17000),
]  # fmt: skip


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: "x".join(map(str, shape)) or "scalar")
def test_softmax_is_close_to_numpy(softmax: Softmax, shape: tuple[int, ...], dtype: str) -> None:
    x = normal(shape, DTYPES[dtype])
    assert_close(softmax(x), tiling.reference(x))


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_longest_row_of_ub_and_the_one_after_it(softmax: Softmax, dtype: str) -> None:
    element = DTYPES[dtype]
    longest = tiling._columns_in_ub(element.itemsize, tiling.UB_BYTES)
    for columns, kernels in ((longest, 1), (longest + 1, 3)):
        assert len(tiling.plan((20, columns), element, CORES).calls) == kernels
        x = normal((20, columns), element)
        assert_close(softmax(x), tiling.reference(x))


@pytest.mark.parametrize("cores", [1, 5, 20])
@pytest.mark.parametrize("shape", [(1000, 10), (11, 100), (3, 20001)])
def test_fewer_cores_give_the_same_answer(softmax: Softmax, shape: tuple[int, int], cores: int) -> None:
    x = normal(shape, np.dtype(np.float16))
    assert_close(softmax(x, cores=cores), tiling.reference(x))


@pytest.mark.parametrize("shape", [(301, 5), (5, 700), (2, 20000)])
def test_softmax_fits_into_a_smaller_ub(softmax: Softmax, shape: tuple[int, int]) -> None:
    x = normal(shape, np.dtype(np.float32))
    assert_close(softmax(x, ub_bytes=8192), tiling.reference(x))


COLUMNS = {"narrow": 40, "whole": 1000, "pieces": 40000}


@pytest.mark.parametrize("columns", COLUMNS.values(), ids=COLUMNS)
def test_large_values_do_not_overflow(softmax: Softmax, columns: int) -> None:
    x = normal((3, columns), np.dtype(np.float32)) + np.float32(3e4)
    assert_close(softmax(x), tiling.reference(x))


@pytest.mark.parametrize("columns", COLUMNS.values(), ids=COLUMNS)
def test_minus_infinity_masks_an_element_and_whole_pieces(softmax: Softmax, columns: int) -> None:
    x = normal((3, columns), np.dtype(np.float32))
    x[0, 1:] = -np.inf
    x[1, : columns // 2] = -np.inf
    x[2, -1] = -np.inf
    got = softmax(x)
    assert got[0, 0] == 1
    assert_close(got, tiling.reference(x))


@pytest.mark.parametrize("columns", COLUMNS.values(), ids=COLUMNS)
def test_rows_without_an_answer_are_nan_and_leave_the_others_alone(softmax: Softmax, columns: int) -> None:
    x = normal((4, columns), np.dtype(np.float32))
    x[0] = -np.inf
    x[1, columns // 2] = np.nan
    x[2, columns // 2] = np.inf
    got = softmax(x)
    assert np.isnan(got[:3]).all()
    assert_close(got[3], tiling.reference(x)[3])


@pytest.mark.parametrize("columns", COLUMNS.values(), ids=COLUMNS)
def test_rows_add_up_to_one(softmax: Softmax, columns: int) -> None:
    got = softmax(normal((20, columns), np.dtype(np.float32)))
    np.testing.assert_allclose(got.sum(axis=-1, dtype=np.float64), 1, rtol=RTOL)


def test_the_plan_names_kernels_keys_and_workspace() -> None:
    assert [(call.kernel, call.tiling_key) for call in tiling.plan((9, 64), np.float16, CORES).calls] == [("softmax_rows", 11)]
    assert [(call.kernel, call.tiling_key) for call in tiling.plan((9, 65), np.float32, CORES).calls] == [("softmax_rows", 3)]
    plan = tiling.plan((2, 100000), ml_dtypes.bfloat16, CORES)
    assert [(call.kernel, call.num_blocks, call.tiling_key) for call in plan.calls] == [
        ("softmax_partial", 48, 2),
        ("softmax_combine", 2, None),
        ("softmax_normalize", 48, 2),
    ]
    assert plan.workspace_bytes == 2 * 48 * 4 + 2 * 32


def test_arguments_and_keys_are_those_of_the_binary() -> None:
    kernels = {kernel.name: kernel for kernel in Program(SOURCE).compile().kernels}
    assert {name: tuple(each.name for each in kernel.parameters) for name, kernel in kernels.items()} == tiling.ARGUMENTS
    keys = tuple(sorted(tiling.KEYS.values()))
    assert kernels["softmax_rows"].tiling_keys == (*keys, *(key + tiling.NARROW for key in keys))
    assert kernels["softmax_partial"].tiling_keys == kernels["softmax_normalize"].tiling_keys == keys
    assert kernels["softmax_combine"].tiling_keys == ()
