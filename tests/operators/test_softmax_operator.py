# SPDX-License-Identifier: Apache-2.0
"""Softmax through the operator framework: prepare decides between one kernel and three, which meet in the workspace."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from test_softmax_kernels import DTYPES, SHAPES, assert_close, normal, tiling

from aclimb import Buffer, Stream, op


@pytest.fixture
def softmax(registered: Callable[[str], Any]) -> Any:
    return registered("softmax")


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: "x".join(map(str, shape)) or "scalar")
def test_softmax_is_close_to_numpy_for_arrays_and_buffers(
    softmax: Any, stream: Stream, second_stream: Stream, shape: tuple[int, ...], dtype: str
) -> None:
    x = normal(shape, DTYPES[dtype])
    expected = tiling.reference(x)
    from_array = softmax(x, stream=stream)
    from_buffer = softmax(Buffer.from_array(x), stream=second_stream)
    for got in (from_array, from_buffer):
        assert_close(got.to_numpy(), expected)


def test_short_rows_take_one_kernel_and_no_workspace_but_for_the_tiling(softmax: Any, stream: Stream, steps: list[op.Step]) -> None:
    softmax(normal((9, 65), DTYPES["float"]), stream=stream)
    assert [(each.kernel, each.tiling_key) for step in steps for each in step.launches] == [("softmax_rows", 3)]
    assert [step.workspace_sizes for step in steps if step.stage == "allocate_workspaces"] == [(0, 16)]


def test_long_rows_take_three_kernels_that_meet_in_the_workspace(softmax: Any, stream: Stream, steps: list[op.Step]) -> None:
    softmax(normal((2, 100000), DTYPES["bfloat16"]), stream=stream)
    launches = [each for step in steps for each in step.launches]
    assert [each.kernel for each in launches] == ["softmax_partial", "softmax_combine", "softmax_normalize"]
    assert all("workspace" in each.slots for each in launches)
    assert [step.workspace_sizes for step in steps if step.stage == "allocate_workspaces"] == [(2 * 48 * 4 + 2 * 32, 16)]


def test_long_rows_on_two_streams_do_not_meet_in_the_workspace(softmax: Any, stream: Stream, second_stream: Stream) -> None:
    arrays = [normal((3, columns), DTYPES["float"]) for columns in (20000, 20008, 30000, 30008)]
    buffers = [Buffer.from_array(array) for array in arrays]
    runs = [softmax(each, stream=where) for each in buffers for where in (stream, second_stream)]
    for number, got in enumerate(runs):
        assert_close(got.to_numpy(), tiling.reference(arrays[number // 2]))


def test_a_workspace_with_old_content_does_not_matter(softmax: Any, stream: Stream, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACLIMB_OP_DEBUG", "1")
    x = normal((5, 20001), DTYPES["half"])
    for _ in range(3):
        assert_close(softmax(x, stream=stream).to_numpy(), tiling.reference(x))


def test_it_can_be_prepared_once_and_launched_on_another_stream(softmax: Any, stream: Stream, second_stream: Stream) -> None:
    x = normal((2, 30000), DTYPES["float"])
    buffer = Buffer.from_array(x)
    with op.prepare(softmax, buffer) as prepared:
        for where in (stream, second_stream):
            assert_close(prepared.launch(where).to_numpy(), tiling.reference(x))


def test_other_types_are_refused(softmax: Any) -> None:
    with pytest.raises(op.OpError, match="Softmax does not take x float64"):
        softmax(np.zeros(3))
