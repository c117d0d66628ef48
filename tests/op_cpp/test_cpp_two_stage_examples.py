# SPDX-License-Identifier: Apache-2.0
"""Concat and Softmax of the examples, whose C++ host code launches kernels itself: the kernels, the tiling and the results of Python."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from cpp_parts import HERE, python_tiling
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import aclimb
from aclimb import Buffer, Device, Stream
from aclimb.op.native.package import Package

EXAMPLES = HERE.parents[1] / "examples" / "operators"
DTYPES = [np.dtype(np.float16), np.dtype(ml_dtypes.bfloat16), np.dtype(np.float32)]
softmax_tiling, concat_tiling = python_tiling(EXAMPLES / "softmax"), python_tiling(EXAMPLES / "concat")
Open = Callable[[str], AbstractContextManager[Any]]
sys.path.append(str(EXAMPLES))


@pytest.fixture
def opened(package_of: Callable[[Path], Package]) -> Open:
    """`with opened("softmax") as operator`: of that example's package."""

    @contextmanager
    def make(name: str) -> Iterator[Any]:
        with package_of(EXAMPLES / name).load() as library:
            yield next(iter(library))

    return make


def in_python(name: str, inputs: Any, stream: Stream, **attrs: Any) -> NDArray[Any]:
    """The operator of the same example, as operator.py has it."""
    made = importlib.import_module(f"{name}.operator").make()
    with made.registered():
        out = made(inputs, stream=stream, **attrs)
        stream.synchronize()
        found: NDArray[Any] = out.to_numpy()
    return found


def run(operator: Any, inputs: Any, out: Buffer, stream: Stream, **attrs: Any) -> tuple[list[tuple[str, int, int]], bytes]:
    """The launches, and what lies in the workspace afterwards."""
    with aclimb.profile() as timeline, operator.plan(inputs, out=out, **attrs) as plan:
        workspace = Buffer(max(plan.workspace_size, 1), np.uint8)
        plan.run(workspace, stream)
        stream.synchronize()
        size = plan.workspace_size
    return [(each.kernel, each.num_blocks, each.tiling_key) for each in timeline.launches], workspace.to_numpy().tobytes()[:size]


# --- Softmax


def compare_softmax(softmax: Any, examples: int, most_columns: int) -> None:
    stream, cores = Stream(), Device().chip.aiv_cores

    @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))
    @given(rows=st.lists(st.integers(1, 12), max_size=2), columns=st.integers(1, most_columns), dtype=st.sampled_from(DTYPES))
    def same(rows: list[int], columns: int, dtype: Any) -> None:
        shape = (*rows, columns)
        x = np.random.default_rng(1).normal(size=shape).astype(dtype)
        y, expected = Buffer(shape, dtype), softmax_tiling.plan(shape, dtype, cores)
        launches, memory = run(softmax, Buffer.from_array(x), y, stream)
        assert launches == [(each.kernel, each.num_blocks, each.tiling_key or 0) for each in expected.calls]
        assert len(memory) == expected.workspace_bytes + len(expected.tiling)
        assert memory[expected.workspace_bytes :] == expected.tiling
        wanted = softmax_tiling.reference(x).astype(np.float64)
        np.testing.assert_allclose(y.to_numpy().astype(np.float64), wanted, rtol=1e-2 if dtype.itemsize < 4 else 2e-5, atol=1e-7)

    same()


@pytest.mark.requirement("cpp-34")
def test_softmax_in_cpp_decides_and_computes_as_in_python(opened: Open) -> None:
    with opened("softmax") as softmax:
        compare_softmax(softmax, 15, 3000)


@pytest.mark.slow
@pytest.mark.requirement("cpp-34")
def test_softmax_in_cpp_decides_and_computes_as_in_python_often_and_for_long_rows(opened: Open) -> None:
    with opened("softmax") as softmax:
        compare_softmax(softmax, 300, 60000)


@pytest.mark.requirement("cpp-34")
@pytest.mark.parametrize(("shape", "dtype"), [((2, 50000), DTYPES[2]), ((3, 20001), DTYPES[0]), ((500, 64), DTYPES[1])])
def test_softmax_in_cpp_gives_the_bytes_of_python(shape: tuple[int, int], dtype: Any, opened: Open, stream: Stream) -> None:
    x = np.random.default_rng(4).normal(size=shape).astype(dtype)
    y, buffer, expected = Buffer(shape, dtype), Buffer.from_array(x), softmax_tiling.plan(shape, dtype, Device().chip.aiv_cores)
    with opened("softmax") as softmax:
        launches, memory = run(softmax, buffer, y, stream)
    assert launches == [(each.kernel, each.num_blocks, each.tiling_key or 0) for each in expected.calls]
    assert memory[expected.workspace_bytes :] == expected.tiling
    assert y.to_numpy().tobytes() == in_python("softmax", buffer, stream).tobytes()
    wanted = softmax_tiling.reference(x).astype(np.float64)
    np.testing.assert_allclose(y.to_numpy().astype(np.float64), wanted, rtol=1e-2 if dtype.itemsize < 4 else 2e-5, atol=1e-7)


@pytest.mark.requirement("cpp-34")
def test_softmax_of_nothing_launches_nothing(opened: Open, stream: Stream) -> None:
    with opened("softmax") as softmax:
        for shape in ((0, 5), (3, 0)):
            out = softmax(np.zeros(shape, np.float32), stream=stream)
            assert out.shape == shape


# --- Concat


@pytest.mark.requirement("cpp-34")
def test_concat_in_cpp_decides_and_computes_as_in_python(opened: Open, stream: Stream) -> None:
    cores = Device().chip.aiv_cores

    @settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
    @given(outer=st.lists(st.integers(1, 40), min_size=1, max_size=2), sides=st.lists(st.integers(0, 300), min_size=1, max_size=4),
           inner=st.integers(1, 9), dtype=st.sampled_from([np.int8, np.float16, np.float32, np.int64]), data=st.data())  # fmt: skip
    def same(outer: list[int], sides: list[int], inner: int, dtype: Any, data: st.DataObject) -> None:
        axis = data.draw(st.integers(0, len(outer)))
        shapes = [(*outer[:axis], side, *outer[axis:], inner) for side in sides]
        arrays = [(np.arange(np.prod(shape)) % 100).astype(dtype).reshape(shape) for shape in shapes]
        expected, wanted = concat_tiling.plan(shapes, np.dtype(dtype).itemsize, axis, cores), np.concatenate(arrays, axis)
        if wanted.size == 0:
            return
        y = Buffer(wanted.shape, dtype)
        launches, memory = run(concat, [Buffer.from_array(each) for each in arrays], y, stream, axis=axis)
        assert [(kernel, blocks) for kernel, blocks, _ in launches] == [(each.kernel, each.num_blocks) for each in expected]
        assert memory == b"".join(each.tiling for each in expected)
        np.testing.assert_array_equal(y.to_numpy(), wanted)

    with opened("concat") as concat:
        same()


@pytest.mark.requirement("cpp-34")
def test_concat_in_cpp_gives_the_bytes_of_python(opened: Open, stream: Stream) -> None:
    arrays = [Buffer.from_array(np.random.default_rng(4).integers(0, 99, (40, length), np.int32)) for length in (3, 64, 500)]
    with opened("concat") as concat:
        native = concat(arrays, axis=1, stream=stream)
        stream.synchronize()
    assert native.to_numpy().tobytes() == in_python("concat", arrays, stream, axis=1).tobytes()
