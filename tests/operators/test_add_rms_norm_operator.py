# SPDX-License-Identifier: Apache-2.0
"""AddRmsNorm through the operator framework: tiling chooses key, blocks and workspace, and the kernel gets what it chose."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from test_add_rms_norm_kernels import DTYPES, EPSILON, SHAPES, assert_close, inputs_of, tiling

from aclimb import Buffer, Stream, op


@pytest.fixture
def norm(registered: Callable[[str], Any]) -> Any:
    return registered("add_rms_norm")


def arrays(outputs: tuple[Buffer, ...]) -> tuple[Any, ...]:
    return tuple(each.to_numpy() for each in outputs)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: "x".join(map(str, shape)))
def test_add_rms_norm_is_close_to_numpy_for_arrays_and_buffers(
    norm: Any, stream: Stream, second_stream: Stream, shape: tuple[int, ...], dtype: str
) -> None:
    inputs = inputs_of(shape, DTYPES[dtype])
    expected = tiling.reference(*inputs, EPSILON)
    from_arrays = norm(*inputs, epsilon=EPSILON, stream=stream)
    from_buffers = norm(*map(Buffer.from_array, inputs), epsilon=EPSILON, stream=second_stream)
    for got in (from_arrays, from_buffers):
        assert_close(arrays(got), expected)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("columns", "key", "size"), [(1000, 0, 0), (48 * 2048, tiling.SPLIT, 512)])
def test_tiling_chooses_key_and_workspace(
    norm: Any, stream: Stream, steps: list[op.Step], dtype: str, columns: int, key: int, size: int
) -> None:
    norm.clear_cache()
    norm(*inputs_of((1, columns), DTYPES[dtype]), stream=stream)
    assert "tiling" in [step.stage for step in steps]
    (launch,) = (each for step in steps for each in step.launches)
    assert launch.kernel == "add_rms_norm"
    assert launch.tiling_key == key + tiling.KEYS[DTYPES[dtype]]
    assert launch.slots == ("input",) * 3 + ("output",) * 3 + ("workspace", "tiling")
    assert [step.workspace_sizes for step in steps if step.stage == "allocate_workspaces"] == [(size,)]


def test_tiling_respects_the_cores_of_the_call(norm: Any, stream: Stream, steps: list[op.Step]) -> None:
    inputs = inputs_of((40, 100), np.dtype(np.float16))
    got = norm(*inputs, epsilon=EPSILON, stream=stream, options=op.Options(vectorcore_num=5))
    assert_close(arrays(got), tiling.reference(*inputs, EPSILON))
    assert [each.num_blocks for step in steps for each in step.launches] == [5]


def test_split_rows_on_two_streams_do_not_meet_in_the_workspace(norm: Any, stream: Stream, second_stream: Stream) -> None:
    cases = [inputs_of((3, columns), np.dtype(np.float32)) for columns in (20000, 20008, 20016, 20024)]
    buffers = [[Buffer.from_array(array) for array in case] for case in cases]
    runs = [norm(*each, epsilon=EPSILON, stream=where) for each in buffers for where in (stream, second_stream)]
    for number, got in enumerate(runs):
        assert_close(arrays(got), tiling.reference(*cases[number // 2], EPSILON))


def test_epsilon_has_a_default(norm: Any, stream: Stream) -> None:
    inputs = inputs_of((4, 50), np.dtype(np.float32))
    assert_close(arrays(norm(*inputs, stream=stream)), tiling.reference(*inputs, 1e-6))


def test_rows_of_no_elements_fail_in_tiling(norm: Any) -> None:
    with pytest.raises(op.OpError, match=r"AddRmsNorm failed in tiling.*the last axis takes at least 1"):
        norm(*inputs_of((3, 0), np.dtype(np.float16)))


@pytest.mark.parametrize("shapes", [((2, 3), (3, 2), (3,)), ((2, 3), (2, 3), (2,)), ((), (), ())])
def test_shapes_that_do_not_fit_fail_in_shape_inference(norm: Any, shapes: tuple[tuple[int, ...], ...]) -> None:
    with pytest.raises(op.OpError, match=r"AddRmsNorm failed in infer_shape.*it takes two of one shape, and their last axis"):
        norm(*(np.zeros(shape, np.float16) for shape in shapes))
