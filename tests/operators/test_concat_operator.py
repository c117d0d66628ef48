# SPDX-License-Identifier: Apache-2.0
"""Concat through the operator framework: a list of inputs, an attribute, one kernel for each input that has bytes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from test_concat_kernels import CASES, assert_same_bytes, identify, random_bytes, split

from aclimb import Buffer, Stream, op


@pytest.fixture
def concat(registered: Callable[[str], Any]) -> Any:
    return registered("concat")


def arrays_of(shape: tuple[int, ...], axis: int, lengths: tuple[int, ...], dtype: str) -> list[np.ndarray]:
    element = ml_dtypes.bfloat16 if dtype == "bfloat16" else np.dtype(dtype)
    return [random_bytes(each, element, seed) for seed, each in enumerate(split(shape, axis, lengths))]


@pytest.mark.parametrize(("shape", "axis", "lengths", "dtype"), CASES, ids=identify)
def test_concat_equals_numpy_for_arrays_and_buffers(
    concat: Any, stream: Stream, second_stream: Stream, shape: tuple[int, ...], axis: int, lengths: tuple[int, ...], dtype: str
) -> None:
    arrays = arrays_of(shape, axis, lengths, dtype)
    expected = np.concatenate(arrays, axis)
    from_arrays = concat(arrays, axis=axis, stream=stream)
    from_buffers = concat([Buffer.from_array(array) for array in arrays], axis=axis, stream=second_stream)
    for got in (from_arrays, from_buffers):
        assert_same_bytes(got.to_numpy(), expected)


def launched(steps: list[op.Step]) -> list[str]:
    return [each.kernel for step in steps for each in step.launches]


def test_every_input_with_bytes_is_a_launch_with_the_kernel_that_fits(concat: Any, stream: Stream, steps: list[op.Step]) -> None:
    arrays = [random_bytes((8, length), np.float32, length) for length in (256, 0, 8)]
    concat(arrays, axis=1, stream=stream)
    assert launched(steps) == ["concat_copy_aligned", "concat_copy"]
    assert [each.slots for step in steps for each in step.launches] == [("input", "output", "address")] * 2


def test_shapes_that_were_seen_before_are_not_prepared_again(concat: Any, stream: Stream, steps: list[op.Step]) -> None:
    for seed in range(3):
        arrays = [random_bytes((5, length), np.int16, seed) for length in (11, 13)]
        assert_same_bytes(concat(arrays, axis=1, stream=stream).to_numpy(), np.concatenate(arrays, 1))
    assert [step.stage for step in steps].count("prepare") == 1
    assert [step.stage for step in steps].count("launch") == 3


def test_the_output_can_be_given(concat: Any, stream: Stream) -> None:
    arrays = [random_bytes((2, 3), np.int64, seed) for seed in range(2)]
    y = Buffer((4, 3), np.int64)
    assert concat(arrays, out=y, stream=stream) is y
    assert_same_bytes(y.to_numpy(), np.concatenate(arrays))


@pytest.mark.parametrize(
    ("shapes", "axis", "message"),
    [
        ([], 0, "at least one"),
        ([(2, 3)], 2, "axis is 2; tensors of 2 dimensions take -2 to 1"),
        ([(2, 3), (3, 3)], 1, r"input 1 has shape \(3, 3\); only axis 1 may differ from \(2, 3\)"),
    ],
)
def test_shapes_that_do_not_fit_fail_in_shape_inference(concat: Any, shapes: list[tuple[int, ...]], axis: int, message: str) -> None:
    with pytest.raises(op.OpError, match=f"Concat failed in infer_shape.*{message}") as caught:
        concat([np.zeros(shape, np.float32) for shape in shapes], axis=axis)
    assert isinstance(caught.value.__cause__, ValueError)


def test_types_that_differ_are_refused(concat: Any) -> None:
    with pytest.raises(op.OpError, match="Concat does not take x") as caught:
        concat([np.zeros(2, np.float32), np.zeros(2, np.float16)])
    assert (caught.value.stage, caught.value.code) == ("plan", op.ACLNN_ERR_PARAM_INVALID)
