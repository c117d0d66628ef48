# SPDX-License-Identifier: Apache-2.0
"""Bytes between memories, of a kernel whose every byte is known."""

from __future__ import annotations

import command
import numpy as np
import pytest

import aclimb
from aclimb import Buffer, Kernel, LaunchConfig, Program, Stream, launch

LENGTH = 65536


def test_each_way_has_the_bytes_that_the_kernel_moved() -> None:
    x = Buffer.from_array(np.zeros(LENGTH, np.float16))
    kernel, stream = Kernel(Program(command.KERNEL, name="double_it").compile()), Stream()
    with aclimb.profile(l2="cold") as timeline:
        launch(stream, LaunchConfig(num_blocks=4), kernel, x, LENGTH)
        stream.synchronize()
    [timed] = timeline.json()["launches"]
    flow = {(each["from"], each["to"]): each for each in timed["memory_flow"]}
    size = 2 * LENGTH
    assert flow["L2", "UB"]["bytes"] == flow["UB", "L2"]["bytes"] == flow["HBM", "L2"]["bytes"] == size
    assert flow["UB", "Vector"]["bytes"] == 2 * size, "Add reads two operands"
    assert flow["Vector", "UB"]["bytes"] == size
    assert not {name for way in flow for name in way} & {"L1", "L0A", "L0B", "L0C", "L0"}, "a vector kernel has no cube"
    assert flow["L2", "UB"]["gbs"] == pytest.approx(size / timed["task_us"] / 1e3)
