# SPDX-License-Identifier: Apache-2.0
"""Kernels of layered templates build and multiply: raw pipelines, flags of their own, explicit instances, a call operator for each core."""

from __future__ import annotations

import struct
from functools import cache

import numpy as np
import pytest
from matmul_runs import HERE, integers

from aclimb import Buffer, Kernel, KernelBinary, LaunchConfig, Program, Stream, launch


@cache
def binary(in_class: bool) -> KernelBinary:
    return Program(HERE / "templates.cpp", defines={"IN_CLASS": "1"} if in_class else {}).compile()


@pytest.mark.parametrize("in_class", [False, True], ids=["outside", "in class"])
@pytest.mark.parametrize("name", ["Plain", "Turned"])
@pytest.mark.parametrize("shape", [(256, 384, 192), (200, 300, 100), (17, 16, 33)])
def test_layers_of_templates_multiply(name: str, shape: tuple[int, int, int], in_class: bool) -> None:
    m, n, k = shape
    (which,) = [each for each in binary(in_class).kernels if name in each.name]
    turned = name == "Turned"
    a, b = integers(1, m, k), integers(2, k, n)
    c, stream = Buffer((m, n), np.float16 if turned else np.float32), Stream()
    buffers = [Buffer.from_array(np.ascontiguousarray(each)) for each in (a, b.T if turned else b)]
    layouts = (m, k, k, k, n, k if turned else n, m, n, n)
    params = struct.pack("<3I4x3Q9I4x", m, n, k, *(each.address for each in (*buffers, c)), *layouts)
    launch(stream, LaunchConfig(num_blocks=3), Kernel(binary(in_class), which.name), params)
    stream.synchronize()
    wanted = a.astype(np.float32) @ b.astype(np.float32)
    np.testing.assert_array_equal(c.to_numpy(), wanted.astype(np.float16) if turned else wanted)
