# SPDX-License-Identifier: Apache-2.0
"""The kernels of Concat give numpy.concatenate's bytes, for every size, alignment and element type.

There is no tolerance: bytes are moved, nothing is computed.
"""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

from aclimb import Buffer, Kernel, LaunchConfig, Stream, launch

FOLDER = Path(__file__).parents[2] / "examples" / "operators" / "concat"
CORES = 48


def load_tiling() -> ModuleType:
    spec = importlib.util.spec_from_file_location("concat_tiling", FOLDER / "tiling.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


tiling = load_tiling()
Concat = Callable[..., NDArray[Any]]


@pytest.fixture
def concat(load: Callable[..., Kernel], stream: Stream) -> Concat:
    """concat(arrays, axis): the operator as its launches, one after another."""

    def run(arrays: Sequence[NDArray[Any]], axis: int, cores: int = CORES, ub_bytes: int = tiling.UB_BYTES) -> NDArray[Any]:
        shapes = [array.shape for array in arrays]
        inputs = [Buffer.from_array(array) for array in arrays]
        shape, itemsize = tiling.output_shape(shapes, axis), arrays[0].dtype.itemsize
        y = Buffer(shape, arrays[0].dtype)
        y.copy_from(np.full(math.prod(shape) * itemsize, 0xA5, np.uint8))  # what no launch writes stays visible
        for call in tiling.plan(shapes, itemsize, axis, cores, ub_bytes):
            kernel = load(FOLDER / "op_kernel" / "concat.cpp", call.kernel)
            data = Buffer.from_array(np.frombuffer(call.tiling, np.uint8))
            launch(stream, LaunchConfig(num_blocks=call.num_blocks), kernel, inputs[call.index], y, data)
        return y.to_numpy()

    return run


def random_bytes(shape: Sequence[int], dtype: Any, seed: int) -> NDArray[Any]:
    size = math.prod(shape) * np.dtype(dtype).itemsize
    return np.frombuffer(np.random.default_rng(seed).bytes(size), dtype).reshape(shape)


def assert_same_bytes(got: NDArray[Any], expected: NDArray[Any]) -> None:
    assert got.shape == expected.shape
    assert got.dtype == expected.dtype
    np.testing.assert_array_equal(got.reshape(-1).view(np.uint8), np.ascontiguousarray(expected).reshape(-1).view(np.uint8))


def split(shape: Sequence[int], axis: int, lengths: Sequence[int]) -> list[tuple[int, ...]]:
    """The shapes of a list of tensors with these lengths along the axis; the shape's own length there is ignored."""
    axis %= len(shape)
    return [(*shape[:axis], length, *shape[axis + 1 :]) for length in lengths]


# shape (with any number at the axis), axis, lengths along the axis, element type
CASES = [
    # nothing, and next to nothing
    ((0,), 0, (0,), "uint8"),
    ((0,), 0, (0, 0, 0), "float32"),
    ((0, 5), 1, (5, 3), "float16"),
    ((5, 0), 1, (0, 1, 0), "uint8"),
    ((3, 0, 4), 0, (3, 2), "float32"),
    ((1,), 0, (1,), "uint8"),
    ((1,), 0, (1, 1), "uint8"),
    ((1,), 0, (1, 0, 2), "int64"),
    # rows of a few bytes
    ((2, 1), 1, (1, 1), "uint8"),
    ((33, 1), 1, (1, 2, 3), "uint8"),
    ((1000, 1), 1, (1, 1), "uint8"),
    ((20000, 1), 1, (1, 1), "uint8"),
    ((300000, 1), 1, (1,), "bool"),
    ((7, 1), 1, (31, 1), "uint8"),
    ((7, 1), 1, (32, 1), "uint8"),
    ((7, 1), 1, (33, 31), "uint8"),
    ((7, 1), 1, (5, 6, 7), "float16"),
    ((7, 1), 1, (5, 6, 7), "bfloat16"),
    ((12, 1), 1, (3, 8, 1), "float32"),
    ((12, 1), 1, (3, 8, 1), "int64"),
    ((12, 1), 1, (3, 2), "complex128"),
    ((6, 1), 1, (1,) * 20, "int16"),
    # aligned rows
    ((8, 1), 1, (16, 16), "float16"),
    ((8, 1), 1, (128, 256), "float32"),
    ((100, 1), 1, (256, 128, 512), "float32"),
    ((1, 1), 1, (1024, 2048), "float32"),
    ((500, 1), 1, (1024, 1024), "uint8"),
    ((64, 1), 1, (4096, 32), "float32"),
    # an aligned row whose offset, or whose output row, is not
    ((9, 1), 1, (3, 1024), "float32"),
    ((9, 1), 1, (1024, 3), "float32"),
    # rows longer than UB, on one and on many blocks
    ((1, 1), 1, (100000, 1), "float32"),
    ((1, 1), 1, (1, 100000), "float32"),
    ((3, 1), 1, (65536, 131072), "float32"),
    ((3, 1), 1, (65537, 8), "float16"),
    ((2, 1), 1, (1000001, 999999), "uint8"),
    ((1,), 0, (1 << 20, 1 << 20), "float32"),
    ((50, 1), 1, (25000, 25001), "float16"),
    # other axes
    ((0, 6), 0, (4, 5, 6), "float32"),
    ((2, 0, 6), 1, (4, 5, 6), "float32"),
    ((2, 0, 6), -2, (1, 3), "float16"),
    ((2, 3, 0), -1, (1, 3), "float16"),
    ((2, 3, 4, 0, 5), 3, (1, 7, 2), "int8"),
    ((17, 0, 33), 1, (11, 13), "int32"),
    ((4, 0, 256), 1, (64, 64), "float32"),
    ((0, 256, 64), 0, (5, 3), "float16"),
]


def identify(case: object) -> str | None:
    return "x".join(map(str, case)) if isinstance(case, tuple) else None


@pytest.mark.parametrize(("shape", "axis", "lengths", "dtype"), CASES, ids=identify)
def test_concat_equals_numpy(concat: Concat, shape: tuple[int, ...], axis: int, lengths: tuple[int, ...], dtype: str) -> None:
    element = ml_dtypes.bfloat16 if dtype == "bfloat16" else np.dtype(dtype)
    arrays = [random_bytes(each, element, seed) for seed, each in enumerate(split(shape, axis, lengths))]
    assert_same_bytes(concat(arrays, axis), tiling.reference(arrays, axis))


@pytest.mark.parametrize("cores", [1, 2, 7, 20, 200])
@pytest.mark.parametrize(("rows", "lengths"), [(37, (100, 33)), (5, (4096, 8192)), (2, (70000, 512))])
def test_concat_does_not_depend_on_the_number_of_cores(concat: Concat, cores: int, rows: int, lengths: tuple[int, ...]) -> None:
    arrays = [random_bytes((rows, length), np.uint8, length) for length in lengths]
    assert_same_bytes(concat(arrays, 1, cores=cores), tiling.reference(arrays, 1))


@pytest.mark.parametrize("ub_bytes", [4096, 10000, 64 * 1024])
@pytest.mark.parametrize(("rows", "lengths"), [(301, (1, 65)), (5, (4096, 8192)), (2, (70001, 512))])
def test_concat_fits_into_a_smaller_ub(concat: Concat, ub_bytes: int, rows: int, lengths: tuple[int, ...]) -> None:
    arrays = [random_bytes((rows, length), np.uint8, length) for length in lengths]
    assert_same_bytes(concat(arrays, 1, ub_bytes=ub_bytes), tiling.reference(arrays, 1))


def test_aligned_rows_and_others_have_a_kernel_each() -> None:
    assert [call.kernel for call in tiling.plan([(8, 256), (8, 128)], 4, 1, CORES)] == ["concat_copy_aligned"] * 2
    assert [call.kernel for call in tiling.plan([(8, 256), (8, 3)], 4, 1, CORES)] == ["concat_copy"] * 2
    assert [call.kernel for call in tiling.plan([(8, 256), (8, 8)], 4, 1, CORES)] == ["concat_copy_aligned", "concat_copy"]


def test_an_input_without_elements_is_not_launched() -> None:
    assert [call.index for call in tiling.plan([(4, 0), (4, 3), (4, 0), (4, 1)], 2, 1, CORES)] == [1, 3]
    assert tiling.plan([(0, 4), (0, 3)], 2, 1, CORES) == []


def test_a_long_row_is_spread_over_all_cores() -> None:
    (call,) = tiling.plan([(1, 1 << 20)], 4, 1, CORES)
    assert call.num_blocks == CORES


@pytest.mark.parametrize(("rows", "gap"), [(3, 65535 * 32), (3, 65536 * 32), (3, 2**32 - 1), (3, 2**32), (2, 2**40)])
def test_no_tile_of_several_rows_has_a_gap_that_the_instruction_cannot_hold(rows: int, gap: int) -> None:
    for width in (513, 1024):
        call, _ = tiling.plan([(rows, width), (rows, gap)], 1, 1, cores=1)
        *_, tile_rows, tile_bytes = tiling.TILING.unpack(call.tiling)
        limit = 65535 * 32 if call.kernel == "concat_copy_aligned" else 2**32 - 1
        assert tile_bytes == width
        assert tile_rows == (rows if gap <= limit else 1)


@pytest.mark.parametrize(
    ("shapes", "axis", "message"),
    [
        ([], 0, "at least one"),
        ([(2, 3)], 2, "axis is 2; tensors of 2 dimensions take -2 to 1"),
        ([(2, 3), (3, 3)], 1, r"input 1 has shape \(3, 3\); only axis 1 may differ from \(2, 3\)"),
        ([(2, 3), (2, 3, 1)], 1, "input 1 has shape"),
    ],
)
def test_shapes_that_do_not_fit_are_refused(shapes: list[tuple[int, ...]], axis: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        tiling.plan(shapes, 4, axis, CORES)
