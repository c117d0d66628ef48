# SPDX-License-Identifier: Apache-2.0
"""AddRmsNorm as an operator with tiling: the key says the element type and whether rows are split, and split rows need a workspace."""

from pathlib import Path

from aclimb import op

from . import tiling

SOURCE = Path(__file__).with_name("op_kernel") / "add_rms_norm.cpp"
DTYPES = ["float16", "bfloat16", "float32"]


def make() -> op.Operator:
    """y, rstd, x = add_rms_norm(x1, x2, gamma, epsilon=1e-6). The kernel is built at the first call."""
    norm = op.define("AddRmsNorm")
    norm.input("x1", dtype=DTYPES)
    norm.input("x2", follow="x1")
    norm.input("gamma", follow="x1")
    norm.output("y", follow="x1")
    norm.output("rstd", dtype=["float32"] * len(DTYPES))
    norm.output("x", follow="x1")
    norm.attr("epsilon", float, default=1e-6)
    norm.kernel(SOURCE)

    @norm.infer_shape
    def infer_shape(ctx: op.InferShapeContext) -> None:
        x1, x2, gamma = (ctx.input_shape[name].origin.dims for name in ("x1", "x2", "gamma"))
        if x1 != x2 or gamma != x1[-1:] or not x1:
            raise ValueError(f"x1, x2 and gamma are {x1}, {x2} and {gamma}; it takes two of one shape, and their last axis")
        ctx.output_shape["y"] = ctx.output_shape["x"] = x1
        ctx.output_shape["rstd"] = (*x1[:-1], 1)

    @norm.tiling
    def tile(ctx: op.TilingContext) -> None:
        shape, dtype, chip = ctx.input_shape["x1"].storage.dims, ctx.input_dtype["x1"], ctx.platform
        plan = tiling.plan(shape, dtype, ctx.attrs["epsilon"], chip.vector_core_num, chip.ub_size)
        assert plan is not None  # without rows there is nothing to launch, and nobody asks
        ctx.tiling_key, ctx.num_blocks = plan.tiling_key, plan.num_blocks
        ctx.tiling_data = plan.tiling
        ctx.workspace_sizes = [plan.workspace_bytes]

    return norm
