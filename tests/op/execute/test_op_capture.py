# SPDX-License-Identifier: Apache-2.0
"""Operators inside a capture: prepared and launched once, replayed by their kernels alone, fused by scope."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from op_parts import Find, Register, device, floats, launch_six, prepare_six, six_times

from aclimb import Stream, op
from aclimb.fuse import super_kernel


@pytest.mark.requirement("op-87", "op-88")
def test_a_captured_operator_prepares_once_and_replays_its_kernels(kernel: Find, stream: Stream, register: Register) -> None:
    calls: list[str] = []

    def prepare(ctx: Any) -> Any:
        calls.append("prepare")
        return prepare_six(ctx)

    run = launch_six(kernel)

    def launch(ctx: Any) -> Any:
        calls.append("launch")
        return run(ctx)

    made = six_times(kernel, prepare=prepare, launch=launch)
    register(made)
    x, y = device(floats(64)), device(np.zeros(64, np.float32))
    with stream.capture() as graph:
        made(x, out=y, stream=stream)
    assert calls == ["prepare", "launch"]
    x.copy_from(floats(64, 100))
    for _ in range(2):
        graph.launch(stream)
        op.release_workspaces()  # the workspace of the capture is not among them
        stream.synchronize()
        np.testing.assert_array_equal(y.to_numpy(), 6 * floats(64, 100))
    assert calls == ["prepare", "launch"]


@pytest.mark.requirement("op-89")
def test_reading_in_a_captured_launch_raises(kernel: Find, stream: Stream, register: Register) -> None:
    seen: list[str] = []

    def launch(ctx: Any) -> None:
        for forbidden in (ctx.stream.synchronize, x.to_numpy):
            with pytest.raises(Exception, match="captured") as caught:
                forbidden()
            seen.append(str(caught.value))

    made = six_times(kernel, launch=launch)
    register(made)
    x = device(floats(64))
    with stream.capture():
        made(x, out=device(floats(64)), stream=stream)
    assert len(seen) == 2


@pytest.mark.requirement("op-90")
def test_the_kernels_of_an_operator_are_fused_like_others(kernel: Find, stream: Stream, register: Register) -> None:
    made = six_times(kernel)
    register(made)
    x, y, z = device(floats(64)), device(np.zeros(64, np.float32)), device(np.zeros(64, np.float32))
    with stream.capture() as graph, super_kernel("both"):
        made(x, out=y, stream=stream)
        made(y, out=z, stream=stream)
    assert (len(graph), graph.tasks) == (4, 1)
    graph.launch(stream)
    stream.synchronize()
    np.testing.assert_array_equal(z.to_numpy(), 36 * floats(64))
    graph.destroy()
