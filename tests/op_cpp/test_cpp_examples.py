# SPDX-License-Identifier: Apache-2.0
"""The operators of examples/operators whose host code is also there in C++: the same tiling, the same results."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from cpp_parts import HERE, Build, python_tiling
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aclimb import Buffer, Stream, op
from aclimb.op.tiling.decide import decide

NORM = HERE.parents[1] / "examples" / "operators" / "add_rms_norm"
DTYPES = [np.dtype(np.float16), np.dtype(ml_dtypes.bfloat16), np.dtype(np.float32)]


tiling = python_tiling(NORM)


@pytest.fixture
def norm(build: Build) -> Any:
    with op.load(build(NORM / "op_host" / "add_rms_norm.cpp"), kernels=NORM / "op_kernel") as library:
        yield library["AddRmsNorm"]


def compare(norm: Any, examples: int) -> None:
    stream = Stream()

    @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))
    @given(rows=st.lists(st.integers(1, 40), max_size=3), columns=st.integers(1, 60000), dtype=st.sampled_from(DTYPES),
           epsilon=st.floats(0, 1, width=32), cores=st.integers(1, 48))  # fmt: skip
    def same(rows: list[int], columns: int, dtype: Any, epsilon: float, cores: int) -> None:
        shape = (*rows, columns)
        expected = tiling.plan(shape, dtype, epsilon, cores)
        call = norm._call([shaped(shape, dtype), shaped(shape, dtype), shaped((columns,), dtype)], {"epsilon": epsilon}, None,
                          stream, op.Options(vectorcore_num=cores))  # fmt: skip
        for output in call.node.outputs:
            output.shape.origin.assign(shape)
        made = decide(call, norm._loaded, cached=False)
        assert made.data == expected.tiling
        assert made.tiling.tiling_key == expected.tiling_key
        assert made.tiling.num_blocks == expected.num_blocks
        assert made.tiling.workspace_sizes == [expected.workspace_bytes]

    same()


def shaped(shape: tuple[int, ...], dtype: Any) -> Any:
    """A tensor without memory: tiling looks at shapes only."""
    from aclimb.op.node.node import OpTensor
    from aclimb.op.node.shape import StorageShape

    return OpTensor(StorageShape.of(shape), dtype)


@pytest.mark.requirement("cpp-27")
def test_add_rms_norm_has_the_tiling_of_python(norm: Any) -> None:
    compare(norm, 200)


@pytest.mark.slow
@pytest.mark.requirement("cpp-27")
def test_add_rms_norm_has_the_tiling_of_python_a_thousand_times(norm: Any) -> None:
    compare(norm, 1000)


@pytest.mark.requirement("cpp-27")
@pytest.mark.parametrize("shape", [(5, 300), (2, 3, 17), (1, 60000)])
def test_add_rms_norm_computes(norm: Any, shape: tuple[int, ...], stream: Stream) -> None:
    random = np.random.default_rng(3)
    x1, x2 = random.normal(size=(2, *shape)).astype(np.float32)
    gamma = random.normal(size=shape[-1:]).astype(np.float32)
    outputs = norm(*map(Buffer.from_array, (x1, x2, gamma)), epsilon=1e-5, stream=stream)
    stream.synchronize()
    for got, wanted in zip(outputs, tiling.reference(x1, x2, gamma, 1e-5), strict=True):
        np.testing.assert_allclose(got.to_numpy(), wanted, rtol=1e-5, atol=1e-6)


@pytest.mark.requirement("cpp-27")
def test_shapes_that_do_not_fit_are_refused_with_the_operators_own_words(norm: Any) -> None:
    x = np.ones((2, 3), np.float32)
    with pytest.raises(op.OpError, match=r"AddRmsNorm failed in infer_shape: InferShape in \S+ returned 4294967295 \(GRAPH_FAILED\): "
                       "x1, x2 and gamma take two tensors of one shape, and their last axis"):  # fmt: skip
        norm(x, x, np.ones(2, np.float32))
