# SPDX-License-Identifier: Apache-2.0
"""DataCopy of slices, NZ to ND and ND to NZ in UB, cache hints: through the headers, against NumPy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aclimb import Buffer
from aclimb.errors import KernelFault, Unsupported

Run = Callable[..., None]
Slice = tuple[int, int, int, int, int]  # start, end, stride, burst, shape
UNTOUCHED = -1.0


def indices(info: list[Slice]) -> np.ndarray:
    """The elements of a slice of floats, in the order they are visited."""
    start, end, stride, burst, _ = info[0]
    row = [i for i in range(start, end + 1) if (i - start) % (8 * burst + stride) < 8 * burst]
    found, pitch = np.array(row), info[0][4]
    for start, end, stride, _, shape in info[1:]:
        found = np.concatenate([found + pitch * i for i in range(start, end + 1, stride + 1)])
        pitch *= shape
    return found


def sliced(run: Run, source: list[Slice], local: list[Slice], out: list[Slice], size: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    x = np.arange(size, dtype=np.float32)
    y, z = Buffer(4096, np.float32), Buffer.from_array(np.full(size, UNTOUCHED, np.float32))
    info = np.array([source, local, out], np.uint32)
    run("copy_forms", "slices", Buffer.from_array(x), Buffer.from_array(info), y, z, len(source))
    return x, y.to_numpy(), z.to_numpy()


DOCUMENTED = [(16, 70, 7, 3, 87), (0, 2, 1, 1, 3)]
DENSE = [(0, 47, 0, 3, 48), (0, 1, 0, 1, 2)]


def check(run: Run, source: list[Slice], local: list[Slice], size: int) -> None:
    x, y, z = sliced(run, source, local, source, size)
    in_ub = np.full(4096, UNTOUCHED, np.float32)
    in_ub[indices(local)] = x[indices(source)]
    np.testing.assert_array_equal(y, in_ub)
    again = np.full(size, UNTOUCHED, np.float32)
    again[indices(source)] = x[indices(source)]
    np.testing.assert_array_equal(z, again)


def test_the_documented_slice_takes_four_runs(run: Run) -> None:
    x, y, _ = sliced(run, DOCUMENTED, DENSE, DOCUMENTED, 3 * 87)
    expected = np.concatenate([x[row * 87 + at : row * 87 + at + 24] for row in (0, 2) for at in (16, 47)])
    np.testing.assert_array_equal(y[:96], expected)
    assert (y[96:] == UNTOUCHED).all()


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    runs=st.integers(1, 4), burst=st.integers(1, 3), stride=st.integers(0, 9), start=st.integers(0, 9), rows=st.integers(1, 3),
    row_stride=st.integers(0, 2), planes=st.integers(1, 2), local_stride=st.integers(0, 2),
)  # fmt: skip
def test_random_slices_of_three_dimensions(
    run: Run, runs: int, burst: int, stride: int, start: int, rows: int, row_stride: int, planes: int, local_stride: int
) -> None:
    width = runs * 8 * burst + (runs - 1) * stride
    source = [(start, start + width - 1, stride, burst, start + width + 3), (1, 1 + (rows - 1) * (row_stride + 1), row_stride, 1, 9)]
    source.append((0, planes - 1, 0, 1, planes))
    local_width = runs * 8 * burst + (runs - 1) * 8 * local_stride
    local = [(0, local_width - 1, 8 * local_stride, burst, local_width), (0, rows - 1, 0, 1, rows), (0, planes - 1, 0, 1, planes)]
    check(run, source, local, (start + width + 3) * 9 * planes)


@pytest.mark.parametrize(
    ("source", "local", "text"),
    [
        ([(0, 22, 0, 3, 64)], [(0, 23, 0, 3, 24)], r"endIndex - startIndex \+ 1 is \(n - 1\) \* stride \+ n \* burstLen blocks"),
        ([(0, 23, 0, 3, 20)], [(0, 23, 0, 3, 24)], "endIndex lies in shapeValue"),
        ([(0, 47, 0, 3, 64)], [(0, 23, 0, 3, 24)], "the same number of runs in every dimension"),
    ],
)
def test_slices_that_do_not_fit_are_refused(run: Run, source: list[Slice], local: list[Slice], text: str) -> None:
    with pytest.raises(Unsupported, match=text):
        sliced(run, source, local, source, 256)


def test_a_slice_in_ub_has_strides_of_whole_blocks(run: Run) -> None:
    with pytest.raises(KernelFault, match="the stride of a slice in UB"):
        sliced(run, [(0, 52, 5, 3, 64)], [(0, 52, 5, 3, 64)], [(0, 52, 5, 3, 64)], 256)


def test_more_than_eight_dimensions_are_refused(run: Run) -> None:
    with pytest.raises(KernelFault, match="dimValue of DataCopy is 9"):
        run("copy_forms", "slices", *(Buffer(512, np.float32) for _ in range(4)), 9)


@pytest.mark.parametrize(
    ("matrices", "rows", "columns", "src_matrix", "src_group", "pitch", "dst_matrix"),
    [(1, 32, 32, 1, 32, 32, 1), (2, 4, 32, 1, 4, 160, 48), (3, 5, 16, 2, 7, 20, 120), (0, 5, 16, 2, 7, 20, 120)],
)
def test_nz_in_ub_becomes_rows_of_global_memory(
    run: Run, matrices: int, rows: int, columns: int, src_matrix: int, src_group: int, pitch: int, dst_matrix: int
) -> None:
    x, z = np.arange(8192, dtype=np.float32).astype(np.float16), Buffer.from_array(np.full(4096, -1, np.float16))
    run("copy_forms", "nz_to_nd", Buffer.from_array(x), z, matrices, rows, columns, src_matrix, src_group, pitch, dst_matrix)
    expected = np.full(4096, -1, np.float16)
    for matrix in range(matrices):
        for row in range(rows):
            for column in range(columns):
                source = matrix * src_matrix * 256 + column // 16 * src_group * 16 + row * 16 + column % 16
                expected[matrix * dst_matrix + row * pitch + column] = x[source]
    np.testing.assert_array_equal(z.to_numpy(), expected)


def test_nz_of_floats_has_groups_of_sixteen_too(run: Run) -> None:
    x, z = np.arange(8192, dtype=np.float32), Buffer.from_array(np.full(512, -1, np.float32))
    run("copy_forms", "nz_to_nd_float", Buffer.from_array(x), z, 4, 32, 4, 144 // 2)
    expected = np.full(512, -1, np.float32)
    for row in range(4):
        expected[row * 72 : row * 72 + 32] = np.concatenate([x[row * 16 : row * 16 + 16], x[64 + row * 16 : 64 + row * 16 + 16]])
    np.testing.assert_array_equal(z.to_numpy(), expected)


def test_nz_columns_come_sixteen_at_a_time(run: Run) -> None:
    with pytest.raises(KernelFault, match="dValue of Nz2NdParamsFull modulo 16 is 8"):
        run("copy_forms", "nz_to_nd", Buffer(8192, np.float16), Buffer(4096, np.float16), 1, 4, 24, 1, 4, 24, 1)


@pytest.mark.parametrize(
    ("matrices", "rows", "columns", "src_matrix", "pitch", "group", "row", "dst_matrix"),
    [(1, 20, 40, 0, 48, 32, 1, 1), (2, 2, 24, 144, 48, 11, 2, 96), (1, 3, 16, 0, 16, 5, 1, 0)],
)
def test_rows_of_global_memory_become_nz_in_ub(
    run: Run, matrices: int, rows: int, columns: int, src_matrix: int, pitch: int, group: int, row: int, dst_matrix: int
) -> None:
    x, z = np.arange(2048, dtype=np.float32).astype(np.float16), Buffer(8192, np.float16)
    run("copy_forms", "nd_to_nz", Buffer.from_array(x), z, matrices, rows, columns, src_matrix, pitch, group, row, dst_matrix)
    expected = np.full(8192, -1, np.float16)
    for matrix in range(matrices):
        for r in range(rows):
            for c in range(-(-columns // 16) * 16):
                to = matrix * dst_matrix + c // 16 * group * 16 + r * row * 16 + c % 16
                expected[to] = x[matrix * src_matrix + r * pitch + c] if c < columns else 0
    np.testing.assert_array_equal(z.to_numpy(), expected)


def test_hints_and_cleaned_lines_change_no_value(run: Run) -> None:
    z = Buffer(16, np.int32)
    run("copy_forms", "hints", Buffer.from_array(np.array([41] * 16, np.int32)), z)
    assert z.to_numpy()[:2].tolist() == [41, 42]
