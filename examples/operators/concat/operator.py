# SPDX-License-Identifier: Apache-2.0
"""Concat as an operator of two stages: prepare decides which kernel copies which input, launch queues one copy after the other."""

from functools import cache
from pathlib import Path

import numpy as np

from aclimb import Device, Kernel, LaunchConfig, Program, launch, op
from aclimb.runtime.memory import HOST_TO_BUF_TO_DEVICE, copy

from . import tiling

SOURCE = Path(__file__).with_name("op_kernel") / "concat.cpp"
DTYPES = ["bool", "int8", "uint8", "int16", "uint16", "float16", "bfloat16", "int32", "uint32", "float32", "int64", "uint64", "float64",
          "complex64", "complex128"]  # fmt: skip


def make() -> op.Operator:
    """concat([a, b, c], axis=1). Prepared state has no addresses in it, so calls of the same shapes share it."""
    concat = op.define("Concat", relaunchable=True, cached=True)
    concat.input("x", dtype=DTYPES, dynamic=True)
    concat.output("y", follow="x")
    concat.attr("axis", int, default=0)

    @cache
    def kernels() -> dict[str, Kernel]:
        binary = Program(SOURCE).compile()
        return {name: Kernel(binary, name) for name in binary.kernel_names}

    @concat.infer_shape
    def infer_shape(ctx: op.InferShapeContext) -> None:
        shapes = [each.origin.dims for each in ctx.input_shape["x"]]
        ctx.output_shape["y"] = tiling.output_shape(shapes, ctx.attrs["axis"])

    @concat.prepare
    def prepare(ctx: op.OpExecutePrepareContext) -> op.Prepared:
        tensors, chip = ctx.inputs["x"], Device().chip
        copies = tiling.plan([each.shape for each in tensors], ctx.outputs["y"].dtype.itemsize, ctx.attrs["axis"], chip.aiv_cores)
        return op.Prepared(copies, workspace_sizes=[tiling.TILING.size * len(copies)])

    @concat.launch
    def run(ctx: op.OpExecuteLaunchContext) -> None:
        if not ctx.params:
            return
        # The kernels read their tiling from device memory: all of it lies in the workspace, one behind the other.
        data = np.frombuffer(b"".join(each.tiling for each in ctx.params), np.uint8)
        address = ctx.workspaces[0].ptr
        copy(address, data.nbytes, data.ctypes.data, data.nbytes, HOST_TO_BUF_TO_DEVICE, ctx.stream)
        inputs, y = ctx.inputs["x"], ctx.outputs["y"]
        for number, each in enumerate(ctx.params):
            config = LaunchConfig(num_blocks=each.num_blocks)
            launch(ctx.stream, config, kernels()[each.kernel], inputs[each.index], y, address + number * tiling.TILING.size)

    return concat
