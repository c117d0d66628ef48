# SPDX-License-Identifier: Apache-2.0
"""Softmax as an operator of two stages: prepare decides between one kernel and three, launch queues them."""

from functools import cache
from pathlib import Path

import numpy as np

from aclimb import Device, Kernel, LaunchConfig, Program, launch, op
from aclimb.runtime.memory import HOST_TO_BUF_TO_DEVICE, copy

from . import tiling

SOURCE = Path(__file__).with_name("op_kernel") / "softmax.cpp"


def make() -> op.Operator:
    """softmax(x), over the last axis."""
    softmax = op.define("Softmax", relaunchable=True, cached=True)
    softmax.input("x", dtype=["float16", "bfloat16", "float32"])
    softmax.output("y", follow="x")

    @cache
    def kernels() -> dict[str, Kernel]:
        binary = Program(SOURCE).compile()
        return {name: Kernel(binary, name) for name in binary.kernel_names}

    @softmax.infer_shape
    def infer_shape(ctx: op.InferShapeContext) -> None:
        ctx.output_shape["y"] = ctx.input_shape["x"]

    @softmax.prepare
    def prepare(ctx: op.OpExecutePrepareContext) -> op.Prepared:
        x = ctx.inputs["x"]
        plan = tiling.plan(x.shape, x.dtype, Device().chip.aiv_cores)
        return op.Prepared(plan, workspace_sizes=[plan.workspace_bytes, len(plan.tiling)])

    @softmax.launch
    def run(ctx: op.OpExecuteLaunchContext) -> None:
        plan, (workspace, data) = ctx.params, ctx.workspaces
        if plan.calls:  # the kernels read their tiling from device memory
            host = np.frombuffer(plan.tiling, np.uint8)
            copy(data.ptr, data.size, host.ctypes.data, host.nbytes, HOST_TO_BUF_TO_DEVICE, ctx.stream)
        values = {"x": ctx.inputs["x"], "y": ctx.outputs["y"], "workspace": workspace, "tiling": data}
        for call in plan.calls:
            config = LaunchConfig(num_blocks=call.num_blocks, tiling_key=call.tiling_key)
            launch(ctx.stream, config, kernels()[call.kernel], *(values[name] for name in tiling.ARGUMENTS[call.kernel]))

    return softmax
